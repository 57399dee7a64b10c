// Changes of materials of meshes in batches: the next picture, also a second one in the same task, must be that of a
// plain Group. Each line of a table is a change that three shows in its next picture. And materials and faces whose
// place in the order of drawing shows.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  BackSide,
  Float32BufferAttribute,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  Plane,
  ShadowMaterial,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, StaticBatches, type StaticBatchesOptions } from '../../src/three.ts';
import { expectNear } from '../support/near-pictures.ts';
import { createRandom } from '../support/random.ts';
import { sampleFrom } from '../support/sampled.ts';
import { createCamera, readPicture, useRenderer } from '../support/three-pictures.ts';
import { createTwins, place, type Twins } from '../support/three-scenes.ts';
import { BACKENDS, nextFrame, pixelsOf, useWebGPURenderer } from '../support/webgpu-pictures.ts';

const renderer = useRenderer();
renderer.localClippingEnabled = true;
const camera = createCamera([0, 6, -32], [0, 0, 0], 90);
const REACH = 12;

interface Town {
  readonly twins: Twins;
  readonly batches: StaticBatches;
  readonly materials: readonly MeshStandardMaterial[];
}

/** Boxes with vertex colours and texture coordinates. */
function town(
  materials: readonly Material[],
  options: StaticBatchesOptions = {},
  count = 120,
  change: (mesh: Mesh, k: number) => void = () => undefined,
): Town {
  const twins = createTwins(5, (group, random) => {
    if (group instanceof OctreeGroup) group.hasStaticChildren = true;
    for (let k = 0; k < count; k++) {
      const geometry = new BoxGeometry(random.between(1, 3), random.between(1, 3), 2);
      const colors = Array.from({ length: 3 * geometry.attributes.position.count }, () => random.next());
      geometry.setAttribute('color', new Float32BufferAttribute(colors, 3));
      const mesh = new Mesh(geometry, materials[k % materials.length]);
      place(mesh, random, REACH);
      change(mesh, k);
      group.add(mesh);
    }
  });
  twins.each(({ scene }) => scene.add(new AmbientLight(0xffffff, 1), new DirectionalLight(0xffffff, 2)));
  const batches = new StaticBatches(twins.octree.group as OctreeGroup, options).finish();
  return { twins, batches, materials: materials as readonly MeshStandardMaterial[] };
}

const standards = (count: number): MeshStandardMaterial[] => {
  const random = createRandom(3);
  return Array.from({ length: count }, () => new MeshStandardMaterial({ color: random.below(2 ** 24) }));
};

const draw = ({ scene }: { readonly scene: Twins['plain']['scene'] }): Uint32Array =>
  readPicture(renderer, () => renderer.render(scene, camera));

function expectSame({ twins }: Town): void {
  expectNear(draw(twins.plain), draw(twins.octree));
}

const texture = new DataTexture(
  Uint8Array.from({ length: 64 }, (_, k) => (k * 37) % 256),
  4,
  4,
);
texture.needsUpdate = true;

const withProgram = (fields: Partial<MeshPhysicalMaterial>) => (material: Material) =>
  void (Object.assign(material, fields).needsUpdate = true);
const withoutProgram = (fields: Partial<MeshPhysicalMaterial>) => (material: Material) =>
  void Object.assign(material, fields);

const CHANGES: readonly (readonly [string, (material: MeshStandardMaterial) => void])[] = [
  ['color', (material) => material.color.setHex(0x11ff22)],
  ['another color', (material) => void (material.color = new Color(0xff00ff))],
  ['emissive', (material) => material.emissive.setHex(0x552200)],
  ['another emissive', (material) => void (material.emissive = new Color(0x0000ff))],
  ['emissiveIntensity', (material) => void (material.emissive.set(1, 0, 0), (material.emissiveIntensity = 0.3))],
  ['roughness', withoutProgram({ roughness: 0.1 })],
  ['metalness', withoutProgram({ metalness: 0.9 })],
  ['side', withProgram({ side: BackSide })],
  ['side, with a program', withProgram({ side: DoubleSide })],
  ['visible', withoutProgram({ visible: false })],
  ['wireframe', withProgram({ wireframe: true })],
  ['depthTest', withoutProgram({ depthTest: false })],
  ['depthWrite', withoutProgram({ depthWrite: false })],
  ['colorWrite', withoutProgram({ colorWrite: false })],
  ['transparent', withProgram({ transparent: true, opacity: 0.4 })],
  ['opacity', withoutProgram({ opacity: 0.4 })],
  ['alphaTest', withProgram({ alphaTest: 0.5, opacity: 0.4 })],
  ['map', withProgram({ map: texture })],
  ['emissiveMap', withProgram({ emissiveMap: texture, emissive: new Color(1, 1, 1) })],
  ['vertexColors', withProgram({ vertexColors: true })],
  ['flatShading', withProgram({ flatShading: true })],
  ['polygonOffset', withoutProgram({ polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 900 })],
  ['clippingPlanes', withProgram({ clippingPlanes: [new Plane(new Vector3(1, 0, 0), 1)] })],
  ['toneMapped, dithering', withProgram({ toneMapped: false, dithering: true })],
  ['needsUpdate alone', (material) => void (material.needsUpdate = true)],
];

describe.each([
  ['each with many meshes', { mergesMaterials: false }, 3],
  ['drawn as one', {}, 60],
] as const)('materials, %s', (_, options, count) => {
  const tried = sampleFrom(CHANGES, 3, Number(count === 60));
  it.each(tried)('show a change of %s in the next picture, in the same task', async (_name, change) => {
    const each = town(standards(count), options);
    expect(each.batches.report()).toMatchObject({ batched: 120, chunks: count === 60 ? 1 : 3 });
    expectSame(each);
    for (const material of each.materials.slice(0, count === 60 ? 20 : 1)) change(material);
    expectSame(each);
    for (let frame = 0; frame < 3; frame++) {
      await Promise.resolve();
      expectSame(each);
    }
    each.batches.finish();
    expectSame(each);
  });

  it('show a colour that is changed between the update of the matrices and the picture', async () => {
    const each = town(standards(count), options);
    expectSame(each);
    await Promise.resolve();
    each.twins.each(({ scene }) => scene.updateMatrixWorld());
    each.materials[1].color.setHex(0x00ff00);
    each.materials[2].emissive.setHex(0x0000ff);
    expectSame(each);
  });
});

describe('materials that are drawn as one', () => {
  it('a field of one of 2,000 materials shows at once, as the object under the pointer', () => {
    const each = town(standards(2000), {}, 2000);
    expect(each.batches.report()).toMatchObject({ batched: 2000, chunks: 1 });
    for (const k of [0, 777, 1999]) {
      each.materials[k].emissive.setHex(0xff00ff);
      expectSame(each);
      each.materials[k].emissive.setHex(0);
      expectSame(each);
    }
  });

  it('a clipping plane that all share moves', () => {
    const plane = new Plane(new Vector3(1, 0, 0), 2);
    const materials = standards(120);
    for (const material of materials) material.clippingPlanes = [plane];
    const each = town(materials);
    expect(each.batches.report()).toMatchObject({ batched: 120, chunks: 1 });
    for (const constant of [2, -3, 6]) {
      plane.constant = constant;
      expectSame(each);
    }
    expect(each.batches.report()).toMatchObject({ batched: 120 });
  });

  it('planes of each material are not taken for one', () => {
    const materials = standards(40);
    for (const material of materials) material.clippingPlanes = [new Plane(new Vector3(1, 0, 0), 2)];
    const each = town(materials, {}, 40);
    expect(each.batches.report()).toMatchObject({ batched: 0, waiting: 40 });
  });

  class Painted extends MeshLambertMaterial {
    constructor(color: { readonly value: number }) {
      super({ color: color.value });
    }
  }

  it('a class whose constructor needs an argument is merged', () => {
    const random = createRandom(4);
    const each = town(Array.from({ length: 60 }, () => new Painted({ value: random.below(2 ** 24) })));
    expect(each.batches.report()).toMatchObject({ batched: 120, chunks: 1 });
    expectSame(each);
  });

  it('an opaque ShadowMaterial looks as in a plain group', () => {
    const each = town(
      Array.from({ length: 40 }, () => new ShadowMaterial({ transparent: false, color: 0x224466 })),
      {},
      40,
      (mesh) => (mesh.receiveShadow = true),
    );
    expectSame(each);
  });
});

/** Materials whose place in the order of drawing shows. */
const MARKERS: readonly (readonly [string, () => Material])[] = [
  ['without a depth test', () => new MeshBasicMaterial({ color: 0xffff00, depthTest: false })],
  ['without a depth test and without depth', () => new MeshBasicMaterial({ depthTest: false, depthWrite: false })],
  ['without depth', () => new MeshBasicMaterial({ color: 0xff8800, depthWrite: false })],
];

/** Where the materials of the markers are created among those of the others. */
const PLACES = ['before', 'between', 'after'] as const;
const MARKED = MARKERS.flatMap(([name, create]) => PLACES.map((where) => [name, where, create] as const));

function markedTown(where: (typeof PLACES)[number], create: () => Material, options: StaticBatchesOptions = {}): Town {
  const before = where === 'before' ? create() : null;
  const colors = standards(30);
  const between = where === 'between' ? create() : null;
  const random = createRandom(9);
  const more = Array.from({ length: 30 }, () => new MeshStandardMaterial({ color: random.below(2 ** 24) }));
  const marker = before ?? between ?? create();
  const each = town([...colors, ...more], options, 240, (mesh, k) => {
    if (k % 24 === 7) mesh.material = marker;
  });
  expect(each.batches.report().batched).toBe(230);
  return each;
}

/** Also in the order of the scene, in which three draws if `sortObjects` is false. */
function expectSameInAnyOrder(each: Town): void {
  for (const sortObjects of [true, false, true]) {
    renderer.sortObjects = sortObjects;
    expectSame(each);
  }
}

describe('markers among meshes in batches', () => {
  it.each(MARKED)('%s, created %s the others, show as in a plain group', (_, where, create) => {
    expectSameInAnyOrder(markedTown(where, create));
  });
});

/** 60 overlapping cards in one plane, or boxes with tops in one plane, among others. */
function flatTown(isSolid: boolean, materials: readonly Material[], options: StaticBatchesOptions = {}): Town {
  const random = createRandom(8);
  const places = Array.from({ length: 120 }, () => [random.between(-12, 12), random.between(-12, 12)] as const);
  return town(materials, options, 120, (mesh, k) => {
    mesh.rotation.set(0, 0, 0);
    mesh.scale.set(1.4, 1.4, isSolid ? 1 : 0);
    mesh.position.set(...places[k], k < 60 ? 0 : 3 + k / 4);
    if (isSolid) return;
    // One side of the box.
    const { geometry } = mesh;
    geometry.setIndex(Array.from(geometry.index!.array).slice(30, 36));
    mesh.scale.z = 1;
  });
}

const FLAT_TOWNS = [
  ['cards of one material', (): Town => flatTown(false, [new MeshBasicMaterial({ vertexColors: true })], {})],
  ['cards of many colours', (): Town => flatTown(false, standards(60))],
  ['boxes of many colours', (): Town => flatTown(true, standards(60))],
] as const;

describe('faces in one plane', () => {
  it.each(FLAT_TOWNS)('of %s show as in a plain group', (_, create) => {
    const each = create();
    expect(each.batches.report().batched).toBeGreaterThan(50);
    expect(each.batches.report().batched).toBeLessThan(80);
    expectSameInAnyOrder(each);
  });
});

describe.each(BACKENDS)('WebGPURenderer with its %s backend', (name, forceWebGL) => {
  const { isTested, get } = useWebGPURenderer(name, forceWebGL);

  async function expectSameOn({ twins }: Town): Promise<void> {
    await nextFrame();
    const plain = await pixelsOf(get(), twins.plain, camera);
    await nextFrame();
    expectNear(plain, await pixelsOf(get(), twins.octree, camera));
  }

  it.runIf(isTested)('draws materials as one, and follows their changes', async () => {
    const each = town(standards(60));
    await expectSameOn(each);
    each.materials[3].emissive.setHex(0xff00ff);
    each.materials[4].color.setHex(0x00ff00);
    await expectSameOn(each);
  });

  it.runIf(isTested)('draws markers without a depth test as in a plain group', async () => {
    const each = markedTown('after', () => new MeshBasicMaterial({ color: 0xffff00, depthTest: false }), {});
    await expectSameOn(each);
  });

  it.runIf(isTested)('draws faces in one plane as in a plain group', async () => {
    for (const [, create] of FLAT_TOWNS) await expectSameOn(create());
  });
});
