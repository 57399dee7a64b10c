/** `castShape`: the first triangle that a moving shape touches. */

import { visitCast } from '../features/casts/visit-cast.ts';
import { clamp } from '../math/clamp.ts';
import { COORDINATE_LIMIT } from '../math/integer-cube.ts';
import { readPoint, type PointLike } from '../octree/input/shapes.ts';
import { FirstSearch } from './first-search.ts';
import { normalDot, sideOf } from './kernels/sides.ts';
import { timeOfBox, timeOfSegment } from './kernels/time-of-touch.ts';
import { QueryShape, type TriangleShape } from './shapes.ts';
import { requireHit, type TriangleHit, type TriangleOptions } from './triangle-options.ts';
import type { TriangleScene } from './triangle-scene.ts';
import { SearchPool } from './triangle-search.ts';
import { TrianglePath } from './triangle-walk.ts';

/**
 * The first triangle that a shape touches while it moves by `motion` in one step, without turning, or null. So nothing
 * on its way is missed, however far that is. `time` runs from 0 at the start to 1 at the end, both closed; `distance`
 * is the part of the motion in world units. A shape that touches a triangle at its start gets time 0 and `inside`.
 *
 * Equals a loop over all triangles: of equal times the first body, instance and face. The time is that at which the
 * distance has fallen to the radius, found by Newton's method, which for a shape that moves straight cannot pass the
 * touch. Cost: some microseconds; bodies come nearest first, and none is tested beyond the hit.
 *
 * @param scene Whose triangles are asked.
 * @param shape A `Sphere`, a `Box3`, a `Capsule` or an `OBB` of three's addons, or anything of the same form, world
 *   units.
 * @param motion How far it moves, world units along each axis.
 * @param options See `TriangleOptions`.
 * @param target A record to write to and return. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If a number of the shape or the motion is not finite, or a box is empty.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh, Sphere, Vector3 } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { castShape, TriangleScene } from 'scene-octree/triangles';
 *
 * const scene = new TriangleScene(new OctreeGroup().add(new Mesh(new BoxGeometry(2, 2, 2))));
 * const ball = new Sphere(new Vector3(-10, 0.3, 0), 0.5);
 * const hit = castShape(scene, ball, new Vector3(20, 0, 0));
 * console.log(hit?.distance, hit?.normal.x); // prints: 8.5 -1
 * ```
 */
export function castShape<T>(
  scene: TriangleScene<T>,
  shape: TriangleShape,
  motion: PointLike,
  options?: TriangleOptions<T>,
  target: TriangleHit<T> | null = null,
): TriangleHit<T> | null {
  const where = 'castShape';
  requireHit(where, target);
  return pool.use(where, scene, options, (search) => {
    search.shape.read(where, shape);
    readPoint(where, 'motion', '', motion, search.motion);
    return search.run(target) as TriangleHit<T> | null;
  });
}

class CastSearch extends FirstSearch {
  readonly shape = new QueryShape();
  readonly motion = new Float64Array(3);
  private readonly path = new TrianglePath();
  private readonly touch = new Float64Array(7);

  run(target: TriangleHit | null): TriangleHit | null {
    const { shape, path, motion } = this;
    shape.writePath(path, motion);
    this.beginFirst(1, target);
    this.visitUnculled();
    // The box around the shape, a little larger, moves in its place.
    const { min, max } = boxAtStart(path);
    const [x, y, z] = motion;
    visitCast(
      this.octree,
      { min, max },
      { x, y, z },
      ({ index }) => {
        this.visitBody(index);
        return this.best[0];
      },
      this.queryOptions,
    );
    const hit = this.finish();
    if (hit === null) return null;
    hit.time = this.best[0];
    hit.distance = hit.time * Math.sqrt(x * x + y * y + z * z);
    hit.depth = 0;
    return hit;
  }

  protected visitMesh(): void {
    this.path.far = this.best[0];
    this.path.walk(this.mesh, this, this);
  }

  visitTriangle(corner: number): void {
    const { triangle, touch, path, shape, motion } = this;
    this.mesh.triangles!.readTriangle(corner, this.mesh.matrix, triangle);
    if (!path.mayTouch(triangle)) return;
    touch[6] = this.best[0];
    const isHit = shape.isRound
      ? timeOfSegment(shape.segment, motion, triangle, touch)
      : timeOfBox(shape.box, motion, triangle, touch);
    if (!isHit) return;
    if (this.isOneSided) {
      const approach = -normalDot(triangle, motion[0], motion[1], motion[2]);
      const sign = touch[6] === 0 || approach === 0 ? sideOf(triangle, shape.center) : approach;
      if (!this.isSideRight(corner, sign)) return;
    }
    if (!this.takes(corner, touch[6])) return;
    path.far = touch[6];
    const { hit } = this;
    this.writePoint(hit, this.mesh, corner, touch);
    hit.normal.set(touch[3], touch[4], touch[5]);
    hit.inside = touch[6] === 0;
  }
}

const pool = /* @__PURE__ */ new SearchPool(CastSearch);

/** Beyond the limit of coordinates there are no bodies. */
function boxAtStart({ start, half }: TrianglePath): { min: PointLike; max: PointLike } {
  const [x, y, z] = start.map((at, k) => clamp(at - half[k], -COORDINATE_LIMIT, COORDINATE_LIMIT));
  const [X, Y, Z] = start.map((at, k) => clamp(at + half[k], -COORDINATE_LIMIT, COORDINATE_LIMIT));
  return { min: { x, y, z }, max: { x: X, y: Y, z: Z } };
}
