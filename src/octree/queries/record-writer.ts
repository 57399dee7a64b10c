/** Writes the records of one query into the caller's target array. Records that are in the array already are reused; the rest are new. */

import { BOX_STRIDE } from '../../math/box.ts';
import { clamp } from '../../math/clamp.ts';
import { Contact } from '../../math/contact.ts';
import { RayEntry } from '../../math/ray-entry.ts';
import type { UnitRay } from '../../math/unit-ray.ts';
import type { FrustumQuery } from './frustum-query.ts';
import type { HitList } from './hit-list.ts';
import type { NearestQuery } from '../../features/nearest/nearest-query.ts';
import type { MovingShape } from '../../features/casts/moving-shape.ts';
import type { ContactQuery } from './range-query.ts';
import type { BodyStore } from '../bodies/body-store.ts';
import { IntersectionRecord } from './intersection-record.ts';
import { setPoint, type MathTypes, type PlainPoint } from '../input/math-types.ts';
import { OctreeNode } from '../bodies/octree-node.ts';

export class RecordWriter<T, M extends MathTypes> {
  private readonly store: BodyStore<T, M>;
  private readonly target: IntersectionRecord<T, M>[];
  private count = 0;
  /** Node of the last record. Consecutive results in tree order often share one. */
  private node: OctreeNode<T, M> | null = null;
  /** The ray that all records of a ray query share. */
  private ray: M['ray'] | null = null;
  /** Whether one record is written alone, see `beginSingle`. */
  private isSingle = false;
  private single: IntersectionRecord<T, M> | null = null;
  private readonly contact = new Contact();
  private readonly entry = new RayEntry();
  /** Exact bounds of the body of the record: min and max, or centre and radius. */
  private readonly bounds = new Float64Array(BOX_STRIDE);
  private readonly otherBounds = new Float64Array(BOX_STRIDE);

  constructor(store: BodyStore<T, M>, target: IntersectionRecord<T, M>[]) {
    this.store = store;
    this.target = target;
  }

  /**
   * Begins a single record: `record`, or a new one for null. A single record owns its node and its ray, so writing it again reuses both and allocates
   * nothing.
   */
  beginSingle(record: IntersectionRecord<T, M> | null): void {
    this.isSingle = true;
    this.single = record;
    const isOwner = record !== null && record.isSingle;
    this.node = isOwner ? record.node : null;
    this.ray = isOwner ? record.ray : null;
  }

  /** Returns the single record. The writer keeps no reference to it. */
  finishSingle(): IntersectionRecord<T, M> {
    const record = this.single!;
    this.single = null;
    this.node = null;
    this.ray = null;
    return record;
  }

  /** Shortens the target to the records written and returns it. */
  finish(): IntersectionRecord<T, M>[] {
    this.target.length = this.count;
    return this.target;
  }

  /** A body in a frustum: its centre, and the centre's distance from the near plane. */
  addVisible(index: number, query: FrustumQuery): void {
    const record = this.next(index);
    const isSphere = this.readBounds(index, this.bounds);
    const { bounds } = this;
    const { position } = record;
    setPoint(record.normal, 0, 0, 0);
    if (isSphere) setPoint(position, bounds[0], bounds[1], bounds[2]);
    else setPoint(position, (bounds[0] + bounds[3]) * 0.5, (bounds[1] + bounds[4]) * 0.5, (bounds[2] + bounds[5]) * 0.5);
    record.distance = query.distanceFromNear(position.x, position.y, position.z);
    record.inside = query.contains(this.store.tree.bodies, index);
  }

  /** The body of hit `k`, which a ray enters at the distance of that hit. */
  addHit(ray: UnitRay, { indices, distances }: HitList, k: number): void {
    const index = indices[k];
    if (this.isSingle || this.ray === null) this.ray = this.writeRay(ray, this.ray ?? this.store.math.createRay());
    const record = this.next(index);
    record.ray = this.ray;
    record.distance = distances[k];
    const isSphere = this.readBounds(index, this.bounds);
    const { entry, otherBounds } = this;
    entry.set(ray, this.bounds, isSphere, this.store.tree.bodies.readBox(index, otherBounds), distances, k);
    record.inside = entry.inside;
    // Field by field: V8 may box doubles that are arguments.
    const { position, normal } = record;
    position.x = entry.x;
    position.y = entry.y;
    position.z = entry.z;
    normal.x = entry.normalX;
    normal.y = entry.normalY;
    normal.z = entry.normalZ;
  }

  /** A body that a moving shape touches at a time. */
  addCastHit(index: number, shape: MovingShape, time: number): void {
    const { bodies } = this.store.tree;
    const record = this.next(index);
    record.inside = shape.touchesAtStart(bodies, index);
    record.time = time;
    const contact = record.inside ? shape.writeStart(bodies, index, this.contact) : shape.writeHit(bodies, index, time, this.contact);
    contact.distance = time * shape.length;
    this.writeContact(record, contact);
  }

  /** A body that touches the volume of a query. */
  addContact(index: number, query: ContactQuery): void {
    const record = this.next(index);
    const isSphere = this.readBounds(index, this.bounds);
    this.writeContact(record, query.writeContact(this.bounds, isSphere, this.contact));
    record.inside = query.contains(this.store.tree.bodies, index);
  }

  /** A pair of bodies, which touch or are within a distance of each other; the record's `body` is the first one. */
  addPair(index: number, other: number): IntersectionRecord<T, M> {
    const record = this.next(index);
    const isSphere = this.readBounds(index, this.bounds);
    const isOtherSphere = this.readBounds(other, this.otherBounds);
    this.writeContact(record, this.contact.between(this.bounds, isSphere, this.otherBounds, isOtherSphere));
    record.other = this.store.bodyAt(other);
    return record;
  }

  /** The body of hit `k` of a nearest query. `ray` is the ray that it starts from, if any. */
  addNearest({ indices, distances }: HitList, k: number, query: NearestQuery, ray: UnitRay): void {
    const record = this.next(indices[k]);
    const distance = distances[k];
    const isSphere = this.readBounds(indices[k], this.bounds);
    const { core } = query.roundedBox;
    if (query.start === 'ray') {
      const { capsule } = query;
      this.ray ??= this.writeRay(ray, this.store.math.createRay());
      record.ray = this.ray;
      capsule.findNearestPoint(this.bounds, isSphere, distance);
      const along = capsule.nearest.time[0];
      record.alongRay = along;
      this.writeNearest(record, ray.originX + along * ray.directionX, ray.originY + along * ray.directionY, ray.originZ + along * ray.directionZ, isSphere, distance);
    } else if (query.start === 'box') {
      this.writeContact(record, this.contact.between(this.bounds, isSphere, core, false));
      if (distance === 0) setPoint(record.normal, 0, 0, 0);
    } else this.writeNearest(record, core[0], core[1], core[2], isSphere, distance);
    record.distance = distance;
    record.inside = distance === 0;
  }

  /** The point of a body nearest to a point, and the normal from there. */
  private writeNearest({ position, normal }: IntersectionRecord<T, M>, x: number, y: number, z: number, isSphere: boolean, distance: number): void {
    const { bounds } = this;
    if (distance === 0) {
      setPoint(position, x, y, z);
      setPoint(normal, 0, 0, 0);
    } else if (isSphere) {
      setUnit(normal, x - bounds[0], y - bounds[1], z - bounds[2]);
      setPoint(position, bounds[0] + normal.x * bounds[3], bounds[1] + normal.y * bounds[3], bounds[2] + normal.z * bounds[3]);
    } else {
      setPoint(position, clamp(x, bounds[0], bounds[3]), clamp(y, bounds[1], bounds[4]), clamp(z, bounds[2], bounds[5]));
      setUnit(normal, x - position.x, y - position.y, z - position.z);
    }
  }

  /** The next record to fill: one of the target's, or a new one. */
  private next(index: number): IntersectionRecord<T, M> {
    const { store, target } = this;
    const { tree } = store;
    const body = store.bodyAt(index);
    const node = tree.slots.nodeOf(tree.bodies.slot[index]);
    if (this.isSingle) this.node = (this.node ?? new OctreeNode<T, M>(store.math)).read(store, node);
    else if (this.node === null || this.node.number !== node) this.node = new OctreeNode<T, M>(store.math).read(store, node);
    const existing = this.isSingle ? this.single : this.count < target.length ? target[this.count] : undefined;
    const record = existing instanceof IntersectionRecord ? existing : new IntersectionRecord<T, M>(body, this.node, store.math);
    record.body = body;
    record.node = this.node;
    record.isSingle = this.isSingle;
    record.other = null;
    record.ray = null;
    record.inside = false;
    record.time = 0;
    record.alongRay = 0;
    if (this.isSingle) this.single = record;
    else target[this.count++] = record;
    return record;
  }

  /** Copies a body's exact bounds to `target`; returns whether they are a sphere. */
  private readBounds(index: number, target: Float64Array): boolean {
    const { bodies } = this.store.tree;
    for (let k = 0; k < BOX_STRIDE; k++) target[k] = bodies.bounds[index * BOX_STRIDE + k];
    return bodies.isSphere(index);
  }

  private writeContact(record: IntersectionRecord<T, M>, contact: Contact): void {
    setPoint(record.position, contact.x, contact.y, contact.z);
    setPoint(record.normal, contact.normalX, contact.normalY, contact.normalZ);
    record.distance = contact.distance;
  }

  private writeRay(ray: UnitRay, target: M['ray']): M['ray'] {
    const { origin, direction } = target;
    origin.x = ray.originX;
    origin.y = ray.originY;
    origin.z = ray.originZ;
    direction.x = ray.directionX;
    direction.y = ray.directionY;
    direction.z = ray.directionZ;
    return target;
  }
}

/** Sets a vector, scaled to length 1. The zero vector stays. */
function setUnit(vector: PlainPoint, x: number, y: number, z: number): void {
  const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
  setPoint(vector, x * scale, y * scale, z * scale);
}
