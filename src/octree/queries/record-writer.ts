/**
 * Writes the records of one query into the caller's target array. Records that are in the array already are reused; the
 * rest are new.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { Contact } from '../../math/contact.ts';
import { writeRayEntry } from '../../math/ray-entry.ts';
import type { UnitRay } from '../../math/unit-ray.ts';
import type { HitList } from './hit-list.ts';
import type { RangeQuery } from './range-query.ts';
import type { BodyStore } from '../bodies/body-store.ts';
import { IntersectionRecord, type AnyRecord } from './intersection-record.ts';
import { setPoint, type PlainRay } from '../input/math-types.ts';
import { OctreeNode } from '../bodies/octree-node.ts';

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
