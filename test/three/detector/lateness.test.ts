// When each feature finds each kind of change. The rule: of a watched member in the update after the change; of a
// static one in the update after the report; of a static one that was not reported in turn, at latest after 256
// updates, and at once where only its material has changed. The same whether the next frame is rendered in the task of
// the last one or in another one. What is found later today is listed in known-lateness.ts, and nothing else.

import { describe, expect, it, vi } from 'vitest';
import { kinds } from '../../support/change-kinds.ts';
import { KNOWN_LATENESS } from '../../support/known-lateness.ts';
import {
  EVERYTHING,
  FeatureWorld,
  latenessOf,
  latenessOfScene,
  MODES,
  MOMENTS,
  shownAtRest,
  truthOf,
} from '../../support/lateness.ts';
import { IS_LONG, sampleFrom } from '../../support/sampled.ts';
import { sceneKinds } from '../../support/scene-kinds.ts';

/** Kinds that move a static child by its own numbers, which the group finds in turn. */
const MOVES = [
  'position',
  'rotation',
  'scale',
  'matrix written by hand',
  'pivot',
  'a pivot, later',
  'an ancestor moved',
  'moved out of view',
  'moved into view',
  'a child moved',
];

const knownOf = (kind: string): string[] =>
  Object.keys(KNOWN_LATENESS).filter((lateness) => KNOWN_LATENESS[lateness].includes(kind));

describe('every feature finds in time', () => {
  it.each(Object.entries(kinds))('%s', async (name, kind) => {
    // In `npm test` kinds in turn have one of the moments and of the modes: kinds beside each other are alike.
    const number = Object.keys(kinds).indexOf(name);
    const moments = IS_LONG ? MOMENTS : [MOMENTS[number % MOMENTS.length]];
    const modes = sampleFrom(MODES, MODES.length, number);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const known = knownOf(name).filter((lateness) => modes.some((mode) => lateness.startsWith(`${mode}, `)));
    expect((await latenessOf(kind, moments, modes)).sort()).toEqual(known.sort());
    const warnings = warn.mock.calls.map(([text]) => String(text));
    warn.mockRestore();
    // Each group names its first forgotten move: one at each moment, where none is reported.
    const forgotten = warnings.filter((text) => text.includes('was moved without a report'));
    expect(forgotten.length).toBe(MOVES.includes(name) && modes.includes('not reported') ? moments.length : 0);
    expect(warnings.length > forgotten.length).toBe(name === 'boundingSphere NaN');
  });
});

describe('a report without a change tells nothing, of what may change by', () => {
  const kindsOfMembers = Object.entries(kinds).filter(([, { make }]) => make !== undefined);

  it.each(kindsOfMembers)('%s', (_, kind) => {
    const world = new FeatureWorld('reported', kind);
    const frame = (): unknown[] => {
      const told = world.begin();
      world.draw();
      return [told, world.shownIn(EVERYTHING, truth).alone];
    };
    const truth = truthOf({ ...kind, change: () => undefined });
    for (let k = 0; k < 3; k++) frame();
    const before = frame();
    world.group.children.forEach((child) => world.group.reportMove(child));
    expect(frame()).toEqual(before);
  });
});

describe('pictures and shadow maps count as changed, or not, by', () => {
  it.each(Object.entries(sceneKinds))('%s', (_, kind) => {
    expect(latenessOfScene(kind)).toEqual([]);
  });
});

it.each(MODES)('a world at rest has a batch and two occluders: %s', (mode) => {
  const { merged, atWall, atMesh } = shownAtRest(mode);
  expect(merged.includes('mesh')).toBe(mode !== 'watched');
  expect(atWall).not.toContain('mesh');
  expect(atMesh).toContain('mesh');
  expect(atMesh).not.toContain('small');
});

it('only kinds that exist are listed as late', () => {
  const listed = new Set(Object.values(KNOWN_LATENESS).flat());
  expect(Array.from(listed).filter((name) => !(name in kinds))).toEqual([]);
});
