/** three's math classes, for the results of the octree of the main entry. */

import { Box3, Ray, Sphere, Vector3 } from 'three';
import type { MathFactory, MathTypes } from '../octree/input/math-types.ts';

/** three's types, in the results of the octree of scene-octree. */
export interface ThreeMath extends MathTypes {
  readonly point: Vector3;
  readonly box: Box3;
  readonly sphere: Sphere;
  readonly ray: Ray;
}

/** As `ThreeMath`, for an octree that only its container writes: methods of bodies that write do not compile. */
export interface ReadOnlyMath extends ThreeMath {
  writes(by: 'container'): void;
}

export const threeMath: MathFactory<ThreeMath> = {
  createPoint: () => new Vector3(),
  createBox: () => new Box3(),
  createSphere: () => new Sphere(),
  createRay: () => new Ray(),
};
