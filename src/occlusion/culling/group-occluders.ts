/** The occluders of an OctreeGroup: which members are set as occluders in its octree, and where they were then. */

import { Matrix4, type BufferGeometry, type Camera, type Material, type Mesh, type Object3D } from 'three';
import { setOccluder } from '../visible/occluders.ts';
import { hasGeometry } from '../../three/bounds/object-kinds.ts';
import {
  ATTRIBUTES,
  CALLS,
  GEOMETRY,
  KIND,
  MATERIAL,
  ORDER,
  PLACE,
  TRAITS,
  VERTICES,
} from '../../three/detector/change-bits.ts';
import { Detector, type ChangeSubscriber } from '../../three/detector/detector.ts';
import type { Member } from '../../three/group/member.ts';
import type { OctreeGroup } from '../../three/group/octree-group.ts';
import { sidesDrawnBy, type NamedShapes } from './named-shapes.ts';
import { materialOccluderFault, occluderFault } from './occluder-rules.ts';
import { HideableMembers } from './hideable-members.ts';
import { GIVEN_ERROR } from '../../math/tolerances.ts';
import { OccluderBodies } from './occluder-bodies.ts';
import { TriangleVersion } from './solid-shape.ts';

/** A member with solid parts. */
class Occluder {
  readonly member: Member;
  readonly parts: Float64Array;
  private readonly triangles: TriangleVersion;
  private readonly side: unknown;
  /** From the local space of the mesh to that of the bodies, when the boxes were set. */
  readonly matrix = new Matrix4();
  isSet = false;

  constructor(member: Member, parts: Float64Array, mesh: Mesh) {
    this.member = member;
    this.parts = parts;
    this.triangles = new TriangleVersion(mesh.geometry);
    this.side = sidesDrawnBy(mesh);
  }

  /** Whether the mesh still has the triangles to which the parts belong, and draws the same sides of them. */
  get isUpToDate(): boolean {
    const mesh = this.member.object as Mesh;
    return this.triangles.isOf(mesh.geometry) && sidesDrawnBy(mesh) === this.side;
  }
}

/**
 * Changes after which other parts of a member are solid, or elsewhere. Triangles and sides of occluders are compared in
 * passes too.
 */
const OTHER_SOLID = PLACE | GEOMETRY | VERTICES | ATTRIBUTES | MATERIAL | KIND | TRAITS | CALLS;

export class GroupOccluders extends OccluderBodies<OctreeGroup, Member> implements ChangeSubscriber<Member> {
  readonly wants = OTHER_SOLID | ORDER;
  private readonly hideable = new HideableMembers();
  /** By body. */
  readonly occluders: (Occluder | undefined)[] = [];
  /** By material: its fault as an occluder in this pass. Many meshes share one. */
  private readonly materialFaults = new Map<Material | Material[], string | null>();
  private readsNodes = true;
  private readonly detector: Detector<Member>;

  constructor(container: OctreeGroup, shapes: NamedShapes) {
    const { bodies } = container.groupChildren;
    super(container, bodies, shapes);
    this.detector = Detector.subscribe(bodies, this);
  }

  added(member: Member): void {
    this.due.add(member);
    this.hideable.add(member);
  }

  changing(member: Member, bits: number): void {
    if ((bits & OTHER_SOLID) !== 0) this.due.add(member);
    if (bits !== PLACE) this.hideable.add(member);
  }

  removed(member: Member): void {
    const { index } = member.body!;
    this.hideable.delete(index);
    this.due.delete(member);
    this.occluders[index] = undefined;
  }

  get hasAll(): boolean {
    return this.detector.hasAll;
  }

  faultOn(isWebGPU: boolean): string | null {
    if (!this.hasAll) return 'the members are still looked at, some in each update';
    const { bodies, pending } = this.container.groupChildren;
    return this.hideable.faultOn(isWebGPU, [...bodies.unculled, ...pending]);
  }

  get alwaysDrawn(): ReadonlySet<number> {
    return this.hideable.alwaysDrawn;
  }

  itemAt(body: number): Object3D | undefined {
    return this.container.groupChildren.bodies.ordered.memberAt(body)?.object;
  }

  isOccluderAt(body: number): boolean {
    return this.occluders[body]?.isSet === true;
  }

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

  beginPass(readsNodes: boolean): void {
    this.readsNodes = readsNodes;
    this.materialFaults.clear();
  }

  refreshOccluder(body: number, camera: Camera): boolean {
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
      object.visible &&
      object.layers.test(camera.layers) &&
      !pending.has(member) &&
      !member.hasHiddenAncestor &&
      occluderFault(object, this.faultInPass) === null;
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
    this.detector.unsubscribe(this);
    for (const occluder of this.occluders) if (occluder !== undefined) this.unset(occluder);
    this.occluders.length = 0;
    this.due.clear();
  }

  addFaults(faults: Map<string, number>): number {
    let count = 0;
    for (const { body, object } of this.container.groupChildren.allMembers) {
      const occluder = body === null ? undefined : this.occluders[body.index];
      let fault = null;
      if (occluder !== undefined) fault = occluderFault(object) ?? (occluder.isSet ? null : 'hidden');
      else if (mayBeSolid(object)) fault = this.shapes.unaskedFault(object, object);
      if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      else if (occluder !== undefined) count++;
    }
    return count;
  }

  protected prepare(member: Member): void {
    const { body, object } = member;
    if (body === null) return;
    let occluder = this.occluders[body.index];
    if (occluder?.member !== member || !occluder.isUpToDate) {
      this.forget(member);
      const parts = mayBeSolid(object) ? this.shapes.partsOf(object, object) : null;
      if (parts === null) return;
      this.occluders[body.index] = occluder = new Occluder(member, parts, object as Mesh);
    }
    if (occluderFault(object) === null) this.place(occluder);
    else this.unset(occluder);
  }

  private readonly faultInPass = (material: Material | Material[]): string | null => {
    let fault = this.materialFaults.get(material);
    if (fault === undefined)
      this.materialFaults.set(material, (fault = materialOccluderFault(material, this.readsNodes)));
    return fault;
  };

  private isInPlace({ member, matrix }: Occluder): boolean {
    const { elements } = matrix;
    const now = this.space.matrixOf(member.object).elements;
    let tolerance = 0;
    // Outside of world space, `matrixOf` multiplies, and rounds.
    if (!this.space.isWorld)
      for (let k = 0; k < 16; k++) tolerance = Math.max(tolerance, Math.abs(elements[k]) * GIVEN_ERROR);
    for (let k = 0; k < 16; k++) if (!(Math.abs(now[k] - elements[k]) <= tolerance)) return false;
    return true;
  }

  private place(occluder: Occluder): void {
    const { member, matrix, parts } = occluder;
    const current = this.space.matrixOf(member.object);
    // First, because it may throw: then the old boxes belong to the old matrix.
    this.setSolid(member.body!, parts, current);
    matrix.copy(current);
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

/** Whether an object is a mesh that is drawn where its vertices are. */
function mayBeSolid(object: Object3D): object is Mesh {
  return 'isMesh' in object && hasGeometry(object) && !('boundingSphere' in object);
}
