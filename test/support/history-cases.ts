/** The settings under which random histories run, shared by the test and its compiled process. */
import type { OctreeOptions } from '../../src/index.ts';

const SETTINGS: readonly OctreeOptions[] = [
  {},
  { looseness: 1, leafCapacity: 1 },
  { looseness: 1, leafCapacity: 2, outside: 'grow', region: { min: { x: -8, y: -8, z: -8 }, edge: 16 } },
  { looseness: 1, leafCapacity: 16, lookAhead: 96 },
  { looseness: 1.5, leafCapacity: 1 },
  { looseness: 1.5, leafCapacity: 2, minCellSize: 4 },
  { looseness: 2, leafCapacity: 1, lookAhead: 192, minCellSize: 2 ** -30 },
  { looseness: 2, leafCapacity: 1, lifespan: false, minCellSize: 2 ** -9 },
  { looseness: 2, leafCapacity: 2, lookAhead: 0 },
  { looseness: 2, leafCapacity: 1, outside: 'remove', region: { min: { x: -512, y: -512, z: -512 }, edge: 1024 } },
  { looseness: 2, leafCapacity: 2, outside: 'throw', region: { min: { x: -128, y: -256, z: -384 }, edge: 512 } },
];

/** Every other case traverses in WebAssembly. */
export const HISTORY_CASES = SETTINGS.map((setting, k) => {
  const options = k % 2 === 0 ? setting : { ...setting, simdFrom: 0 };
  return { options, seed: 1000 + k, name: JSON.stringify(options) };
});
