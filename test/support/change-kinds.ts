/**
 * Single changes of a scene, by kind, and when each must be found. What must be found of the bounds, the batches, the
 * occluders and the hits follows from what a plain group draws after the change (see lateness.ts); of pictures and
 * shadow maps the table says whether they change.
 */

import {
  AlwaysDepth,
  BoxGeometry,
  BufferAttribute,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  Group,
  InstancedBufferGeometry,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Plane,
  Sphere,
  Sprite,
  SpriteMaterial,
  Vector3,
  type BufferGeometry,
  type Object3D,
  type PerspectiveCamera,
  type Scene,
  type ShadowMapType,
  type Texture,
} from 'three';
import { OctreeGroup } from '../../src/three.ts';
import type { FakeRenderer } from './change-towns.ts';

export type Subject = Mesh<BufferGeometry, MeshLambertMaterial>;

export interface KindWorld {
  readonly scene: Scene;
  /** An OctreeGroup, or a plain group with the same children. */
  readonly group: Group;
  readonly mesh: Subject;
  readonly material: MeshLambertMaterial;
  readonly light: DirectionalLight;
  readonly camera: PerspectiveCamera;
  readonly renderer: FakeRenderer & Record<string, unknown>;
}

/** In the update after the change. */
export const AT_ONCE = 'at once';
/** In turn, by one of the next 256 updates. */
export const LATE = 'late';
export const NEVER = 'never';
/** Nothing has changed there, but the bounds have, or how they are found. */
export const ANY = 'any';
export type When = typeof AT_ONCE | typeof LATE | typeof NEVER | typeof ANY;

export interface Kind {
  readonly change: (world: KindWorld) => void;
  /** What is there before. */
  readonly make?: (world: KindWorld) => void;
  /** Whether a picture, and whether a shadow map, changes. */
  readonly views: When;
  readonly shadows: When;
  /** When it is found of a static mesh that was not reported; of all others at once. */
  readonly unreported: When;
  /** What the user reports. Default: the mesh. */
  readonly reported?: (world: KindWorld) => Object3D;
  /** Whether no value shows what comes after: then each frame counts as changed. */
  readonly isUnknown?: boolean;
  readonly type?: ShadowMapType;
}

type Change = Kind['change'];
type Rest = Partial<Pick<Kind, 'make' | 'isUnknown' | 'type' | 'reported'>>;

/** Of the mesh itself: a static one that was not reported is found in turn. */
const ofMesh = (change: Change, rest: Rest = {}): Kind => ({
  change,
  views: AT_ONCE,
  shadows: AT_ONCE,
  unreported: LATE,
  ...rest,
});
/** Of what meshes share, or of the scene: found at once. */
export const ofAll = (change: Change, rest: Rest = {}): Kind => ({ ...ofMesh(change, rest), unreported: AT_ONCE });
/** Of how the mesh is culled, drawn or hit. Pictures stay as they are. */
const ofRule = (change: Change, rest: Rest = {}): Kind => ({ ...ofMesh(change, rest), views: ANY, shadows: ANY });
/** Of what no shadow map reads. */
export const ofView = (change: Change, rest: Rest = {}): Kind => ({ ...ofAll(change, rest), shadows: NEVER });

export const picture = (edge = 1): DataTexture => new DataTexture(new Uint8Array(4 * edge * edge), edge, edge);
const textured =
  (name: 'map' | 'alphaMap' | 'emissiveMap' | 'displacementMap', values: object = {}): Change =>
  ({ material }) =>
    void Object.assign(material, { [name]: picture() }, values);
const cutOut = textured('alphaMap', { alphaTest: 0.5 });
const colored = textured('map', { needsUpdate: true });

/** Fields of materials, by whether the shadow map reads them. */
const casterFields: Record<string, unknown> = {
  visible: false,
  side: DoubleSide,
  shadowSide: DoubleSide,
  wireframe: true,
  wireframeLinewidth: 2,
  opacity: 0.5,
  transparent: true,
  alphaTest: 0.5,
  alphaToCoverage: true,
  alphaHash: true,
  displacementScale: 3,
  displacementBias: 3,
  polygonOffset: true,
  polygonOffsetFactor: 2,
  polygonOffsetUnits: 2,
  linewidth: 3,
  size: 4,
  sizeAttenuation: false,
  rotation: 1,
};
const viewFields: Record<string, unknown> = {
  fog: false,
  flatShading: true,
  reflectivity: 0.2,
  emissiveIntensity: 3,
  depthTest: false,
  depthWrite: false,
  colorWrite: false,
  dithering: true,
  toneMapped: false,
  blending: 2,
  stencilWrite: true,
  premultipliedAlpha: true,
};

const attribute =
  (name: string, size: number): Change =>
  ({ mesh: { geometry } }) =>
    void geometry.setAttribute(
      name,
      new BufferAttribute(new Float32Array(geometry.attributes.position.count * size), size),
    );

const caster = (): Subject =>
  Object.assign(new Mesh(new BoxGeometry(), new MeshLambertMaterial()), { castShadow: true, name: 'child' });

const withInstances: Change = ({ mesh }) => {
  const child = new InstancedMesh(new BoxGeometry(0.2, 0.2, 0.2), new MeshLambertMaterial(), 2);
  child.setMatrixAt(1, new Matrix4().makeTranslation(-0.6, 0, 0));
  child.name = 'child';
  child.castShadow = true;
  child.computeBoundingSphere();
  mesh.add(child);
};

/** A material for each side of the box. */
const withArray: Change = ({ mesh }) =>
  void (mesh.material = Array.from({ length: 6 }, () => new MeshLambertMaterial({ name: 'side' })) as never);

/** The mesh is part of an opened tree. */
const partOfTree: Rest = {
  make: ({ group, mesh }) => {
    const tree = new Group().add(mesh);
    if (group instanceof OctreeGroup) group.addTree(tree);
    else group.add(tree);
  },
  reported: ({ group }) => group.children.at(-1)!,
};

/** Changes of the mesh, and of what it is drawn by. */
export const kinds: Record<string, Kind> = {
  // The mesh.
  position: ofMesh(({ mesh }) => void (mesh.position.x += 0.1)),
  rotation: ofMesh(({ mesh }) => void (mesh.rotation.y += 0.4)),
  scale: ofMesh(({ mesh }) => void (mesh.scale.x = 1.3)),
  'matrix written by hand': ofMesh(({ mesh }) => {
    mesh.matrixAutoUpdate = false;
    mesh.matrix.makeTranslation(0.2, 0, 0);
    mesh.matrixWorldNeedsUpdate = true;
  }),
  'matrixWorld written by hand': ofMesh(({ mesh }) => {
    mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
    mesh.matrixWorld.makeTranslation(0.2, 0, 0);
  }),
  pivot: ofMesh(({ mesh }) => void mesh.pivot!.set(1, 0, 0), {
    make: ({ mesh }) => void Object.assign(mesh.rotateZ(0.5), { pivot: new Vector3() }),
  }),
  'a pivot, later': ofMesh(({ mesh }) => void (mesh.pivot = new Vector3(1, 0, 0)), {
    make: ({ mesh }) => void mesh.rotateZ(0.5),
  }),
  'updateMatrixWorld of its own': ofRule(
    ({ mesh }) => void (mesh.updateMatrixWorld = (force) => Mesh.prototype.updateMatrixWorld.call(mesh, force)),
  ),
  frustumCulled: ofRule(({ mesh }) => void (mesh.frustumCulled = false)),
  'frustumCulled again': ofRule(({ mesh }) => void (mesh.frustumCulled = true), {
    make: ({ mesh }) => void (mesh.frustumCulled = false),
  }),
  'intersectsFrustum of its own': ofRule(({ mesh }) => void (mesh.intersectsFrustum = () => true)),
  'raycast of its own': ofRule(({ mesh }) => {
    mesh.raycast = (_, hits) => void hits.push({ object: mesh, distance: 3, point: new Vector3() });
  }),
  static: ofRule(({ mesh }) => void (mesh.static = true)),
  occlusionTest: ofRule(({ mesh }) => void Object.assign(mesh, { occlusionTest: true })),
  removed: ofAll(({ mesh }) => void mesh.removeFromParent()),
  'an ancestor hidden': ofMesh(({ mesh }) => void (mesh.parent!.visible = false), { ...partOfTree }),
  'an ancestor moved': ofMesh(({ mesh }) => void (mesh.parent!.position.x += 0.1), { ...partOfTree }),
  'a part added': ofAll(({ mesh }) => void mesh.parent!.add(caster()), { ...partOfTree }),
  'a part removed': ofAll(({ mesh }) => void mesh.removeFromParent(), { ...partOfTree }),
  visible: ofMesh(({ mesh }) => void (mesh.visible = false)),
  layers: ofMesh(({ mesh }) => mesh.layers.enable(1)),
  castShadow: ofMesh(({ mesh }) => void (mesh.castShadow = false)),
  receiveShadow: ofMesh(({ mesh }) => void (mesh.receiveShadow = true)),
  renderOrder: ofMesh(({ mesh }) => void (mesh.renderOrder = 1)),
  count: ofMesh(({ mesh }) => void (mesh.count = 0)),
  'another geometry': ofMesh(({ mesh }) => void (mesh.geometry = new BoxGeometry(2, 2, 2))),
  'another material': ofMesh(({ mesh }) => void (mesh.material = new MeshLambertMaterial())),
  'a child': ofMesh(({ mesh }) => void mesh.add(caster())),
  'a child removed': ofMesh(({ mesh }) => void mesh.clear(), { make: ({ mesh }) => void mesh.add(caster()) }),
  'a child moved': ofMesh(({ mesh }) => void (mesh.children[0].position.x += 0.5), {
    make: ({ mesh }) => void mesh.add(caster()),
  }),
  'a child hidden': ofMesh(({ mesh }) => void (mesh.children[0].visible = false), {
    make: ({ mesh }) => void mesh.add(caster()),
  }),
  'instances of a child': ofMesh(
    ({ mesh }) => {
      const child = mesh.children[0] as InstancedMesh;
      child.setMatrixAt(0, new Matrix4().makeTranslation(0.7, 0, 0));
      child.instanceMatrix.needsUpdate = true;
      child.computeBoundingSphere();
    },
    { make: withInstances },
  ),
  'number of instances of a child': ofMesh(({ mesh }) => void ((mesh.children[0] as InstancedMesh).count = 1), {
    make: withInstances,
  }),
  onBeforeRender: ofMesh(({ mesh }) => void (mesh.onBeforeRender = () => {}), { isUnknown: true }),
  onAfterRender: ofMesh(({ mesh }) => void (mesh.onAfterRender = () => {}), { isUnknown: true }),
  onBeforeShadow: ofMesh(({ mesh }) => void (mesh.onBeforeShadow = () => {}), { isUnknown: true }),
  onAfterShadow: ofMesh(({ mesh }) => void (mesh.onAfterShadow = () => {}), { isUnknown: true }),
  customDepthMaterial: ofMesh(({ mesh }) => void (mesh.customDepthMaterial = new MeshLambertMaterial()), {
    isUnknown: true,
  }),
  customDistanceMaterial: ofMesh(({ mesh }) => void (mesh.customDistanceMaterial = new MeshLambertMaterial()), {
    isUnknown: true,
  }),

  // Its geometry.
  'vertices written': ofMesh(({ mesh: { geometry } }) => {
    (geometry.attributes.position as BufferAttribute).setX(0, 0.8).needsUpdate = true;
    geometry.computeBoundingSphere();
  }),
  'boundingSphere of the geometry': ofRule(
    ({ mesh }) => void (mesh.geometry.boundingSphere = new Sphere(undefined, 2)),
  ),
  'boundingSphere, its numbers': ofRule(({ mesh }) => void (mesh.geometry.boundingSphere!.radius = 2), {
    make: ({ mesh }) => void (mesh.geometry.boundingSphere = new Sphere(undefined, 1.5)),
  }),
  'boundingSphere null': ofRule(({ mesh }) => void (mesh.geometry.boundingSphere = null), {
    make: ({ mesh }) => void (mesh.geometry.boundingSphere = new Sphere(undefined, 1.5)),
  }),
  'normals written': {
    ...ofMesh(({ mesh: { geometry } }) => {
      (geometry.attributes.normal as BufferAttribute).setX(0, 0.5).needsUpdate = true;
    }),
    shadows: ANY,
  },
  'version of the index': ofMesh(({ mesh }) => void (mesh.geometry.index!.needsUpdate = true)),
  'version of interleaved vertices': ofMesh(
    ({ mesh }) => void ((mesh.geometry.attributes.position as InterleavedBufferAttribute).data.needsUpdate = true),
    {
      make: ({ mesh: { geometry } }) => {
        const { array, count } = geometry.attributes.position as BufferAttribute;
        const buffer = new InterleavedBuffer(Float32Array.from(array), 3);
        geometry.setAttribute('position', new InterleavedBufferAttribute(buffer, 3, 0));
        geometry.boundingSphere = null;
        void count;
      },
    },
  ),
  'an attribute replaced, of equal version': ofMesh(attribute('uv', 2)),
  'vertices replaced, of equal version': ofMesh(({ mesh: { geometry } }) => {
    geometry.setAttribute('position', (geometry.attributes.position as BufferAttribute).clone());
  }),
  'an attribute added': ofMesh(attribute('color', 3)),
  'an attribute removed': ofMesh(({ mesh }) => void mesh.geometry.deleteAttribute('uv')),
  'an attribute that only gets another name': ofMesh(({ mesh: { geometry } }) => {
    const { uv } = geometry.attributes;
    geometry.deleteAttribute('uv').setAttribute('uv1', uv);
  }),
  'attributes that swap their names': ofMesh(
    ({ mesh: { geometry } }) => {
      const { uv, uv1 } = geometry.attributes;
      geometry.setAttribute('uv', uv1).setAttribute('uv1', uv);
    },
    { make: attribute('uv1', 2) },
  ),
  'the index replaced, of equal version': ofMesh(({ mesh: { geometry } }) => {
    geometry.setIndex((geometry.index as BufferAttribute).clone());
  }),
  'the index removed': ofMesh(({ mesh }) => void mesh.geometry.setIndex(null)),
  'draw range': ofMesh(({ mesh }) => mesh.geometry.setDrawRange(0, 6)),
  'draw range of equal sum': ofMesh(({ mesh }) => mesh.geometry.setDrawRange(6, 30), {
    make: ({ mesh }) => mesh.geometry.setDrawRange(0, 36),
  }),
  'a group of equal sum': ofMesh(({ mesh }) => void Object.assign(mesh.geometry.groups[0], { start: 6, count: 0 })),
  'a group added': ofMesh(({ mesh }) => mesh.geometry.addGroup(0, 6, 1)),
  'morph targets': ofMesh(
    ({ mesh: { geometry } }) => void (geometry.morphAttributes.position = [geometry.attributes.position]),
    { isUnknown: true },
  ),
  'vertices on the GPU': ofMesh(
    ({ mesh: { geometry } }) =>
      void Object.assign(geometry.attributes.uv, { isStorageBufferAttribute: true, array: new Float32Array(48) }),
    { isUnknown: true },
  ),
  'indirect draws': ofMesh(({ mesh }) => void Object.assign(mesh.geometry, { indirect: {} }), { isUnknown: true }),
  'number of instances': ofMesh(({ mesh }) => void ((mesh.geometry as InstancedBufferGeometry).instanceCount = 3), {
    make: ({ mesh }) => {
      const geometry = new InstancedBufferGeometry().copy(new BoxGeometry() as never);
      geometry.instanceCount = 2;
      mesh.geometry = geometry;
    },
  }),

  // Materials.
  ...Object.fromEntries(
    Object.entries(casterFields).map(([name, value]) => [
      `material.${name}`,
      ofAll(({ material }) => void Object.assign(material, { [name]: value }), {
        make: ({ material }) => void Object.assign(material, { polygonOffsetUnits: 0, alphaTest: 0 }),
      }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(viewFields).map(([name, value]) => [
      `material.${name}`,
      ofView(({ material }) => void Object.assign(material, { [name]: value })),
    ]),
  ),
  'material.depthFunc': ofView(({ material }) => void (material.depthFunc = AlwaysDepth)),
  'material.transmission': ofView(({ material }) => void Object.assign(material, { transmission: 0.5 })),
  'material.vertexColors': ofView(({ material }) => void (material.vertexColors = true)),
  'material.defines': ofView(({ material }) => void Object.assign(material, { defines: { X: 1 } })),
  'clipping planes': ofView(({ material }) => void (material.clippingPlanes = [new Plane()])),
  'material.needsUpdate': ofAll(({ material }) => void (material.needsUpdate = true)),
  colour: ofView(({ material }) => void material.color.setHex(0x123456)),
  'onBeforeCompile of a material': ofAll(({ material }) => void (material.onBeforeCompile = () => {}), {
    isUnknown: true,
  }),
  'onBeforeRender of a material': {
    ...ofView(({ material }) => void (material.onBeforeRender = () => {}), { isUnknown: true }),
    shadows: ANY,
  },
  'another material, of nodes': ofMesh(
    ({ mesh }) => void (mesh.material = Object.assign(new MeshLambertMaterial(), { isNodeMaterial: true })),
    { isUnknown: true },
  ),
  'a node that the shadow map reads': ofAll(
    ({ material }) => void Object.assign(material, { maskNode: { isNode: true } }),
    { isUnknown: true },
  ),
  ...Object.fromEntries(
    ['positionNode', 'depthNode', 'colorNode'].map((name) => [
      `material.${name}`,
      ofAll(({ material }) => void Object.assign(material, { [name]: { isNode: true } }), { isUnknown: true }),
    ]),
  ),
  ...Object.fromEntries(
    ['opacityNode', 'alphaTestNode'].map((name) => [
      `material.${name}`,
      {
        ...ofView(({ material }) => void Object.assign(material, { [name]: { isNode: true } }), { isUnknown: true }),
        // A map may be drawn without need.
        shadows: ANY,
      },
    ]),
  ),
  'a clipping plane': ofView(({ material }) => void (material.clippingPlanes![0].constant = 7), {
    make: ({ material }) => void (material.clippingPlanes = [new Plane()]),
  }),
  'a clipping plane that clips shadows': ofAll(({ material }) => void (material.clippingPlanes![0].constant = 7), {
    make: ({ material }) => void Object.assign(material, { clippingPlanes: [new Plane()], clipShadows: true }),
  }),
  clipIntersection: ofAll(({ material }) => void (material.clipIntersection = true), {
    make: ({ material }) => void Object.assign(material, { clippingPlanes: [new Plane()], clipShadows: true }),
  }),
  'a material of an array': {
    ...ofAll(({ mesh }) => (mesh.material as unknown as MeshLambertMaterial[])[0].color.setHex(0x123456)),
    shadows: NEVER,
    make: withArray,
  },
  'a caster field of a material of an array': ofAll(
    ({ mesh }) => void ((mesh.material as unknown as MeshLambertMaterial[])[1].side = DoubleSide),
    { make: withArray },
  ),
  'an element of an array of materials': ofMesh(
    ({ mesh }) => void ((mesh.material as unknown as MeshLambertMaterial[])[0] = new MeshLambertMaterial()),
    { make: withArray },
  ),
  'the material of a child': ofAll(({ mesh }) => void ((mesh.children[0] as Subject).material.wireframe = true), {
    make: ({ mesh }) => void mesh.add(caster()),
  }),
  'the material of a sprite': ofView(({ mesh }) => (mesh.children[0] as Sprite).material.color.setHex(0x123456), {
    make: ({ mesh }) => void mesh.add(new Sprite(new SpriteMaterial())),
  }),
  'the centre of a sprite': {
    ...ofView(({ mesh }) => void (mesh.children[0] as Sprite).center.set(0, 0.5), {
      make: ({ mesh }) => void mesh.add(new Sprite(new SpriteMaterial())),
    }),
    shadows: ANY,
    unreported: LATE,
  },

  // Textures.
  'a map': ofAll(colored),
  'a texture that only the picture shows': ofView(textured('emissiveMap')),
  'version of a map': ofView(({ material }) => void (material.map!.needsUpdate = true), { make: colored }),
  'version of a map that cuts holes': ofAll(({ material }) => void (material.alphaMap!.needsUpdate = true), {
    make: cutOut,
  }),
  'version of the source': ofAll(({ material }) => void (material.alphaMap!.source.needsUpdate = true), {
    make: cutOut,
  }),
  ...Object.fromEntries(
    (
      [
        ['offset', (texture) => void (texture.offset.x = 0.5)],
        ['repeat', (texture) => void (texture.repeat.x = 0.5)],
        ['center', (texture) => void (texture.center.x = 0.5)],
        ['rotation', (texture) => void (texture.rotation = 0.5)],
        ['channel', (texture) => void (texture.channel = 1)],
        ['pmremVersion', (texture) => void (texture.needsPMREMUpdate = true)],
        ['image', (texture) => void (texture.image = { data: new Uint8Array(4), width: 1, height: 1 } as never)],
      ] as [string, (texture: Texture) => void][]
    ).map(([name, change]) => [
      `texture.${name}`,
      ofAll(({ material }) => change(material.alphaMap!), { make: cutOut }),
    ]),
  ),
  'matrix of a texture': ofAll(({ material }) => void material.alphaMap!.matrix.makeTranslation(1, 1), {
    make: (world) => {
      cutOut(world);
      world.material.alphaMap!.matrixAutoUpdate = false;
    },
  }),
  'a displacement map': ofAll(textured('displacementMap'), { isUnknown: false }),
  'version of a displacement map': ofAll(({ material }) => void (material.displacementMap!.needsUpdate = true), {
    make: textured('displacementMap'),
  }),
  'a texture of a render target': ofView(
    ({ material }) => void (material.emissiveMap = Object.assign(picture(), { isRenderTargetTexture: true })),
    { isUnknown: true },
  ),
};
