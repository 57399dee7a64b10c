/** The occluders of an OctreeGroup: which members are set as occluders in its octree, and where they were then. */

import { Box3, Matrix4, Sphere, Vector3, type BufferGeometry, type Camera, type Mesh, type Object3D } from 'three';
import { setOccluder } from '../../features/occlusion/occluders.ts';
import type { Body, Octree } from '../../three-math/octree.ts';
import type { BodySpace } from '../bounds/body-space.ts';
import { hasGeometry } from '../bounds/object-kinds.ts';
import type { Member } from '../group/member.ts';
import type { MemberFollower } from '../group/member-drawing.ts';
import type { OctreeGroup } from '../group/octree-group.ts';
import { sideOf, type NamedShapes } from './named-shapes.ts';
import { occluderFault } from './occluder-rules.ts';
import { HideableMembers } from './hideable-members.ts';
import { innerBoxes, TriangleVersion } from './solid-shape.ts';
import type { OccluderBodies } from './visible-bodies.ts';

/** Time of one update that goes into new occluders, in milliseconds. */
const SLICE_MS = 4;
/** Largest change of an element of a matrix that counts as rounding, as a share of the largest element. */
const ROUNDING = 2 ** -48;

/** A member with solid parts. */
class Occluder {
  readonly member: Member;
  readonly parts: Float64Array;
  private readonly geometry: BufferGeometry;
  private readonly triangles: TriangleVersion;
  private readonly side: unknown;
  /** From the local space of the mesh to that of the bodies, when the boxes were set. */
  readonly matrix = new Matrix4();
  isSet = false;

  constructor(member: Member, parts: Float64Array, mesh: Mesh) {
    this.member = member;
    this.parts = parts;
    this.geometry = mesh.geometry;
    this.triangles = new TriangleVersion(mesh.geometry);
    this.side = sideOf(mesh);
  }

  /** Whether the mesh still has the triangles to which the parts belong, and draws the same sides of them. */
  get isUpToDate(): boolean {
    const mesh = this.member.object as Mesh;
    const { geometry } = mesh;
    return geometry === this.geometry && this.triangles.isOf(geometry) && sideOf(mesh) === this.side;
  }
}

export class GroupOccluders implements OccluderBodies {
  readonly container: OctreeGroup;
  private readonly shapes: NamedShapes;
  private readonly hideable = new HideableMembers();
  /** By body. */
  private readonly occluders: (Occluder | undefined)[] = [];
  /** Members whose parts, or their place, have to be computed. */
  private readonly due = new Set<Member>();
  private isUpdated = false;
  private readonly follower: MemberFollower = {
    added: (member) => {
      this.hideable.add(member);
      this.due.add(member);
    },
    moving: (member) => {
      this.hideable.add(member);
      this.due.add(member);
    },
    removed: (member) => {
      this.hideable.delete(member);
      this.due.delete(member);
      this.occluders[member.body!.index] = undefined;
    },
  };

  constructor(container: OctreeGroup, shapes: NamedShapes) {
    this.container = container;
    this.shapes = shapes;
    const { bodies } = container.groupChildren;
    bodies.followers.add(this.follower);
    for (const member of container.groupChildren.allMembers) if (member.body !== null) this.follower.added!(member);
  }

  get octree(): Octree {
    return this.container.groupChildren.bodies.octree;
  }

  get space(): BodySpace {
    return this.container.groupChildren.bodies.space;
  }

  faultOn(isWebGPU: boolean): string | null {
    const { bodies, pending } = this.container.groupChildren;
    return this.hideable.faultOn(isWebGPU, [...bodies.unculled, ...pending]);
  }

  get alwaysDrawn(): ReadonlySet<number> {
    return this.hideable.alwaysDrawn;
  }

  get waiting(): number {
    return this.due.size;
  }

  get isPreparing(): boolean {
    return this.due.size > 0;
  }

  itemAt(body: number): Object3D | undefined {
    return this.container.groupChildren.bodies.ordered.memberAt(body)?.object;
  }

  isOccluderAt(body: number): boolean {
    return this.occluders[body]?.isSet === true;
  }

  /** Looks at members again: all, or those with an object or a geometry. */
  restart(target: Object3D | BufferGeometry): void {
    for (const member of this.container.groupChildren.allMembers)
      if (
        member.body !== null &&
        (member.object === target || (member.object as Partial<Mesh>).geometry === (target as BufferGeometry))
      ) {
        this.forget(member);
        this.due.add(member);
      }
  }

  beginPass(): void {
    this.hideable.update();
  }

  update(): void {
    if (this.isUpdated || this.due.size === 0) return;
    this.isUpdated = true;
    queueMicrotask(() => (this.isUpdated = false));
    this.run(performance.now() + SLICE_MS);
  }

  /** Computes what is due, until a time in milliseconds. */
  run(deadline: number): void {
    const { due, shapes } = this;
    let count = 0;
    for (const member of due) {
      const { calls } = shapes;
      due.delete(member);
      this.prepare(member);
      // A call of the user may take long. Otherwise reading the clock takes as long as preparing a member.
      if (((++count & 15) === 0 || shapes.calls > calls) && performance.now() > deadline) return;
    }
  }

  refreshOccluder(body: number, camera: Camera, isDrawn: boolean): boolean {
    const occluder = this.occluders[body];
    if (occluder === undefined) return true;
    const { member, isSet } = occluder;
    if (!occluder.isUpToDate) {
      this.forget(member);
      this.due.add(member);
      return !isSet;
    }
    const { object } = member;
    const { pending } = this.container.groupChildren;
    const counts =
      isDrawn &&
      object.visible &&
      object.layers.test(camera.layers) &&
      !pending.has(member) &&
      !member.hasHiddenAncestor &&
      occluderFault(object) === null;
    if (!counts) {
      this.unset(occluder);
      return !isSet;
    }
    if (isSet && this.isInPlace(occluder)) return true;
    this.place(occluder);
    // Until now the walk knew no boxes, or others.
    return !isSet;
  }

  dispose(): void {
    const { bodies } = this.container.groupChildren;
    bodies.followers.delete(this.follower);
    for (const occluder of this.occluders) if (occluder !== undefined) this.unset(occluder);
    this.occluders.length = 0;
    this.due.clear();
  }

  /** By reason, the members that have solid parts or could have some, and hide nothing now. */
  addFaults(faults: Map<string, number>): number {
    let count = 0;
    for (const occluder of this.occluders) {
      if (occluder === undefined) continue;
      const fault = occluderFault(occluder.member.object) ?? (occluder.isSet ? null : 'hidden, or turned too far');
      if (fault === null) count++;
      else faults.set(fault, (faults.get(fault) ?? 0) + 1);
    }
    return count;
  }

  private prepare(member: Member): void {
    const { body, object } = member;
    if (body === null) return;
    let occluder = this.occluders[body.index];
    if (occluder === undefined || occluder.member !== member || !occluder.isUpToDate) {
      this.forget(member);
      if (!('isMesh' in object) || !hasGeometry(object) || 'boundingSphere' in object) return;
      const parts = this.shapes.partsOf(object, object as Mesh);
      if (parts === null) return;
      this.occluders[body.index] = occluder = new Occluder(member, parts, object as Mesh);
    }
    if (occluderFault(object) === null) this.place(occluder);
    else this.unset(occluder);
  }

  private isInPlace({ member, matrix }: Occluder): boolean {
    const { elements } = matrix;
    const now = this.space.matrixOf(member.object).elements;
    if (this.space.isWorld) {
      for (let k = 0; k < 16; k++) if (now[k] !== elements[k]) return false;
      return true;
    }
    let largest = 0;
    for (let k = 0; k < 16; k++) largest = Math.max(largest, Math.abs(elements[k]));
    for (let k = 0; k < 16; k++) if (!(Math.abs(now[k] - elements[k]) <= largest * ROUNDING)) return false;
    return true;
  }

  private place(occluder: Occluder): void {
    const { member, matrix, parts } = occluder;
    matrix.copy(this.space.matrixOf(member.object));
    setSolid(this.octree, member.body!, parts, matrix);
    occluder.isSet = true;
  }

  private unset(occluder: Occluder): void {
    const { member, isSet } = occluder;
    if (isSet && member.body !== null) setOccluder(this.octree, member.body, null);
    occluder.isSet = false;
  }

  private forget({ body }: Member): void {
    const occluder = this.occluders[body!.index];
    if (occluder !== undefined) this.unset(occluder);
    this.occluders[body!.index] = undefined;
  }
}

/** Sets the boxes of a body that lie inside solid parts, or none. */
export function setSolid(octree: Octree, body: Body<unknown>, parts: Float64Array, matrix: Matrix4): void {
  const bounds = octree.getBoxAt(body.index, setSolid_bounds);
  const boxes = innerBoxes(parts, matrix, bounds);
  const sphere = body.kind === 'sphere' ? octree.getSphereAt(body.index, setSolid_sphere) : null;
  const inside = sphere === null ? boxes : boxes.filter((box) => isInSphere(box, sphere));
  setOccluder(octree, body, inside.length === 0 ? null : inside);
}
const setSolid_bounds = /* @__PURE__ */ new Box3();
const setSolid_sphere = /* @__PURE__ */ new Sphere();

function isInSphere({ min, max }: Box3, { center, radius }: Sphere): boolean {
  isInSphere_corner.set(
    Math.max(center.x - min.x, max.x - center.x),
    Math.max(center.y - min.y, max.y - center.y),
    Math.max(center.z - min.z, max.z - center.z),
  );
  return isInSphere_corner.length() < radius * (1 - ROUNDING);
}
const isInSphere_corner = /* @__PURE__ */ new Vector3();
