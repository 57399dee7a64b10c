import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OctreeOptions } from '../../src/index.ts';
import { histories } from '../support/operations.ts';
import { HistoryRunner } from '../support/run-history.ts';

const LONGEST = 100;
const HISTORIES = 450;
const OPERATIONS = 200_000;

const SETTINGS: readonly OctreeOptions[] = [
  {},
  { looseness: 1, leafCapacity: 1 },
  { looseness: 1, leafCapacity: 2, outside: 'grow', region: { min: { x: -8, y: -8, z: -8 }, edge: 16 } },
  { looseness: 1, leafCapacity: 16 },
  { looseness: 1.5, leafCapacity: 1 },
  { looseness: 1.5, leafCapacity: 2, minCellSize: 4 },
  { looseness: 2, leafCapacity: 1 },
  { looseness: 2, leafCapacity: 1, lifespan: false },
  { looseness: 2, leafCapacity: 2 },
  { looseness: 2, leafCapacity: 1, outside: 'remove', region: { min: { x: -512, y: -512, z: -512 }, edge: 1024 } },
  { looseness: 2, leafCapacity: 2, outside: 'throw', region: { min: { x: -128, y: -256, z: -384 }, edge: 512 } },
];

/** Every other case traverses in WebAssembly. */
const CASES = SETTINGS.map((setting, i) => {
  const options = i % 2 === 0 ? setting : { ...setting, simdFrom: 0 };
  return { options, seed: 1000 + i, name: JSON.stringify(options) };
});

describe('Octree, any history', () => {
  let operations = 0;
  let inWasm = 0;

  it.each(CASES)('equals brute force after every operation: seed $seed, options $name', ({ options, seed }) => {
    const property = fc.property(histories(LONGEST), (history) => {
      operations += history.length;
      const runner = new HistoryRunner(options);
      const { octree } = runner.twin;
      try {
        runner.run(history);
        if (octree['store'].tree.wasm !== null) inWasm++;
      } finally {
        // Only 64 octrees have WebAssembly memory at a time.
        octree.clear();
      }
    });
    fc.assert(property, { seed, numRuns: HISTORIES });
  });

  it(`was compared with brute force after at least ${OPERATIONS} operations`, () => {
    console.log(`${operations} operations, ${inWasm} histories in WebAssembly`);
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(inWasm).toBeGreaterThan((HISTORIES * CASES.length) / 4);
  });
});
