/** Turns answers into records: fresh ones, or those that the caller's target array lends. */

import { Ray } from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { Contact } from '../math/contact.ts';
import type { FrustumQuery } from '../query/frustum.ts';
import type { ContactQuery } from '../query/range-query.ts';
import type { UnitRay } from '../math/unit-ray.ts';
import type { BodyStore } from './body-store.ts';
import { IntersectionRecord } from './intersection-record.ts';
import { OctreeNode } from './octree-node.ts';

export class RecordWriter<T> {
  private readonly store: BodyStore<T>;
  private readonly target: IntersectionRecord<T>[];
  private count = 0;
  private node: OctreeNode<T> | null = null;
  private ray: Ray | null = null;
  private readonly contact = new Contact();
  private readonly lanes = new Float64Array(BOX_STRIDE);
  private readonly otherLanes = new Float64Array(BOX_STRIDE);

  constructor(store: BodyStore<T>, target: IntersectionRecord<T>[]) {
    this.store = store;
    this.target = target;
  }

  /** Cuts the target to what was written. */
  finish(): IntersectionRecord<T>[] {
    this.target.length = this.count;
    return this.target;
  }

  /** A body seen by a frustum: its centre, and the distance from the near plane for sorting. */
  addSeen(index: number, query: FrustumQuery): void {
    const record = this.next(index);
    const isSphere = this.readShape(index);
    const { lanes } = this;
    const { position } = record;
    record.normal.set(0, 0, 0);
    if (isSphere) position.fromArray(lanes);
    else position.set((lanes[0] + lanes[3]) * 0.5, (lanes[1] + lanes[4]) * 0.5, (lanes[2] + lanes[5]) * 0.5);
    record.distance = query.distanceFromNear(position.x, position.y, position.z);
    record.inside = query.contains(this.store.tree.bodies, index);
  }

  /** A body hit by a ray at a distance. */
  addHit(index: number, ray: UnitRay, distance: number): void {
    this.ray ??= sharedRay(ray);
    const record = this.next(index);
    record.ray = this.ray;
    record.distance = distance;
    const isSphere = this.readShape(index);
    const { bodies } = this.store.tree;
    const box = bodies.readBox(index, this.otherLanes);
    const { x, y, z } = this.ray.origin;
    const isInBox = x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
    record.inside = isInBox && (!isSphere || distance === 0);
    if (record.inside) {
      record.position.copy(this.ray.origin);
      record.normal.set(0, 0, 0);
      return;
    }
    this.ray.at(distance, record.position);
    if (isSphere) this.setSphereNormal(ray, record);
    else entryNormal(ray, box, record);
  }

  /** The outward normal of a sphere at the hit. A sphere of radius 0 has no surface: its normal points against the ray. */
  private setSphereNormal(ray: UnitRay, { position, normal }: IntersectionRecord<T>): void {
    const { lanes } = this;
    normal.set(position.x - lanes[0], position.y - lanes[1], position.z - lanes[2]);
    // The hit is computed, so it may miss the centre by rounding even where the radius is 0. `0 - d` instead of `-d`, which would make -0 of 0.
    if (lanes[3] === 0 || normal.lengthSq() === 0) normal.set(0 - ray.directionX, 0 - ray.directionY, 0 - ray.directionZ);
    else normal.normalize();
  }

  /** A body that touches the volume of a query. */
  addContact(index: number, query: ContactQuery): void {
    const record = this.next(index);
    const isSphere = this.readShape(index);
    this.writeContact(record, query.writeContact(this.lanes, isSphere, this.contact));
    record.inside = query.contains(this.store.tree.bodies, index);
  }

  /** Two bodies that touch, as the first one sees it. */
  addPair(index: number, other: number): IntersectionRecord<T> {
    const record = this.next(index);
    const isSphere = this.readShape(index);
    const { bodies } = this.store.tree;
    const { otherLanes } = this;
    for (let lane = 0; lane < BOX_STRIDE; lane++) otherLanes[lane] = bodies.bounds[other * BOX_STRIDE + lane];
    this.writeContact(record, this.contact.between(this.lanes, isSphere, otherLanes, bodies.isSphere(other)));
    record.other = this.store.bodyAt(other);
    return record;
  }

  /** A body near a point, by the distance to its surface. */
  addNear(index: number, x: number, y: number, z: number, distance: number): void {
    const record = this.next(index);
    const { lanes } = this;
    record.distance = distance;
    record.inside = distance === 0;
    const { position, normal } = record;
    if (record.inside) {
      position.set(x, y, z);
      normal.set(0, 0, 0);
    } else if (this.readShape(index)) {
      normal.set(x - lanes[0], y - lanes[1], z - lanes[2]).normalize();
      position.set(lanes[0], lanes[1], lanes[2]).addScaledVector(normal, lanes[3]);
    } else {
      position.set(clamp(x, lanes[0], lanes[3]), clamp(y, lanes[1], lanes[4]), clamp(z, lanes[2], lanes[5]));
      normal.set(x - position.x, y - position.y, z - position.z).normalize();
    }
  }

  /** The next record to fill, lent by the target or fresh. */
  private next(index: number): IntersectionRecord<T> {
    const { store, target } = this;
    const { tree } = store;
    const body = store.bodyAt(index);
    const id = tree.slots.nodeOf(tree.bodies.slot[index]);
    // Answers in tree order share a node with their neighbours.
    if (this.node === null || this.node.id !== id) this.node = new OctreeNode<T>().read(store, id);
    const lent = this.count < target.length ? target[this.count] : undefined;
    const record = lent instanceof IntersectionRecord ? lent : new IntersectionRecord<T>(body, this.node);
    record.body = body;
    record.node = this.node;
    record.other = null;
    record.ray = null;
    record.inside = false;
    target[this.count++] = record;
    return record;
  }

  /** Puts a body's exact bounds into `lanes`; returns whether they are a sphere. */
  private readShape(index: number): boolean {
    const { bodies } = this.store.tree;
    for (let lane = 0; lane < BOX_STRIDE; lane++) this.lanes[lane] = bodies.bounds[index * BOX_STRIDE + lane];
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

/** The face through which a ray enters a box: the axis of the last entry, x before y before z. */
function entryNormal<T>(ray: UnitRay, box: Float64Array, record: IntersectionRecord<T>): void {
  const entries = [
    ((ray.inverseX < 0 ? box[3] : box[0]) - ray.originX) * ray.inverseX,
    ((ray.inverseY < 0 ? box[4] : box[1]) - ray.originY) * ray.inverseY,
    ((ray.inverseZ < 0 ? box[5] : box[2]) - ray.originZ) * ray.inverseZ,
  ];
  const inverses = [ray.inverseX, ray.inverseY, ray.inverseZ];
  let axis = -1;
  // An axis along which the ray does not move, or next to nothing, is never the one through which it enters.
  for (let k = 0; k < 3; k++) if (Number.isFinite(inverses[k]) && (axis < 0 || entries[k] > entries[axis])) axis = k;
  record.normal.set(0, 0, 0).setComponent(axis, inverses[axis] > 0 ? -1 : 1);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
