/** Single changes of a scene, by kind: what ViewChanges and ShadowUpdates must tell of each. */

import {
  BoxGeometry,
  BufferAttribute,
  Color,
  DataTexture,
  DirectionalLight,
  DoubleSide,
  Fog,
  InstancedBufferGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshLambertMaterial,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  PlaneGeometry,
  Scene,
  Sprite,
  SpriteMaterial,
  Texture,
  Vector2,
  VSMShadowMap,
  type BufferGeometry,
  type ShadowMapType,
  type Vector4,
} from 'three';
import { OctreeGroup, ShadowUpdates, ViewChanges } from '../../src/three.ts';
import { FakeRenderer } from './change-towns.ts';
import { createCamera } from './three-pictures.ts';

/** How the group learns of the changes of the mesh: by looking, by `reportMove`, or not at all. */
export const MODES = ['watched', 'reported', 'not reported'] as const;
export type Mode = (typeof MODES)[number];

export type Subject = Mesh<BufferGeometry, MeshLambertMaterial>;

export interface KindWorld {
  readonly scene: Scene;
  readonly group: OctreeGroup;
  readonly mesh: Subject;
  readonly material: MeshLambertMaterial;
  readonly light: DirectionalLight;
  readonly camera: PerspectiveCamera;
  readonly renderer: FakeRenderer & Record<string, unknown>;
}

export const AT_ONCE = 'at once';
/** Some frames later: when its turn has come. */
export const LATE = 'late';
export const NEVER = 'never';
/** Nothing has changed there, but the bounds have, or how they are found. */
export const ANY = 'any';
type When = typeof AT_ONCE | typeof LATE | typeof NEVER | typeof ANY;

export interface Kind {
  readonly change: (world: KindWorld) => void;
  /** What is there before. */
  readonly make?: (world: KindWorld) => void;
  readonly views: When;
  readonly shadows: When;
  /** Of a static mesh that was not reported: in place of "at once". */
  readonly unreported: When;
  /** Whether no value shows what comes after: then each frame counts as changed. */
  readonly isUnknown?: boolean;
  readonly type?: ShadowMapType;
}

type Change = Kind['change'];
type Rest = Partial<Pick<Kind, 'make' | 'isUnknown' | 'type'>>;

/** Of the mesh itself: a static one that was not reported is found in turn. */
const ofMesh = (change: Change, rest: Rest = {}): Kind => ({
  change,
  views: AT_ONCE,
  shadows: AT_ONCE,
  unreported: LATE,
  ...rest,
});
/** Of what meshes share, or of the scene: found at once. */
const ofAll = (change: Change, rest: Rest = {}): Kind => ({ ...ofMesh(change, rest), unreported: AT_ONCE });
/** Of what no shadow map reads. */
const ofView = (change: Change, rest: Rest = {}): Kind => ({ ...ofAll(change, rest), shadows: NEVER });
const never = (change: Change, rest: Rest = {}): Kind => ({ ...ofView(change, rest), views: NEVER });

const picture = (edge = 1): DataTexture => new DataTexture(new Uint8Array(4 * edge * edge), edge, edge);
const textured =
  (name: 'map' | 'alphaMap' | 'emissiveMap' | 'displacementMap', values: object = {}): Change =>
  ({ material }) =>
    void Object.assign(material, { [name]: picture() }, values);
const cutOut = textured('alphaMap', { alphaTest: 0.5 });
const colored = textured('map');

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

const lightFields: Record<string, [name: string, value: unknown, shadows: When]> = {
  bias: ['bias', 0.1, NEVER],
  normalBias: ['normalBias', 0.1, NEVER],
  'intensity of the shadow': ['intensity', 0.5, NEVER],
  radius: ['radius', 3, NEVER],
  blurSamples: ['blurSamples', 3, NEVER],
  mapType: ['mapType', 1016, AT_ONCE],
  focus: ['focus', 0.5, AT_ONCE],
  aspect: ['aspect', 0.5, AT_ONCE],
};

const attribute =
  (name: string, size: number): Change =>
  ({ mesh: { geometry } }) =>
    void geometry.setAttribute(
      name,
      new BufferAttribute(new Float32Array(geometry.attributes.position.count * size), size),
    );

export const kinds: Record<string, Kind> = {
  // The mesh.
  position: { ...ofMesh(({ mesh }) => void (mesh.position.x += 0.1)), unreported: NEVER },
  rotation: { ...ofMesh(({ mesh }) => void (mesh.rotation.y += 0.1)), unreported: NEVER },
  visible: ofMesh(({ mesh }) => void (mesh.visible = false)),
  layers: ofMesh(({ mesh }) => mesh.layers.enable(1)),
  castShadow: ofMesh(({ mesh }) => void (mesh.castShadow = false)),
  receiveShadow: ofMesh(({ mesh }) => void (mesh.receiveShadow = true)),
  renderOrder: ofMesh(({ mesh }) => void (mesh.renderOrder = 1)),
  count: ofMesh(({ mesh }) => void (mesh.count = 0)),
  'another geometry': ofMesh(({ mesh }) => void (mesh.geometry = new BoxGeometry(2, 2, 2))),
  'another material': ofMesh(({ mesh }) => void (mesh.material = new MeshLambertMaterial())),
  'a child': ofMesh(({ mesh }) => {
    const child = new Mesh(new BoxGeometry(), new MeshLambertMaterial());
    child.castShadow = true;
    mesh.add(child);
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
  'vertices written': ofMesh(({ mesh }) => void (mesh.geometry.attributes.position.needsUpdate = true)),
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
  'material.needsUpdate': ofAll(({ material }) => void (material.needsUpdate = true)),
  colour: ofView(({ material }) => void material.color.setHex(0x123456)),
  'onBeforeCompile of a material': ofAll(({ material }) => void (material.onBeforeCompile = () => {}), {
    isUnknown: true,
  }),
  'onBeforeRender of a material': {
    ...ofView(({ material }) => void (material.onBeforeRender = () => {}), { isUnknown: true }),
    shadows: ANY,
  },
  'isNodeMaterial of a material': ofAll(({ material }) => void Object.assign(material, { isNodeMaterial: true }), {
    isUnknown: true,
  }),
  'a node that the shadow map reads': ofAll(
    ({ material }) => void Object.assign(material, { maskNode: { isNode: true } }),
    { isUnknown: true },
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
    make: ({ mesh }) => void (mesh.material = [new MeshLambertMaterial()] as never),
  },
  'a caster field of a material of an array': ofAll(
    ({ mesh }) => void ((mesh.material as unknown as MeshLambertMaterial[])[1].side = DoubleSide),
    { make: ({ mesh }) => void (mesh.material = [new MeshLambertMaterial(), new MeshLambertMaterial()] as never) },
  ),
  'an element of an array of materials': ofMesh(
    ({ mesh }) => void ((mesh.material as unknown as MeshLambertMaterial[])[0] = new MeshLambertMaterial()),
    { make: ({ mesh }) => void (mesh.material = [new MeshLambertMaterial()] as never) },
  ),
  'the material of a child': ofAll(({ mesh }) => void ((mesh.children[0] as Subject).material.wireframe = true), {
    make: ({ mesh }) => {
      const child = new Mesh(new BoxGeometry(), new MeshLambertMaterial());
      child.castShadow = true;
      mesh.add(child);
    },
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

  // Lights, scene, camera, renderer.
  'light moved': ofAll(({ light }) => void (light.position.x += 1)),
  'target moved': ofAll(({ light }) => void (light.target.position.x += 1)),
  'light brighter': ofView(({ light }) => void (light.intensity = 3)),
  'colour of the light': ofView(({ light }) => void light.color.setHex(0x123456)),
  'light casts none': { ...ofView(({ light }) => void (light.castShadow = false)) },
  'up of the shadow camera': ofAll(({ light }) => void light.shadow.camera.up.set(1, 0, 0)),
  'size of a map': ofAll(({ light }) => void light.shadow.mapSize.setScalar(64)),
  'layers of the shadow camera': ofAll(({ light }) => light.shadow.camera.layers.enable(1)),
  'reach of the shadow camera': ofAll(({ light }) => {
    light.shadow.camera.left = -3;
    light.shadow.camera.updateProjectionMatrix();
  }),
  ...Object.fromEntries(
    Object.entries(lightFields).map(([name, [field, value, shadows]]) => [
      `shadow.${name}`,
      { ...ofAll(({ light }) => void Object.assign(light.shadow, { [field]: value })), shadows },
    ]),
  ),
  'radius of a VSM map': ofAll(({ light }) => void (light.shadow.radius = 3), { type: VSMShadowMap }),
  'samples of a VSM map': ofAll(({ light }) => void (light.shadow.blurSamples = 3), { type: VSMShadowMap }),
  background: ofView(({ scene }) => void (scene.background = new Color(0x112233))),
  fog: ofView(({ scene }) => void (scene.fog = new Fog(0))),
  'density of the fog': ofView(({ scene }) => void ((scene.fog as Fog).far = 7), {
    make: ({ scene }) => void (scene.fog = new Fog(0)),
  }),
  'environment of a PMREMGenerator': ofView(
    ({ scene }) =>
      void (scene.environment = Object.assign(picture(), { isRenderTargetTexture: true, isPMREMTexture: true })),
  ),
  'environment before r187': ofView(
    ({ scene }) =>
      void (scene.environment = Object.assign(picture(), { isRenderTargetTexture: true, mapping: 306 as never })),
  ),
  'environment of a CubeCamera': ofView(
    ({ scene }) => void (scene.environment = Object.assign(picture(), { isRenderTargetTexture: true })),
    { isUnknown: true },
  ),
  overrideMaterial: ofView(({ scene }) => void (scene.overrideMaterial = new MeshLambertMaterial())),
  'camera moved': ofView(({ camera }) => void (camera.position.x += 0.1)),
  'layers of the camera': ofAll(({ camera }) => camera.layers.enable(2)),
  'projection of the camera': ofView(({ camera }) => {
    camera.fov = 33;
    camera.updateProjectionMatrix();
  }),
  ...Object.fromEntries(
    Object.entries({
      toneMapping: 4,
      toneMappingExposure: 2,
      outputColorSpace: 'x',
      sortObjects: false,
      transmissionResolutionScale: 0.5,
      autoClear: false,
      autoClearColor: false,
      autoClearDepth: false,
      autoClearStencil: false,
      opaque: false,
      transparent: false,
      drawingPipeline: {},
      getScissorTest: () => true,
      getMRT: () => picture,
      getRenderObjectFunction: () => picture,
      getViewport: (target: Vector4) => target.set(0, 0, 5, 5),
      getScissor: (target: Vector4) => target.set(0, 0, 5, 5),
      size: new Vector2(9, 9),
      clearColor: new Color(0x123456),
    }).map(([name, value]) => [
      `renderer.${name}`,
      ofView(({ renderer }) => void Object.assign(renderer, { [name]: value })),
    ]),
  ),
  'nothing at all': never(() => {}),
};

/** A world at rest: one mesh under a light, and others far away that fill the turn. */
export class KindScene implements KindWorld {
  readonly scene = new Scene();
  readonly group: OctreeGroup;
  readonly material = new MeshLambertMaterial();
  readonly mesh: Subject = new Mesh(new BoxGeometry(), this.material);
  readonly light = new DirectionalLight();
  readonly camera = createCamera([0, 20, 0.1], [0, 0, 0], 60);
  readonly renderer = new FakeRenderer() as KindWorld['renderer'];
  private readonly views: ViewChanges;
  private readonly shadows: ShadowUpdates;

  constructor(mode: Mode, kind: Kind) {
    this.group = new OctreeGroup({ hasStaticChildren: mode !== 'watched' });
    const { scene, group, mesh, light, renderer } = this;
    const far = new BoxGeometry();
    const other = new MeshLambertMaterial();
    for (let k = 0; k < 66; k++) group.add(new Mesh(far, other).translateX(500 + k));
    mesh.castShadow = true;
    const floor = new Mesh(new PlaneGeometry(50, 50), other).rotateX(-Math.PI / 2).translateZ(-2);
    floor.receiveShadow = true;
    floor.geometry.computeBoundingSphere();
    light.position.set(0, 10, 0);
    light.castShadow = true;
    if (!(light.shadow.camera instanceof OrthographicCamera)) throw new Error('not an orthographic camera');
    scene.add(group.add(mesh), light, light.target, floor, new Object3D());
    if (kind.type !== undefined) renderer.shadowMap.type = kind.type as never;
    kind.make?.(this);
    this.views = new ViewChanges(scene, renderer, [group]).setStill(floor);
    this.shadows = new ShadowUpdates(scene, renderer, [group]).setStill(floor);
    for (let k = 0; k < 4; k++) this.frame();
  }

  /** Asks for the picture, and begins a pass. Returns whether the picture, and the map, have changed. */
  frame(): { views: boolean; shadows: boolean } {
    const { scene, camera, renderer, light } = this;
    const views = this.views.changedIn(camera);
    Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [renderer, scene]);
    (scene.children.at(-1) as unknown as { update(camera: object): void }).update(camera);
    light.shadow.updateMatrices(light);
    light.shadow.needsUpdate = false;
    return { views, shadows: this.shadows.due.length > 0 };
  }
}
