/**
 * From the screen to the camera: the position of a pointer in normalized device coordinates, and the frustum under a
 * rectangle.
 */

import { Frustum, Matrix4, Vector2, type Camera, type Plane } from 'three';
import { describe, requireObject } from '../../octree/input/input-checks.ts';

const REMEDY = 'pass the event, or one of its touches';

/** A mouse or pointer event, a Touch, or another object with a position in the window, in CSS pixels. */
export interface PointerLike {
  /** From the left edge of the window. */
  readonly clientX: number;
  /** From the top edge of the window. */
  readonly clientY: number;
}

/** The canvas, or another element that shows the whole image of the camera. */
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
 * The position of a pointer in normalized device coordinates: -1 to 1 from left to right and from bottom to top of the
 * element. NaN or infinite if the element has no size.
 *
 * @throws {TypeError} If clientX or clientY of the pointer is not a number.
 * @throws {RangeError} If one of them is not finite.
 */
export function deviceCoordinatesOf(where: string, field: string, pointer: PointerLike, element: ElementLike): Vector2 {
  requireObject(where, field, pointer, REMEDY);
  const { clientX, clientY } = pointer;
  if (!Number.isFinite(clientX) || !Number.isFinite(clientY)) {
    const Kind = typeof clientX === 'number' && typeof clientY === 'number' ? RangeError : TypeError;
    throw new Kind(
      `${where}: ${field} must have a finite clientX and clientY, but has ${describe(clientX)} and ${describe(clientY)}; ${REMEDY}.`,
    );
  }
  const { left, top, width, height } = element.getBoundingClientRect();
  return new Vector2((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height);
}

/**
 * The frustum of a camera, cut to a rectangle; near and far stay. A rectangle without area gives a frustum without
 * volume: a line or a plane. Works for every projection: perspective or orthographic, off-centre, of WebGL or WebGPU,
 * with reversed depth.
 *
 * @param edges In normalized device coordinates: -1 to 1 from left to right and from bottom to top.
 */
export function selectionFrustum(edges: Record<'left' | 'right' | 'bottom' | 'top', number>, camera: Camera): Frustum {
  const { left, right, bottom, top } = edges;
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const frustum = new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  const { planes } = frustum;
  // A point is drawn at x / w. It is right of the left edge if x - left * w >= 0. x and w are linear in the point, so
  // this is a plane.
  setPlane(planes[0], matrix, 0, -1, right);
  setPlane(planes[1], matrix, 0, 1, -left);
  setPlane(planes[2], matrix, 1, 1, -bottom);
  setPlane(planes[3], matrix, 1, -1, top);
  return frustum;
}

/** Sets the plane `rowFactor * (row of the matrix) + wFactor * (row of w) >= 0`. */
function setPlane(plane: Plane, { elements }: Matrix4, row: number, rowFactor: number, wFactor: number): void {
  const [x, y, z, constant] = [0, 4, 8, 12].map(
    (column) => rowFactor * elements[column + row] + wFactor * elements[column + 3],
  );
  plane.setComponents(x, y, z, constant).normalize();
}
