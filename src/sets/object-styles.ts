/**
 * Shows some objects of a group, and draws some by other materials: what a search, a query or a list of properties has
 * found. It writes `visible` and `material` of the objects and reports what it has written, so passes, batches, shadow
 * maps and picks follow as after any change.
 */

import type { Material, Mesh, Object3D } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
import { refuseProxy } from '../three/bounds/object-kinds.ts';
import { OctreeGroup } from '../three/group/octree-group.ts';
import type { Member } from '../three/group/member.ts';
import { membersAmong, membersOf } from './members-among.ts';

/**
 * Isolates, ghosts and paints objects of an `OctreeGroup`. Objects are meshes of it, or whole trees: then all in them
 * count. An object that is culled with the one above it (see `OctreeGroup.addTree`) stands for that one. The three
 * methods are independent of each other: a painted object may be isolated.
 *
 * Hidden objects are neither drawn nor picked, and cast no shadow; of lights and other objects without a material
 * nothing is hidden. While an object is isolated, ghosted or painted, leave its `visible` or `material` alone: what it
 * had before comes back. Objects that are added later are as they are until the next call.
 *
 * Cost: 0.3 us for each object of the group in each call, and 3 us for each that changes, most of it in the next
 * update; more for a new material. With `StaticBatches` the next frame draws the right objects; those with a new
 * material are drawn on their own until they are merged again, and transparent ones stay so.
 *
 * @example
 * ```ts
 * import { MeshBasicMaterial } from 'three';
 * import { ObjectStyles, OctreeGroup } from 'scene-octree/three';
 *
 * const group = new OctreeGroup().add(...meshes);
 * const styles = new ObjectStyles(group);
 * const found = meshes.filter(({ name }) => name.startsWith('pump')); // from a search
 * styles.isolate(found); // only these are visible
 * styles.isolate(null); // all
 * styles.ghost(found, new MeshBasicMaterial({ color: 'lightgrey' })); // all others are grey
 * styles.paint(found, new MeshBasicMaterial({ color: 'red' }));
 * ```
 */
export class ObjectStyles {
  private readonly group: OctreeGroup;
  /** The objects that are hidden here, and were visible before. */
  private readonly hidden = new Set<Object3D>();
  /** The materials that objects had before. */
  private readonly own = new Map<Mesh, Material | Material[]>();
  private readonly painted = new Map<Object3D, Material>();
  private readonly ghosts = new Map<Object3D, Material>();

  /**
   * @param group Its objects, also those that are added later.
   * @throws {TypeError} If it is not an OctreeGroup.
   */
  constructor(group: OctreeGroup) {
    if (!(group instanceof OctreeGroup))
      throwType('ObjectStyles', 'group', 'be an OctreeGroup', group, 'pass new OctreeGroup().addTree(root)');
    refuseProxy('ObjectStyles', 'group', group);
    this.group = group;
  }

  /**
   * Shows these objects only, in place of those of the last call.
   *
   * @param objects Null shows all again.
   * @throws {TypeError} If an object is not below the group. Then nothing changes.
   */
  isolate(objects: Iterable<Object3D> | null): this {
    const shown = objects === null ? null : membersAmong('ObjectStyles.isolate', this.group, objects);
    for (const member of membersOf(this.group)) {
      const { object } = member;
      const isShown = shown === null || shown.has(member);
      if (isShown ? !this.hidden.delete(object) : !object.visible || !isDrawn(object)) continue;
      if (!isShown) this.hidden.add(object);
      object.visible = isShown;
      this.report(member);
    }
    // Those that have left the group meanwhile.
    if (shown !== null) return this;
    for (const object of this.hidden) object.visible = true;
    this.hidden.clear();
    return this;
  }

  /**
   * Draws all but these objects by a material, in place of the last call.
   *
   * @param objects Null gives all their own materials back.
   * @param material An opaque one is merged by `StaticBatches`. Left out only with null.
   * @throws {TypeError} If an object is not below the group, or the material is none. Then nothing changes.
   */
  ghost(objects: Iterable<Object3D> | null, material?: Material): this {
    const solid = objects === null ? null : membersAmong('ObjectStyles.ghost', this.group, objects);
    const ghost = solid === null ? null : requireMaterial('ghost', material);
    for (const member of membersOf(this.group)) {
      const isGhost = solid !== null && !solid.has(member) && isDrawn(member.object);
      this.replace(member, this.ghosts, isGhost ? ghost : null);
    }
    return this;
  }

  /**
   * Draws these objects by a material; others keep the ones that they were painted with.
   *
   * @param material Null gives these objects their own materials back, or that of `ghost`.
   * @throws {TypeError} If an object is not below the group, or the material is none. Then nothing changes.
   */
  paint(objects: Iterable<Object3D>, material: Material | null): this {
    if (material !== null) requireMaterial('paint', material);
    for (const member of membersAmong('ObjectStyles.paint', this.group, objects))
      this.replace(member, this.painted, material);
    return this;
  }

  /** Shows all objects, with their own materials. */
  dispose(): void {
    this.isolate(null).ghost(null);
    for (const member of membersOf(this.group)) this.replace(member, this.painted, null);
    for (const [mesh, material] of this.own) mesh.material = material;
    this.own.clear();
  }

  /** Gives a member another material of one kind, or none, and writes the one that counts now. */
  private replace(member: Member, kind: Map<Object3D, Material>, material: Material | null): void {
    const { object } = member;
    if (kind.get(object) === (material ?? undefined)) return;
    if (material === null) kind.delete(object);
    else kind.set(object, material);
    const counting = this.painted.get(object) ?? this.ghosts.get(object);
    object.traverse((each) => {
      if (!isDrawnItself(each)) return;
      const own = this.own.get(each) ?? each.material;
      if (counting === undefined) this.own.delete(each);
      else this.own.set(each, own);
      each.material = counting ?? own;
    });
    if (member.isStatic) this.group.reportMove(object);
  }

  /** Has the next update compare a static member: of others it compares all fields anyway. */
  private report(member: Member): void {
    if (member.isStatic && member.body !== null) this.group.groupChildren.bodies.detectorOf(member).reported(member);
  }
}

function isDrawnItself(object: Object3D): object is Mesh {
  return (object as Mesh).material !== undefined;
}

/** Whether an object, or any below it, has a material. */
function isDrawn(object: Object3D): boolean {
  return isDrawnItself(object) || object.children.some(isDrawn);
}

function requireMaterial(method: string, material: unknown): Material {
  if ((material as Material | null | undefined)?.isMaterial !== true)
    throwType(`ObjectStyles.${method}`, 'material', 'be a Material', material, 'pass one of three');
  return material as Material;
}
