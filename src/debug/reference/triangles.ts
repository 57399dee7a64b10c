/**
 * The reference of scene-octree/triangles: a loop over all triangles of all meshes. It has its own code to read meshes,
 * and no tree; the distance of two shapes is that of `src/triangles/kernels`, whose tests compare it with exact
 * arithmetic. Groups and materials are not known here: all triangles of the draw range count, from both sides.
 */

import { closestToSegment, closestTriangles, CLOSEST_STRIDE } from '../../triangles/kernels/closest.ts';
import { touchBox, touchSegment } from '../../triangles/kernels/contact.ts';
import { rayHits } from '../../triangles/kernels/ray-triangle.ts';
import { timeOfBox, timeOfSegment } from '../../triangles/kernels/time-of-touch.ts';

interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A mesh of the reference. */
export interface ReferenceMesh {
  /** Its triangles; a BufferGeometry of three fits. */
  readonly geometry: {
    readonly attributes: {
      readonly position?: {
        readonly count: number;
        getX(index: number): number;
        getY(index: number): number;
        getZ(index: number): number;
      };
    };
    readonly index?: { readonly count: number; getX(index: number): number } | null;
    readonly drawRange?: { readonly start: number; readonly count: number };
  };
  /** From its space to the world: 16 numbers, column by column, as in three. */
  readonly matrix: ArrayLike<number>;
}

/** A shape of the reference: a sphere, a capsule, a box, or an oriented box, as `intersectTriangles` takes them. */
export type ReferenceShape =
  | { readonly center: Point; readonly radius: number }
  | { readonly start: Point; readonly end: Point; readonly radius: number }
  | { readonly min: Point; readonly max: Point }
  | { readonly center: Point; readonly halfSize: Point; readonly rotation: { readonly elements: ArrayLike<number> } };

/** What the reference finds. */
export interface ReferenceTriangle {
  /** The place of the mesh in the list. */
  readonly mesh: number;
  /** The number of the triangle, as `faceIndex` of an intersection of three. */
  readonly face: number;
  /** Three numbers. */
  readonly position: readonly number[];
  /** Three numbers; none from a ray or from meshes. */
  readonly normal: readonly number[];
  /** The depth of a contact, the time of a cast, or a distance. */
  readonly value: number;
}

/** Where two meshes are closest. */
export interface ReferenceDistance {
  /** The triangle of the first mesh. */
  readonly face: number;
  /** The triangle of the second mesh. */
  readonly otherFace: number;
  /** Three numbers: the point of the first mesh. */
  readonly position: readonly number[];
  /** Three numbers: the point of the second mesh. */
  readonly otherPosition: readonly number[];
  /** World units. */
  readonly distance: number;
}

/**
 * Answers queries of triangles by a loop over all of them. For tests: exact, and slow.
 *
 * @example
 * ```ts
 * import { BruteForceTriangles } from 'scene-octree/debug';
 *
 * const all = meshes.map(({ geometry, matrixWorld }) => ({ geometry, matrix: matrixWorld.elements }));
 * const reference = new BruteForceTriangles(all);
 * console.log(reference.nearestPoint({ x: 0, y: 1, z: 0 })?.value);
 * ```
 */
export class BruteForceTriangles {
  private readonly meshes: readonly ReferenceMesh[];

  /** @param meshes In the order in which ties are decided. */
  constructor(meshes: readonly ReferenceMesh[]) {
    this.meshes = meshes;
  }

  /** Every triangle that a shape touches, by mesh, then face. */
  intersectTriangles(shape: ReferenceShape): ReferenceTriangle[] {
    const found: ReferenceTriangle[] = [];
    const contact = new Float64Array(7);
    const { segment, box } = readShape(shape);
    this.visit((triangle, mesh, face) => {
      const touches = segment === null ? touchBox(box, triangle, contact) : touchSegment(segment, triangle, contact);
      if (touches) found.push({ mesh, face, ...vectorsOf(contact), value: contact[6] });
    });
    return found;
  }

  /** The first triangle that a moving shape touches, by time, mesh, face; null if there is none. */
  castShape(shape: ReferenceShape, motion: Point): ReferenceTriangle | null {
    const { segment, box } = readShape(shape);
    const vector = numbersOf(motion);
    const touch = new Float64Array(7);
    return this.first(1, (triangle, limit) => {
      touch[6] = limit;
      const isHit =
        segment === null ? timeOfBox(box, vector, triangle, touch) : timeOfSegment(segment, vector, triangle, touch);
      return isHit ? { ...vectorsOf(touch), value: touch[6] } : null;
    });
  }

  /** The first triangle on a ray between two distances, by distance, mesh, face; null if there is none. */
  firstTriangle(
    ray: { readonly origin: Point; readonly direction: Point },
    near = 0,
    far = Infinity,
  ): ReferenceTriangle | null {
    const direction = numbersOf(ray.direction);
    // As the query makes a unit vector: the largest first, so that no square overflows.
    const largest = Math.max(...direction.map(Math.abs));
    const scaled = direction.map((value) => value / largest);
    const length = Math.sqrt(scaled[0] * scaled[0] + scaled[1] * scaled[1] + scaled[2] * scaled[2]);
    const unit = scaled.map((value) => value / length);
    const origin = numbersOf(ray.origin);
    const numbers = Float64Array.of(...origin, ...unit);
    const out = new Float64Array(1);
    return this.first(far, (triangle) => {
      if (!rayHits(numbers, triangle, out) || out[0] < near) return null;
      const position = [0, 1, 2].map((k) => origin[k] + unit[k] * out[0]);
      return { position, normal: [], value: out[0] };
    });
  }

  /** The point nearest to a point within a distance, by distance, mesh, face; null if there is none. */
  nearestPoint(point: Point, maxDistance = Infinity): ReferenceTriangle | null {
    const segment = Float64Array.of(...numbersOf(point), ...numbersOf(point));
    const closest = new Float64Array(CLOSEST_STRIDE);
    return this.first(maxDistance, (triangle) => {
      closestToSegment(segment, triangle, closest);
      return { position: [...closest.subarray(3, 6)], normal: [], value: closest[6] };
    });
  }

  /** The closest triangles of two meshes of the list, by distance, face, other face; null beyond a distance. */
  distanceBetween(mesh: number, other: number, maxDistance = Infinity): ReferenceDistance | null {
    const closest = new Float64Array(CLOSEST_STRIDE);
    let best: ReferenceDistance | null = null;
    const others: { readonly triangle: Float64Array; readonly face: number }[] = [];
    this.visitMesh(other, (triangle, face) => others.push({ triangle: triangle.slice(), face }));
    this.visitMesh(mesh, (triangle, face) => {
      for (const one of others) {
        closest[6] = Infinity;
        closestTriangles(triangle, one.triangle, closest);
        const distance = closest[6];
        if (!(distance <= maxDistance) || (best !== null && distance >= best.distance)) continue;
        const [position, otherPosition] = [[...closest.subarray(0, 3)], [...closest.subarray(3, 6)]];
        best = { face, otherFace: one.face, position, otherPosition, distance };
      }
    });
    return best;
  }

  private first(
    limit: number,
    test: (triangle: Float64Array, limit: number) => Omit<ReferenceTriangle, 'mesh' | 'face'> | null,
  ): ReferenceTriangle | null {
    let best: ReferenceTriangle | null = null;
    this.visit((triangle, mesh, face) => {
      const found = test(triangle, best?.value ?? limit);
      if (found === null || (best === null ? !(found.value <= limit) : !(found.value < best.value))) return;
      best = { mesh, face, ...found };
    });
    return best;
  }

  private visit(visitor: (triangle: Float64Array, mesh: number, face: number) => void): void {
    for (let mesh = 0; mesh < this.meshes.length; mesh++)
      this.visitMesh(mesh, (triangle, face) => visitor(triangle, mesh, face));
  }

  private visitMesh(mesh: number, visitor: (triangle: Float64Array, face: number) => void): void {
    const { geometry, matrix: m } = this.meshes[mesh];
    const { index, drawRange } = geometry;
    const position = geometry.attributes.position!;
    const start = Math.max(0, drawRange?.start ?? 0);
    const end = Math.min(index?.count ?? position.count, start + (drawRange?.count ?? Infinity));
    // A scale of 0 leaves nothing of a mesh.
    if ([0, 1, 2, 4, 5, 6, 8, 9, 10].every((k) => m[k] === 0)) return;
    const triangle = new Float64Array(9);
    for (let corner = start; corner + 3 <= end; corner += 3) {
      for (let k = 0; k < 3; k++) {
        const vertex = index ? index.getX(corner + k) : corner + k;
        const [x, y, z] = [position.getX(vertex), position.getY(vertex), position.getZ(vertex)];
        for (let row = 0; row < 3; row++)
          triangle[3 * k + row] = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
      }
      if (triangle.every(Number.isFinite)) visitor(triangle, Math.floor(corner / 3));
    }
  }
}

function vectorsOf(result: Float64Array): { readonly position: number[]; readonly normal: number[] } {
  return { position: [...result.subarray(0, 3)], normal: [...result.subarray(3, 6)] };
}

function numbersOf({ x, y, z }: Point): Float64Array {
  return Float64Array.of(x, y, z);
}

/** A sphere or a capsule as a segment with a radius, or a box as centre, half sizes and axes. */
function readShape(shape: ReferenceShape): { readonly segment: Float64Array | null; readonly box: Float64Array } {
  const box = new Float64Array(15);
  if ('start' in shape)
    return { segment: Float64Array.of(...numbersOf(shape.start), ...numbersOf(shape.end), shape.radius), box };
  if ('radius' in shape) {
    const center = numbersOf(shape.center);
    return { segment: Float64Array.of(...center, ...center, shape.radius), box };
  }
  if ('min' in shape) {
    const [min, max] = [numbersOf(shape.min), numbersOf(shape.max)];
    for (let k = 0; k < 3; k++) {
      box[k] = min[k] + (max[k] - min[k]) / 2;
      box[3 + k] = (max[k] - min[k]) / 2;
      box[6 + 4 * k] = 1;
    }
  } else box.set([...numbersOf(shape.center), ...numbersOf(shape.halfSize), ...Array.from(shape.rotation.elements)]);
  return { segment: null, box };
}
