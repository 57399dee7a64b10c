/**
 * Where the children of an OctreeGroup have changed. The detector of the group finds the changes; here are the places:
 * the bounds of a member before its first change since the last question, and its bounds now.
 */

import { Box3, Matrix4, type Camera, type Frustum, type Object3D } from 'three';
import type { Body } from '../../three-math/octree.ts';
import { isLod } from '../../three/bounds/object-traits.ts';
import { PLACE } from '../../three/detector/change-bits.ts';
import { Detector, type ChangeSubscriber } from '../../three/detector/detector.ts';
import type { GroupChildren } from '../../three/group/group-children.ts';
import type { Member } from '../../three/group/member.ts';
import type { OctreeGroup } from '../../three/group/octree-group.ts';
import { hasSceneCallback, scenesAbove } from '../../three/passes/pass-renderer.ts';
import { Values } from '../../three/detector/values.ts';
import { ContainerChanges, readCamera, ShownLevels, type ChangeScope, type PlaneLike } from './container-changes.ts';

/**
 * After more moves than this between two questions, everything counts as changed in the next one too, so that it
 * collects no boxes. Each move has two boxes, so more moves fill `MAX_BOXES` anyway. Test: changes.test.
 */
const MANY_MOVES = 1024;

const IDENTITY = /* @__PURE__ */ new Matrix4();

export class GroupChanges extends ContainerChanges implements ChangeSubscriber<Member> {
  private readonly group: OctreeGroup;
  private readonly children: GroupChildren;
  private readonly detector: Detector<Member>;
  /** Members that have changed since the last question. The boxes of their old places are added already. */
  readonly touched = new Set<Member>();
  /** Moves since the last question. */
  private moves = 0;
  private readonly settings = new Values();
  private readonly levels = new ShownLevels();
  private readonly box = new Box3();

  constructor(group: OctreeGroup, scope: ChangeScope) {
    super(scope);
    this.group = group;
    this.children = group.groupChildren;
    this.detector = Detector.subscribe(this.children.bodies, this);
  }

  get wants(): number {
    return this.scope.wants;
  }

  override dispose(): void {
    this.detector.unsubscribe(this);
  }

  added(member: Member): void {
    if (!this.isAll) this.touched.add(member);
  }

  changing(member: Member, bits: number): void {
    if ((bits & PLACE) !== 0) this.moves++;
    if (this.isAll || this.touched.has(member)) return;
    this.addBoxOf(member);
    this.touched.add(member);
  }

  removed(member: Member): void {
    if (!this.touched.delete(member)) this.addBoxOf(member);
  }

  /** After many moves the next ones count as everything, so that their places need not be collected. */
  override clear(): void {
    super.clear();
    this.touched.clear();
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
    const { children, group, scope } = this;
    // What has changed since the update of the group. Its passes look for moves too, which may come later.
    const scenes = scenesAbove(group);
    const hasCallback = scenes.some(hasSceneCallback);
    // Without a callback of the scene matrices are only read, for labels: that is no move.
    if (hasCallback || !scenes.every(({ matrixWorldAutoUpdate }) => matrixWorldAutoUpdate))
      children.findChangedByOthers(group.matrixWorld, hasCallback);
    const { minScreenSize, matrixWorld } = group;
    const hasNewSettings = this.settings.take((values) => {
      values.push(isShown, children.bodies.space.isWorld, minScreenSize, ...matrixWorld.elements);
      if (minScreenSize > 0 && camera !== null) readCamera(camera, values);
    });
    if (hasNewSettings || !this.detector.hasAll) this.isAll = true;
    if (camera !== null) this.chooseLevels(camera);
    if (this.isAll) return;
    for (const member of this.touched) this.addBoxOf(member);
    this.touched.clear();
    const unknown = scope.isMaps ? this.detector.unknownCasters : this.detector.unknown;
    for (const member of unknown) if (this.mayDiffer(member)) this.addBoxOf(member);
    // What has moved since the update of the group: every pass draws it, wherever it is.
    for (const { body } of children.pending) if (body !== null) this.addBodyOf(body, true);
  }

  private chooseLevels(camera: Camera): void {
    for (const object of this.children.bodies.objectsWithLod) {
      if (!this.levels.choose(object, camera)) continue;
      // The `update` of an LOD may be code of the user, which removes it.
      const member = this.children.memberOf(object);
      if (member !== undefined) this.addBoxOf(member);
    }
  }

  /** Whether a visible part of a member may change without a change of a value, and is not declared still. */
  private mayDiffer({ object, compound }: Member): boolean {
    const { scope, detector } = this;
    return (compound?.nodes ?? [object]).some(
      (node) => detector.isUnknownPart(node, scope.isMaps) && isShownBelow(node, object.parent) && !scope.isStill(node),
    );
  }

  private addBoxOf({ body }: Member): void {
    if (this.isAll || body === null) return;
    const word = this.detector.wordAt(body.index);
    if ((word & this.scope.shows) !== 0) this.addBodyOf(body, (word & this.scope.casts) !== 0);
  }

  private addBodyOf(body: Body<Object3D>, casts: boolean): void {
    const { min, max } = body.getBox(this.box);
    this.addBox(min.x, min.y, min.z, max.x, max.y, max.z, casts);
  }
}

/** Whether an object and its ancestors below another one are visible, or may be, as levels of detail. */
function isShownBelow(object: Object3D, end: Object3D | null): boolean {
  for (let node: Object3D | null = object; node !== null && node !== end; node = node.parent)
    if (!node.visible && !(node.parent !== null && isLod(node.parent) && node.parent.autoUpdate)) return false;
  return true;
}
