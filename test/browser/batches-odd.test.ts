// Batches of unusual geometries and materials, as exporters and compressors write them: the picture must be that of a
// plain Group, also after arrays, attributes and ranges have been replaced.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  Float16BufferAttribute,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  RepeatWrapping,
  TorusKnotGeometry,
  type Material,
  type PerspectiveCamera,
} from 'three';
import { setBatchLimits } from '../support/batch-limits.ts';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { instanceFrom } from '../support/batched-town.ts';
import { expectNear } from '../support/near-pictures.ts';
import type { Random } from '../support/random.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { aim, createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { createTwins, place, type Twins } from '../support/three-scenes.ts';

const renderer = useRenderer();
const camera = createCamera([0, 6, -32], [0, 0, 0], 90);
const REACH = 25;
const RESTING_UPDATES = 31;
/** Numbers of the shapes without normals. */
const NO_NORMALS = [5, 11, 12];

function knot(random: Random): BufferGeometry {
  const geometry = new TorusKnotGeometry(1, 0.35, 24 + random.below(8), 5, 2, 3);
  const { count } = geometry.attributes.position;
  const colors = Float32Array.from({ length: 3 * count }, () => random.next());
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  geometry.setAttribute('uv1', geometry.attributes.uv.clone());
  for (let k = 0; k < count; k++) geometry.attributes.uv1.setX(k, random.next());
  return geometry;
}

/** Positions of 16 bits, normals and colours of 8 bits, in the ranges of meshopt and KHR_mesh_quantization. */
function quantised(random: Random): BufferGeometry {
  const geometry = knot(random);
  const { position, normal, color } = geometry.attributes;
  const store = <T extends Int16Array | Int8Array | Uint8Array>(from: typeof position, to: T, scale: number): T => {
    for (let k = 0; k < to.length; k++) to[k] = Math.round(from.array[k] * scale);
    return to;
  };
  geometry.setAttribute(
    'position',
    new BufferAttribute(store(position as never, new Int16Array(position.array.length), 16_000), 3, true),
  );
  geometry.setAttribute(
    'normal',
    new BufferAttribute(store(normal as never, new Int8Array(normal.array.length), 127), 3, true),
  );
  geometry.setAttribute(
    'color',
    new BufferAttribute(store(color as never, new Uint8Array(color.array.length), 255), 3, true),
  );
  return geometry;
}

/** All attributes in one array. */
function interleaved(random: Random): BufferGeometry {
  const geometry = knot(random);
  const names = ['position', 'normal', 'uv', 'color', 'uv1'];
  const stride = names.reduce((sum, name) => sum + geometry.attributes[name].itemSize, 0);
  const { count } = geometry.attributes.position;
  const buffer = new InterleavedBuffer(new Float32Array(stride * count), stride);
  let offset = 0;
  for (const name of names) {
    const source = geometry.attributes[name];
    const { itemSize } = source;
    for (let k = 0; k < count; k++)
      for (let c = 0; c < itemSize; c++) buffer.array[k * stride + offset + c] = source.getComponent(k, c);
    geometry.setAttribute(name, new InterleavedBufferAttribute(buffer, itemSize, offset));
    offset += itemSize;
  }
  return geometry;
}

/** Unusual, or wrong: each is drawn as three draws it. */
const shapes: ((random: Random) => BufferGeometry)[] = [
  knot,
  quantised,
  interleaved,
  (random) => knot(random).toNonIndexed(),
  (random) => {
    const geometry = knot(random);
    const halves = new Float16BufferAttribute(geometry.attributes.position.count * 3, 3);
    const { position } = geometry.attributes;
    for (let k = 0; k < position.count; k++) halves.setXYZ(k, position.getX(k), position.getY(k), position.getZ(k));
    return geometry.setAttribute('position', halves);
  },
  (random) => knot(random).deleteAttribute('normal'),
  (random) => knot(random).deleteAttribute('uv'),
  (random) => knot(random).deleteAttribute('color'),
  (random) => {
    const geometry = knot(random);
    geometry.attributes.position.setX(7, NaN);
    return geometry;
  },
  (random) => {
    const geometry = knot(random);
    geometry.setDrawRange(30, 120);
    return geometry;
  },
  (random) => {
    const geometry = knot(random);
    geometry.addGroup(0, 90, 0);
    geometry.addGroup(120, 90, 0);
    return geometry;
  },
  () => new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(0), 3)),
  () => new BufferGeometry(),
];

function createMaterials(): Material[] {
  const texture = new DataTexture(
    Uint8Array.from({ length: 64 * 4 }, (_, k) => (k * 37) % 256),
    8,
    8,
  );
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.needsUpdate = true;
  const second = texture.clone();
  second.channel = 1;
  second.needsUpdate = true;
  return [
    new MeshLambertMaterial({ color: 0xcc8844, vertexColors: true }),
    new MeshStandardMaterial({ color: 0x88aacc, map: texture, flatShading: true }),
    new MeshBasicMaterial({ map: texture, alphaTest: 0.5, side: DoubleSide }),
    new MeshLambertMaterial({ color: 0x88ff88, map: second, emissive: 0x222222 }),
    ...[0x992211, 0x119922, 0x221199].map((color) => new MeshLambertMaterial({ color })),
    ...[0xffcc11, 0x11ccff].map((color) => new MeshLambertMaterial({ color, vertexColors: true })),
  ];
}

interface OddTown {
  readonly twins: Twins;
  readonly batches: StaticBatches;
  readonly meshes: (readonly [plain: Mesh, octree: Mesh])[];
}

/** @param isShared Whether many meshes share a geometry, and are drawn instanced. */
function oddTown(seed: number, isShared: boolean, mergesMaterials: boolean, origin = 0): OddTown {
  const materials = createMaterials();
  // three chooses the program of a material by the first geometry that it draws with it: one program for geometries
  // with normals, another for those without. So these need materials of their own, also in a plain group.
  const bare = createMaterials();
  const random = createRandom(seed);
  const shared = shapes.map((create) => create(random));
  const lists: Mesh[][] = [];
  const twins = createTwins(seed, (group, placing) => {
    if (group instanceof OctreeGroup) group.hasStaticChildren = true;
    group.position.setScalar(origin);
    const own = createRandom(seed + 1);
    const list = Array.from({ length: 320 }, (_, k) => {
      const kind = k % shapes.length;
      const mesh = new Mesh(
        isShared ? shared[kind] : shapes[kind](own),
        own.pick(NO_NORMALS.includes(kind) ? bare : materials),
      );
      place(mesh, placing, REACH);
      // Quantised positions reach from -1 to 1.
      if (kind === 1) mesh.scale.multiplyScalar(2);
      group.add(mesh);
      return mesh;
    });
    lists.push(list);
  });
  twins.each(({ scene }) => scene.add(new AmbientLight(0xffffff, 1), new DirectionalLight(0xffffff, 2)));
  const batches = new StaticBatches(twins.octree.group as OctreeGroup, { mergesMaterials });
  instanceFrom(batches, isShared ? 2 : Infinity);
  setBatchLimits(batches, { minMembers: 4 });
  return { twins, batches, meshes: lists[0].map((mesh, k) => [mesh, lists[1][k]] as const) };
}

async function compare({ twins }: OddTown, eye: PerspectiveCamera = camera, share?: number): Promise<void> {
  await Promise.resolve();
  const [plain, octree] = [twins.plain, twins.octree].map(({ scene }) =>
    readPicture(renderer, () => renderer.render(scene, eye)),
  );
  expectNear(plain, octree, share);
}

async function rest({ twins }: OddTown): Promise<void> {
  for (let k = 0; k < RESTING_UPDATES; k++) {
    await Promise.resolve();
    twins.octree.scene.updateMatrixWorld();
  }
}

const changes: Record<string, (geometry: BufferGeometry, random: Random) => void> = {
  'longer arrays': (geometry, random) => {
    const longer = knot(random);
    for (const name of Object.keys(geometry.attributes))
      geometry.setAttribute(name, longer.attributes[name] ?? longer.attributes.uv);
    geometry.setIndex(longer.index);
  },
  'changed positions': (geometry) => {
    const position = geometry.attributes.position as BufferAttribute | undefined;
    if (position === undefined) return;
    for (let k = 0; k < position.count; k++) position.setY(k, position.getY(k) * 0.7);
    if ('data' in position) (position as unknown as InterleavedBufferAttribute).data.needsUpdate = true;
    else position.needsUpdate = true;
  },
  'a draw range': (geometry) => geometry.setDrawRange(0, 60),
  'no normals': (geometry) => geometry.deleteAttribute('normal') as never,
  'no index': (geometry) => geometry.setIndex(null) as never,
  dispose: (geometry) => geometry.dispose(),
};

/** Without an index a knot is a tangle of thin triangles, which has edges at hundreds of pixels. */
const SHARE_OF_TANGLES = 1e-3;

const KINDS = [
  ['merged', false, false],
  ['merged, colours too', false, true],
  ['instanced', true, false],
  ['instanced, colours merged', true, true],
] as const;

describe.each(sampleFrom(KINDS, 3))('unusual geometries, %s', (_, isShared, mergesMaterials) => {
  it('look as in a plain group from all sides, and most are in batches', async () => {
    const town = oddTown(1, isShared, mergesMaterials);
    await compare(town);
    const { batched, instanced, unmerged } = town.batches.finish().report();
    expect(batched).toBeGreaterThan(180);
    expect(instanced > 100).toBe(isShared);
    expect(Array.from(unmerged.keys()).sort()).toEqual(expect.arrayContaining(['a draw range']));
    for (let k = 0; k < 6; k++) {
      aim(camera, [30 * Math.cos(k), 5 * k - 12, 30 * Math.sin(k)], [0, 0, 0]);
      await compare(town);
    }
  });

  it('look as in a plain group 1e6 from the origin', async () => {
    const town = oddTown(2, isShared, mergesMaterials, 1e6);
    town.batches.finish();
    const far = camera.clone();
    aim(far, [1e6 + 5, 1e6 + 6, 1e6 - 30], [1e6, 1e6, 1e6]);
    await compare(town, far);
  });

  const tried = sampleFrom(Object.entries(changes), 3, Number(isShared));
  it.each(tried)('look as in a plain group after %s', async (what, change) => {
    const town = oddTown(3, isShared, mergesMaterials);
    aim(camera, [0, 6, -32], [0, 0, 0]);
    town.batches.finish();
    await compare(town);
    const changed = new Set<BufferGeometry>();
    for (const [k, pair] of town.meshes.entries()) {
      if (k % (what === 'no normals' ? 1 : 3) > 0) continue;
      for (const mesh of pair) {
        if (changed.has(mesh.geometry)) continue;
        changed.add(mesh.geometry);
        change(mesh.geometry, createRandom(k));
      }
    }
    for (const [, mesh] of town.meshes)
      if (changed.has(mesh.geometry)) (town.twins.octree.group as OctreeGroup).reportMove(mesh);
    const share = what === 'no index' ? SHARE_OF_TANGLES : undefined;
    await compare(town, camera, share);
    await rest(town);
    await compare(town, camera, share);
    town.batches.finish();
    await compare(town, camera, share);
  });
});

describe.each(['positions', 'an index', 'an interleaved buffer'])('geometries that share %s', (what) => {
  it('show an edit, whether they are merged or not, without errors of WebGL', async () => {
    const merged = new MeshLambertMaterial({ color: 0xcc8844 });
    const alone = new MeshLambertMaterial({ color: 0x4488cc, transparent: true });
    const edited: BufferGeometry[][] = [];
    const twins = createTwins(11, (group, random) => {
      if (group instanceof OctreeGroup) group.hasStaticChildren = true;
      const list = Array.from({ length: 20 }, () => {
        const mesh = new Mesh(what === 'an interleaved buffer' ? interleaved(random) : knot(random), merged);
        place(mesh, random, REACH);
        group.add(mesh);
        return mesh;
      });
      const sharing = list.slice(0, 4).map(({ geometry }, k) => {
        const own = new BufferGeometry();
        if (what === 'an index') own.copy(geometry).setIndex(geometry.index);
        else {
          for (const [name, attribute] of Object.entries(geometry.attributes)) own.setAttribute(name, attribute);
          own.setIndex(geometry.index!.clone());
        }
        const mesh = new Mesh(own, alone);
        place(mesh, random, REACH);
        // The first two are in the group, the others beside it.
        (k < 2 ? group : group.parent!).add(mesh);
        return own;
      });
      edited.push(sharing);
    });
    twins.each(({ scene }) => scene.add(new AmbientLight(0xffffff, 1), new DirectionalLight(0xffffff, 2)));
    const group = twins.octree.group as OctreeGroup;
    const draw = async (): Promise<void> => {
      await Promise.resolve();
      const [plain, octree] = [twins.plain, twins.octree].map(({ scene }) =>
        readPicture(renderer, () => renderer.render(scene, camera)),
      );
      expectNear(plain, octree);
      expect(renderer.getContext().getError()).toBe(0);
    };
    await draw();
    const batches = new StaticBatches(group).finish();
    await draw();
    for (let round = 0; round < 3; round++) {
      for (const geometries of edited)
        for (const { index, attributes } of geometries) {
          if (what === 'an index') {
            index!.array.copyWithin(30 * round, 60 + 30 * round, 120);
            index!.needsUpdate = true;
            continue;
          }
          const { position } = attributes;
          for (let k = 0; k < position.count; k++) position.setY(k, position.getY(k) * 0.8 + 0.1);
          if ('data' in position) position.data.needsUpdate = true;
          else position.needsUpdate = true;
        }
      for (const child of group.children) group.reportMove(child);
      await draw();
      for (let k = 0; k < RESTING_UPDATES; k++) {
        await Promise.resolve();
        twins.octree.scene.updateMatrixWorld();
      }
      batches.finish();
      await draw();
      expect(batches.report().batched).toBe(20);
    }
    batches.dispose();
    await draw();
  });
});

it('a highlight of the same geometry does not flicker over a mesh that is left out', async () => {
  const town = oddTown(12, false, false);
  const highlight = new MeshBasicMaterial({ color: 0xff00ff, transparent: true, opacity: 0.5 });
  aim(camera, [0, 6, -32], [0, 0, 0]);
  town.batches.finish();
  for (const [k, pair] of town.meshes.entries()) {
    const [, mesh] = pair;
    if (k % 4 > 0 || mesh.geometry.attributes.position === undefined) continue;
    for (const each of pair) {
      const over = new Mesh(each.geometry, highlight);
      over.position.copy(each.position);
      over.quaternion.copy(each.quaternion);
      over.scale.copy(each.scale);
      each.parent!.parent!.add(over);
    }
    town.batches.leaveOut(mesh);
  }
  await compare(town);
  await rest(town);
  town.batches.finish();
  await compare(town);
  expect(town.batches.report().out).toBeGreaterThan(40);
});
