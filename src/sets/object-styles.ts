/**
 * Shows some objects of a group, and draws some by other materials: what a search, a query or a list of properties has
 * found. It writes `visible` and `material` of the objects and reports what it has written, so passes, batches, shadow
 * maps and picks follow as after any change.
 */

import type { Material, Mesh, Object3D } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
import { BodySet } from '../save/body-set.ts';
import { isSprite } from '../three/bounds/object-kinds.ts';
import type { GroupChildren } from '../three/group/group-children.ts';
import type { MemberFollower } from '../three/group/member-drawing.ts';
import type { Member } from '../three/group/member.ts';
import { requireGroup, type OctreeGroup } from '../three/group/octree-group.ts';
import { LastSet } from './last-set.ts';
import { membersAmong } from './members-among.ts';

/**
 * Isolates, ghosts and paints objects of an `OctreeGroup`. Objects are meshes of it, or whole trees: then all in them
 * count. An object that is culled with the one above it (see `OctreeGroup.addTree`) stands for that one. The three
 * methods are independent of each other: a painted object may be isolated.
 *
 * Hidden objects are neither drawn nor picked, and cast no shadow, with all that is below them, as in three, such as
 * the light below the mesh of a lamp. Lights and other objects without a material below the group itself, or a Group,
 * are not hidden. A sprite keeps its own material in place of one for meshes. While an object is isolated, ghosted or
 * painted, leave its `visible` or `material` alone: what it had before comes back. Objects that are added later are as
 * they are until the next call; one that is removed gets its own back at once. `toJSON`, `clone` and exporters save
 * what is shown: take all back before, `isolate(null).ghost(null)` or `dispose()`.
 *
 * Cost: in each call 0.1 us for each object that is passed, then 0.2 us for each that is hidden or shown, half of it in
 * the next update; more for a new material. A `BodySet` of body indices of `group.octree` is compared with the last one
 * in words, 32 bodies at a time, so a call costs what has changed. With `StaticBatches` the next frame draws the right
 * objects; those with a new material are drawn on their own until they are merged again, and transparent ones stay so.
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
  /** Bodies of members that are hidden here, and were visible before. With a Set a call takes twice as long. */
  private readonly hidden = new BodySet();
  /** As `hidden`, of members without a body, or with another one than when they were hidden. */
  private readonly hiddenObjects = new Set<Object3D>();
  /** By object of a member. */
  private readonly styles = new Map<Object3D, Style>();
  private readonly shown = new LastSet();
  private readonly solid = new LastSet();
  /** Objects that may have a style and no body: nothing else tells what is added below them, or removed. */
  private readonly unculled = new Set<Object3D>();
  private ghostMaterial: Material | null = null;
  /** Follows the members while any is hidden or has a style. */
  private readonly follower: MemberFollower = {
    canMissMoves: true,
    added: ({ body }) => {
      this.shown.added.add(body!.index);
      this.solid.added.add(body!.index);
    },
    moving: ({ compound, object }) => {
      const style = this.styles.get(object);
      // There are objects below it now, or there were: the last of its own is not the object itself.
      if (style !== undefined && (compound !== null || style.own.at(-1)?.[0] !== object)) style.read(object);
    },
    removed: ({ object, body }) => {
      this.unculled.add(object);
      if (this.hidden.delete(body!.index)) this.hiddenObjects.add(object);
    },
    updated: () => {
      for (const object of this.unculled)
        if (this.styles.has(object)) this.styles.get(object)!.read(object);
        else this.unculled.delete(object);
    },
    left: ({ object }) => {
      if (this.hiddenObjects.delete(object)) object.visible = true;
      this.styles.get(object)?.restore();
      this.styles.delete(object);
    },
  };

  /**
   * @param group Its objects, also those that are added later.
   * @throws {TypeError} If it is not an OctreeGroup.
   */
  constructor(group: OctreeGroup) {
    requireGroup('ObjectStyles', group, 'pass new OctreeGroup().addTree(root)');
    this.group = group;
  }

  /**
   * Shows these objects only, in place of those of the last call.
   *
   * @param objects Objects, or their bodies in `group.octree`. Null shows all again.
   * @throws {TypeError} If an object is not below the group. Then nothing changes.
   */
  isolate(objects: Iterable<Object3D> | BodySet | null): this {
    const children = this.upToDate();
    const shown = objects === null ? null : membersAmong('ObjectStyles.isolate', this.group, objects);
    this.shown.replace(children.bodies, shown, false, (member, isShown, body) => {
      const { object } = member;
      if (isShown) {
        if (!this.hidden.delete(body) && !this.hiddenObjects.delete(object)) return;
      } else if (!object.visible || !isDrawn(object)) return;
      else if (body < 0) this.hiddenObjects.add(object);
      else this.hidden.add(body);
      object.visible = isShown;
      if (member.isStatic) children.bodies.recheck(member, true);
    });
    return this.follow(children);
  }

  /**
   * Draws all but these objects by a material, in place of the last call.
   *
   * @param objects As of `isolate`. Null gives all their own materials back.
   * @param material An opaque one is merged by `StaticBatches`. Left out only with null.
   * @throws {TypeError} If an object is not below the group, or the material is none. Then nothing changes.
   */
  ghost(objects: Iterable<Object3D> | BodySet | null, material?: Material): this {
    const children = this.upToDate();
    const solid = objects === null ? null : membersAmong('ObjectStyles.ghost', this.group, objects);
    const ghost = solid && requireMaterial('ghost', material);
    const isOther = ghost !== this.ghostMaterial;
    this.ghostMaterial = ghost;
    this.solid.replace(children.bodies, solid, isOther, (member, isSolid) =>
      this.write(children, member, 'ghost', isSolid ? null : ghost),
    );
    return this.follow(children);
  }

  /**
   * Draws these objects by a material; others keep the ones that they were painted with.
   *
   * @param objects As of `isolate`.
   * @param material Null gives these objects their own materials back, or that of `ghost`.
   * @throws {TypeError} If an object is not below the group, or the material is none. Then nothing changes.
   */
  paint(objects: Iterable<Object3D> | BodySet, material: Material | null): this {
    if (material !== null) requireMaterial('paint', material);
    const children = this.upToDate();
    const { bodies, unculled } = membersAmong('ObjectStyles.paint', this.group, objects);
    for (const body of bodies) this.write(children, children.bodies.memberAt(body), 'paint', material);
    for (const member of unculled) this.write(children, member, 'paint', material);
    return this.follow(children);
  }

  /** Shows all objects, with their own materials. */
  dispose(): void {
    this.isolate(null).ghost(null);
    const children = this.upToDate();
    for (const object of this.styles.keys()) this.write(children, children.memberOf(object), 'paint', null);
    this.follow(children);
  }

  /** The children of the group. Opens trees that were added since the last update. */
  private upToDate(): GroupChildren {
    const { groupChildren } = this.group;
    groupChildren.updatePending(() => this.group.updateWorldMatrix(true, true));
    return groupChildren;
  }

  /** Gives a member another material of one kind, or none, and writes the one that counts now. */
  private write(children: GroupChildren, member: Member | undefined, kind: Kind, material: Material | null): void {
    // A body without a member.
    if (member === undefined) return;
    const { object } = member;
    let style = this.styles.get(object);
    if ((style?.[kind] ?? null) === material || (style === undefined && !isDrawn(object))) return;
    if (style === undefined) this.styles.set(object, (style = new Style()));
    style[kind] = material;
    style.read(object);
    if (style.material === null) this.styles.delete(object);
    if (member.body === null) this.unculled.add(object);
    if (member.isStatic) children.scheduleBounds(member);
  }

  private follow({ bodies: { followers } }: GroupChildren): this {
    if ((this.shown.words ?? this.solid.words) === null && this.styles.size === 0) followers.delete(this.follower);
    else followers.add(this.follower);
    return this;
  }
}

type Kind = 'ghost' | 'paint';

/** The other materials of a member, and what its meshes had before. */
class Style {
  paint: Material | null = null;
  ghost: Material | null = null;
  own: [Mesh, Material | Material[]][] = [];

  /** The one that counts. */
  get material(): Material | null {
    return this.paint ?? this.ghost;
  }

  /** Writes the material that counts to all meshes of an object, which may be others than before. */
  read(object: Object3D): void {
    this.restore();
    this.own = [];
    // three computes the shape of a sprite from its SpriteMaterial.
    const isOfMeshes = this.material?.type.startsWith('Mesh') === true;
    object.traverse((each) => {
      if (isDrawnItself(each) && !(isOfMeshes && isSprite(each))) this.own.push([each, each.material]);
    });
    for (const [mesh, material] of this.own) mesh.material = this.material ?? material;
  }

  restore(): void {
    for (const [mesh, material] of this.own) mesh.material = material;
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
