/**
 * The objects in which an octree returns points, boxes, spheres and rays. `scene-octree/core` returns plain objects;
 * `scene-octree` returns three's objects. Classes that create such objects take their types as `M` and a `MathFactory`
 * that creates them.
 */

/** A point or a vector, in world units: the plain counterpart of three's `Vector3`. */
export interface PlainPoint {
  x: number;
  y: number;
  z: number;
}

/** An axis-aligned box: the plain counterpart of three's `Box3`. */
export interface PlainBox {
  readonly min: PlainPoint;
  readonly max: PlainPoint;
}

/** A sphere: the plain counterpart of three's `Sphere`. */
export interface PlainSphere {
  readonly center: PlainPoint;
  /** World units. */
  radius: number;
}

/** A ray: the plain counterpart of three's `Ray`. */
export interface PlainRay {
  /** Where the ray starts. */
  readonly origin: PlainPoint;
  /** Of length 1. */
  readonly direction: PlainPoint;
}

/**
 * The types of the objects in results, the parameter `M` of `Octree` and others. Each has at least the fields of the
 * plain type below. A function that takes an `Octree<T, M extends MathTypes>` of scene-octree/core takes the octrees of
 * both entry points.
 */
export interface MathTypes {
  /** `position` and `normal` of a record. */
  readonly point: PlainPoint;
  /** `fitted` of a node, and the result of `body.getBox`. */
  readonly box: PlainBox;
  /** The result of `body.getSphere`. */
  readonly sphere: PlainSphere;
  /** `ray` of a record. */
  readonly ray: PlainRay;
  /**
   * Who may write the bodies: everybody, or only their container. A method, so that records of both may be targets of
   * each other's queries. Nothing implements it.
   */
  writes(by: unknown): void;
}

/** The plain types themselves. */
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

/** As `setPoint`, from three numbers of an array: V8 may box doubles that are arguments. */
export function copyPoint(point: PlainPoint, values: Float32Array, offset: number): void {
  point.x = values[offset];
  point.y = values[offset + 1];
  point.z = values[offset + 2];
}
