// Random histories of a town whose shadow maps are drawn when they change: each picture must equal that of a town whose
// maps are always drawn, and the history must notice each kind of change that is not reported.

import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContainerChanges } from '../../src/changes/views/container-changes.ts';
import { GroupChanges } from '../../src/changes/views/group-changes.ts';
import { ShadowLight } from '../../src/changes/shadows/shadow-light.ts';
import * as bits from '../../src/three/detector/change-bits.ts';
import { omit, plant, silence } from '../support/planted-faults.ts';
import { createRandom } from '../support/random.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';
import { actions, changesOf } from '../support/shadow-histories.ts';
import { aim, useRenderer } from '../support/three-pictures.ts';
import { camera, createFullPair } from '../support/shadow-towns.ts';

const renderer = useRenderer();

afterEach(() => void vi.restoreAllMocks());

/** Plays frames until a picture differs. Returns the number of equal frames. */
function play(seed: number, frames: number, names = Object.keys(actions)): number {
  const { step } = createFullPair(renderer, seed);
  const random = createRandom(seed);
  for (let frame = 0; frame < frames; frame++) {
    const changes = changesOf(random, names);
    if (step((town) => changes.forEach((change) => change(town))) > 0) return frame;
  }
  return frames;
}

describe('a random history', () => {
  afterEach(() => aim(camera, [0, 45, 45], [0, 0, 0]));

  const FRAMES = IS_LONG ? 250 : 40;
  it(`shows the pictures of maps that are always drawn, in ${FRAMES} frames`, () => {
    expect(play(11, FRAMES)).toBe(FRAMES);
  }, 120_000);

  const { prototype } = GroupChanges;
  const faults: Record<string, readonly [kinds: string[], plant: () => void]> = {
    'old and new places': [['move'], () => silence(bits.PLACE)],
    visible: [['visible'], () => silence(bits.SHOWN | bits.CASTS)],
    castShadow: [['castShadow'], () => silence(bits.CASTS)],
    layers: [['layers'], () => silence(bits.LAYERS)],
    'fields of materials': [['material field'], () => silence(bits.CASTER | bits.TRAITS)],
    'children added': [['added', 'removed'], () => omit(prototype, 'added')],
    'children removed': [['removed', 'added'], () => omit(prototype, 'removed')],
    'levels of detail and groups': [['level of detail', 'visible'], () => omit(prototype, 'chooseLevels')],
    'whole containers': [
      ['parent'],
      () =>
        plant<ContainerChanges>(
          ContainerChanges.prototype,
          'isSeenBy',
          (original) =>
            function (...args) {
              this.isAll = false;
              return original.apply(this, args);
            },
        ),
    ],
    instances: [
      ['instance moved', 'instance hidden', 'instance deleted or added'],
      () => omit(ContainerChanges.prototype, 'addBox'),
    ],
    'what instances share': [
      ['material of instances'],
      () => plant(ContainerChanges.prototype, 'isSeenBy', () => () => false),
    ],
    lights: [['light'], () => plant(ShadowLight.prototype, 'read', () => () => false)],
  };

  it.each(sampleFrom(Object.entries(faults), 4))(
    'would show if changes were not reported: %s',
    (_, [kinds, plantFault]) => {
      expect(play(12, 30, kinds)).toBe(30);
      plantFault();
      expect(play(12, 30, kinds)).toBeLessThan(30);
    },
  );
});
