/** The records of queries: one result, and the writer of all results of a query. */

import { BOX_STRIDE } from '../../math/box.ts';
import { Contact } from '../../math/contact.ts';
import { writeRayEntry, type UnitRay } from '../../math/unit-ray.ts';
import type { HitList } from './search.ts';
import type { RangeQuery } from './range-query.ts';
import type { BodyStore } from '../bodies/body-store.ts';
import { setPoint, type PlainRay, type MathFactory, type MathTypes, type PlainMath } from '../input/math-types.ts';
import { OctreeNode } from '../bodies/octree-node.ts';
import type { Body } from '../bodies/body.ts';

/**
 * One result of a query. The caller owns the records. If an array of records is passed as `target` to another query,
 * its record objects are reused.
 *
 * What the fields mean depends on what the query reports: a contact (two bodies of a pair, or a body and a finite
 * volume such as a box; a point is a volume too), the hit of a ray, the hit of a moving shape (cast), a body near a
 * point, a box or a ray (nearest), or a body that a camera may see (frustum). What is said of a frustum holds for a
 * `Convex` and for a `CustomVolume` too.
 *
 * @example
 * ```ts
 * import { type IntersectionRecord, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: -10 }, radius: 2 }, 'balloon');
 * const ray = { origin: { x: 0, y: 0, z: 0 }, direction: { x: 0, y: 0, z: -1 } };
 * const [record]: IntersectionRecord<string>[] = octree.intersectRay(ray);
 * console.log(record.body.data, record.distance, record.position.z, record.normal.z); // prints: balloon 8 -8 1
 * ```
 */
export class IntersectionRecord<T, M extends MathTypes = PlainMath> {
  /** The body that was found. */
  body: Body<T, M>;
  /** Pairs: the other body. Otherwise null. */
  other: Body<T, M> | null = null;
  /**
   * - Contact: the point of the body nearest to the other shape. If they overlap, it is on the surface of the body, on
   *   the side of the least penetration depth.
   * - Ray: where it enters the body.
   * - Cast: the point of the body that the moving shape touches first; the point nearest to the shape's centre if
   *   `inside`.
   * - Nearest: the point of the body nearest to the given point or ray, the point itself if `inside`; for a box as for
   *   a contact.
   * - Frustum: the centre of the body.
   */
  readonly position: M['point'];
  /**
   * - Contact: from the body to the other shape. If they overlap, the body leaves the other shape by the shortest way
   *   when it moves by `normal` times `distance`.
   * - Ray: out of the body, of length 1; minus the ray's direction for a sphere of radius 0; (0, 0, 0) if `inside`.
   * - Cast: out of the body, against the motion, even at edges and corners; (0, 0, 0) if `inside`.
   * - Nearest: from the body to the given point, box or ray; (0, 0, 0) if `inside`.
   * - Frustum: (0, 0, 0).
   */
  readonly normal: M['point'];
  /**
   * World units.
   * - Contact: the gap, negative = penetration depth.
   * - Ray: from the origin to `position`; 0 if `inside`.
   * - Cast: how far the shape has moved; 0 if `inside`.
   * - Nearest: between the surfaces; 0 if `inside`.
   * - Frustum: of the body's centre from the near plane, for sorting; 0 for frusta without a near plane.
   */
  distance = 0;
  /**
   * Cast: when the moving shape touches the body, as a fraction of the motion: 0 at its start, 1 at its end.
   * Otherwise 0.
   */
  time = 0;
  /**
   * Nearest to a ray: where the ray is first nearest to the body, as a distance from its origin, world units.
   * Otherwise 0.
   */
  alongRay = 0;
  /**
   * Ray queries, nearest to a ray: the ray with its direction scaled to length 1; the records of one query share the
   * object. Otherwise null.
   */
  ray: M['ray'] | null = null;
  /** The node that owned the body when the query ran. */
  node: OctreeNode<T, M>;
  /**
   * - Contact with a volume, frustum: the volume contains the whole body.
   * - Ray: the ray starts in the body.
   * - Nearest: the point lies in the body, or the box or the ray touches it.
   * - Cast: the shape touches the body before it moves.
   * - Pair: false.
   */
  inside = false;
  /**
   * @internal Whether `node` and `ray` belong to this record alone, because it was written as the target of a single
   *   result.
   */
  isSingle = false;

  /** @internal */
  constructor(body: Body<T, M>, node: OctreeNode<T, M>, math: MathFactory<M>) {
    this.body = body;
    this.node = node;
    this.position = math.createPoint();
    this.normal = math.createPoint();
  }
}

/** A record of any octree, inside the library. */
export type AnyRecord = IntersectionRecord<unknown>;

/**
 * Writes the records of one query into the caller's target array. Records that are in the array already are reused; the
 * rest are new.
 */
export class RecordWriter {
  readonly store: BodyStore;
  /** Working memory of contacts. */
  readonly contact = new Contact();
  /** Exact bounds of the body of the record, and of another body: min and max, or centre and radius. */
  readonly bounds = new Float64Array(BOX_STRIDE);
  readonly otherBounds = new Float64Array(BOX_STRIDE);
  private readonly target: AnyRecord[];
  private count = 0;
  /** Node of the last record. Consecutive results in tree order often share one. */
  private node: OctreeNode<unknown> | null = null;
  /** The ray that all records of a ray query share. */
  private ray: PlainRay | null = null;
  /** Whether one record is written alone, see `beginSingle`. */
  private isSingle = false;
  private single: AnyRecord | null = null;

  constructor(store: BodyStore, target: AnyRecord[]) {
    this.store = store;
    this.target = target;
  }

  /**
   * Begins a single record: `record`, or a new one for null. A single record owns its node and its ray, so writing it
   * again reuses both and allocates nothing.
   */
  beginSingle(record: AnyRecord | null): void {
    this.isSingle = true;
    this.single = record;
    const isOwner = record !== null && record.isSingle;
    this.node = isOwner ? record.node : null;
    this.ray = isOwner ? record.ray : null;
  }

  /** Returns the single record. The writer keeps no reference to it. */
  finishSingle(): AnyRecord {
    const record = this.single!;
    this.single = this.node = this.ray = null;
    return record;
  }

  /** Shortens the target to the records written and returns it. */
  finish(): AnyRecord[] {
    this.target.length = this.count;
    return this.target;
  }

  /**
   * A body that touches the volume of a query: its contact with the volume; if the volume has no contacts, the centre
   * of the body.
   */
  addTouching(index: number, query: RangeQuery): AnyRecord {
    const record = this.next(index);
    const { bounds } = this;
    const { bodies } = this.store.tree;
    const isSphere = bodies.readBounds(index, bounds);
    if (query.writeContact !== undefined) this.writeContact(record, query.writeContact(bounds, isSphere, this.contact));
    else {
      const { position } = record;
      setPoint(record.normal, 0, 0, 0);
      if (isSphere) setPoint(position, bounds[0], bounds[1], bounds[2]);
      else
        setPoint(position, (bounds[0] + bounds[3]) * 0.5, (bounds[1] + bounds[4]) * 0.5, (bounds[2] + bounds[5]) * 0.5);
      record.distance = 0;
    }
    record.inside = query.contains(bodies, index);
    return record;
  }

  /** The body of hit `k`, which a ray enters at the distance of that hit. */
  addHit(ray: UnitRay, { array, distances }: HitList, k: number): void {
    const index = array[k];
    const shared = this.shareRay(ray);
    const record = this.next(index);
    record.ray = shared;
    const { bounds, contact, otherBounds } = this;
    const { bodies } = this.store.tree;
    const isSphere = bodies.readBounds(index, bounds);
    const box = bodies.readBox(index, otherBounds);
    record.inside = writeRayEntry(ray, bounds, isSphere, box, distances, k, contact);
    this.writeContact(record, contact);
  }

  /** The next record to fill: one of the target's, or a new one. */
  next(index: number): AnyRecord {
    const { store, target } = this;
    const { tree } = store;
    const body = store.bodyAt(index);
    const node = tree.slots.nodeOf(tree.bodies.slot[index]);
    if (this.isSingle) this.node = (this.node ?? new OctreeNode<unknown>(store.math)).read(store, node);
    else if (this.node === null || this.node.number !== node)
      this.node = new OctreeNode<unknown>(store.math).read(store, node);
    const existing = this.isSingle ? this.single : this.count < target.length ? target[this.count] : undefined;
    const record =
      existing instanceof IntersectionRecord ? existing : new IntersectionRecord<unknown>(body, this.node, store.math);
    record.body = body;
    record.node = this.node;
    record.isSingle = this.isSingle;
    record.other = record.ray = null;
    record.inside = false;
    record.time = record.alongRay = 0;
    if (this.isSingle) this.single = record;
    else target[this.count++] = record;
    return record;
  }

  /** Field by field: V8 may box doubles that are arguments. */
  writeContact(record: AnyRecord, contact: Contact): void {
    const { position, normal } = record;
    position.x = contact.x;
    position.y = contact.y;
    position.z = contact.z;
    normal.x = contact.normalX;
    normal.y = contact.normalY;
    normal.z = contact.normalZ;
    record.distance = contact.distance;
  }

  /** The ray of a query as its records share it. A single record reuses its own. */
  shareRay({ direction, origin }: UnitRay): PlainRay {
    if (this.ray !== null && !this.isSingle) return this.ray;
    this.ray ??= this.store.math.createRay();
    setPoint(this.ray.origin, origin[0], origin[1], origin[2]);
    setPoint(this.ray.direction, direction[0], direction[1], direction[2]);
    return this.ray;
  }
}
