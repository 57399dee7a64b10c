/**
 * Where the shadow casters of an OctreeGroup have changed since the last `clear`: boxes around the old and the new
 * places of what has changed. A frustum that touches no box sees the same casters as before.
 *
 * A plain leaf (a mesh without children and callbacks, with one material) is compared by a few numbers, and its
 * geometry and material once for all leaves that share them. All other members are compared by a list of all values.
 * The group itself finds moves. Members of static children are compared when they are reported; 64 of them are compared
 * in each update, in turn, for those who forget to report.
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
import { isPlainLeaf } from '../bounds/object-traits.ts';
import type { GroupChildren } from '../group/group-children.ts';
import type { Member } from '../group/member.ts';
import type { MemberFollower } from '../group/member-drawing.ts';
import type { OctreeGroup } from '../group/octree-group.ts';
import { chooseLevels } from '../group/traversal-effects.ts';
import { hasCallback, scenesAbove } from '../passes/pass-renderer.ts';
import {
  castFlagsOf,
  CASTS,
  HAS_CASTER,
  IS_UNKNOWN,
  isPlainCaster,
  readGeometry,
  readMaterial,
  readTree,
  Values,
} from './caster-values.ts';

/** Numbers per box. */
const STRIDE = 6;
/** Largest number of boxes. If more has changed, everything counts as changed. */
const MAX_BOXES = 2048;
/** Members of static children that are compared per update. */
const STATIC_PER_UPDATE = 64;

/** What is known of one member. */
interface Entry {
  readonly member: Member;
  readonly object: Object3D;
  /** Whether it is part of an opened tree: then an ancestor may hide it. */
  readonly isPart: boolean;
  readonly isStatic: boolean;
  /** Its list, and its index there. */
  readonly list: Entry[];
  index: number;
  /** Of a plain leaf: what `castFlagsOf` tells. Of any other member: CASTS if it has a caster. */
  flags: number;
  /** Of a plain leaf. */
  mask: number;
  geometry: BufferGeometry | null;
  material: Material | null;
  /** Of any other member. */
  readonly values: Values | null;
}

export class CasterChanges implements MemberFollower {
  readonly group: OctreeGroup;
  /** The flags that make an object a caster: CASTS, for VSM also RECEIVES. */
  casting = CASTS;
  /** Whether everything counts as changed. */
  isAll = true;

  private readonly children: GroupChildren;
  private readonly isStill: (object: Object3D) => boolean;
  private readonly entries = new Map<Member, Entry>();
  private readonly leaves: Entry[] = [];
  private readonly staticLeaves: Entry[] = [];
  private readonly others: Entry[] = [];
  /** Number of static entries that have been compared in turn. */
  private turn = 0;
  /** Members that have got a body or new bounds since the last update. */
  private touched: Member[] = [];
  /** Geometries and materials of plain leaves. Grows until the next clean-up. */
  private resources = new Map<BufferGeometry | Material, Values>();
  private maxResources = 64;
  /** minX, minY, minZ, maxX, maxY, maxZ of each box, in the space of the bodies. */
  private readonly boxes: number[] = [];
  private readonly matrix = new Matrix4();
  private readonly view = new Values();
  private readonly box = new Box3();

  /** @param isStill Whether the user has declared that an object does not change its shape. */
  constructor(group: OctreeGroup, isStill: (object: Object3D) => boolean) {
    this.group = group;
    this.children = group.groupChildren;
    this.isStill = isStill;
    this.children.bodies.followers.add(this);
    for (const member of this.children.allMembers) if (member.body !== null) this.touched.push(member);
  }

  dispose(): void {
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

  /** Whether a frustum in world space may see anything that has changed. */
  isSeenBy(frustum: Frustum): boolean {
    const { boxes, isAll } = this;
    if (isAll || boxes.length === 0) return isAll;
    const { planes } = this.children.bodies.space.frustumOf(frustum);
    for (let offset = 0; offset < boxes.length; offset += STRIDE) {
      const isOutside = planes.some(({ normal: { x, y, z }, constant }) => {
        const farthest =
          x * boxes[offset + (x > 0 ? 3 : 0)] +
          y * boxes[offset + (y > 0 ? 4 : 1)] +
          z * boxes[offset + (z > 0 ? 5 : 2)];
        return farthest + constant < 0;
      });
      if (!isOutside) return true;
    }
    return false;
  }

  /** Forgets the changes. */
  clear(): void {
    this.isAll = false;
    this.boxes.length = 0;
  }

  /**
   * Finds the changes since the last call.
   *
   * @param camera The camera of the pass: levels of detail and `minScreenSize` follow it.
   * @param isShown Whether the group and all its ancestors are visible, and in the scene.
   */
  update(camera: Camera, isShown: boolean): void {
    const { children, group, leaves, staticLeaves, others } = this;
    // Found by each pass of the group, which may come later.
    if (scenesAbove(group).some(hasCallback)) children.findChangedByOthers(group.matrixWorld);
    const { space, objectsWithLod } = children.bodies;
    const { minScreenSize, matrixWorld } = group;
    const isViewNew = this.view.take((values) => {
      values.push(isShown, space.isWorld, minScreenSize);
      if (minScreenSize > 0) values.push(camera, ...camera.matrixWorld.elements, ...camera.projectionMatrix.elements);
      return false;
    });
    if (isViewNew || !this.matrix.equals(matrixWorld)) this.isAll = true;
    this.matrix.copy(matrixWorld);
    for (const object of objectsWithLod) chooseLevels(object, camera);
    const { touched } = this;
    this.touched = [];
    for (const member of touched) this.touch(member, true);
    // Backwards, because an entry that leaves its list gives its place to the last one.
    for (let k = leaves.length - 1; k >= 0; k--) this.compareLeaf(leaves[k]);
    const first = this.turn;
    this.turn += STATIC_PER_UPDATE;
    for (let k = Math.min(this.turn, staticLeaves.length) - 1; k >= first; k--) this.compareLeaf(staticLeaves[k]);
    for (let k = 0; k < others.length; k++) {
      const { isStatic, values, member } = others[k];
      const isInTurn = k >= first && k < this.turn;
      if (!isStatic || isInTurn || values!.isUnknown || member.compound?.hasLod) this.compareOther(others[k]);
    }
    if (this.turn >= Math.max(staticLeaves.length, others.length)) this.turn = 0;
    this.compareResources();
    // What has moved since the update of the group: every pass draws it, wherever it is.
    for (const { body } of children.pending) if (body !== null) this.addBox(body.getBox(this.box));
  }

  /**
   * A member has got a body, or new bounds, or is of another kind than before.
   *
   * @param isMove Whether a plain leaf with the same geometry and material is one still: most are.
   */
  private touch(member: Member, isMove = false): void {
    if (member.body === null) return;
    const { isStatic } = member.owner;
    let entry = this.entries.get(member);
    const { geometry, material } = member.object as Mesh;
    const isSameLeaf =
      isMove &&
      entry?.values === null &&
      member.compound === null &&
      geometry === entry.geometry &&
      material === entry.material;
    const isPlain = isSameLeaf || this.isPlain(member);
    if (entry !== undefined && (entry.isStatic !== isStatic || isPlain !== (entry.values === null))) {
      this.addBoxOf(entry);
      this.deleteEntry(entry);
      entry = undefined;
    }
    if (entry === undefined) {
      const list = isPlain ? (isStatic ? this.staticLeaves : this.leaves) : this.others;
      const values = isPlain ? null : new Values();
      entry = {
        member,
        object: member.object,
        isPart: member.isDescendant,
        isStatic,
        list,
        index: list.length,
        flags: 0,
        mask: 0,
        geometry: null,
        material: null,
        values,
      };
      list.push(entry);
      this.entries.set(member, entry);
    }
    if (isPlain) this.compareLeaf(entry);
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

  private isPlain({ object, compound, owner }: Member): boolean {
    if (compound !== null || !isPlainLeaf(object) || !isPlainCaster(object)) return false;
    const { geometry, material } = object as Mesh<BufferGeometry, Material>;
    if (this.resourceOf(material).isUnknown) return false;
    // Changed vertices of static children are reported, so their geometries, which may be many, are not compared.
    return owner.isStatic ? !readGeometry(geometry, []) : !this.resourceOf(geometry).isUnknown;
  }

  private compareLeaf(entry: Entry): void {
    const { member, object } = entry;
    const flags = entry.isPart && member.hasHiddenAncestor ? 0 : castFlagsOf(object);
    const { mask } = object.layers;
    const { geometry, material } = object as Mesh<BufferGeometry, Material>;
    if (flags === entry.flags && mask === entry.mask && geometry === entry.geometry && material === entry.material)
      return;
    this.addBoxOf(entry);
    Object.assign(entry, { flags, mask, geometry, material });
    this.addBoxOf(entry);
    if (!this.isPlain(member)) this.touch(member);
  }

  private compareOther(entry: Entry): void {
    const { member } = entry;
    const values = entry.values!;
    let found = 0;
    const hasChanged = values.take((into) => {
      if (!member.hasHiddenAncestor) found = readTree(member.object, into, this.casting, this.isStill);
      return (found & IS_UNKNOWN) !== 0;
    });
    if (!hasChanged && !values.isUnknown) return;
    this.addBoxOf(entry);
    entry.flags = (found & HAS_CASTER) === 0 ? 0 : this.casting;
    this.addBoxOf(entry);
  }

  private resourceOf(resource: BufferGeometry | Material): Values {
    let values = this.resources.get(resource);
    if (values === undefined) {
      values = new Values();
      takeResource(resource, values);
      this.resources.set(resource, values);
    }
    return values;
  }

  private compareResources(): void {
    const { resources } = this;
    if (resources.size > this.maxResources) this.cleanUp();
    const changed = new Set<BufferGeometry | Material>();
    for (const [resource, values] of resources) if (takeResource(resource, values)) changed.add(resource);
    if (changed.size === 0) return;
    for (const entry of [...this.leaves, ...this.staticLeaves]) {
      if (!changed.has(entry.geometry!) && !changed.has(entry.material!)) continue;
      this.addBoxOf(entry);
      this.touch(entry.member);
    }
  }

  /** Drops resources that no leaf uses any more. */
  private cleanUp(): void {
    const used = new Map<BufferGeometry | Material, Values>();
    for (const { geometry } of this.leaves) used.set(geometry!, this.resourceOf(geometry!));
    for (const { material } of [...this.leaves, ...this.staticLeaves]) used.set(material!, this.resourceOf(material!));
    this.resources = used;
    this.maxResources = 2 * used.size + 64;
  }

  private addBoxOf({ member, flags }: Entry): void {
    if (!this.isAll && (flags & this.casting) !== 0 && member.body !== null) this.addBox(member.body.getBox(this.box));
  }

  private addBox({ min, max }: Box3): void {
    if (this.isAll) return;
    this.boxes.push(min.x, min.y, min.z, max.x, max.y, max.z);
    if (this.boxes.length > MAX_BOXES * STRIDE) this.isAll = true;
  }
}

function takeResource(resource: BufferGeometry | Material, values: Values): boolean {
  return values.take((into) =>
    'isMaterial' in resource ? readMaterial(resource, into) : readGeometry(resource, into),
  );
}
