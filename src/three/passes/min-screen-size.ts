/**
 * `minScreenSize` of the containers: computes the options `minSize` and `eye` of a frustum query from the camera of a
 * pass.
 */

import { Vector3, type Camera } from 'three';
import { isCoordinate, isFiniteNumber } from '../../octree/input/input-checks.ts';
import type { SizeOptions } from './pass-occlusion.ts';

/** Index of the element of a projection matrix that is 2 divided by the height of the image at distance 1. */
const SCALE_Y = 5;
/** Index of the element that is 0 for orthographic cameras only. */
const PERSPECTIVE = 11;

/** The space of the bodies. */
interface Space {
  /** Least and greatest length in this space of a world unit. */
  readonly minScale: number;
  readonly maxScale: number;
  /** A point of world space in this space. */
  pointOf(world: Vector3): Vector3;
}

export class MinScreenSize {
  /** Fraction of the height of the image; 0 for none. */
  min = 0;
  /**
   * The camera of the last pass that was not a shadow pass. Shadow maps drawn before the first such pass leave nothing
   * out. Its distance chooses the levels of detail in shadow maps of WebGLRenderer.
   */
  camera: Camera | null = null;
  isShadow = false;

  /** Call when a pass begins. @param camera Null in a shadow pass: it leaves out what the camera pass leaves out. */
  begin(camera: Camera | null): void {
    this.isShadow = camera === null;
    if (camera !== null) this.camera = camera;
  }

  /**
   * Options of a frustum query, in the space of the bodies. Undefined if bodies of all sizes are drawn.
   *
   * @param cameraIndex Index of the camera in an ArrayCamera; for all other cameras 0.
   */
  optionsFor(cameraIndex: number, space: Space): SizeOptions | undefined {
    if (this.min === 0 || this.camera === null) return undefined;
    const { cameras } = this.camera as { cameras?: readonly Camera[] };
    // An ArrayCamera has no image of its own. Its shadow maps serve several images.
    if (cameras !== undefined && this.isShadow) return undefined;
    const camera = cameras === undefined ? this.camera : cameras[cameraIndex];
    if (camera === undefined) return undefined;
    const { projectionMatrix, matrixWorldInverse, matrixWorld } = camera;
    const height = (2 * this.min) / Math.abs(projectionMatrix.elements[SCALE_Y]);
    const eye = space.pointOf(optionsFor_eye.setFromMatrixPosition(matrixWorld));
    const options =
      projectionMatrix.elements[PERSPECTIVE] === 0
        ? { minSize: (height / matrixWorldInverse.getMaxScaleOnAxis()) * space.minScale }
        : { minSize: height * (space.minScale / space.maxScale), eye };
    // Without usable numbers nothing is left out.
    return isFiniteNumber(options.minSize) && isCoordinate(eye.x) && isCoordinate(eye.y) && isCoordinate(eye.z)
      ? options
      : undefined;
  }
}
const optionsFor_eye = /* @__PURE__ */ new Vector3();
