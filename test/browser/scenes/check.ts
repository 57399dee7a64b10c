/**
 * The tests of the standing check: one for each scene. Their renderer is shared, because a page may have only a few.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences } from './compare.ts';
import { mesh } from './meshes.ts';
import { coloredPixels, countChanges, play, type Recording, type Screen } from './play.ts';
import { hasBatches, type AnyRenderer, type ExampleScene, type Variant } from './stage.ts';
import { sampleFrom } from '../../support/sampled.ts';

/** Sentences that a failing test prints for each variant. */
const MAX_SENTENCES = 4;

/**
 * Each scene must look, and be hit, as in a plain Group.
 *
 * @param topics Scenes by the name of their topic. A sample has a third of those of each.
 * @param row Renderers with different rows draw different ones.
 */
export function checkScenes<R extends AnyRenderer>(
  renderer: string,
  createScreen: () => Screen<R> | Promise<Screen<R>>,
  topics: Record<string, readonly ExampleScene<R>[]>,
  row: number,
): void {
  let screen: Screen<R>;
  /**
   * By scene and variant: the largest number of objects that were drawn from batches. Without those with a pass that is
   * drawn without batches.
   */
  const batched: number[] = [];
  /** By scene and variant: the largest number of objects that were drawn from posed chunks. */
  const posed: number[] = [];
  /** By scene: the number of bodies that were hidden. */
  const hidden: number[] = [];
  /** By scene: the shadow maps and the frames that were not drawn. */
  const kept: Recording['kept'][] = [];
  beforeAll(async () => {
    screen = await createScreen();
  });
  afterAll(() => screen.renderer.dispose());

  describe.each(Object.entries(topics))(`${renderer} draws %s as in a Group:`, (_, scenes) => {
    for (const scene of sampleFrom(scenes, 3, row)) {
      it(scene.name, async () => {
        const plain = await play(scene, 'plain', screen);
        expectShown(plain, scene.isHit !== false);
        const found: Partial<Record<Variant, string[]>> = {};
        const variants: Variant[] = [
          'children',
          'trees',
          'batches',
          'occlusion',
          'batched occlusion',
          'posed',
          'changes',
        ];
        if (plain.hasInstances) variants.push('instances');
        for (const variant of variants) {
          const recording = await play(scene, variant, screen);
          const isHiding = variant.endsWith('occlusion');
          if (!isHiding) expect(recording.culled).toBeGreaterThan(0);
          const sentences = differences(plain, recording, hasBatches(variant)).slice(0, MAX_SENTENCES);
          if (!recording.isWithoutBatches) batched.push(recording.batched);
          posed.push(recording.posed);
          if (isHiding) hidden.push(recording.hidden);
          if (variant === 'changes') kept.push(recording.kept);
          if (sentences.length > 0) found[variant] = sentences;
        }
        if (scene.defect === undefined) expect(found).toEqual({});
        else
          expect(
            found,
            `No difference is left: delete the line "defect: '${scene.defect}'" of this scene.`,
          ).not.toEqual({});
      });
    }
  });

  it('has scenes that are drawn from batches', () => {
    expect(batched.length).toBeGreaterThan(20);
    // Every scene has four boxes out of sight that are.
    expect(Math.min(...batched)).toBeGreaterThanOrEqual(4);
    expect(batched.filter((count) => count > 8).length).toBeGreaterThan(0.25 * batched.length);
  });

  it('has scenes with objects that are drawn from posed chunks while they move', () => {
    expect(posed.filter((count) => count > 0).length).toBeGreaterThan(4);
  });

  it('has scenes whose shadow maps and frames are kept', () => {
    const [maps, frames] = [0, 1].map((k) => kept.filter((each) => each[k] > 0).length);
    expect(maps).toBeGreaterThan(0);
    expect(frames).toBeGreaterThan(0.2 * kept.length);
  });

  it('has scenes in which objects hide others', () => {
    // In the others another camera draws, or something that excludes it.
    expect(hidden.filter((count) => count > 0).length).toBeGreaterThan(0.6 * hidden.length);
  });

  it('finds pixels, draw calls, callbacks and hits that differ', async () => {
    const changed: ExampleScene = {
      name: 'one object more in a container',
      build({ add, log, variant }) {
        add(mesh(0xff0000, -2));
        if (variant === 'plain') return {};
        add(mesh(0x00ff00, 1, 1));
        return { update: () => log('update') };
      },
    };
    const found = differences(await play(changed, 'plain', screen), await play(changed, 'children', screen)).join();
    for (const kind of ['pixels differ', '4 draw calls in place of 3', 'callbacks: update', 'hits: '])
      expect(found).toContain(kind);
  });
}

/** The comparison of empty or of equal pictures would prove nothing. */
function expectShown(plain: Recording, isHit: boolean): void {
  expect(Math.min(...coloredPixels(plain))).toBeGreaterThan(30);
  expect(countChanges(plain)).toBeGreaterThan(3);
  if (isHit) expect(plain.hits.flat().length).toBeGreaterThan(0);
}
