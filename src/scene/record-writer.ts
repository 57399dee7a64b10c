/** Writes the records of one query into the caller's target array. Records that are in the array already are reused; the rest are new. */

import { BOX_STRIDE } from '../math/box.ts';
import { Contact } from '../math/contact.ts';
import type { UnitRay } from '../math/unit-ray.ts';
import type { FrustumQuery } from '../query/frustum.ts';
import type { MovingShape } from '../query/moving-shape.ts';
import type { ContactQuery } from '../query/range-query.ts';
import type { BodyStore } from './body-store.ts';
import { IntersectionRecord } from './intersection-record.ts';
import { setPoint, type MathTypes, type PlainPoint } from './math-types.ts';
import { OctreeNode } from './octree-node.ts';
import type { PointLike } from './shapes.ts';

export class RecordWriter<T, M extends MathTypes> {
  private readonly store: BodyStore<T, M>;
  private readonly target: IntersectionRecord<T, M>[];
  private count = 0;
  /** Node of the last record. Consecutive results in tree order often share one. */
  private node: OctreeNode<T, M> | null = null;
  /** The ray that all records of a ray query share. */
  private ray: M['ray'] | null = null;
  private readonly contact = new Contact();
  /** Exact bounds of the body of the record: min and max, or centre and radius. */
  private readonly bounds = new Float64Array(BOX_STRIDE);
  private readonly otherBounds = new Float64Array(BOX_STRIDE);

  constructor(store: BodyStore<T, M>, target: IntersectionRecord<T, M>[]) {
    this.store = store;
    this.target = target;
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

  /** A body that a ray enters at a distance. */
  addHit(index: number, ray: UnitRay, distance: number): void {
    this.ray ??= this.createRay(ray);
    const record = this.next(index);
    record.ray = this.ray;
    record.distance = distance;
    const isSphere = this.readBounds(index, this.bounds);
    const { bodies } = this.store.tree;
    const box = bodies.readBox(index, this.otherBounds);
    const { originX: x, originY: y, originZ: z } = ray;
    const isInBox = x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
    record.inside = isInBox && (!isSphere || distance === 0);
    if (record.inside) {
      setPoint(record.position, x, y, z);
      setPoint(record.normal, 0, 0, 0);
      return;
    }
    setPoint(record.position, x + ray.directionX * distance, y + ray.directionY * distance, z + ray.directionZ * distance);
    if (isSphere) setSphereNormal(ray, this.bounds, record.position, record.normal);
    else setEntryNormal(ray, box, record.normal);
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

  /** Two bodies that touch; the record's `body` is the first one. */
  addPair(index: number, other: number): IntersectionRecord<T, M> {
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
      setPoint(position, x, y, z);
      setPoint(normal, 0, 0, 0);
    } else if (this.readBounds(index, this.bounds)) {
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
    const id = tree.slots.nodeOf(tree.bodies.slot[index]);
    if (this.node === null || this.node.id !== id) this.node = new OctreeNode<T, M>(store.math).read(store, id);
    const existing = this.count < target.length ? target[this.count] : undefined;
    const record = existing instanceof IntersectionRecord ? existing : new IntersectionRecord<T, M>(body, this.node, store.math);
    record.body = body;
    record.node = this.node;
    record.other = null;
    record.ray = null;
    record.inside = false;
    record.time = 0;
    target[this.count++] = record;
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

  private createRay({ originX, originY, originZ, directionX, directionY, directionZ }: UnitRay): M['ray'] {
    const ray = this.store.math.createRay();
    setPoint(ray.origin, originX, originY, originZ);
    setPoint(ray.direction, directionX, directionY, directionZ);
    return ray;
  }
}

/** Sets the outward normal of a sphere at the hit. A sphere of radius 0 has no surface: its normal points against the ray. */
function setSphereNormal(ray: UnitRay, sphere: Float64Array, position: PlainPoint, normal: PlainPoint): void {
  const x = position.x - sphere[0];
  const y = position.y - sphere[1];
  const z = position.z - sphere[2];
  // The position is rounded, so it may differ from the centre even if the radius is 0. `0 - d` instead of `-d`, which would turn 0 into -0.
  if (sphere[3] === 0 || x * x + y * y + z * z === 0) setPoint(normal, 0 - ray.directionX, 0 - ray.directionY, 0 - ray.directionZ);
  else setUnit(normal, x, y, z);
}

/** Sets the normal of the face through which a ray enters a box: the axis whose slab it enters last, x before y before z on a tie. */
function setEntryNormal(ray: UnitRay, box: Float64Array, normal: PlainPoint): void {
  const entries = [
    ((ray.inverseX < 0 ? box[3] : box[0]) - ray.originX) * ray.inverseX,
    ((ray.inverseY < 0 ? box[4] : box[1]) - ray.originY) * ray.inverseY,
    ((ray.inverseZ < 0 ? box[5] : box[2]) - ray.originZ) * ray.inverseZ,
  ];
  const inverses = [ray.inverseX, ray.inverseY, ray.inverseZ];
  let axis = -1;
  // An infinite inverse means that the direction's component is 0 or too small to invert: the ray does not enter through a face of this axis.
  for (let k = 0; k < 3; k++) if (Number.isFinite(inverses[k]) && (axis < 0 || entries[k] > entries[axis])) axis = k;
  const sign = inverses[axis] > 0 ? -1 : 1;
  setPoint(normal, axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0);
}

/** Sets a vector, scaled to length 1. The zero vector stays. */
function setUnit(vector: PlainPoint, x: number, y: number, z: number): void {
  const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
  setPoint(vector, x * scale, y * scale, z * scale);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
