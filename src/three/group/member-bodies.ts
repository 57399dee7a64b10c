/**
 * The bodies of members in the octree. A member has a body if it has bounds; otherwise it is unculled. Invariant: all
 * sets and watches here agree with the body of each member.
 */

import type { Box3, BufferGeometry, Mesh, Object3D, Sphere } from 'three';
import { createContainerOctree } from '../../three-math/container-octree.ts';
import type { Body, ReadOnlyOctree } from '../../three-math/octree.ts';
import { strideOf } from '../../math/sphere.ts';
import { flagsOf } from '../../octree/bodies/body-store.ts';
import type { OctreeOptions } from '../../octree/bodies/options.ts';
import { BodySpace, boundsInSpace } from '../bounds/body-space.ts';
import { ObjectBounds, transformBounds } from '../bounds/bounds-of.ts';
import { describeFault, growByFloat32Error, isInRange, writeBounds } from '../bounds/bounds-math.ts';
import { isSprite } from '../bounds/object-kinds.ts';
import { isLeafHitWithinBounds, isPlainLeaf } from '../bounds/object-traits.ts';
import type { ChangeDetector, DetectorHost, OnChanged } from '../detector/change-detector.ts';
import type { PassOcclusion } from '../passes/pass-occlusion.ts';
import { warnOnce } from '../passes/warnings.ts';
import { Compound } from './compound.ts';
import type { WordOf } from './class-comparisons.ts';
import type { MemberDrawing, MemberFollower } from './member-drawing.ts';
import type { Member } from './member.ts';
import { OrderedMembers } from './ordered-members.ts';
import { ObjectSource } from './bounds-source.ts';
import { SourceDetector } from './source-detector.ts';
import { DrawnCallbacks } from './traversal-effects.ts';

/** Masks of bodies: a ray can hit the object only within its bounds, or also outside them. */
export const HIT_WITHIN_BOUNDS = 1;
const HIT_ANYWHERE = 2;

/**
 * Longest interval between two attempts to find bounds, in updates: about a second at 60 frames per second. Most
 * unculled members never get bounds (lights, cameras), so the interval doubles with every attempt. Test: turns.test.
 */
const MAX_RETRY_INTERVAL = 64;

/** Members that a new detector takes over at once, and then in each update: about 5 ms. Test: turns.test. */
const TAKEN_PER_UPDATE = 1024;

/** In errors. */
const WHERE = 'OctreeGroup';
/** The key of sources without a geometry. */
const NO_GEOMETRY = {};
const GROUP_KEEPER = 'the octree of an OctreeGroup is read-only; change its children';

export class MemberBodies implements DetectorHost<Member> {
  octree!: ReadOnlyOctree<Object3D>;
  options!: OctreeOptions;
  readonly space = new BodySpace();
  readonly ordered = new OrderedMembers();
  /** Members without bounds; every pass draws them. */
  readonly unculled = new Set<Member>();
  /** Members with a body that a ray may hit outside its bounds; every ray tests them. */
  readonly hitAnywhere = new Set<Member>();
  /** Objects of members with a body that contain an LOD: a pass may cull them without choosing their levels. */
  readonly objectsWithLod = new Set<Object3D>();
  readonly drawnCallbacks = new DrawnCallbacks();
  /** Members whose bounds come from a geometry without a bounding sphere; see traversal-effects.ts. */
  readonly withoutSphere = new Set<Member>();
  /** Finds what changes of the members with bodies beside their moves. */
  detector: ChangeDetector<Member> = new SourceDetector(this);
  /** The detector before, of the bodies that the new one has not taken over yet; null once it has all. */
  private former: ChangeDetector<Member> | null = null;
  /** The first of these bodies. */
  private takenOver = Infinity;
  readonly followers = new Set<MemberFollower>();
  /** Draws members in place of the renderer. */
  drawing: MemberDrawing | null = null;
  /** Culls in place of the octree, and leaves out hidden members. */
  declare culling: PassOcclusion | undefined;

  /** Whether updates have left bounds as they were. Then no pass culls by them, and nothing else may read them. */
  areBoundsOld = false;
  private readonly onChanged: OnChanged<Member>;
  private readonly bounds = new ObjectBounds();
  /** By geometry: many objects of a scene share one. */
  private readonly recentSources = new WeakMap<object, ObjectSource>();
  updateCount = 0;

  /** @param options Must not be changed afterwards. */
  /** @param onChanged Called for each member whose bounds have to be computed again. */
  constructor(options: OctreeOptions, onChanged: OnChanged<Member>) {
    this.onChanged = onChanged;
    this.useOptions(options);
  }

  /** Starts an empty octree. No member may have a body. */
  useOptions(options: OctreeOptions): void {
    this.options = options;
    this.octree = createContainerOctree(options, GROUP_KEEPER);
  }

  /**
   * Computes the bounds of a member, and inserts, moves or removes its body accordingly. A member whose bounds hold a
   * NaN or reach beyond 2^50 is unculled, and tried again in each update; a warning names the first one. Unless it
   * is static, it is watched for moves from now on.
   */
  updateBody(member: Member): void {
    const { object, isStatic } = member;
    const bounds = this.boundsOf(member);
    if (bounds === null)
      return this.removeBounds(member, Math.min(Math.max(1, 2 * member.retryInterval), MAX_RETRY_INTERVAL));
    growByFloat32Error(this.bounds);
    if (!isInRange(bounds)) {
      this.removeBounds(member, 1);
      this.warnAbout(member, bounds);
      return;
    }
    // Not by the methods of the octree and its bodies: they are read-only.
    const { store } = this.octree.internals;
    const isSphere = writeBounds(bounds, updateBody_values, 0);
    const mask = member.isHitWithinBounds ? HIT_WITHIN_BOUNDS : HIT_ANYWHERE;
    if (member.body?.mask !== mask || member.body.isStatic !== isStatic) {
      this.remove(member);
      // Until all know the body: `moveBody` leaves a member without a source to this method.
      member.source = null;
      this.ordered.reserveBody();
      member.body = store.insert(WHERE, updateBody_values, flagsOf(isSphere, isStatic), object, mask) as Body<Object3D>;
      this.ordered.setBody(member, member.body.index);
      this.tell('added', member);
      if (mask === HIT_ANYWHERE) this.hitAnywhere.add(member);
    } else {
      this.tellMoving(member, bounds);
      store.move(WHERE, member.body.index, updateBody_values, strideOf(isSphere));
    }
    member.bounds = 'culled';
    member.hasMoved = false;
    member.retryInterval = 0;
    this.unculled.delete(member);
    if (!member.source?.isUpToDate(object)) member.source = this.sourceOf(object);
    try {
      if (member.compound?.hasLod) this.objectsWithLod.add(object);
      this.drawnCallbacks.add(member);
      for (const { geometry } of member.boundsSource?.sources ?? [])
        if (geometry?.boundingSphere === null) this.withoutSphere.add(member);
      this.detectorOf(member).add(member);
    } catch (error) {
      member.source = null;
      throw error;
    }
  }

  /**
   * As `updateBody`, of a member whose bounds come from the same source as before. Returns false if there is more to
   * do.
   */
  moveBody(member: Member): boolean {
    const { object, body, compound, source, isStatic } = member;
    if (body === null || compound !== null || source?.isUpToDate(object) !== true) return false;
    // A renderer, or `withoutSphere`, computes a missing sphere. A sprite has bounds of its own.
    if (!this.space.isSimilar || !source.geometry?.boundingSphere || !isPlainLeaf(object) || isSprite(object))
      return false;
    const mask = isLeafHitWithinBounds(object) ? HIT_WITHIN_BOUNDS : HIT_ANYWHERE;
    const local = source.localBoundsOf(object as Mesh, this.updateCount);
    if (local === null || body.mask !== mask || body.isStatic !== isStatic) return false;
    const bounds = transformBounds(local.sphere, local.box, this.space.matrixOf(object), this.bounds);
    growByFloat32Error(this.bounds);
    if (!isInRange(bounds)) return false;
    this.tellMoving(member, bounds);
    const isSphere = writeBounds(bounds, updateBody_values, 0);
    this.octree.internals.store.move(WHERE, body.index, updateBody_values, strideOf(isSphere));
    member.hasMoved = false;
    return true;
  }

  /** Tries to find bounds of the unculled members whose interval has passed. */
  retryUnculled(visitor: (member: Member) => void): void {
    this.updateCount++;
    for (const member of this.unculled) if (member.retryUpdate <= this.updateCount) visitor(member);
  }

  /** Makes a member new: removes its body, if it has one, and stops watching it. */
  remove(member: Member): void {
    if (member.body === null) return;
    this.detectorOf(member).remove(member);
    this.drawnCallbacks.delete(member);
    this.withoutSphere.delete(member);
    this.hitAnywhere.delete(member);
    this.objectsWithLod.delete(member.object);
    this.tell('removed', member);
    this.ordered.removeBody(member.body.index);
    this.octree.internals.store.remove(member.body.index);
    // It holds the material of an object that may be gone.
    const key = member.source?.geometry ?? NO_GEOMETRY;
    if (member.source === this.recentSources.get(key)) this.recentSources.delete(key);
    member.body = null;
    member.bounds = 'new';
  }

  /** Tells that a member is about to get new bounds. */
  private tellMoving(member: Member, bounds: Box3 | Sphere): void {
    const detector = this.detectorOf(member);
    if (detector.moving !== undefined)
      detector.moving(member, member.hasMoved || !this.isAt(member.body!.index, bounds));
    if (this.followers.size > 0) this.tell('moving', member);
  }

  /** Whether a body has given bounds. */
  private isAt(body: number, bounds: Box3 | Sphere): boolean {
    const isSphere = this.octree.internals.store.readLatest(body, isAt_now);
    const values = isAt_values;
    return (
      writeBounds(bounds, values, 0) === isSphere &&
      values.every((value, k) => (isSphere && k > 3) || value === isAt_now[k])
    );
  }

  /** Makes a member unculled. @param retryInterval Of updates, until the next attempt to find bounds. */
  private removeBounds(member: Member, retryInterval: number): void {
    this.remove(member);
    this.unculled.add(member);
    member.bounds = 'unculled';
    member.retryInterval = retryInterval;
    member.retryUpdate = this.updateCount + retryInterval;
  }

  /** Whether passes need the bounds, and queries between two updates, but no feature that follows the members. */
  get areReadByPassesOnly(): boolean {
    for (const { canMissMoves } of this.followers) if (canMissMoves !== true) return false;
    return !this.detector.needsMoves && this.isTakenOver && this.culling === undefined;
  }

  /** Has all bounds computed again if they are old. */
  renewBounds(): void {
    if (!this.areBoundsOld) return;
    this.areBoundsOld = false;
    for (const member of this.ordered.items) {
      if (!member?.body) continue;
      // Updates have computed it without a comparison.
      if (member.watch === 'compared') member.hasMoved = true;
      this.onChanged(member);
    }
  }

  useDetector(detector: ChangeDetector<Member> | null): void {
    this.renewBounds();
    this.takeOver(Infinity);
    this.former = this.detector;
    this.detector = detector ?? new SourceDetector(this);
    this.takenOver = 0;
    this.takeOver(TAKEN_PER_UPDATE);
  }

  /** Finds what has changed of members, beside their moves. */
  findChanged(): void {
    this.takeOver(TAKEN_PER_UPDATE);
    this.detector.visitChanged(this.onChanged);
  }

  /** How updates compare the way in which objects are drawn; null if nothing wants to know of it. */
  get wordOf(): WordOf {
    return this.areBoundsOld ? null : (this.detector.wordOf ?? null);
  }

  /** Has the next search for changes compare a member. @param isShowing As for `ChangeDetector.recheck`. */
  recheck(member: Member, isShowing?: boolean): void {
    if (member.watchedSource !== null) this.detectorOf(member).recheck?.(member.body!.index, isShowing);
  }

  /** The detector that finds changes of a member with a body. */
  detectorOf({ body }: Member): ChangeDetector<Member> {
    return body === null || body.index < this.takenOver ? this.detector : this.former!;
  }

  get isTakenOver(): boolean {
    return this.former === null;
  }

  /** Gives the next bodies from the former detector to the new one, which starts with the state that it meets. */
  private takeOver(count: number): void {
    const { former, detector, ordered } = this;
    if (former === null) return;
    const end = Math.min(this.takenOver + count, ordered.bodyCount);
    const members: Member[] = [];
    for (let body = this.takenOver; body < end; body++)
      if (ordered.memberAt(body)) members.push(ordered.memberAt(body));
    for (const member of members) former.reported(member);
    former.visitChanged(this.onChanged);
    for (const member of members) {
      former.compare(member, this.onChanged);
      former.remove(member);
      try {
        detector.add(member);
      } finally {
        // Without memory the next update tries again. A feature may throw, too.
        if (member.watchedSource === null) former.add(member);
        else this.takenOver = member.body!.index + 1;
      }
    }
    this.takenOver = end;
    if (end < ordered.bodyCount) return;
    this.former = null;
    this.takenOver = Infinity;
  }

  memberAt(body: number): Member {
    return this.ordered.memberAt(body);
  }

  *detectedMembers(): Generator<Member> {
    for (const member of this.ordered.items) if (member?.body && member.body.index < this.takenOver) yield member;
  }

  /** Tells all followers of a change. */
  tell(change: 'added' | 'moving' | 'removed' | 'left', member: Member): void {
    for (const follower of this.followers) follower[change]?.(member);
  }

  /**
   * Warns once, of the first member whose bounds are out of range. Of a compound it names the object at fault.
   *
   * @param bounds The bounds of the member.
   */
  private warnAbout({ object, compound }: Member, bounds: Box3 | Sphere): void {
    const drawn = compound?.drawnOutOfRange(this.space, this.bounds) ?? null;
    const faulty = drawn === null ? bounds : boundsInSpace(this.space, drawn, this.bounds)!;
    const fault = describeFault(drawn ?? object, faulty);
    warnOnce(
      this,
      'bounds',
      `OctreeGroup: ${fault}. Until then every pass draws it and every ray tests it; OctreeGroup.unculled lists all such objects.`,
    );
  }

  private sourceOf(object: Object3D): ObjectSource {
    const key = ((object as Mesh).geometry as BufferGeometry | undefined) ?? NO_GEOMETRY;
    const source = ObjectSource.of(object, this.recentSources.get(key) ?? null);
    this.recentSources.set(key, source);
    return source;
  }

  /** The bounds of a member, null if it has none. Sets its compound. */
  private boundsOf(member: Member): Box3 | Sphere | null {
    const { object } = member;
    if (isPlainLeaf(object)) {
      member.compound = null;
      return boundsInSpace(this.space, object, this.bounds);
    }
    if (!member.compound?.hasSameStructure) member.compound = Compound.of(object);
    return member.compound?.boundsIn(this.space, this.bounds) ?? null;
  }
}
const updateBody_values = /* @__PURE__ */ new Float64Array(6);
const isAt_now = /* @__PURE__ */ new Float64Array(6);
const isAt_values = /* @__PURE__ */ new Float64Array(6);
