/**
 * What a renderer changes in the objects that it traverses in a camera pass: it computes missing bounding spheres,
 * chooses levels of detail, and keeps matrices for motion vectors. In an OctreeGroup no pass reaches the objects that
 * are out of view, so all three are done here. And what callbacks may change in those that it draws.
 */

import type { Camera, Group, Object3D } from 'three';
import { hasGeometry, hasOwnSphere } from '../bounds/object-kinds.ts';
import { isLod } from '../bounds/object-traits.ts';
import type { VelocityNode } from '../passes/pass-renderer.ts';
import type { Member } from './member.ts';

/**
 * Computes the bounding spheres that three computes in a pass of this camera, and removes the members that have all.
 * three computes the sphere of a geometry in the first pass that could draw an object with it, whether it is in view or
 * not, and then culls by that sphere even if the vertices change. Hidden objects, and objects on other layers, have to
 * wait.
 *
 * @param members Whose bounds come from a geometry without a bounding sphere.
 */
export function computeFirstSpheres(members: Set<Member>, camera: Camera): void {
  for (const member of members)
    if (!member.hasHiddenAncestor && computeIn(member.object, camera)) members.delete(member);
}

/** Returns whether all geometries of an object and its descendants have a sphere now. */
function computeIn(object: Object3D, camera: Camera): boolean {
  if (!object.visible) return false;
  let isComplete = true;
  if (hasGeometry(object) && !hasOwnSphere(object) && object.geometry.boundingSphere === null) {
    if (object.layers.test(camera.layers)) object.geometry.computeBoundingSphere();
    else isComplete = false;
  }
  for (const child of object.children) if (!computeIn(child, camera)) isComplete = false;
  return isComplete;
}

/**
 * The render order that a pass of a camera hands down to the children of a group: that of the nearest Group, itself
 * included, on a layer of the camera; 0 without one. In shadow maps of WebGLRenderer, where it has no effect, its own.
 */
export function groupOrderIn(group: Object3D, camera: Camera | null): number {
  const { parent, renderOrder, layers } = group;
  const counts = (group as Group).isGroup && (camera === null || (layers.mask & camera.layers.mask) !== 0);
  if (counts) return renderOrder;
  return parent === null ? 0 : groupOrderIn(parent, camera);
}

/**
 * Chooses the levels of an object and its descendants, as WebGLRenderer does in the pass of the camera. It chooses none
 * in a shadow pass, so an object that the camera pass has culled would cast the shadow of an old level.
 */
export function chooseLevels(object: Object3D, camera: Camera): void {
  if (!object.visible) return;
  if (isLod(object) && object.autoUpdate && object.layers.test(camera.layers)) object.update(camera);
  for (const child of object.children) chooseLevels(child, camera);
}

/**
 * The matrices of the last frame, for motion vectors. WebGPURenderer keeps the matrix with which it drew an object
 * last, and takes it for that of the last frame. A child that comes into view was not drawn then. So a child that is
 * about to move has the renderer keep its matrix as if it had been drawn.
 */
export class PreviousMatrices {
  /** Of the last pass with motion vectors. */
  private node: VelocityNode | null = null;
  /** Number of the last pass with motion vectors. */
  private pass = 0;

  /** Whether any pass has drawn motion vectors. */
  get areUsed(): boolean {
    return this.node !== null;
  }

  /** Call when a pass begins. @param node Null in a pass without motion vectors. */
  beginPass(node: VelocityNode | null): void {
    if (node === null) return;
    this.node = node;
    this.pass++;
  }

  /** Call before the matrices of a child may change. Keeps them, once after each pass with motion vectors. */
  keep(child: Member): void {
    const { node, pass } = this;
    if (child.keptInPass === pass) return;
    child.keptInPass = pass;
    for (const { object, compound, bounds } of child.members)
      // A new one has no matrices yet.
      if (bounds !== 'new') for (const drawn of compound?.drawn ?? [object]) node!.updateAfter({ object: drawn });
  }
}

/**
 * The members with callbacks that passes have drawn since the last update. A callback may have moved its object and
 * computed its matrices, so rays and queries before the next update have to look for such moves. All other members are
 * where the update found them.
 */
export class DrawnCallbacks {
  /** By object: all members with a body and callbacks. */
  private readonly members = new Map<Object3D, Member>();
  /** Those that passes have drawn. */
  readonly drawn = new Set<Member>();

  /** Adds a member if it has callbacks. */
  add(member: Member): void {
    if (member.boundsSource?.sources.some(({ hasCallbacks }) => hasCallbacks)) this.members.set(member.object, member);
    else this.delete(member);
  }

  delete(member: Member): void {
    this.members.delete(member.object);
    this.drawn.delete(member);
  }

  /** Records what a pass draws. @param objects The objects of the members; null if it may draw any member. */
  record(objects: readonly Object3D[] | null): void {
    const { members, drawn } = this;
    if (members.size === 0) return;
    if (objects === null) for (const member of members.values()) drawn.add(member);
    else for (const object of objects) if (members.has(object)) drawn.add(members.get(object)!);
  }
}
