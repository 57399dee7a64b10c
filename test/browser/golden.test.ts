import { expect, it } from 'vitest';
import { GOLDEN_SCENES, playGolden } from '../support/golden-scenes.ts';

/** The same in Node: test/octree/golden.test.ts. */
it.each(GOLDEN_SCENES)(
  '$name: results, their order, the tree and the costs are those of the golden hashes',
  (scene) => {
    const [results, tree, costs] = playGolden(scene, Infinity);
    const inWasm = playGolden(scene, 0);
    expect([results, tree, costs, inWasm[2]]).toEqual(scene.hashes);
    expect(inWasm.slice(0, 2)).toEqual([results, tree]);
  },
);
