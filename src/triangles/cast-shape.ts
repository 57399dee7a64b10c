/** `castShape`: the first triangle that a moving shape touches. */

import { requireCoordinate } from '../octree/input/input-checks.ts';
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
 * is the part of the motion in world units. A shape that touches a triangle at its start gets time 0, `inside`, and the
 * depth of that contact.
 *
 * Equals a loop over all triangles: of equal times the first body, instance and face. The time is that at which the
 * distance has fallen to the radius, found by Newton's method, which for a shape that moves straight cannot pass the
 * touch. Cost: some microseconds; near nodes of the octree come first, and no body is tested beyond the
 * hit so far.
 *
 * @param scene Whose triangles are asked.
 * @param shape A `Sphere`, a `Box3`, a `Capsule` or an `OBB` of three's addons, or anything of the same form, world
 *   units.
 * @param motion How far it moves, world units along each axis.
 * @param options See `TriangleOptions`.
 * @param target A record to write to and return. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If a number of the shape or the motion is not finite or too large, or a box is empty.
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
    return search.run(where, target) as TriangleHit<T> | null;
  });
}

class CastSearch extends FirstSearch {
  readonly shape = new QueryShape();
  readonly motion = new Float64Array(3);
  protected readonly volume = new TrianglePath();
  private readonly touch = new Float64Array(8);

  run(where: string, target: TriangleHit | null): TriangleHit | null {
    this.shape.writePath(this.volume, this.motion);
    const { start, half } = this.volume;
    // All of the shape must move as it is: its box cannot be cut at the limit.
    for (let k = 0; k < 3; k++) requireCoordinate(where, 'the far side of shape', Math.abs(start[k]) + half[k]);
    return this.find(1, target);
  }

  protected visitTriangle(corner: number): void {
    const { triangle, touch, shape, motion, hit } = this;
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
    this.writeHit(hit, corner, touch, 0, 3);
    const [x, y, z] = motion;
    hit.time = touch[6];
    hit.distance = hit.time * Math.sqrt(x * x + y * y + z * z);
    hit.inside = hit.time === 0;
    if (hit.inside) hit.depth = touch[7];
  }
}

const pool = /* @__PURE__ */ new SearchPool(CastSearch);
