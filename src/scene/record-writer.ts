/** Writes the records of one query into the caller's target array. Records that are in the array already are reused; the rest are new. */

import { Ray } from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { Contact } from '../math/contact.ts';
import type { UnitRay } from '../math/unit-ray.ts';
import type { FrustumQuery } from '../query/frustum.ts';
import type { ContactQuery } from '../query/range-query.ts';
import type { BodyStore } from './body-store.ts';
import { IntersectionRecord } from './intersection-record.ts';
import { OctreeNode } from './octree-node.ts';
import type { PointLike } from './shapes.ts';

export class RecordWriter<T> {
  private readonly store: BodyStore<T>;
  private readonly target: IntersectionRecord<T>[];
  private count = 0;
  /** Node of the last record. Consecutive results in tree order often share one. */
  private node: OctreeNode<T> | null = null;
  /** The ray that all records of a ray query share. */
  private ray: Ray | null = null;
  private readonly contact = new Contact();
  /** Exact bounds of the body of the record: min and max, or centre and radius. */
  private readonly bounds = new Float64Array(BOX_STRIDE);
  private readonly otherBounds = new Float64Array(BOX_STRIDE);

  constructor(store: BodyStore<T>, target: IntersectionRecord<T>[]) {
    this.store = store;
    this.target = target;
  }

  /** Shortens the target to the records written and returns it. */
  finish(): IntersectionRecord<T>[] {
    this.target.length = this.count;
    return this.target;
  }

  /** A body in a frustum: its centre, and the centre's distance from the near plane. */
  addVisible(index: number, query: FrustumQuery): void {
    const record = this.next(index);
    const isSphere = this.readBounds(index, this.bounds);
    const { bounds } = this;
    const { position } = record;
    record.normal.set(0, 0, 0);
    if (isSphere) position.fromArray(bounds);
    else position.set((bounds[0] + bounds[3]) * 0.5, (bounds[1] + bounds[4]) * 0.5, (bounds[2] + bounds[5]) * 0.5);
    record.distance = query.distanceFromNear(position.x, position.y, position.z);
    record.inside = query.contains(this.store.tree.bodies, index);
  }

  /** A body that a ray enters at a distance. */
  addHit(index: number, ray: UnitRay, distance: number): void {
    this.ray ??= sharedRay(ray);
    const record = this.next(index);
    record.ray = this.ray;
    record.distance = distance;
    const isSphere = this.readBounds(index, this.bounds);
    const { bodies } = this.store.tree;
    const box = bodies.readBox(index, this.otherBounds);
    const { x, y, z } = this.ray.origin;
    const isInBox = x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
    record.inside = isInBox && (!isSphere || distance === 0);
    if (record.inside) {
      record.position.copy(this.ray.origin);
      record.normal.set(0, 0, 0);
      return;
    }
    this.ray.at(distance, record.position);
    if (isSphere) setSphereNormal(ray, this.bounds, record);
    else setEntryNormal(ray, box, record);
  }

  /** A body that touches the volume of a query. */
  addContact(index: number, query: ContactQuery): void {
    const record = this.next(index);
    const isSphere = this.readBounds(index, this.bounds);
    this.writeContact(record, query.writeContact(this.bounds, isSphere, this.contact));
    record.inside = query.contains(this.store.tree.bodies, index);
  }

  /** Two bodies that touch; the record's `body` is the first one. */
  addPair(index: number, other: number): IntersectionRecord<T> {
    const record = this.next(index);
    const isSphere = this.readBounds(index, this.bounds);
    const isOtherSphere = this.readBounds(other, this.otherBounds);
    this.writeContact(record, this.contact.between(this.bounds, isSphere, this.otherBounds, isOtherSphere));
    record.other = this.store.bodyAt(other);
    return record;
  }

  /** A body whose surface is at a distance from a point. */
  addNearest(index: number, { x, y, z }: PointLike, distance: number): void {
    const record = this.next(index);
    const { bounds } = this;
    record.distance = distance;
    record.inside = distance === 0;
    const { position, normal } = record;
    if (record.inside) {
      position.set(x, y, z);
      normal.set(0, 0, 0);
    } else if (this.readBounds(index, this.bounds)) {
      normal.set(x - bounds[0], y - bounds[1], z - bounds[2]).normalize();
      position.set(bounds[0], bounds[1], bounds[2]).addScaledVector(normal, bounds[3]);
    } else {
      position.set(clamp(x, bounds[0], bounds[3]), clamp(y, bounds[1], bounds[4]), clamp(z, bounds[2], bounds[5]));
      normal.set(x - position.x, y - position.y, z - position.z).normalize();
    }
  }

  /** The next record to fill: one of the target's, or a new one. */
  private next(index: number): IntersectionRecord<T> {
    const { store, target } = this;
    const { tree } = store;
    const body = store.bodyAt(index);
    const id = tree.slots.nodeOf(tree.bodies.slot[index]);
    if (this.node === null || this.node.id !== id) this.node = new OctreeNode<T>().read(store, id);
    const existing = this.count < target.length ? target[this.count] : undefined;
    const record = existing instanceof IntersectionRecord ? existing : new IntersectionRecord<T>(body, this.node);
    record.body = body;
    record.node = this.node;
    record.other = null;
    record.ray = null;
    record.inside = false;
    target[this.count++] = record;
    return record;
  }

  /** Copies a body's exact bounds to `target`; returns whether they are a sphere. */
  private readBounds(index: number, target: Float64Array): boolean {
    const { bodies } = this.store.tree;
    for (let k = 0; k < BOX_STRIDE; k++) target[k] = bodies.bounds[index * BOX_STRIDE + k];
    return bodies.isSphere(index);
  }

  private writeContact(record: IntersectionRecord<T>, contact: Contact): void {
    record.position.set(contact.x, contact.y, contact.z);
    record.normal.set(contact.normalX, contact.normalY, contact.normalZ);
    record.distance = contact.distance;
  }
}

function sharedRay(ray: UnitRay): Ray {
  const shared = new Ray();
  shared.origin.set(ray.originX, ray.originY, ray.originZ);
  shared.direction.set(ray.directionX, ray.directionY, ray.directionZ);
  return shared;
}

/** Sets the outward normal of a sphere at the hit. A sphere of radius 0 has no surface: its normal points against the ray. */
function setSphereNormal<T>(ray: UnitRay, sphere: Float64Array, { position, normal }: IntersectionRecord<T>): void {
  normal.set(position.x - sphere[0], position.y - sphere[1], position.z - sphere[2]);
  // The position is rounded, so it may differ from the centre even if the radius is 0. `0 - d` instead of `-d`, which would turn 0 into -0.
  if (sphere[3] === 0 || normal.lengthSq() === 0) normal.set(0 - ray.directionX, 0 - ray.directionY, 0 - ray.directionZ);
  else normal.normalize();
}

/** Sets the normal of the face through which a ray enters a box: the axis whose slab it enters last, x before y before z on a tie. */
function setEntryNormal<T>(ray: UnitRay, box: Float64Array, record: IntersectionRecord<T>): void {
  const entries = [
    ((ray.inverseX < 0 ? box[3] : box[0]) - ray.originX) * ray.inverseX,
    ((ray.inverseY < 0 ? box[4] : box[1]) - ray.originY) * ray.inverseY,
    ((ray.inverseZ < 0 ? box[5] : box[2]) - ray.originZ) * ray.inverseZ,
  ];
  const inverses = [ray.inverseX, ray.inverseY, ray.inverseZ];
  let axis = -1;
  // An infinite inverse means that the direction's component is 0 or too small to invert: the ray does not enter through a face of this axis.
  for (let k = 0; k < 3; k++) if (Number.isFinite(inverses[k]) && (axis < 0 || entries[k] > entries[axis])) axis = k;
  record.normal.set(0, 0, 0).setComponent(axis, inverses[axis] > 0 ? -1 : 1);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
