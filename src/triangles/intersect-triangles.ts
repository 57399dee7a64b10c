/** `intersectTriangles`: every triangle that a shape touches. */

import { sideOf } from './kernels/sides.ts';
import { touchBox, touchSegment } from './kernels/contact.ts';
import { requireTarget } from '../octree/queries/query-runner.ts';
import { QueryShape, type TriangleShape } from './shapes.ts';
import { isHit, TriangleHit, type TriangleOptions } from './triangle-options.ts';
import type { TriangleScene } from './triangle-scene.ts';
import { SearchPool, TriangleSearch } from './triangle-search.ts';
import { boxOf, TrianglePath } from './triangle-walk.ts';

/**
 * Every triangle that a shape touches, with the point that is touched, the normal towards the shape, and the depth: by
 * body, then instance, then face; objects outside the octree first. Touching counts. Triangles of the same wall come as
 * several results; `solveContacts` takes them as they are.
 *
 * - A sphere or a capsule: `position` is the point of the triangle nearest to its centre or its axis. If a triangle
 *   meets the axis itself, the normal is that of the triangle, on the side out of which the way is shorter.
 * - A box or an oriented box: the normal is the direction in which the way out is shortest, of its faces, of the normal
 *   of the triangle and of the cross products of their edges.
 *
 * Equals a loop over all triangles, to the last bit. Cost: some microseconds; a query of the octree, and the nodes and
 * triangles near the shape of the meshes that it touches.
 *
 * @param scene Whose triangles are asked.
 * @param shape A `Sphere`, a `Box3`, a `Capsule` or an `OBB` of three's addons, or anything of the same form, world
 *   units.
 * @param options See `TriangleOptions`.
 * @param target An array whose records are written to and returned. Default: a new one.
 * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
 * @throws {RangeError} If a number of the shape is not finite, or a box is empty.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh, Vector3 } from 'three';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { intersectTriangles, TriangleScene } from 'scene-octree/triangles';
 *
 * const group = new OctreeGroup().add(new Mesh(new BoxGeometry(10, 1, 10)));
 * const scene = new TriangleScene(group);
 * const person = { start: new Vector3(1, 0.8, 2), end: new Vector3(1, 2, 2), radius: 0.4 };
 * const [{ depth, normal }] = intersectTriangles(scene, person);
 * console.log(depth.toFixed(2), normal.y); // prints: 0.10 1
 * ```
 */
export function intersectTriangles<T>(
  scene: TriangleScene<T>,
  shape: TriangleShape,
  options?: TriangleOptions<T>,
  target: TriangleHit<T>[] = [],
): TriangleHit<T>[] {
  const where = 'intersectTriangles';
  requireTarget(where, target);
  return pool.use(where, scene, options, (search) => {
    search.shape.read(where, shape);
    search.run(target);
    return target;
  });
}

class ContactSearch extends TriangleSearch {
  readonly shape = new QueryShape();
  private readonly path = new TrianglePath();
  private readonly contact = new Float64Array(7);
  private hits: TriangleHit<never>[] = [];
  private count = 0;

  run<T>(target: TriangleHit<T>[]): void {
    this.hits = target as never;
    this.count = 0;
    this.shape.writePath(this.path, null);
    this.visitUnculled();
    this.octree.collectBox(boxOf(this.path.box, 0), this.list, this.queryOptions);
    this.visitList();
    target.length = this.count;
  }

  protected visitMesh(): void {
    const { count, hits } = this;
    this.visitTriangles(this.path);
    if (this.count < count + 2) return;
    // The order of the tree is not that of the faces.
    const found = hits.slice(count, this.count).sort((a, b) => a.face - b.face);
    for (let k = 0; k < found.length; k++) hits[count + k] = found[k];
  }

  protected visitTriangle(corner: number): void {
    const { triangle, contact, shape } = this;
    if (shape.isRound) {
      if (!touchSegment(shape.segment, triangle, contact)) return;
    } else if (!touchBox(shape.box, triangle, contact)) return;
    if (this.isOneSided && !this.isSideRight(corner, sideOf(triangle, shape.center))) return;
    const { hits, count } = this;
    if (!isHit(hits[count])) hits[count] = new TriangleHit<never>();
    const hit = hits[this.count++];
    this.writeHit(hit, corner, contact, 0, 3);
    hit.depth = contact[6];
    if (shape.isRound) hit.distance = Math.max(shape.segment[6] - contact[6], 0);
  }
}

const pool = /* @__PURE__ */ new SearchPool(ContactSearch);
