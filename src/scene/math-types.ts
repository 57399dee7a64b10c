/**
 * The objects in which an octree returns points, boxes, spheres and rays. `scene-octree/core` returns plain objects; `scene-octree` returns those of
 * three. Classes that create such objects take their types as `M` and a `MathFactory` that creates them.
 */

export interface PlainPoint {
  x: number;
  y: number;
  z: number;
}

export interface PlainBox {
  readonly min: PlainPoint;
  readonly max: PlainPoint;
}

export interface PlainSphere {
  readonly center: PlainPoint;
  radius: number;
}

export interface PlainRay {
  readonly origin: PlainPoint;
  /** Of length 1. */
  readonly direction: PlainPoint;
}

/** The types of the objects. Each can be used as the plain one of its kind. */
export interface MathTypes {
  readonly point: PlainPoint;
  readonly box: PlainBox;
  readonly sphere: PlainSphere;
  readonly ray: PlainRay;
}

/** Plain objects. */
export type PlainMath = MathTypes;

/** Creates the objects. What they hold at first does not matter. */
export interface MathFactory<M extends MathTypes> {
  createPoint(): M['point'];
  createBox(): M['box'];
  createSphere(): M['sphere'];
  createRay(): M['ray'];
}

export const plainMath: MathFactory<PlainMath> = {
  createPoint,
  createBox: () => ({ min: createPoint(), max: createPoint() }),
  createSphere: () => ({ center: createPoint(), radius: 0 }),
  createRay: () => ({ origin: createPoint(), direction: createPoint() }),
};

function createPoint(): PlainPoint {
  return { x: 0, y: 0, z: 0 };
}

export function setPoint(point: PlainPoint, x: number, y: number, z: number): void {
  point.x = x;
  point.y = y;
  point.z = z;
}
