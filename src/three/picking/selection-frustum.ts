/** The part of what a camera sees that lies under a rectangle on the screen. */

import { Frustum, Matrix4, type Camera, type Plane } from 'three';

/** Edges in normalized device coordinates: -1 to 1 from left to right and from bottom to top. */
export interface ScreenRectangle {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/**
 * The frustum of a camera, cut down to a rectangle; one without a size is cut down to a line or a plane. Near and far are those of the
 * camera, whatever its projection: perspective or orthographic, off centre, of WebGL or WebGPU, with reversed depth.
 */
export function selectionFrustum({ left, right, bottom, top }: ScreenRectangle, camera: Camera): Frustum {
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const frustum = new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, camera.reversedDepth);
  const { planes } = frustum;
  // A point is drawn at x / w, so right of the left edge lies what has x - left * w >= 0: a plane, as x and w are linear.
  setPlane(planes[0], matrix, 0, -1, right);
  setPlane(planes[1], matrix, 0, 1, -left);
  setPlane(planes[2], matrix, 1, 1, -bottom);
  setPlane(planes[3], matrix, 1, -1, top);
  return frustum;
}

/** The half space in which `factor` times a row of the matrix, plus `share` times the row of w, is not negative. */
function setPlane(plane: Plane, { elements }: Matrix4, row: number, factor: number, share: number): void {
  const [x, y, z, constant] = [0, 4, 8, 12].map((column) => factor * elements[column + row] + share * elements[column + 3]);
  plane.setComponents(x, y, z, constant).normalize();
}
