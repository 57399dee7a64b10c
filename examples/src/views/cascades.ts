// The shadow cascades of the sun: orthographic cameras, each of which covers a slice of another camera's frustum, and
// what casts shadows into it.

import { MathUtils, OrthographicCamera, type PerspectiveCamera, Vector3 } from 'three';

export const MAX_CASCADES = 4;
/** Unit vector to the sun. */
export const SUN = new Vector3(-0.5, 0.78, -0.37).normalize();
/** Weight of the logarithmic split in the mean of both; the rest is the weight of the uniform split. */
const LOGARITHMIC_SHARE = 0.6;

/**
 * Distance from a camera up to which a share of all slices reaches, 0 to 1: a mean of the logarithmic and the uniform
 * split.
 */
export const splitAt = ({ near, far }: PerspectiveCamera, share: number): number =>
  LOGARITHMIC_SHARE * near * (far / near) ** share + (1 - LOGARITHMIC_SHARE) * (near + (far - near) * share);

export class Cascades {
  /** The nearest slice first. */
  readonly cameras = Array.from({ length: MAX_CASCADES }, () => new OrthographicCamera());
  private readonly corner = new Vector3();
  private readonly min = new Vector3();
  private readonly max = new Vector3();
  private readonly casterDistance: number;

  /** @param casterHeight Height of the tallest body that casts a shadow. */
  constructor(casterHeight: number) {
    this.casterDistance = casterHeight / SUN.y;
  }

  /** Fits the first `count` cameras to as many slices of the frustum of a camera, whose matrices are up to date. */
  fit(camera: PerspectiveCamera, count: number): void {
    for (let k = 0; k < count; k++)
      this.fitSlice(this.cameras[k], camera, splitAt(camera, k / count), splitAt(camera, (k + 1) / count));
  }

  private fitSlice(sun: OrthographicCamera, camera: PerspectiveCamera, from: number, to: number): void {
    const { corner, min, max } = this;
    // The upper side of the sun's picture points in the direction of view: then the box around the slice is small.
    camera.getWorldDirection(sun.up);
    sun.position.copy(SUN);
    sun.lookAt(0, 0, 0);
    sun.position.set(0, 0, 0);
    sun.updateMatrixWorld();
    min.setScalar(Infinity);
    max.setScalar(-Infinity);
    const slope = Math.tan(MathUtils.degToRad(camera.fov) / 2);
    for (let at = 0; at < 8; at++) {
      const depth = at & 4 ? to : from;
      corner.set((at & 1 ? 1 : -1) * slope * camera.aspect * depth, (at & 2 ? 1 : -1) * slope * depth, -depth);
      corner.applyMatrix4(camera.matrixWorld).applyMatrix4(sun.matrixWorldInverse);
      min.min(corner);
      max.max(corner);
    }
    [sun.left, sun.right, sun.bottom, sun.top] = [min.x, max.x, min.y, max.y];
    // The sun is at +z. What casts a shadow into the slice may lie between both.
    [sun.near, sun.far] = [-(max.z + this.casterDistance), -min.z];
    sun.updateProjectionMatrix();
  }
}
