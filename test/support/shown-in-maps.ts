/**
 * What shadow maps and pictures show, found by a loop over all objects in the order of three's renderers, without any
 * code of the library. Two equal lists are two equal maps.
 */

import {
  Color,
  Frustum,
  InstancedMesh,
  LOD,
  type Material,
  type MeshLambertMaterial,
  Matrix4,
  Mesh,
  PointLight,
  VSMShadowMap,
  Vector3,
  type BufferAttribute,
  type BufferGeometry,
  type Camera,
  type Light,
  type LightShadow,
  type Object3D,
  type PerspectiveCamera,
  type Texture,
} from 'three';
import { OctreeInstances } from '../../src/three.ts';
import type { Lamp } from './shadow-towns.ts';

const ids = new WeakMap<object, number>();
let nextId = 0;
/** A number for each object, so that lists can be compared as text. */
function idOf(object: object | null | undefined): number {
  if (!object) return -1;
  if (!ids.has(object)) ids.set(object, nextId++);
  return ids.get(object)!;
}

/** The faces of a shadow map, as WebGLShadowMap places them. */
function frustaOf(light: Lamp): Frustum[] {
  const shadow = light.shadow as LightShadow;
  const matrix = new Matrix4();
  if (!(light instanceof PointLight)) {
    shadow.updateMatrices(light);
    return [shadow.getFrustum().clone()];
  }
  const camera = (shadow.camera as PerspectiveCamera).clone();
  camera.far = light.distance || camera.far;
  camera.updateProjectionMatrix();
  return [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ].map(([x, y, z]) => {
    camera.position.setFromMatrixPosition(light.matrixWorld);
    camera.up.set(0, y === 0 ? -1 : 0, y === 0 ? 0 : y);
    camera.lookAt(camera.position.clone().add(new Vector3(x, y, z)));
    camera.updateMatrixWorld();
    matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return new Frustum().setFromProjectionMatrix(matrix);
  });
}

/** Whether every vertex is outside of one plane: then no fragment falls into the map. */
function isOutside(geometry: BufferGeometry, world: Matrix4, { planes }: Frustum): boolean {
  const position = geometry.attributes.position as BufferAttribute;
  const vertex = new Vector3();
  return planes.some((plane) => {
    for (let k = 0; k < position.count; k++)
      if (plane.distanceToPoint(vertex.fromBufferAttribute(position, k).applyMatrix4(world)) >= -1e-4) return false;
    return true;
  });
}

function geometryValues({ attributes, index, drawRange, groups }: BufferGeometry): unknown[] {
  const versions = Object.values(attributes).map((each) => [
    idOf(each),
    'version' in each ? each.version : each.data.version,
  ]);
  return [versions, idOf(index), index?.version, drawRange.start, drawRange.count, groups];
}

const textureValues = (texture: Texture | null | undefined): unknown[] =>
  !texture ? [] : [idOf(texture), texture.version, texture.offset.toArray(), texture.repeat.toArray()];

/** The fields that WebGLShadowMap copies to its own material, and those that choose the fragments. */
function materialValues(material: Material): unknown[] {
  const fields = material as Material & Partial<Record<'map' | 'alphaMap' | 'displacementMap', Texture | null>>;
  const { wireframe, displacementScale, displacementBias } = material as unknown as Record<string, unknown>;
  const { map, alphaMap, displacementMap } = fields;
  const cuts = material.alphaTest > 0 || material.alphaToCoverage;
  return [
    material.visible,
    material.side,
    material.shadowSide,
    wireframe,
    material.alphaTest,
    material.alphaToCoverage,
    cuts ? [textureValues(map), textureValues(alphaMap)] : [],
    displacementMap ? [textureValues(displacementMap), displacementScale, displacementBias] : [],
  ];
}

interface Show {
  readonly casts: (object: Object3D) => boolean;
  readonly layers: { readonly mask: number };
  readonly frusta: readonly Frustum[];
  readonly values: (material: Material) => unknown[];
  readonly isView: boolean;
  /** Whether the shadow of a vertex is in the picture, where it matters. */
  readonly isShown?: ((vertex: Vector3) => boolean) | undefined;
}

/** Whether the shadow of any vertex is in the picture. */
function hasShownShadow(geometry: BufferGeometry, world: Matrix4, { isShown }: Show): boolean {
  if (isShown === undefined) return true;
  const { position } = geometry.attributes;
  const vertex = new Vector3();
  // Of a box the first 8 vertices are all its corners.
  for (let k = 0; k < Math.min(position.count, 8); k++)
    if (isShown(vertex.fromBufferAttribute(position, k).applyMatrix4(world))) return true;
  return false;
}

/** Whether some point of the shadow of a vertex is in the picture: samples of the ray behind it. */
function shownShadowOf(light: Lamp, frusta: readonly Frustum[], camera: Camera): (vertex: Vector3) => boolean {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const view = new Frustum().setFromProjectionMatrix(matrix);
  const origin = new Vector3().setFromMatrixPosition(light.matrixWorld);
  const point = new Vector3();
  return (vertex) => {
    const direction =
      'isDirectionalLight' in light
        ? new Vector3().setFromMatrixPosition(light.target.matrixWorld).sub(origin)
        : vertex.clone().sub(origin);
    direction.setLength(40 / 12);
    for (let step = 0; step < 12; step++) {
      point.copy(vertex).addScaledVector(direction, step);
      if (view.containsPoint(point) && frusta.some((frustum) => frustum.containsPoint(point))) return true;
    }
    return false;
  };
}

/** The world matrices of the instances that are drawn. */
function placesOf(object: InstancedMesh): Matrix4[] {
  return Array.from({ length: object.count }, (_, k) => {
    const matrix = new Matrix4();
    object.getMatrixAt(k, matrix);
    return matrix.premultiply(object.matrixWorld);
  });
}

function collect(object: Object3D, show: Show, list: unknown[]): void {
  if (!object.visible) return;
  if (object instanceof OctreeInstances) collectInstances(object, show, list);
  else if (object instanceof Mesh && (object.layers.mask & show.layers.mask) !== 0 && show.casts(object)) {
    const { geometry, matrixWorld } = object as Mesh;
    const isInstanced = object instanceof InstancedMesh;
    const isCulled = object.frustumCulled && !(isInstanced && (object as InstancedMesh).boundingSphere === null);
    const places = isInstanced ? placesOf(object as InstancedMesh) : [matrixWorld];
    // Of an InstancedMesh three draws all or none: what is outside of its frustum shows nothing.
    const isSeen = (place: Matrix4): boolean =>
      show.frusta.some(
        (frustum) =>
          object.intersectsFrustum(frustum) &&
          !isOutside(geometry, place, frustum) &&
          (isInstanced || hasShownShadow(geometry, place, show)),
      );
    const shown = isCulled ? places.filter(isSeen) : places;
    if (shown.length > 0) {
      list.push(
        idOf(object),
        shown.map(({ elements }) => elements),
        geometryValues(geometry),
        [object.material].flat().map(show.values),
      );
      if (show.isView) list.push(object.renderOrder, object.receiveShadow);
    }
  }
  for (const child of object.children) collect(child, show, list);
}

function collectInstances(instances: OctreeInstances, show: Show, list: unknown[]): void {
  if ((instances.layers.mask & show.layers.mask) === 0 || !show.casts(instances)) return;
  const world = new Matrix4();
  const color = new Color();
  const shared = [geometryValues(instances.geometry), [instances.material].flat().map(show.values)];
  let isSeen = false;
  for (let id = 0; id < instances.count; id++) {
    if (!instances.has(id) || !instances.getVisibleAt(id)) continue;
    instances.getMatrixAt(id, world);
    world.premultiply(instances.matrixWorld);
    if (show.frusta.every((frustum) => isOutside(instances.geometry, world, frustum))) continue;
    if (!hasShownShadow(instances.geometry, world, show)) continue;
    isSeen = true;
    list.push(id, world.toArray());
    if (show.isView) list.push(instances.getColorAt(id, color).getHex());
  }
  if (isSeen) list.push(shared, instances.shadowLevel);
}

/**
 * What the map of a light shows, with all that places it.
 *
 * @param view Leaves out what casts no shadow in its picture.
 */
export function mapOf(scene: Object3D, light: Lamp, camera: Camera, type: number, view?: Camera): string {
  const shadow = light.shadow as LightShadow;
  const frusta = frustaOf(light);
  const layers = (shadow.camera.layers.mask & 0xfffffffe) !== 0 ? shadow.camera.layers : camera.layers;
  const list: unknown[] = [idOf(shadow), idOf(shadow.map), frusta.map(({ planes }) => planes), type];
  list.push(shadow.mapSize.toArray());
  if (type === VSMShadowMap) list.push(shadow.radius, shadow.blurSamples);
  const casts = ({ castShadow, receiveShadow }: Object3D): boolean =>
    castShadow || (receiveShadow && type === VSMShadowMap);
  const isShown = view && shownShadowOf(light, frusta, view);
  collect(scene, { casts, layers, frusta, values: materialValues, isView: false, isShown }, list);
  return JSON.stringify(list);
}

/** The fields of a material that `actions` change. */
function drawnValues(material: Material): unknown[] {
  const { color, map } = material as MeshLambertMaterial;
  const { opacity, transparent } = material;
  return [...materialValues(material), opacity, transparent, color.getHex(), textureValues(map)];
}

/** What the picture of a camera shows, apart from shadows. */
export function pictureListOf(scene: Object3D, camera: Camera, lights: readonly Light[]): string {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const frustum = new Frustum().setFromProjectionMatrix(matrix);
  const list: unknown[] = [frustum.planes, camera.layers.mask];
  collect(
    scene,
    { casts: () => true, layers: camera.layers, frusta: [frustum], values: drawnValues, isView: true },
    list,
  );
  for (const light of lights)
    if (isShown(light)) list.push([light.intensity, light.color.getHex(), light.matrixWorld.elements]);
  return JSON.stringify(list);
}

/** Chooses the levels of detail for a camera, as renderers do before they draw. */
export function chooseAllLevels(scene: Object3D, camera: Camera): void {
  scene.traverseVisible((object) => {
    if (object instanceof LOD && object.autoUpdate && object.layers.test(camera.layers)) object.update(camera);
  });
}

/** Whether an object and all above it are visible. */
export function isShown(object: Object3D): boolean {
  return object.visible && (object.parent === null || isShown(object.parent));
}
