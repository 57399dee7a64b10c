// Which meshes are drawn from a batch, which together, and the reasons why others are not.

import {
  AdditiveBlending,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Color,
  DataTexture,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Line,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  ObjectSpaceNormalMap,
  ShaderMaterial,
  SphereGeometry,
  type InterleavedBufferAttribute,
  type Object3D,
  Texture,
} from 'three';
import { MeshStandardNodeMaterial, StorageBufferAttribute } from 'three/webgpu';
import { color } from 'three/tsl';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup, StaticBatches, type BatchReport } from '../../src/three.ts';
import { NODE_MATERIALS } from '../support/node-materials.ts';

const COUNT = 20;
const LARGE = new SphereGeometry(1, 260, 260);

/** The same numbers, which a compute shader may write on the GPU. */
const stored = ({ array, itemSize }: BufferAttribute | InterleavedBufferAttribute): StorageBufferAttribute =>
  new StorageBufferAttribute(array.slice(), itemSize);

const texture = (channel = 0): DataTexture =>
  Object.assign(new DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1), { channel });

/** What becomes of 20 boxes with one material, each of them changed. */
function reportOf(
  change: (mesh: Mesh, k: number) => Object3D | void,
  material: Material = new MeshStandardMaterial(),
  hasStaticChildren = true,
): BatchReport {
  const group = new OctreeGroup({ hasStaticChildren });
  for (let k = 0; k < COUNT; k++) {
    const mesh = new Mesh(new BoxGeometry(), material).translateX(3 * k);
    group.add(change(mesh, k) ?? mesh);
  }
  return new StaticBatches(group).finish().report();
}

const unchanged = (): void => undefined;
const setStatic = (mesh: Mesh): void => void Object.assign(mesh, { static: true });

describe('a mesh is drawn from a batch', () => {
  it.each<[string, Material]>([
    ['an opaque material', new MeshStandardMaterial({ map: texture() })],
    ['a polygon offset', new MeshStandardMaterial({ polygonOffset: true })],
    ['an alpha test', new MeshLambertMaterial({ map: texture(), alphaTest: 0.5 })],
    ['a clearcoat', new MeshPhysicalMaterial({ clearcoat: 1 })],
    ['an unlit material with vertex colours that are missing', new MeshBasicMaterial({ vertexColors: true })],
    ['a node material without nodes', new MeshStandardNodeMaterial()],
  ])('with %s', (_, material) => {
    expect(reportOf(unchanged, material)).toMatchObject({ batched: COUNT, chunks: 1, waiting: 0, out: 0 });
  });

  it('as a part of an added tree', () => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const root = new Group();
    const material = new MeshStandardMaterial();
    for (let k = 0; k < COUNT; k++) root.add(new Group().add(new Mesh(new BoxGeometry(), material)));
    const batches = new StaticBatches(group);
    group.addTree(root);
    expect(batches.finish().report()).toMatchObject({ batched: COUNT, chunks: 1 });
  });

  it('once four of its kind are there', () => {
    const material = new MeshStandardMaterial();
    const group = new OctreeGroup({ hasStaticChildren: true });
    const batches = new StaticBatches(group);
    for (let k = 0; k < 3; k++) group.add(new Mesh(new BoxGeometry(), material));
    expect(batches.finish().report()).toMatchObject({ batched: 0, waiting: 3 });
    group.add(new Mesh(new BoxGeometry(), material));
    expect(batches.finish().report()).toMatchObject({ batched: 4, waiting: 0 });
  });
});

describe('a mesh is drawn on its own, with a reason:', () => {
  const onMesh: [string, (mesh: Mesh) => Object3D | void][] = [
    ['not culled', (mesh) => void (mesh.frustumCulled = false)],
    [
      'not culled',
      (mesh) => {
        vi.spyOn(console, 'warn').mockImplementation(() => undefined);
        mesh.position.x = NaN;
      },
    ],
    ['not a plain mesh', (mesh) => new Line(mesh.geometry)],
    ['a group: add it by addTree, not by add', (mesh) => new Group().add(mesh.clone())],
    ['not a plain mesh', (mesh) => void mesh.add(new Mesh(mesh.geometry, mesh.material))],
    ['not culled', (mesh) => new InstancedMesh(mesh.geometry, mesh.material, 2)],
    ['not a plain mesh', (mesh) => void Object.assign(mesh, { count: 3 })],
    ['draw callbacks', (mesh) => void (mesh.onBeforeRender = unchanged)],
    ['draw callbacks', (mesh) => void (mesh.onAfterShadow = unchanged)],
    ['for shadows', (mesh) => void (mesh.customDepthMaterial = new MeshDepthMaterial())],
    ['for shadows', (mesh) => void (mesh.customDistanceMaterial = new MeshDepthMaterial())],
    ['several materials', (mesh) => void (mesh.material = [mesh.material as Material])],
    ['placed by other code', (mesh) => void (mesh.matrixWorldAutoUpdate = false)],
    ['a scale of 0', (mesh) => void mesh.scale.setY(0)],
    ['morph targets', ({ geometry }) => void (geometry.morphAttributes.position = [geometry.attributes.position])],
    ['a draw range', ({ geometry }) => geometry.setDrawRange(0, 6)],
    ['a draw range', ({ geometry }) => geometry.setDrawRange(6, Infinity)],
    ['an attribute', ({ geometry }) => void geometry.setAttribute('normal', new Float32BufferAttribute([0, 0, 1], 3))],
    [
      'an attribute',
      ({ geometry }) => void geometry.setAttribute('normal', new Float32BufferAttribute(new Float32Array(48), 2)),
    ],
    [
      'an attribute',
      ({ geometry: { attributes } }) => void ((attributes.normal as BufferAttribute).array = new Float32Array(0)),
    ],
    ['an attribute', ({ geometry: { attributes } }) => void Object.assign(attributes.normal, { array: null })],
    ['not in memory', ({ geometry }) => void (geometry.index!.array = new Uint16Array(0))],
    ['not in memory', ({ geometry }) => void geometry.setAttribute('position', stored(geometry.attributes.position))],
    ['not in memory', ({ geometry }) => void geometry.setAttribute('normal', stored(geometry.attributes.normal))],
    ['not in memory', ({ geometry }) => void geometry.setIndex(stored(geometry.index!))],
    ['an occlusion test', (mesh) => void Object.assign(mesh, { occlusionTest: true })],
    ['65536 vertices', (mesh) => void (mesh.geometry = LARGE)],
    ['not culled', (mesh) => void (mesh.geometry = new BufferGeometry())],
  ];
  it.each(onMesh)('%s: %s', (reason, change) => {
    const { batched, chunks, unmerged } = reportOf(change);
    expect({ batched, chunks }).toEqual({ batched: 0, chunks: 0 });
    expect(Array.from(unmerged)).toEqual([[expect.stringContaining(reason), COUNT]]);
  });

  it('Object3D.static, by which WebGPURenderer keeps its place, unless it is static in the group, too', () => {
    const { batched, unmerged } = reportOf(setStatic, undefined, false);
    expect(batched).toBe(0);
    expect(Array.from(unmerged)).toEqual([[expect.stringContaining('Object3D.static'), COUNT]]);
    expect(reportOf(setStatic)).toMatchObject({ batched: COUNT, chunks: 1 });
  });

  const node = new MeshStandardNodeMaterial();
  node.colorNode = color(0xff0000);
  it.each<[string, Material]>([
    ['transparent', new MeshStandardMaterial({ transparent: true })],
    ['the order of drawing shows', new MeshStandardMaterial({ blending: AdditiveBlending })],
    ['transmission', new MeshPhysicalMaterial({ transmission: 0.5 })],
    ['the order of drawing shows', new MeshStandardMaterial({ depthWrite: false })],
    ['the order of drawing shows', new MeshStandardMaterial({ depthTest: false })],
    ['the order of drawing shows', new MeshStandardMaterial({ colorWrite: false })],
    ['the order of drawing shows', new MeshStandardMaterial({ stencilWrite: true })],
    ['an invisible material', new MeshStandardMaterial({ visible: false })],
    ['wireframe', new MeshStandardMaterial({ wireframe: true })],
    ['alphaToCoverage', new MeshStandardMaterial({ alphaToCoverage: true })],
    ['alphaHash', new MeshStandardMaterial({ alphaHash: true })],
    [
      'in the space of the object',
      new MeshStandardMaterial({ normalMap: texture(), normalMapType: ObjectSpaceNormalMap }),
    ],
    ['shader code', new ShaderMaterial()],
    ['vertices', new MeshStandardMaterial({ displacementMap: texture(), displacementScale: 1 })],
    ['shader code', Object.assign(new MeshStandardMaterial(), { onBeforeCompile: unchanged })],
    ['callback', Object.assign(new MeshStandardMaterial(), { onBeforeRender: unchanged })],
    ['shader nodes', node],
  ])('%s', (reason, material) => {
    const { batched, unmerged } = reportOf(unchanged, material);
    expect(batched).toBe(0);
    expect(Array.from(unmerged)).toEqual([[expect.stringContaining(reason), COUNT]]);
  });

  it('a class that only looks like a node material of three', () => {
    const material = Object.assign(new MeshStandardMaterial(), { isNodeMaterial: true });
    expect(Array.from(reportOf(unchanged, material).unmerged.keys())).toEqual([
      expect.stringContaining('methods of its own'),
    ]);
  });

  describe.each(NODE_MATERIALS.map(([each]) => [each.name, each] as const))(
    'a class of the user below %s',
    (_, Base) => {
      /** Methods of the class of three, but for those that a shader does not depend on. */
      const names = new Set<string>();
      for (
        let proto = Base.prototype as object;
        proto !== Material.prototype;
        proto = Object.getPrototypeOf(proto) as object
      )
        for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
          if (typeof value === 'function' && !['constructor', 'copy', 'toJSON'].includes(name)) names.add(name);

      it('that overrides a method, or replaces it on the material', () => {
        expect(names.size).toBeGreaterThan(20);
        for (const name of names) {
          class Own extends Base {}
          Object.defineProperty(Own.prototype, name, { value: unchanged });
          const replaced = new Base();
          Object.defineProperty(replaced, name, { value: unchanged });
          for (const material of [new Own(), replaced]) {
            const { batched, unmerged } = reportOf(unchanged, material);
            expect([name, batched]).toEqual([name, 0]);
            expect(Array.from(unmerged.keys())[0]).toMatch(/methods of its own|shader code|vertices|callback/);
          }
        }
      });

      it('is merged, if it only adds', () => {
        class Own extends Base {
          readonly season = 'summer';
          setSeason(): void {}
          override copy(source: this): this {
            return super.copy(source);
          }
        }
        expect(reportOf(unchanged, new Own())).toMatchObject({ batched: COUNT, chunks: 1 });
      });
    },
  );
});

describe('meshes are kept apart', () => {
  /** Boxes of one material in two batches, because every other one is changed. */
  it.each<[string, (mesh: Mesh) => void, Material?]>([
    ['castShadow', (mesh) => void (mesh.castShadow = true)],
    ['receiveShadow', (mesh) => void (mesh.receiveShadow = true)],
    ['renderOrder', (mesh) => void (mesh.renderOrder = 1)],
    ['layers', (mesh) => mesh.layers.enable(1)],
    ['material', (mesh) => void (mesh.material = other)],
    ['an attribute that is missing', ({ geometry }) => void geometry.deleteAttribute('normal')],
    ['tangents', ({ geometry }) => geometry.computeTangents(), new MeshStandardMaterial({ normalMap: texture() })],
    ['tangents', ({ geometry }) => geometry.computeTangents(), new MeshPhysicalMaterial({ anisotropy: 1 })],
    [
      'texture coordinates of the first channel beside a texture of another',
      ({ geometry }) => void geometry.deleteAttribute('uv'),
      new MeshStandardMaterial({ normalMap: texture(1) }),
    ],
    [
      'texture coordinates for anisotropy',
      ({ geometry }) => void geometry.deleteAttribute('uv'),
      new MeshPhysicalMaterial({ anisotropy: 1 }),
    ],
    [
      'texture coordinates that are missing',
      ({ geometry }) => void geometry.deleteAttribute('uv'),
      new MeshBasicMaterial({ map: texture() }),
    ],
    [
      'colours of three and of four numbers',
      ({ geometry }) =>
        void geometry.setAttribute('color', new BufferAttribute(new Uint8Array(4 * 24).fill(255), 4, true)),
      new MeshBasicMaterial({ vertexColors: true }),
    ],
  ])('by %s', (_, change, material) => {
    const report = reportOf((mesh, k) => void (k % 2 === 0 && change(mesh)), material);
    expect(report).toMatchObject({ batched: COUNT, chunks: 2, waiting: 0 });
    expect(reportOf(change, material)).toMatchObject({ batched: COUNT, chunks: 1 });
  });
  const other = new MeshLambertMaterial();

  it.each<[string, (mesh: Mesh, k: number) => void]>([
    ['with and without an index', (mesh, k) => void (k % 2 === 0 && (mesh.geometry = mesh.geometry.toNonIndexed()))],
    [
      'of indices of 16 and 32 bits',
      ({ geometry }, k) =>
        void (k % 2 === 0 && geometry.setIndex(new BufferAttribute(Uint32Array.from(geometry.index!.array), 1))),
    ],
    [
      'of normals of bytes and of floats',
      ({ geometry }, k) =>
        void (
          k % 2 === 0 &&
          geometry.setAttribute(
            'normal',
            new BufferAttribute(
              Int8Array.from(geometry.attributes.normal.array, (n) => 127 * n),
              3,
              true,
            ),
          )
        ),
    ],
    [
      'with texture coordinates that no texture of the material reads',
      ({ geometry }, k) => void (k % 2 === 0 && geometry.deleteAttribute('uv')),
    ],
    ['with tangents that no texture needs', ({ geometry }, k) => void (k % 2 === 0 && geometry.computeTangents())],
    [
      'with colours that the material does not read',
      ({ geometry }, k) =>
        void (k % 2 === 0 && geometry.setAttribute('color', new Float32BufferAttribute(new Float32Array(72), 3))),
    ],
    [
      'with groups, which one material does not read',
      ({ geometry }, k) => void (k % 2 === 0 && geometry.clearGroups()),
    ],
    ['mirrored and not', (mesh, k) => void (k % 2 === 0 && mesh.scale.set(-1, 1, 1))],
    [
      'with names and user data of their own',
      (mesh, k) => void Object.assign(mesh, { name: `box ${k}`, userData: { k } }),
    ],
  ])('but not %s', (_, change) => {
    expect(reportOf(change)).toMatchObject({ batched: COUNT, chunks: 1 });
  });
});

const textures = [new Texture(), new Texture()] as const;

describe('report()', () => {
  it.each<[string, number, (k: number) => Material, Record<string, number>?]>([
    ['equal ones', 1, () => new MeshStandardMaterial({ color: 0x336699 })],
    ['of another roughness', 1, (k) => new MeshStandardMaterial({ roughness: (k % 5) / 5 })],
    ['of two kinds', 2, (k) => (k % 2 === 0 ? new MeshStandardMaterial() : new MeshLambertMaterial())],
    [
      'that differ in another field',
      2,
      (k) => new MeshPhysicalMaterial({ ior: 1.4 + (k % 2) / 10 }),
      { 'MeshPhysicalMaterial.ior': 2 },
    ],
    [
      'that differ in a field with an accessor',
      2,
      (k) => new MeshStandardMaterial({ alphaTest: (k % 2) / 4 }),
      { 'MeshStandardMaterial.alphaTest': 2 },
    ],
    [
      'that differ in fields of the user, with underscores',
      2,
      (k) => Object.assign(new MeshBasicMaterial(), { __mine: k % 2 }),
      { 'MeshBasicMaterial.__mine': 2 },
    ],
    [
      'of which some have textures',
      3,
      (k) => new MeshStandardMaterial({ map: k % 3 === 0 ? null : k % 3 === 1 ? textures[0] : textures[1] }),
      { 'MeshStandardMaterial.map': 3, 'MeshStandardMaterial.color': 2 },
    ],
    [
      'with names and user data of their own',
      1,
      (k) => Object.assign(new MeshBasicMaterial(), { name: `${k}`, userData: { k } }),
    ],
  ])('tells with how many materials 120 materials are drawn, and why: %s, %i', (_, count, create, fields = {}) => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    for (let k = 0; k < 120; k++) group.add(new Mesh(new BoxGeometry(), create(k)).translateX(3 * k));
    const batches = new StaticBatches(group).finish();
    expect(batches.report()).toMatchObject({ batched: 120, chunks: count, materials: 120, drawnMaterials: count });
    expect(Object.fromEntries(batches.report().materialFields)).toEqual(fields);
    batches.dispose();
    const apart = new StaticBatches(group, { mergesMaterials: false }).finish();
    expect(apart.report()).toMatchObject({ batched: 0, waiting: 120, materials: 0, drawnMaterials: 0 });
  });

  it.each<[string, () => Object3D]>([
    ['a Group', () => new Group()],
    [
      'a mesh with two materials',
      () => new Mesh(new BoxGeometry(), [new MeshBasicMaterial(), new MeshBasicMaterial()]),
    ],
  ])('is known before %s has been looked at', (_, create) => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const batches = new StaticBatches(group).finish();
    group.add(create().add(new Mesh(new BoxGeometry(), new MeshBasicMaterial())));
    group.updateMatrixWorld();
    expect(batches.report().waiting).toBeGreaterThan(0);
  });
});

describe('a change of the material', () => {
  it.each<[string, string, (material: MeshStandardMaterial) => void]>([
    ['transparent', 'transparent', (material) => void (material.transparent = true)],
    ['invisible', 'an invisible material', (material) => void (material.visible = false)],
    [
      'compiled with code of the user',
      'shader code',
      (material) => {
        material.onBeforeCompile = unchanged;
        material.needsUpdate = true;
      },
    ],
  ])('that makes it %s gives its meshes back', async (_, reason, change) => {
    const material = new MeshStandardMaterial();
    const group = new OctreeGroup({ hasStaticChildren: true });
    for (let k = 0; k < COUNT; k++) group.add(new Mesh(new BoxGeometry(), material));
    const batches = new StaticBatches(group).finish();
    expect(batches.report().batched).toBe(COUNT);
    change(material);
    await Promise.resolve();
    group.updateMatrixWorld();
    const { batched, unmerged } = batches.finish().report();
    expect(batched).toBe(0);
    expect(Array.from(unmerged)).toEqual([[expect.stringContaining(reason), COUNT]]);
    expect(batches.report().chunks).toBe(0);
  });

  it('that changes uniforms only leaves them in their batch', async () => {
    const material = new MeshStandardMaterial();
    const group = new OctreeGroup({ hasStaticChildren: true });
    for (let k = 0; k < COUNT; k++) group.add(new Mesh(new BoxGeometry(), material));
    const batches = new StaticBatches(group).finish();
    material.color = new Color(0xff0000);
    material.roughness = 0.2;
    material.needsUpdate = true;
    await Promise.resolve();
    expect(batches.finish().report()).toMatchObject({ batched: COUNT, chunks: 1 });
  });
});
