/** The part of a camera's frustum that lies under a rectangle on the screen. */

import { Frustum, Matrix4, type Camera, type Plane } from 'three';

/** Edges in normalized device coordinates: -1 to 1 from left to right and from bottom to top. */
export interface ScreenRectangle {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/**
 * The frustum of a camera, cut to a rectangle; near and far stay. A rectangle without area gives a frustum without volume: a line or a plane.
 * Works for every projection: perspective or orthographic, off-centre, of WebGL or WebGPU, with reversed depth.
 */
export function selectionFrustum({ left, right, bottom, top }: ScreenRectangle, camera: Camera): Frustum {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const frustum = new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  const { planes } = frustum;
  // A point is drawn at x / w. It is right of the left edge if x - left * w >= 0. x and w are linear in the point, so this is a plane.
  setPlane(planes[0], matrix, 0, -1, right);
  setPlane(planes[1], matrix, 0, 1, -left);
  setPlane(planes[2], matrix, 1, 1, -bottom);
  setPlane(planes[3], matrix, 1, -1, top);
  return frustum;
}

/** Sets the plane `rowFactor * (row of the matrix) + wFactor * (row of w) >= 0`. */
function setPlane(plane: Plane, { elements }: Matrix4, row: number, rowFactor: number, wFactor: number): void {
  const [x, y, z, constant] = [0, 4, 8, 12].map((column) => rowFactor * elements[column + row] + wFactor * elements[column + 3]);
  plane.setComponents(x, y, z, constant).normalize();
}
