/**
 * The scene traversals of three's renderers, without a renderer: the objects that a pass would draw, in traversal
 * order.
 */

import {
  Frustum,
  InstancedMesh,
  Matrix4,
  OrthographicCamera,
  Vector3,
  type Camera,
  type Group,
  type Layers,
  type LOD,
  type Mesh,
  type Object3D,
} from 'three';
import { expect } from 'vitest';

export interface Drawn {
  readonly object: Object3D;
  readonly groupOrder: number;
}

export function frustumOf(camera: Camera): Frustum {
  return new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );
}

/** Whether a vertex of a mesh lies in a frustum: then the mesh must be drawn. */
export function hasVertexIn(frustum: Frustum, mesh: Mesh): boolean {
  const { position } = mesh.geometry.attributes;
  const vertex = new Vector3();
  for (let k = 0; k < position.count; k++)
    if (frustum.containsPoint(vertex.fromBufferAttribute(position, k).applyMatrix4(mesh.matrixWorld))) return true;
  return false;
}

/** A camera that sees the given range of x, and y and z within 99. */
export function stripeCamera(x: number, width: number): OrthographicCamera {
  const camera = new OrthographicCamera(x, x + width, 99, -99, -99, 99);
  camera.updateMatrixWorld();
  return camera;
}

/** Same as `projectObject` in `WebGLRenderer` and the traversal in `WebGPURenderer`. */
export function projectPass(
  object: Object3D,
  camera: Camera,
  frustum = frustumOf(camera),
  groupOrder = 0,
  drawn: Drawn[] = [],
): Drawn[] {
  if (!object.visible) return drawn;
  let order = groupOrder;
  if (object.layers.test(camera.layers)) {
    if ((object as Partial<Group>).isGroup) order = object.renderOrder;
    else if (isLod(object)) {
      if (object.autoUpdate) object.update(camera);
    } else if (
      isDrawable(object) &&
      (!object.frustumCulled || object.intersectsFrustum(frustum)) &&
      hasVisibleMaterial(object)
    ) {
      drawn.push({ object, groupOrder: order });
    }
  }
  for (const child of object.children) projectPass(child, camera, frustum, order, drawn);
  return drawn;
}

/**
 * Same as `renderObject` in `WebGLShadowMap`: `layers` come from the viewing camera, `frustum` from the camera of the
 * light.
 */
export function shadowPass(object: Object3D, layers: Layers, frustum: Frustum, drawn: Drawn[] = []): Drawn[] {
  if (!object.visible) return drawn;
  if (
    object.layers.test(layers) &&
    isDrawable(object) &&
    !('isSprite' in object) &&
    object.castShadow &&
    (!object.frustumCulled || object.intersectsFrustum(frustum))
  ) {
    if (hasVisibleMaterial(object)) drawn.push({ object, groupOrder: 0 });
  }
  for (const child of object.children) shadowPass(child, layers, frustum, drawn);
  return drawn;
}

/**
 * Whether the object draws no pixel, because all of its vertices are outside one plane. three tests a bounding sphere,
 * which is larger, and draws it.
 */
export function isOutside({ object }: Drawn, frustum: Frustum): boolean {
  if ('isSprite' in object) return false;
  const { position } = (object as Mesh).geometry.attributes;
  const matrices =
    object instanceof InstancedMesh
      ? Array.from({ length: object.count }, (_, k) => matrixOf(object, k))
      : [object.matrixWorld];
  const vertices = matrices.flatMap((matrix) =>
    Array.from({ length: position.count }, (_, k) =>
      new Vector3().fromBufferAttribute(position, k).applyMatrix4(matrix),
    ),
  );
  return frustum.planes.some((plane) => vertices.every((vertex) => plane.distanceToPoint(vertex) < 0));
}

const inWords = ({ object, groupOrder }: Drawn): string => `${object.type} ${object.name} of order ${groupOrder}`;

/**
 * Expects that a pass draws the same objects of both twins, except for objects that the octree leaves out and that draw
 * no pixel. Returns their number.
 */
export function expectSameDrawn(when: string, plain: Drawn[], octree: Drawn[], frustum: Frustum): number {
  const shown = new Set(octree.map(inWords));
  const expected = plain.filter((drawn) => shown.has(inWords(drawn)) || !isOutside(drawn, frustum));
  expectSameTexts(octree.map(inWords), expected.map(inWords), when);
  return expected.length;
}

/**
 * `expect(found).toEqual(expected)` for lists that are compared thousands of times: only a difference costs as much as
 * an assertion does.
 */
export function expectSameTexts(found: readonly string[], expected: readonly string[], when?: string): void {
  if (found.length !== expected.length || found.some((text, k) => text !== expected[k]))
    expect(found, when).toEqual(expected);
}

function matrixOf(instances: InstancedMesh, k: number): Matrix4 {
  const matrix = new Matrix4();
  instances.getMatrixAt(k, matrix);
  return matrix.premultiply(instances.matrixWorld);
}

function isDrawable(object: Object3D): boolean {
  return (object as Mesh).isMesh || 'isLine' in object || 'isPoints' in object || 'isSprite' in object;
}

/** Of several materials, renderers test each by itself. */
function hasVisibleMaterial(object: Object3D): boolean {
  const { material } = object as Mesh;
  return Array.isArray(material) || material.visible;
}

function isLod(object: Object3D): object is LOD {
  return 'isLOD' in object;
}
