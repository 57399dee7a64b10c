import { beforeAll, describe, expect, it } from 'vitest';
import { GOLDEN_SCENES, playGolden } from '../support/golden-scenes.ts';
import { freeMemories } from '../support/wasm.ts';

/** The same in Chromium: test/browser/golden.test.ts. */
describe('results, their order, the tree and the costs are those of the golden hashes', () => {
  it.each(GOLDEN_SCENES)('in JavaScript: $name', (scene) => {
    expect(playGolden(scene, Infinity)).toEqual(scene.hashes.slice(0, 3));
  });

  describe('in WebAssembly', () => {
    beforeAll(freeMemories);

    it.each(GOLDEN_SCENES)('$name', (scene) => {
      const [results, tree, , costs] = scene.hashes;
      expect(playGolden(scene, 0)).toEqual([results, tree, costs]);
    });
  });
});
