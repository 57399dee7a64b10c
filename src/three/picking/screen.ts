/**
 * From the screen to the camera: the pointer and the element that shows the image, and the volume under a part of it.
 */

import { Frustum, Matrix4, Plane, type Camera } from 'three';
import { describe, requireObject } from '../../octree/input/input-checks.ts';

const REMEDY = 'pass the event, or one of its touches';

/** A mouse or pointer event, a Touch, or another object with a position in the window, in CSS pixels. */
export interface PointerLike {
  /** From the left edge of the window. */
  readonly clientX: number;
  /** From the top edge of the window. */
  readonly clientY: number;
}

/**
 * The canvas, or another element that shows the whole image of the camera in its content box. Of an element of a
 * document its style counts, too: border, padding, `object-fit`, and the transforms of it and its ancestors.
 */
export interface ElementLike {
  /** Place and size of the element in the window, in CSS pixels, as of a DOM element. */
  getBoundingClientRect(): {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

/**
 * Validates a pointer.
 *
 * @throws {TypeError} If clientX or clientY of the pointer is not a number.
 * @throws {RangeError} If one of them is not finite.
 */
export function requirePointer(where: string, field: string, pointer: PointerLike): void {
  requireObject(where, field, pointer, REMEDY);
  const { clientX, clientY } = pointer;
  if (Number.isFinite(clientX) && Number.isFinite(clientY)) return;
  const Kind = typeof clientX === 'number' && typeof clientY === 'number' ? RangeError : TypeError;
  throw new Kind(
    `${where}: ${field} must have a finite clientX and clientY, but has ${describe(clientX)} and ${describe(clientY)}; ${'x' in pointer ? 'pass the event, in pixels, not coordinates from -1 to 1' : REMEDY}.`,
  );
}

/** The half plane `x * X + y * Y + constant >= 0` of normalized device coordinates X and Y. */
export interface HalfPlane {
  readonly x: number;
  readonly y: number;
  readonly constant: number;
}

/** The half planes inside four edges. */
export function halfPlanesOf({
  left,
  right,
  bottom,
  top,
}: Record<'left' | 'right' | 'bottom' | 'top', number>): HalfPlane[] {
  return [
    { x: -1, y: 0, constant: right },
    { x: 1, y: 0, constant: -left },
    { x: 0, y: 1, constant: -bottom },
    { x: 0, y: -1, constant: top },
  ];
}

/**
 * The planes of the frustum of a camera, cut to an intersection of half planes of the image; near and far stay. Half
 * planes that leave no area give a volume without content: a line or a plane. Works for every projection: perspective
 * or orthographic, off-centre, of WebGL or WebGPU, with reversed depth.
 */
export function selectionPlanes(halfPlanes: readonly HalfPlane[], camera: Camera): Plane[] {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const { planes } = new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  return [...halfPlanes.map((halfPlane) => planeOf(halfPlane, matrix)), ...planes.slice(4)];
}

/**
 * A point is drawn at (x / w, y / w): it is in the half plane if `X * x + Y * y + constant * w >= 0`. These are linear
 * in the point, so this is a plane.
 */
function planeOf(halfPlane: HalfPlane, { elements }: Matrix4): Plane {
  const [x, y, z, constant] = [0, 4, 8, 12].map(
    (column) =>
      halfPlane.x * elements[column] + halfPlane.y * elements[column + 1] + halfPlane.constant * elements[column + 3],
  );
  return new Plane().setComponents(x, y, z, constant).normalize();
}
