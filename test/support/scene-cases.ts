/**
 * Cases that compare octrees of seeded scenes with the reference, run by the process of the random histories, where V8
 * has compiled the code already.
 */
import type { OctreeOptions } from '../../src/index.ts';
import { randomQueryNear } from './queries.ts';
import { createRandom } from './random.ts';
import { IS_LONG } from './sampled.ts';
import { clustered, coincident, flat, gridAligned, huge, translated, uniform } from './scenes.ts';
import type { Shape } from './shapes.ts';
import { boundsOf } from './shapes.ts';
import { Twin } from './twin.ts';
import { validate } from '../../src/debug/index.ts';

type Build = (count: number) => Shape[];

/** The run throws if the octree differs from the reference. */
export interface SceneCase {
  readonly name: string;
  readonly run: () => void;
}

const SCENES: readonly (readonly [string, Build])[] = [
  ['uniform', (count) => uniform(count, 21)],
  ['clustered', (count) => clustered(count, 22)],
  ['coincident', coincident],
  ['flat', (count) => flat(count, 23)],
  ['grid-aligned', (count) => gridAligned(Math.ceil(Math.cbrt(count))).slice(0, count)],
  ['huge', (count) => huge(count, 24)],
  ['at 2^20', (count) => translated(uniform(count, 25), 2 ** 20)],
  ['at 1e7 + 0.3', (count) => translated(uniform(count, 26), 1e7 + 0.3)],
  ['at 2^40', (count) => translated(uniform(count, 27), -(2 ** 40))],
];
const SIZES = [0, 1, 2, 8, 9, 17, 400];
const SETTINGS: readonly OctreeOptions[] = [
  {},
  { simdFrom: 0 },
  { looseness: 1, leafCapacity: 1 },
  { looseness: 1.5, leafCapacity: 4, simdFrom: 0 },
];

export const SCENE_CASES: readonly SceneCase[] = [
  ...SCENES.flatMap(([scene, build]) =>
    SETTINGS.map((options) => ({
      name: `at 0, 1, 2, 8, 9, 17 and 400 bodies: ${scene}, ${JSON.stringify(options)}`,
      run: () => queryAll(build, options),
    })),
  ),
  ...SCENES.map(([scene, build]) => ({
    name: `while removed in any order, with and without updates between: ${scene}`,
    run: () => removeAll(build),
  })),
];

/** Runs queries near bodies, then queries of the whole scene. */
function runQueries(twin: Twin, seed: number, queries: number): void {
  const random = createRandom(seed);
  for (let i = 0; i < queries; i++) {
    const spot = twin.trackedBodies.length > 0 ? boundsOf(random.pick(twin.trackedBodies).shape) : [0, 0, 0, 1, 1, 1];
    twin.expectQuery(randomQueryNear(i, spot, random));
  }
  twin.expectQuery({ kind: 'pairs' });
  twin.expectQuery({ kind: 'nearest', point: [0, 0, 0], count: 1000 });
  twin.expectQuery({ kind: 'sphere', sphere: [0, 0, 0, 2 ** 52] });
}

function queryAll(build: Build, options: OctreeOptions): void {
  for (const size of SIZES) {
    const twin = new Twin(options);
    for (const shape of build(size)) twin.insert(shape);
    runQueries(twin, size, IS_LONG ? 70 : 35);
    // The number of WebAssembly memories is limited.
    twin.octree.clear();
  }
}

function removeAll(build: Build): void {
  for (const order of ['first', 'last', 'random'] as const) {
    for (const withUpdates of [false, true]) {
      const twin = new Twin({ leafCapacity: 2 });
      const random = createRandom(31);
      for (const shape of build(60)) twin.insert(shape);
      while (twin.trackedBodies.length > 0) {
        const i =
          order === 'first'
            ? 0
            : order === 'last'
              ? twin.trackedBodies.length - 1
              : random.below(twin.trackedBodies.length);
        twin.remove(twin.trackedBodies[i]);
        if (withUpdates) twin.update();
        runQueries(twin, twin.trackedBodies.length, 2);
        const faults = validate(twin.octree);
        if (faults.length > 0) throw new Error(faults.join('; '));
      }
    }
  }
}
