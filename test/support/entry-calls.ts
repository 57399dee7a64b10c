/**
 * Every public function of scene-octree/save, tiles, debug, debug-three and react with valid arguments, for tests that
 * spoil them.
 */

import { BoxGeometry, Matrix4, Mesh, MeshStandardMaterial, Scene, type Object3D } from 'three';
import { validate } from '../../src/debug/index.ts';
import * as debugThree from '../../src/debug-three/index.ts';
import { reportMove } from '../../src/react/move-reports.ts';
import {
  BodySet,
  decodeBodies,
  encodeBodies,
  readBodies,
  readBoxes,
  readMasks,
  trackChanges,
} from '../../src/save/index.ts';
import { objectsOf, writeTiles } from '../../src/tiles/index.ts';
import { FakeRenderer } from './change-towns.ts';
import { createCall, type Create, type ThreeCall, type World } from './three-calls.ts';

const octreeOf = ({ instances, group }: World): never => {
  // Bodies are inserted by the first question.
  void group.octree.size;
  return instances.octree as never;
};

const SAVE: Readonly<Record<string, Create>> = {
  readBodies: (world) => [
    [octreeOf(world), { indices: [0, 2], data: (data: number) => data }],
    (...given) => readBodies(...(given as unknown as [never])),
  ],
  readBoxes: (world) => [
    [octreeOf(world), [0, 2], new Float64Array(12)],
    (...given) => readBoxes(...(given as unknown as [never, never])),
  ],
  readMasks: (world) => [
    [octreeOf(world), [0, 2], new Int32Array(2)],
    (...given) => readMasks(...(given as unknown as [never, never])),
  ],
  encodeBodies: (world) => [
    [
      readBodies(octreeOf(world)).map(({ bounds, options }) => ({ bounds, options: { ...options } })),
      { encode: () => new Uint8Array(3), decode: () => [0, 1, 2, 3] },
    ],
    (...given) => encodeBodies(...(given as unknown as [never])),
  ],
  decodeBodies: (world) => {
    const codec = { encode: () => new Uint8Array(3), decode: () => [0, 1, 2, 3] };
    return [
      [encodeBodies(readBodies(octreeOf(world)), codec as never), codec],
      (...given) => decodeBodies(...(given as unknown as [never])),
    ];
  },
  'new BodySet': () => [[[1, 2]], (indices) => new BodySet(indices)],
  'BodySet.has': () => withSet((set) => [[2], (index) => set.has(index)]),
  'BodySet.add': () => withSet((set) => [[99], (index) => set.add(index)]),
  'BodySet.delete': () => withSet((set) => [[2], (index) => set.delete(index)]),
  trackChanges: (world) => [
    [octreeOf(world), { maxRemoved: 4 }],
    (...given) => trackChanges(...(given as unknown as [never])),
  ],
  'ChangeJournal.changesSince': (world) => {
    const journal = trackChanges(octreeOf(world));
    world.instances.deleteInstance(3);
    world.state();
    const { version } = journal;
    return [[version], (value) => journal.changesSince(value), () => JSON.stringify(journal.changesSince(version))];
  },
};

function withSet(create: (set: BodySet) => ReturnType<Create>): ReturnType<Create> {
  const set = new BodySet([1, 2, 40]);
  const [values, call] = create(set);
  return [values, call, () => `${set.size}: ${[...set].join()}`];
}

const TILES: Readonly<Record<string, Create>> = {
  objectsOf: ({ mesh }) => [
    [{ scene: new Scene().add(mesh.clone()) }, { id: (_mesh: Mesh, _instance?: number) => 7 }],
    (...given) => [...objectsOf(...(given as unknown as [never]))].map(({ positions }) => positions.length),
  ],
  writeTiles: () => {
    const { attributes, index } = new BoxGeometry();
    const object = {
      id: 7,
      name: 'house',
      material: new MeshStandardMaterial(),
      positions: Array.from(attributes.position.array),
      index: Array.from(index!.array),
      normals: Array.from(attributes.normal.array),
      uvs: Array.from(attributes.uv.array),
      uvs1: null,
      colors: null,
      encodeImage: () => null,
    };
    const options = {
      maxVertices: 256,
      encoder: {
        ready: Promise.resolve(),
        reorderMesh: (indices: Uint32Array) => [indices, indices.length] as const,
        encodeGltfBuffer: () => new Uint8Array(8),
      },
      simplifier: { ready: Promise.resolve(), simplify: (indices: Uint32Array) => [indices, 0] as const },
      solidBoxes: () => [],
      transform: { elements: new Matrix4().elements },
      encodeImage: () => null,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    return [
      [[object], options],
      async (...given) => {
        for await (const { path } of writeTiles(...(given as unknown as [never]))) if (path === '') return;
      },
    ];
  },
};

/** Draws nothing: all its pictures are equal. */
class FullRenderer extends FakeRenderer {
  autoClear = true;
  readonly info = { render: {} };
  readonly render = (scene: Object3D): void => scene.updateMatrixWorld();
  readonly getRenderTarget = (): null => null;
  readonly getActiveCubeFace = (): number => 0;
  readonly getActiveMipmapLevel = (): number => 0;
  readonly setRenderTarget = (): void => undefined;
  readonly readRenderTargetPixelsAsync = async (): Promise<Uint8Array> =>
    Promise.resolve(new Uint8Array(256 * 144 * 4));
}

const DEBUG_THREE: Readonly<Record<string, Create>> = {
  explain: ({ instances, camera }) => [
    [instances, camera, 1],
    (...given) => debugThree.explain(...(given as unknown as [never, never])),
  ],
  validate: ({ group }) => [[group], (container) => debugThree.validate(container)],
  verify: ({ scene, camera }) => [
    [new FullRenderer(), scene, camera, { share: 1, onDifference: () => undefined }],
    async (...given) => debugThree.verify(...(given as unknown as [never, never, never])),
  ],
  statisticsOf: ({ group, camera }) => [
    [group, camera],
    (...given) => debugThree.statisticsOf(...(given as unknown as [never, never])),
  ],
};

const ROWS: Readonly<Record<string, Readonly<Record<string, Create>>>> = {
  'src/save/index.ts': SAVE,
  'src/tiles/index.ts': TILES,
  'src/debug/index.ts': { validate: (world) => [[octreeOf(world)], (octree) => validate(octree)] },
  'src/debug-three/index.ts': DEBUG_THREE,
  'src/react/index.ts': { reportMove: ({ mesh }) => [[mesh], (object) => reportMove(object)] },
};

export const ENTRIES = Object.keys(ROWS);

/** Calls without a row, with the reason. */
export const WITHOUT_ROW: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^(new )?(BruteForce|Reference)\w*\b/, 'loops for tests, which check nothing'],
  [/^OctreeGroup$|^OctreeInstances$|^use/, 'components and hooks: React calls them'],
];

/** The names of all calls of an entry. */
export const callsOf = (entry: string): readonly string[] => Object.keys(ROWS[entry]);

/** A fresh call of a function; undefined if it has no row. */
export function entryCall(entry: string, name: string): ThreeCall | undefined {
  const create = ROWS[entry][name] as Create | undefined;
  return create && createCall(create);
}
