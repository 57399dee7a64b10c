/**
 * Where the children of an OctreeGroup have changed.
 *
 * A plain leaf (a mesh without children and callbacks, with one material) is compared by a few fields, and its geometry
 * and material once for all leaves that share them. All other members are compared by a list of all values. The group
 * itself finds moves. Members of static children are compared when they are reported; 64 of them are compared in each
 * update, in turn, in case a report was forgotten.
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
import { isPlainLeaf } from '../../three/bounds/object-traits.ts';
import type { GroupChildren } from '../../three/group/group-children.ts';
import type { Member } from '../../three/group/member.ts';
import type { MemberFollower } from '../../three/group/member-drawing.ts';
import type { OctreeGroup } from '../../three/group/octree-group.ts';
import { chooseLevels } from '../../three/group/traversal-effects.ts';
import { hasSceneCallback, scenesAbove } from '../../three/passes/pass-renderer.ts';
import { Snapshot } from '../../three/passes/snapshot.ts';
import { ContainerChanges, type ChangeScope, type PlaneLike, type Resource } from './container-changes.ts';
import { flagsOf, FOUND_SHOWN, FOUND_UNKNOWN, isMorphing, isPlain, readGeometry, readTree } from './object-values.ts';

/** Members of static children that are compared per update. */
const STATIC_PER_UPDATE = 64;
/**
 * After more moves than this between two updates, everything counts as changed in the next one too, so that it compares
 * nothing and collects no boxes: if all of 10,000 children move, a frame that does takes 1.25 times as long. Each move
 * has two boxes, so more moves fill `MAX_BOXES` anyway.
 */
const MANY_MOVES = 1024;

const IDENTITY = /* @__PURE__ */ new Matrix4();

/** What is known of a geometry of static leaves. */
interface StaticGeometry {
  readonly snapshot: Snapshot;
  /** How often it has changed. */
  version: number;
}

/** What is known of one member. */
interface Entry {
  readonly member: Member;
  readonly object: Mesh<BufferGeometry, Material>;
  /** Whether it is part of an opened tree: then an ancestor may hide it. */
  readonly isPart: boolean;
  /** Its list, and its index there. */
  list: Entry[];
  index: number;
  /** Of a plain leaf: what `flagsOf` tells, 0 if it is hidden. Of any other member: whether it counts. */
  flags: number;
  /** These are stored of plain leaves. */
  mask: number;
  renderOrder: number;
  /** Number of instances that WebGPURenderer draws of a mesh. */
  count?: number;
  geometry?: BufferGeometry;
  material?: Material;
  /** Of a static leaf, whose geometry is compared nowhere else: how often it had changed. */
  version: number | null;
  /** Of any other member. */
  readonly snapshot: Snapshot | null;
  /** Of any other member: those of all that it draws. */
  materials: readonly Material[];
  /** Whether it waits in `touched`. */
  isTouched: boolean;
}

export class GroupChanges extends ContainerChanges implements MemberFollower {
  private readonly group: OctreeGroup;
  private readonly children: GroupChildren;
  private readonly entries = new Map<Member, Entry>();
  /** Those that each update compares. */
  private readonly always: Entry[] = [];
  /** Those of static children, which updates compare in turn, and the index of the next one. */
  private readonly inTurn: Entry[] = [];
  private turn = 0;
  /** Members that have got a body or new bounds since the last update. A member with an entry is in it once. */
  private touched: Member[] = [];
  /** As `scope`, but materials are among the resources, of which each is compared once. */
  private readonly otherScope: ChangeScope;
  /** The materials that `otherScope` has read. */
  private readonly materialsRead: Material[] = [];
  /** Geometries of static leaves. */
  private readonly geometries = new WeakMap<BufferGeometry, StaticGeometry>();
  /** Geometries of other plain leaves, and the materials of all members. Grows until the next clean-up. */
  private resources = new Map<Resource, Snapshot>();
  private maxResources = 64;
  /** Moves since the last update. */
  private moves = 0;
  private readonly settings = new Snapshot();
  private readonly box = new Box3();

  constructor(group: OctreeGroup, scope: ChangeScope) {
    super(scope);
    this.group = group;
    this.children = group.groupChildren;
    const readMaterial = (material: Material, values: unknown[]): boolean => {
      values.push(material);
      this.materialsRead.push(material);
      return this.resourceOf(material).isUnknown;
    };
    this.otherScope = Object.create(scope, { readMaterial: { value: readMaterial } }) as ChangeScope;
    this.children.bodies.followers.add(this);
    for (const member of this.children.allMembers) if (member.body !== null) this.touched.push(member);
  }

  override dispose(): void {
    this.children.bodies.followers.delete(this);
  }

  added(member: Member): void {
    const { touched, children } = this;
    touched.push(member);
    // Children may come and go for a long time without an update.
    if (touched.length > 2 * children.bodies.octree.size + 64)
      this.touched = Array.from(new Set(touched.filter(({ body }) => body !== null)));
  }

  moving(member: Member): void {
    this.moves++;
    // The update compares it in any case, and if everything counts as changed, no place does.
    if (this.isAll && member.compound === null && !member.isStatic) return;
    const entry = this.entries.get(member);
    if (entry === undefined) {
      this.added(member);
      return;
    }
    if (entry.isTouched) return;
    this.addBoxOf(entry);
    entry.isTouched = true;
    this.touched.push(member);
  }

  removed(member: Member): void {
    const entry = this.entries.get(member);
    if (entry === undefined) return;
    this.addBoxOf(entry);
    this.deleteEntry(entry);
  }

  /** After many moves the next ones count as everything, so that their places need not be collected. */
  override clear(): void {
    super.clear();
    this.isAll = this.moves > MANY_MOVES;
    this.moves = 0;
  }

  protected override planesOf(frustum: Frustum): readonly PlaneLike[] {
    return this.children.bodies.space.frustumOf(frustum).planes;
  }

  protected override get boxesToWorld(): Matrix4 {
    const { isWorld, toWorld } = this.children.bodies.space;
    return isWorld ? IDENTITY : toWorld;
  }

  override visitOthers(visitor: (object: Object3D, isNew: boolean) => void): void {
    const { bodies, pending } = this.children;
    // Pending members have been added, or moved, since the last update of the group.
    for (const member of [...bodies.unculled, ...pending])
      if (member.object.visible && !member.hasHiddenAncestor) visitor(member.object, pending.has(member));
  }

  override update(camera: Camera | null, isShown: boolean): void {
    const { children, group, always, inTurn } = this;
    // Found by each pass of the group, which may come later.
    if (scenesAbove(group).some(hasSceneCallback)) children.findChangedByOthers(group.matrixWorld);
    const { space, objectsWithLod } = children.bodies;
    const { minScreenSize, matrixWorld } = group;
    const hasNewSettings = this.settings.take((values) => {
      values.push(isShown, space.isWorld, minScreenSize, ...matrixWorld.elements);
      if (minScreenSize > 0 && camera !== null)
        values.push(camera, ...camera.matrixWorld.elements, ...camera.projectionMatrix.elements);
    });
    if (hasNewSettings) this.isAll = true;
    if (camera !== null) for (const object of objectsWithLod) chooseLevels(object, camera);
    const { touched } = this;
    this.touched = [];
    for (const member of touched) this.touch(member, true);
    // The next update counts everything too, and compares.
    if (this.isAll && this.moves > MANY_MOVES) return;
    // Backwards, because an entry that leaves its list gives its place to the last one.
    for (let k = always.length - 1; k >= 0; k--) this.compare(always[k]);
    const first = this.turn;
    this.turn = Math.min(first + STATIC_PER_UPDATE, inTurn.length);
    for (let k = this.turn - 1; k >= first; k--) this.compare(inTurn[k]);
    if (this.turn >= inTurn.length) this.turn = 0;
    this.compareResources();
    // What has moved since the update of the group: every pass draws it, wherever it is.
    for (const { body } of children.pending) if (body !== null) this.addBodyOf(body, true);
  }

  /**
   * A member has got a body, or new bounds, or is of another kind than before.
   *
   * @param isMove Whether a plain leaf with the same geometry and material is one still: most are.
   */
  private touch(member: Member, isMove = false): void {
    let entry = this.entries.get(member);
    if (entry !== undefined) entry.isTouched = false;
    if (member.body === null) return;
    const { isStatic } = member;
    const wasLeaf = entry?.snapshot === null;
    const isLeaf = (isMove && wasLeaf && member.compound === null && hasSameSource(entry!)) || this.isLeaf(member);
    const list = isLeaf && isStatic ? this.inTurn : this.always;
    if (entry !== undefined && wasLeaf !== isLeaf) {
      this.addBoxOf(entry);
      this.deleteEntry(entry);
      entry = undefined;
    }
    if (entry === undefined) {
      const { isDescendant: isPart } = member;
      const object = member.object as Mesh<BufferGeometry, Material>;
      const unread = {
        flags: 0,
        mask: 0,
        renderOrder: 0,
        version: isStatic ? 0 : null,
        materials: [],
        isTouched: false,
      };
      entry = { member, object, isPart, list, index: 0, snapshot: isLeaf ? null : new Snapshot(), ...unread };
      this.joinList(entry, list);
      this.entries.set(member, entry);
    }
    this.compare(entry);
    this.addBoxOf(entry);
  }

  private deleteEntry(entry: Entry): void {
    this.entries.delete(entry.member);
    this.leaveList(entry);
  }

  private joinList(entry: Entry, list: Entry[]): void {
    entry.list = list;
    entry.index = list.push(entry) - 1;
  }

  /** Takes an entry out of its list. The last one takes its place. */
  private leaveList({ list, index }: Entry): void {
    const last = list.pop()!;
    if (index === list.length) return;
    list[index] = last;
    last.index = index;
  }

  private isLeaf({ object, compound, isStatic }: Member): boolean {
    if (compound !== null || !isPlainLeaf(object) || !isPlain(object)) return false;
    const { geometry, material } = object as Mesh<BufferGeometry, Material>;
    if (this.resourceOf(material).isUnknown) return false;
    // Changed vertices of static children are reported, so their geometries, which may be many, are compared in turn.
    return !(isStatic ? this.staticGeometryOf(geometry).snapshot : this.resourceOf(geometry)).isUnknown;
  }

  private compare(entry: Entry): void {
    if (entry.snapshot === null) this.compareLeaf(entry);
    else this.compareOther(entry, entry.snapshot);
  }

  private compareLeaf(entry: Entry): void {
    if (!this.hasChanged(entry)) return;
    const { object } = entry;
    const { renderOrder, count, geometry, material } = object;
    this.addBoxOf(entry);
    entry.flags = flagsOfLeaf(entry);
    entry.mask = object.layers.mask;
    Object.assign(entry, { renderOrder, count, geometry, material });
    if (entry.version !== null) entry.version = this.staticGeometryOf(geometry).version;
    this.addBoxOf(entry);
    if (!this.isLeaf(entry.member)) this.touch(entry.member);
  }

  private compareOther(entry: Entry, snapshot: Snapshot): void {
    const { member } = entry;
    const { materialsRead } = this;
    let found = 0;
    materialsRead.length = 0;
    const hasChanged = snapshot.take((values) => {
      if (!member.hasHiddenAncestor) found = readTree(member.object, values, this.otherScope);
      return (found & FOUND_UNKNOWN) !== 0;
    });
    if (hasChanged) entry.materials = Array.from(materialsRead);
    const isInTurn = member.isStatic && !snapshot.isUnknown && member.compound?.hasLod !== true;
    const list = isInTurn ? this.inTurn : this.always;
    if (list !== entry.list) {
      this.leaveList(entry);
      this.joinList(entry, list);
    }
    if (!hasChanged && !snapshot.isUnknown) return;
    this.addBoxOf(entry);
    entry.flags = (found & FOUND_SHOWN) === 0 ? 0 : this.scope.shows;
    this.addBoxOf(entry);
  }

  /** What is known of the geometry of a static leaf, as of now. */
  private staticGeometryOf(geometry: BufferGeometry): StaticGeometry {
    let known = this.geometries.get(geometry);
    if (known === undefined) this.geometries.set(geometry, (known = { snapshot: new Snapshot(), version: 0 }));
    if (this.takeResource(geometry, known.snapshot)) known.version++;
    return known;
  }

  private resourceOf(resource: Resource): Snapshot {
    let snapshot = this.resources.get(resource);
    if (snapshot === undefined) {
      snapshot = new Snapshot();
      this.takeResource(resource, snapshot);
      this.resources.set(resource, snapshot);
    }
    return snapshot;
  }

  private compareResources(): void {
    if (this.resources.size > this.maxResources) {
      // Drops what no leaf uses any more.
      const used = new Set(
        Array.from(this.entries.values()).flatMap(({ geometry, material, materials }) => [
          geometry,
          material,
          ...materials,
        ]),
      );
      this.resources = new Map([...this.resources].filter(([resource]) => used.has(resource)));
      this.maxResources = 2 * this.resources.size + 64;
    }
    const changed = new Set<Resource>();
    for (const [resource, snapshot] of this.resources) if (this.takeResource(resource, snapshot)) changed.add(resource);
    if (changed.size === 0) return;
    for (const entry of Array.from(this.entries.values())) {
      const { geometry, material, materials } = entry;
      if (![geometry, material, ...materials].some((each) => each && changed.has(each))) continue;
      this.addBoxOf(entry);
      this.touch(entry.member);
    }
  }

  private takeResource(resource: Resource, snapshot: Snapshot): boolean {
    return snapshot.take((values) =>
      'isMaterial' in resource
        ? this.scope.readMaterial(resource, values)
        : readGeometry(resource, values) || isMorphing(resource),
    );
  }

  /** Whether a leaf differs from what was stored: this runs for each leaf in each pass. */
  private hasChanged(entry: Entry): boolean {
    const { object, version } = entry;
    return (
      flagsOfLeaf(entry) !== entry.flags ||
      object.layers.mask !== entry.mask ||
      object.renderOrder !== entry.renderOrder ||
      object.count !== entry.count ||
      !hasSameSource(entry) ||
      // The group finds the children of all others.
      (version !== null && (object.children.length > 0 || this.staticGeometryOf(object.geometry).version !== version))
    );
  }

  private addBoxOf({ member, flags, snapshot }: Entry): void {
    const { isAll, scope } = this;
    if (isAll || (flags & scope.shows) === 0 || member.body === null) return;
    this.addBodyOf(member.body, snapshot !== null || (flags & scope.casts) !== 0);
  }

  private addBodyOf(body: Body<Object3D>, casts: boolean): void {
    const { min, max } = body.getBox(this.box);
    this.addBox(min.x, min.y, min.z, max.x, max.y, max.z, casts);
  }
}

function flagsOfLeaf({ object, isPart, member }: Entry): number {
  return !object.visible || (isPart && member.hasHiddenAncestor) ? 0 : flagsOf(object);
}

function hasSameSource({ object, geometry, material }: Entry): boolean {
  return object.geometry === geometry && object.material === material;
}
