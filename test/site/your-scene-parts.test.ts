import { BoxGeometry, Group, Mesh, MeshBasicMaterial, Raycaster, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../src/three.ts';
import { type BatchFigures, Batching } from '../../examples/src/your-scene/batching.ts';
import { meshesOf } from '../../examples/src/your-scene/bodies-meshes.ts';
import { CameraPath } from '../../examples/src/your-scene/camera-path.ts';
import { type FileSet, findFile, findScene } from '../../examples/src/your-scene/dropped-files.ts';
import { buildFirstScene } from '../../examples/src/your-scene/first-scene.ts';
import { type LoadedScene, loadScene } from '../../examples/src/your-scene/load-scene.ts';
import { Pace } from '../../examples/src/your-scene/paced-loading.ts';
import type { FrameFigures, Measurement } from '../../examples/src/your-scene/measure.ts';
import {
  adviceOf,
  batchLinesOf,
  bestOf,
  codeOf,
  memoryOf,
  perSecond,
  verdictOf,
} from '../../examples/src/your-scene/report.ts';
import { pairScene, type ScenePair } from '../../examples/src/your-scene/scene-pair.ts';
import { readBodies } from '../../examples/src/shared/bodies-file.ts';
import { runInSlices } from '../../examples/src/shared/slices.ts';
import type { TaskContext } from '../../examples/src/shared/task.ts';
import { nearest } from '../../src/index.ts';
import { finish } from './support/finish.ts';

const setOf = (...paths: string[]): FileSet => new Map(paths.map((path) => [path, new File([], path)]));

const pairOf = (root: Group, isStatic = true): ScenePair =>
  finish(pairScene({ name: 'test', root, animations: [], notes: [], hasMetals: false }, isStatic));

/** Updates of the OctreeGroup while 12 meshes are added, with boxes of many or few segments. */
function updatesOf(segments: number): number {
  const root = new Group();
  for (let k = 0; k < 12; k++) root.add(new Mesh(new BoxGeometry(1, 1, 1, segments, 1, 1), new MeshBasicMaterial()));
  const update = vi.spyOn(OctreeGroup.prototype, 'updateMatrixWorld');
  pairOf(root);
  const { length } = update.mock.calls;
  update.mockRestore();
  return length;
}

/** A worker whose script a policy forbids. */
class WorkerWithoutStart extends EventTarget {
  postMessage(): void {
    queueMicrotask(() => this.dispatchEvent(new Event('error')));
  }

  terminate(): void {}
}

/** Loads lines of bodies. */
function loadLines(text: string, signal = new AbortController().signal): Promise<LoadedScene> {
  const context: TaskContext = {
    signal,
    progress: () => {},
    slices: (work) => Promise.resolve(finish(work)),
    unlessCancelled: (promise) => promise,
  };
  return loadScene(new Map([['a.csv', new File([text], 'a.csv')]]), null as never, context);
}

/** A header of bodies that begin at byte 4. */
const header = (kind: string, count: number) =>
  JSON.stringify({ kind, count, sections: [{ name: 'bounds', type: 'f32', byteOffset: 4, byteLength: 24 }] });

const read = (name: string, text: string, binary?: ArrayBuffer) => readBodies(name, text, 10, binary);

const floats = (...values: number[]) => Float32Array.from([-1, ...values]).buffer;

const figures = (plainMs: number, octreeMs: number, octreeWins: number): FrameFigures => ({
  plainMs,
  octreeMs,
  octreeWins,
  samples: 40,
  plainDrawCalls: 1,
  octreeDrawCalls: 1,
});

const everywhere = (frames: FrameFigures) => ({ inside: frames, outside: frames, away: frames });

const BATCHES: BatchFigures = {
  batched: 9000,
  batches: 3,
  bytes: 8_006_016,
  geometryBytes: 9300,
  unmerged: [],
};

/** Batches take as long as `still`, unless their frames are given. */
const measured = (watched: FrameFigures, still: FrameFigures | null, batched = still): Measurement => ({
  watched: everywhere(watched),
  still: still && everywhere(still),
  batched: batched && { frames: everywhere(batched), batches: BATCHES },
  picks: { plainPerSecond: 1, octreePerSecond: 1, rays: 1, equal: 1, hits: 1 },
});

async function batchesOf(root: Group): Promise<BatchFigures> {
  const batching = new Batching(pairOf(root).culled);
  await runInSlices(batching.build());
  // As in later rounds of the measurement.
  await runInSlices(batching.build());
  batching.dispose();
  return batching.figures;
}

const countsOf = (meshes: number) => ({ objects: meshes, meshes, triangles: meshes, lights: 0 });

describe('the scene of a set of files', () => {
  it('is the glTF nearest to the top, or else the bodies file', () => {
    expect(findScene(setOf('a/b/c.glb', 'a/d.gltf', 'a/x.json'))).toMatchObject({ kind: 'gltf', path: 'a/d.gltf' });
    expect(findScene(setOf('x.json', 'x.bin', '.hidden.json'))).toMatchObject({ kind: 'bodies', path: 'x.json' });
    expect(() => findScene(setOf())).toThrow('There is no file in it.');
    expect(() => findScene(setOf('a/1.glb', 'a/2.glb', 'a/3.glb', 'a/4.glb', 'a/5.glb'))).toThrow(
      'There are 5 scenes: 1.glb, 2.glb, 3.glb, 4.glb and 1 more.',
    );
  });

  it('finds the files that it names: relative, escaped, in any case; elsewhere only if one has the name', () => {
    const files = setOf(
      's/scene.gltf',
      's/tex/Wood 1.PNG',
      's/other/stone.png',
      'up.bin',
      'x/twice.png',
      'y/twice.png',
    );
    const find = (address: string) => findFile(files, 's/scene.gltf', address)?.name;
    expect(find('tex/wood%201.png')).toBe('s/tex/Wood 1.PNG');
    expect(find('./tex/../tex/Wood 1.PNG')).toBe('s/tex/Wood 1.PNG');
    expect(find('../up.bin')).toBe('up.bin');
    expect(find('textures/stone.png')).toBe('s/other/stone.png');
    expect([find('twice.png'), find('none.png'), find('%')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('a bodies file', () => {
  it('is read in the page where no worker starts, with the same errors, and not once it is cancelled', async () => {
    expect(globalThis.Worker).toBeUndefined();
    for (const Kind of [undefined, WorkerWithoutStart]) {
      vi.stubGlobal('Worker', Kind);
      const { name, root } = await loadLines('0,0,0,1,1,1\n5,0,0,2');
      expect([name, root.children.map((mesh) => mesh.name)]).toEqual(['a.csv', ['box 1', 'sphere 1']]);
      await expect(loadLines('1,2')).rejects.toThrow('a.csv, line 1: 2 values');
      await expect(loadLines('0,0,0,1', AbortSignal.abort(new Error('not wanted')))).rejects.toThrow('not wanted');
    }
    vi.unstubAllGlobals();
  });

  it('is JSON, flat or nested, or lines', () => {
    const bodies = { boxes: [0, 0, 0, 1, 1, 1], spheres: [5, 0, 0, 2], total: 2, frames: [] };
    expect(read('a.json', '{ "boxes": [0, 0, 0, 1, 1, 1], "spheres": [[5, 0, 0, 2]] }')).toEqual(bodies);
    expect(read('a.csv', 'x y z\n# a comment\n0,0,0,1,1,1\n\n5;0;0;2\r\n')).toEqual(bodies);
    expect(read('a.json', '[[0, 0, 0, 1, 1, 1]]').total).toBe(1);
  });

  it('is the pair that the benchmark reads: centres and half extents, or spheres; more than the page draws are counted', () => {
    expect(Array.from(read('a.json', header('box', 1), floats(1, 2, 3, 0.5, 1, 1.5)).boxes)).toEqual([
      0.5, 1, 1.5, 1.5, 3, 4.5,
    ]);
    expect(Array.from(read('a.json', header('sphere', 1), floats(1, 2, 3, 4)).spheres)).toEqual([1, 2, 3, 4]);
    const many = read('a.json', header('sphere', 10 + 5), new ArrayBuffer(4 + (10 + 5) * 16));
    expect([many.spheres.length / 4, many.total]).toEqual([10, 10 + 5]);
    expect(() => read('a.json', header('box', 2), floats(1, 2, 3, 4, 5, 6))).toThrow(
      'The .bin of a.json is truncated: its bounds end at byte 52, but it has 28.',
    );
    expect(() => read('a.json', header('box', 1), floats(0, 0, 0, 1, -1, 1))).toThrow(
      'a.json, box 1: its minimum is greater than its maximum.',
    );
    expect(() => read('a.json', header('sphere', 1), floats(0, 0, Number.NaN, 1))).toThrow(
      'a.json, sphere 1: NaN is not a finite number.',
    );
  });

  it('is drawn at its bounds', () => {
    const root = finish(meshesOf({ boxes: [0, 0, 0, 2, 4, 6], spheres: [9, 0, 0, 3], total: 2, frames: [] }));
    const { culled } = pairOf(root);
    const [box, sphere] = nearest(culled.octree, new Vector3(), 2);
    expect([box.body.data.name, sphere.body.data.name]).toEqual(['box 1', 'sphere 1']);
    expect([Math.round(sphere.distance * 1000) / 1000, box.distance]).toEqual([6, 0]);
  });
});

describe('a pair of scenes', () => {
  it('is equal: the same town in both, every mesh a body, and the same first hits', () => {
    const { plain, culled, counts } = pairOf(finish(buildFirstScene(0.3)));
    plain.updateMatrixWorld();
    expect(counts.meshes).toBeGreaterThan(300);
    expect(culled.octree.statistics.bodies).toBe(counts.meshes);
    let hits = 0;
    for (let k = 0; k < 80; k++) {
      const raycaster = new Raycaster(
        new Vector3((k % 10) * 4 - 20, 60, Math.floor(k / 10) * 5 - 20),
        new Vector3(0.1, -1, 0.05).normalize(),
      );
      const [first] = raycaster.intersectObject(plain, true);
      const hit = culled.raycastFirst(raycaster);
      expect([hit?.object.uuid, hit?.distance]).toEqual([first?.object.uuid, first?.distance]);
      hits += Number(hit !== null);
    }
    expect(hits).toBeGreaterThan(20);
  });

  it('keeps the places of a deep tree that it cuts into pieces, also with shear, and of hidden groups', () => {
    const root = new Group();
    const outer = new Group();
    outer.scale.set(1, 3, 1);
    const inner = new Group();
    inner.rotation.z = 0.5;
    const hidden = new Group();
    hidden.visible = false;
    root.add(outer.add(inner.add(hidden)));
    const [geometry, material] = [new BoxGeometry(), new MeshBasicMaterial()];
    for (let k = 0; k < 2000; k++) {
      const mesh = new Mesh(geometry, material);
      mesh.position.set(k % 40, Math.floor(k / 40), 0);
      (k < 1400 ? inner : hidden).add(mesh);
    }
    for (const isStatic of [true, false]) {
      const { plain, culled, counts } = pairOf(root, isStatic);
      const places = new Map<string, string>();
      plain.traverse(({ uuid, matrixWorld }) => void places.set(uuid, matrixWorld.toArray().join()));
      let [meshes, wrong] = [0, 0];
      culled.traverse((object) => {
        if (!(object instanceof Mesh)) return;
        wrong += Number(places.get(object.uuid) !== object.matrixWorld.toArray().join());
        meshes++;
      });
      expect(wrong).toBe(0);
      expect([meshes, counts.meshes, culled.octree.statistics.bodies]).toEqual([2000, 2000, 2000]);
      expect(culled.children.length).toBeGreaterThan(2);
      let shown = 0;
      culled.traverseVisible((object) => void (shown += Number(object instanceof Mesh)));
      expect(shown).toBe(1400);
    }
  });

  it('is built in more steps if its meshes have many vertices', () => {
    expect(updatesOf(1)).toBe(1);
    // 24,032 vertices each: a piece has one mesh, or two.
    expect(updatesOf(3000)).toBeGreaterThanOrEqual(6);
  });

  it('does not let a sky decide where the camera stands', () => {
    const root = new Group();
    for (let k = 0; k < 20; k++) {
      const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
      mesh.position.x = k;
      root.add(mesh);
    }
    const sky = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    sky.scale.setScalar(10_000);
    root.add(sky);
    const { bounds, sphere } = pairOf(root);
    expect(bounds.max.x).toBe(19.5);
    const camera = new CameraPath(bounds, sphere).place('outside', 0.3);
    expect(camera.position.distanceTo(sphere.center)).toBeLessThan(60);
  });
});

describe('the batches of a scene', () => {
  it('hold the first scene in one, and count what cannot be merged', async () => {
    expect(await batchesOf(finish(buildFirstScene(0.3)))).toMatchObject({ batches: 1, unmerged: [] });
    const root = new Group();
    const geometry = new BoxGeometry();
    const [stone, glass, steel] = [{}, { transparent: true }, { fog: false }].map((one) => new MeshBasicMaterial(one));
    for (const [material, count] of [
      [stone, 40],
      [glass, 20],
      [steel, 3],
    ] as const)
      for (let k = 0; k < count; k++) {
        const mesh = new Mesh(geometry, material);
        mesh.position.x = 2 * root.children.length;
        root.add(mesh);
      }
    expect(await batchesOf(root)).toMatchObject({
      batched: 40,
      batches: 1,
      geometryBytes: 24 * (3 + 3 + 2) * 4 + 36 * 2,
      unmerged: [
        ['transparent: drawn by distance', 20],
        ['fewer than four that can be merged with each other', 3],
      ],
    });
  });
});

describe('a glTF of many nodes', () => {
  it('is made in short turns, also if they all wait for one mesh', async () => {
    const COUNT = 300;
    let milliseconds = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => milliseconds++);
    vi.stubGlobal('self', globalThis);
    let [turns, most, made] = [0, 0, 0];
    const clone = vi.spyOn(Mesh.prototype, 'clone');
    const endTurn = (): void => {
      most = Math.max(most, clone.mock.calls.length - made);
      made = clone.mock.calls.length;
      turns++;
    };
    const count = setInterval(endTurn);
    const pace = new Pace(new AbortController().signal, () => {});
    // The mesh takes longer than all nodes.
    const slow = {
      name: 'SLOW',
      loadBufferView: () => new Promise<ArrayBuffer>((resolve) => setTimeout(() => resolve(new ArrayBuffer(36)), 300)),
    };
    const loader = new GLTFLoader().register((parser) => pace.plugin(parser)).register(() => slow);
    try {
      const { scene } = await loader.parseAsync(
        JSON.stringify({
          asset: { version: '2.0' },
          scenes: [{ nodes: Array.from({ length: COUNT }, (_, k) => k) }],
          nodes: Array.from({ length: COUNT }, () => ({ mesh: 0 })),
          meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
          accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] }],
          bufferViews: [{ buffer: 0, byteLength: 36 }],
          buffers: [{ byteLength: 36 }],
        }),
        '',
      );
      endTurn();
      expect([scene.children.length, clone.mock.calls.length]).toEqual([COUNT, COUNT]);
    } finally {
      clearInterval(count);
      clone.mockRestore();
      now.mockRestore();
      vi.unstubAllGlobals();
    }
    expect([turns > 10, most < COUNT / 5]).toEqual([true, true]);
  });
});

describe('the report', () => {
  it('says which one is faster, and neither if it is not clear', () => {
    expect(verdictOf(figures(4, 2, 40))).toMatchObject({ ratio: '2.0x', isFaster: true });
    expect(verdictOf(figures(2, 4, 0))).toMatchObject({
      ratio: '2.0x',
      isFaster: false,
      text: expect.stringContaining('three alone is faster') as string,
    });
    expect(verdictOf(figures(4, 3.9, 40))).toMatchObject({ ratio: 'same', isFaster: null });
    // A fiftieth of a millisecond, and a clock that has not moved.
    expect(verdictOf(figures(0.03, 0.02, 40)).ratio).toBe('same');
    expect(verdictOf(figures(0, 0, 0)).ratio).toBe('same');
    expect(verdictOf(figures(4, 0, 40))).toMatchObject({ ratio: '>1,000x', isFaster: true });
    expect(verdictOf(figures(4, 2, 22)).isFaster).toBe(null);
    expect(verdictOf(figures(2, 4, 18)).isFaster).toBe(null);
    expect(verdictOf(figures(Number.NaN, Number.NaN, 0)).ratio).toBe('-');
  });

  it('says in words what to do next', () => {
    const [same, fast, slow] = [figures(0.1, 0.1, 20), figures(4, 1, 40), figures(1, 4, 0)];
    expect(adviceOf(measured(same, same), countsOf(12), 0)).toBe(
      'Your 12 meshes need no octree: stay with three alone.',
    );
    expect(adviceOf(measured(slow, slow), countsOf(1), 0)).toBe('Your 1 mesh needs no octree: stay with three alone.');
    expect(adviceOf(measured(same, fast), countsOf(9000), 0)).toBe('Use OctreeGroup, static.');
    expect(adviceOf(measured(fast, null), countsOf(9000), 60)).toBe('60 animated: use OctreeGroup, watched.');
    // What a static tree would take says nothing about animated objects.
    expect(adviceOf(measured(same, fast), countsOf(9000), 60)).toContain('no octree');
  });

  it('names batches where they take less time, inside or with all in view, with the lines of code', () => {
    const [same, fast, faster] = [figures(4, 4, 20), figures(4, 1, 40), figures(4, 0.5, 40)];
    const batched = measured(same, fast, faster);
    expect(adviceOf(batched, countsOf(9000), 0)).toBe('Use OctreeGroup, static, with StaticBatches.');
    expect(bestOf(batched, 0)).toMatchObject({
      way: 'batched',
      verdict: { ratio: '8.0x', text: 'less CPU time a frame with OctreeGroup and batches' },
    });
    expect(codeOf(batched, 0)).toBe(
      [
        'const group = new OctreeGroup();',
        'group.addTree(gltf.scene, { isStatic: true });',
        'new StaticBatches(group).finish();',
        'scene.add(group);',
      ].join('\n'),
    );
    // Slower, or not clearly faster, than static without batches.
    for (const other of [measured(same, faster, fast), measured(same, fast, figures(4, 0.99, 40))]) {
      expect(bestOf(other, 0)).toMatchObject({
        way: 'static',
        verdict: { text: expect.not.stringContaining('batches') as string },
      });
      expect(codeOf(other, 0)).not.toContain('StaticBatches');
    }
    const outside = measured(same, same, same);
    const onlyOutside = { ...outside, batched: { frames: { ...everywhere(same), outside: fast }, batches: BATCHES } };
    expect(bestOf(onlyOutside, 0)).toMatchObject({
      way: 'batched',
      verdict: { ratio: '4.0x', text: 'less CPU time a frame with OctreeGroup and batches, with all in view' },
    });
    expect(codeOf(outside, 0)).toBe('');
    expect(codeOf(measured(fast, null), 60)).toContain('group.addTree(gltf.scene);');
  });

  it('lists what is drawn in batches, and why the rest is not', () => {
    expect(batchLinesOf({ ...BATCHES, batches: 1 }, 9000)).toEqual(['9,000 of 9,000 meshes in 1 batch']);
    const unmerged = ['a', 'b', 'c', 'd', 'e', 'f'].map((reason, k) => [reason, 9 - k] as const);
    expect(batchLinesOf({ ...BATCHES, batched: 8961, unmerged }, 9000)).toEqual([
      '8,961 of 9,000 meshes in 3 batches',
      '9 not: a',
      '8 not: b',
      '7 not: c',
      '6 not: d',
      '9 not: other reasons',
    ]);
    expect([850, 9300, 93_000, 8_006_016, 12_345_678].map(memoryOf)).toEqual([
      '0.8 kB',
      '9.3 kB',
      '93 kB',
      '8.0 MB',
      '12 MB',
    ]);
  });

  it('rounds rates to what is known', () => {
    expect([perSecond(123_456), perSecond(45.6), perSecond(Number.NaN)]).toEqual(['120,000', '46', '-']);
  });
});
