/**
 * Where the children of an OctreeGroup have changed.
 *
 * A plain leaf (a mesh without children and callbacks, with one material) is compared by a few numbers, and its
 * geometry and material once for all leaves that share them. All other members are compared by a list of all values.
 * The group itself finds moves. Members of static children are compared when they are reported; 64 of them are compared
 * in each update, in turn, in case a report was forgotten.
 */

import {
  Box3,
  Matrix4,
  type BufferGeometry,
  type Camera,
  type Frustum,
  type Material,
  type Mesh,
  type Object3D,
} from 'three';
import type { Body } from '../../three-math/octree.ts';
import { isPlainLeaf } from '../bounds/object-traits.ts';
import type { GroupChildren } from '../group/group-children.ts';
import type { Member } from '../group/member.ts';
import type { MemberFollower } from '../group/member-drawing.ts';
import type { OctreeGroup } from '../group/octree-group.ts';
import { chooseLevels } from '../group/traversal-effects.ts';
import { hasCallback, scenesAbove } from '../passes/pass-renderer.ts';
import { ContainerChanges, Values, type Aspect, type PlaneLike, type Resource } from './container-changes.ts';
import { flagsOf, IS_SHOWN, IS_UNKNOWN, isMorphing, isPlain, readGeometry, readTree } from './object-values.ts';

/** Members of static children that are compared per update. */
const STATIC_PER_UPDATE = 64;

/** What is known of one member. */
interface Entry {
  readonly member: Member;
  readonly object: Object3D;
  /** Whether it is part of an opened tree: then an ancestor may hide it. */
  readonly isPart: boolean;
  /** Its list, and its index there. */
  readonly list: Entry[];
  index: number;
  /** Of a plain leaf: what `flagsOf` tells, 0 if it is hidden. Of any other member: whether it counts. */
  flags: number;
  /** Of a plain leaf. */
  mask: number;
  /** Of a plain leaf. */
  renderOrder: number;
  geometry?: BufferGeometry;
  material?: Material;
  /** Of any other member. */
  readonly values: Values | null;
}

export class GroupChanges extends ContainerChanges implements MemberFollower {
  private readonly group: OctreeGroup;
  private readonly children: GroupChildren;
  private readonly entries = new Map<Member, Entry>();
  private readonly leaves: Entry[] = [];
  private readonly staticLeaves: Entry[] = [];
  private readonly others: Entry[] = [];
  /** Number of static entries that have been compared in turn. */
  private turn = 0;
  /** Members that have got a body or new bounds since the last update. */
  private touched: Member[] = [];
  /** Geometries and materials of plain leaves. Grows until the next clean-up. */
  private resources = new Map<Resource, Values>();
  private maxResources = 64;
  private readonly matrix = new Matrix4();
  private readonly view = new Values();
  private readonly box = new Box3();

  constructor(group: OctreeGroup, aspect: Aspect) {
    super(aspect);
    this.group = group;
    this.children = group.groupChildren;
    this.children.bodies.followers.add(this);
    for (const member of this.children.allMembers) if (member.body !== null) this.touched.push(member);
  }

  override dispose(): void {
    this.children.bodies.followers.delete(this);
  }

  added(member: Member): void {
    this.touched.push(member);
  }

  moving(member: Member): void {
    const entry = this.entries.get(member);
    if (entry !== undefined) this.addBoxOf(entry);
    this.touched.push(member);
  }

  removed(member: Member): void {
    const entry = this.entries.get(member);
    if (entry === undefined) return;
    this.addBoxOf(entry);
    this.deleteEntry(entry);
  }

  protected override planesOf(frustum: Frustum): readonly PlaneLike[] {
    return this.children.bodies.space.frustumOf(frustum).planes;
  }

  override visitOthers(visitor: (object: Object3D, isNew: boolean) => void): void {
    const { bodies, pending } = this.children;
    // Pending members have been added, or moved, since the last update of the group.
    for (const member of [...bodies.unculled, ...pending])
      if (member.object.visible && !member.hasHiddenAncestor) visitor(member.object, pending.has(member));
  }

  override update(camera: Camera | null, isShown: boolean): void {
    const { children, group, leaves, staticLeaves, others } = this;
    // Found by each pass of the group, which may come later.
    if (scenesAbove(group).some(hasCallback)) children.findChangedByOthers(group.matrixWorld);
    const { space, objectsWithLod } = children.bodies;
    const { minScreenSize, matrixWorld } = group;
    const isViewNew = this.view.take((values) => {
      values.push(isShown, space.isWorld, minScreenSize);
      if (minScreenSize > 0 && camera !== null)
        values.push(camera, ...camera.matrixWorld.elements, ...camera.projectionMatrix.elements);
    });
    if (isViewNew || !this.matrix.equals(matrixWorld)) this.isAll = true;
    this.matrix.copy(matrixWorld);
    if (camera !== null) for (const object of objectsWithLod) chooseLevels(object, camera);
    const { touched } = this;
    this.touched = [];
    for (const member of touched) this.touch(member, true);
    // Backwards, because an entry that leaves its list gives its place to the last one.
    for (let k = leaves.length - 1; k >= 0; k--) this.compareLeaf(leaves[k]);
    const first = this.turn;
    this.turn += STATIC_PER_UPDATE;
    for (let k = Math.min(this.turn, staticLeaves.length) - 1; k >= first; k--) this.compareLeaf(staticLeaves[k]);
    for (let k = 0; k < others.length; k++) {
      const { values, member } = others[k];
      const isInTurn = k >= first && k < this.turn;
      if (!member.owner.isStatic || isInTurn || values!.isUnknown || member.compound?.hasLod)
        this.compareOther(others[k]);
    }
    if (this.turn >= Math.max(staticLeaves.length, others.length)) this.turn = 0;
    this.compareResources();
    // What has moved since the update of the group: every pass draws it, wherever it is.
    for (const { body } of children.pending) if (body !== null) this.addBodyOf(body);
  }

  /**
   * A member has got a body, or new bounds, or is of another kind than before.
   *
   * @param isMove Whether a plain leaf with the same geometry and material is one still: most are.
   */
  private touch(member: Member, isMove = false): void {
    if (member.body === null) return;
    const { object, owner, compound, isDescendant } = member;
    let entry = this.entries.get(member);
    const { geometry, material } = object as Mesh;
    const isSameLeaf =
      isMove && entry?.values === null && !compound && geometry === entry.geometry && material === entry.material;
    const isLeaf = isSameLeaf || this.isLeaf(member);
    const list = isLeaf ? (owner.isStatic ? this.staticLeaves : this.leaves) : this.others;
    if (entry !== undefined && entry.list !== list) {
      this.addBoxOf(entry);
      this.deleteEntry(entry);
      entry = undefined;
    }
    if (entry === undefined) {
      const index = list.length;
      const values = isLeaf ? null : new Values();
      entry = { member, object, isPart: isDescendant, list, index, values, flags: 0, mask: 0, renderOrder: 0 };
      list.push(entry);
      this.entries.set(member, entry);
    }
    if (isLeaf) this.compareLeaf(entry);
    else this.compareOther(entry);
    this.addBoxOf(entry);
  }

  private deleteEntry({ member, list, index }: Entry): void {
    this.entries.delete(member);
    const last = list.pop()!;
    if (last.member === member) return;
    list[index] = last;
    last.index = index;
  }

  private isLeaf({ object, compound, owner }: Member): boolean {
    if (compound !== null || !isPlainLeaf(object) || !isPlain(object)) return false;
    const { geometry, material } = object as Mesh<BufferGeometry, Material>;
    if (this.resourceOf(material).isUnknown) return false;
    // Changed vertices of static children are reported, so their geometries, which may be many, are not compared.
    return owner.isStatic ? !readGeometry(geometry, []) && !isMorphing(geometry) : !this.resourceOf(geometry).isUnknown;
  }

  private compareLeaf(entry: Entry): void {
    const { member, object } = entry;
    const flags = !object.visible || (entry.isPart && member.hasHiddenAncestor) ? 0 : flagsOf(object);
    const { mask } = object.layers;
    const { renderOrder } = object;
    const { geometry, material } = object as Mesh<BufferGeometry, Material>;
    if (
      flags === entry.flags &&
      mask === entry.mask &&
      renderOrder === entry.renderOrder &&
      geometry === entry.geometry &&
      material === entry.material
    )
      return;
    this.addBoxOf(entry);
    Object.assign(entry, { flags, mask, renderOrder, geometry, material });
    this.addBoxOf(entry);
    if (!this.isLeaf(member)) this.touch(member);
  }

  private compareOther(entry: Entry): void {
    const { member } = entry;
    const values = entry.values!;
    let found = 0;
    const hasChanged = values.take((into) => {
      if (!member.hasHiddenAncestor) found = readTree(member.object, into, this.aspect);
      return (found & IS_UNKNOWN) !== 0;
    });
    if (!hasChanged && !values.isUnknown) return;
    this.addBoxOf(entry);
    entry.flags = (found & IS_SHOWN) === 0 ? 0 : this.aspect.shows;
    this.addBoxOf(entry);
  }

  private resourceOf(resource: Resource): Values {
    let values = this.resources.get(resource);
    if (values === undefined) {
      values = new Values();
      this.takeResource(resource, values);
      this.resources.set(resource, values);
    }
    return values;
  }

  private compareResources(): void {
    const entries = (): Entry[] => [...this.leaves, ...this.staticLeaves];
    if (this.resources.size > this.maxResources) {
      // Drops what no leaf uses any more.
      const used = new Set<Resource>(entries().flatMap(({ geometry, material }) => [geometry!, material!]));
      this.resources = new Map([...this.resources].filter(([resource]) => used.has(resource)));
      this.maxResources = 2 * this.resources.size + 64;
    }
    const changed = new Set<Resource>();
    for (const [resource, values] of this.resources) if (this.takeResource(resource, values)) changed.add(resource);
    if (changed.size === 0) return;
    for (const entry of entries()) {
      if (!changed.has(entry.geometry!) && !changed.has(entry.material!)) continue;
      this.addBoxOf(entry);
      this.touch(entry.member);
    }
  }

  private takeResource(resource: Resource, values: Values): boolean {
    return values.take((into) =>
      'isMaterial' in resource
        ? this.aspect.readMaterial(resource, into)
        : readGeometry(resource, into) || isMorphing(resource),
    );
  }

  private addBoxOf({ member, flags }: Entry): void {
    if (!this.isAll && (flags & this.aspect.shows) !== 0 && member.body !== null) this.addBodyOf(member.body);
  }

  private addBodyOf(body: Body<Object3D>): void {
    const { min, max } = body.getBox(this.box);
    this.addBox(min.x, min.y, min.z, max.x, max.y, max.z);
  }
}
