/**
 * Finds what has changed of the members of a group, once for all features that follow it, and tells each feature what
 * it wants to know, as bits (change-bits.ts).
 *
 * What members share (geometries, materials, textures) is compared once per update: shared-resources.ts. In each update
 * the group compares the transforms of watched objects and how they are drawn (`wordOf`), in one walk, and names those
 * that differ (`recheck`). Static members are compared when they are reported, and in turn. The group finds moves. A
 * change is found by the difference from what is stored here; then it is stored, so it is told once.
 *
 * The columns are by body. A leaf has a word, a mask and a render order. Any other member (a tree, a sprite, instances)
 * has a list of values, and a word that combines those of all that it draws.
 */

import type { BufferGeometry, Material, Mesh, Object3D } from 'three';
import { withCapacity } from '../../math/typed-arrays.ts';
import { traitsOf } from '../bounds/material-traits.ts';
import { isSprite } from '../bounds/object-kinds.ts';
import {
  CALLS,
  CASTER,
  CASTS,
  GEOMETRY,
  KIND,
  LAYERS,
  LOOK,
  MATERIAL,
  NEW_BOUNDS,
  ORDER,
  OWN_DEPTH,
  PLACE,
  RECEIVES,
  SHOWN,
  UNKNOWN,
  VALUES,
} from './change-bits.ts';
import type { ChangeDetector, DetectedMember, DetectorHost, OnChanged } from './change-detector.ts';
import { GeometryRecord } from './geometry-record.ts';
import { MaterialArrayRecord, MaterialRecord } from './material-record.ts';
import { isRepeated, isUnknownKind, readTree, shownWordOf, wordOf } from './object-words.ts';
import { SharedResources } from './shared-resources.ts';
import { Textures } from './texture-record.ts';
import { UsualRows } from './usual-fields.ts';
import { Values } from './values.ts';

/** Resources of each kind that one update compares; the others follow in turn. Test: turns.test. */
const RESOURCES_PER_UPDATE = 2048;

/** Follows what changes of the members with bodies. */
export interface ChangeSubscriber<M extends DetectedMember = DetectedMember> {
  /**
   * The bits that it is told. Unless any subscriber wants to know what materials look like, only new traits and new
   * versions of them are found at once.
   */
  readonly wants: number;
  /**
   * Geometries of which each update compares all; the others follow in turn. 2,048 if it is left out. Of those of
   * watched members each update compares what code usually changes: see `GeometryRecord.hasUsualChange`.
   */
  readonly geometriesPerUpdate?: number;
  /**
   * Materials of which each update compares all fields; the others follow in turn. 2,048 if it is left out. Of the
   * others each update compares the usual fields: see `UsualRows.take`.
   */
  readonly materialsPerUpdate?: number;
  /**
   * Whether it is told of moves that one update has found by a later one at the latest that has passes cull again: see
   * follow-rule.ts of the group.
   */
  readonly canMissMoves?: boolean;
  /** A member has got a body. */
  added?(member: M): void;
  /**
   * A member has changed, or is about to get new bounds: the bounds in the octree and `Detector.wordAt` are still those
   * of before, the fields of the object are the new ones.
   */
  changing?(member: M, bits: number): void;
  /** A member loses its body. */
  removed?(member: M): void;
  /** A material has changed. Called once with all bits, before `changing` of the members that use it. */
  changingMaterial?(material: Material, bits: number): void;
  /** A first member uses a material. */
  tookMaterial?(material: Material): void;
  /** The last member that uses a material has lost its body, or uses another one. */
  forgotMaterial?(material: Material): void;
}

/** Bits of the columns of words, beside those of `wordOf`. */
const IS_PART = 1 << 29;
/** The next update compares only how the member is shown: a third of the time of a comparison. */
const IS_GLANCED = 1 << 30;
/** The next update compares the member. */
const IS_SUSPECT = 1 << 31;
const ALL = ~(IS_PART | IS_GLANCED | IS_SUSPECT);
const SHOWING = SHOWN | CASTS | RECEIVES;

export class Detector<M extends DetectedMember = DetectedMember> implements ChangeDetector<M> {
  readonly staticPerUpdate = 64;
  readonly wordOf = wordOf;
  /** Of the members whose pictures, and those whose shadow maps, may change without a change of a value. */
  readonly unknown = new Set<M>();
  readonly unknownCasters = new Set<M>();

  private readonly host: DetectorHost<M>;
  private readonly subscribers = new Set<ChangeSubscriber<M>>();
  /** Members that were reported since the last update. */
  private readonly reports = new Set<M>();
  private hasSuspects = false;
  private readonly textures = new Textures();
  /** By number of a material. */
  private readonly usual = new UsualRows();
  readonly geometries = new SharedResources(
    (geometry: BufferGeometry) => new GeometryRecord(geometry),
    RESOURCES_PER_UPDATE,
  );
  readonly materials = new SharedResources(
    (material: Material, number) => {
      // Before subscribers are told: there may be no memory for it.
      const record = new MaterialRecord(material, this.textures);
      this.usual.take(material, number);
      for (const subscriber of this.subscribers) subscriber.tookMaterial?.(material);
      return record;
    },
    RESOURCES_PER_UPDATE,
    {
      changing: (material, bits) => {
        // Otherwise a value that changes back before the next comparison would count as unchanged.
        this.usual.take(material, this.materials.numbers.get(material)!);
        for (const subscriber of this.subscribers) subscriber.changingMaterial?.(material, bits);
      },
      forgot: (material) => {
        for (const subscriber of this.subscribers) subscriber.forgotMaterial?.(material);
      },
    },
  );
  readonly arrays = new SharedResources(
    (materials: readonly Material[]) => new MaterialArrayRecord(materials),
    RESOURCES_PER_UPDATE,
  );
  /** Null where there is no member. */
  readonly objects: (Object3D | null)[] = [];
  private words = new Int32Array(256);
  private masks = new Int32Array(256);
  /** Render orders; 0 for bodies beyond its end. Most scenes use none. */
  private orders = new Float64Array(0);
  /** Of members that are no leaves. */
  readonly trees = new Map<M, Values>();

  private constructor(host: DetectorHost<M>) {
    this.host = host;
  }

  /**
   * Has a group tell a feature of changes, first of all of each member with a body as added: at once of those that the
   * detector has, later of the others (`hasAll`).
   */
  static subscribe<M extends DetectedMember>(host: DetectorHost<M>, subscriber: ChangeSubscriber<M>): Detector<M> {
    const { detector } = host;
    const found = detector instanceof Detector ? (detector as Detector<M>) : new Detector<M>(host);
    if (found !== detector) host.useDetector(found);
    for (const member of host.detectedMembers()) subscriber.added?.(member);
    found.subscribers.add(subscriber);
    return found;
  }

  unsubscribe(subscriber: ChangeSubscriber<M>): void {
    // A second call must not take the place of a detector that came later.
    if (this.subscribers.delete(subscriber) && this.subscribers.size === 0) this.host.useDetector(null);
  }

  get needsMoves(): boolean {
    for (const { canMissMoves } of this.subscribers) if (canMissMoves !== true) return true;
    return false;
  }

  /** Whether all members with bodies were told as added. */
  get hasAll(): boolean {
    return this.host.isTakenOver;
  }

  /** The bits up to KIND of a member, as last told; see `wordOf`. */
  wordAt(body: number): number {
    return this.words[body];
  }

  /**
   * Whether a leaf is as last told, in what shows without an update: whether it is visible, its shadows, layers, render
   * order, geometry and material. If not, the next update compares it. For passes, because code may change it after an
   * update. Costs about 20 ns.
   */
  isAsTold(body: number): boolean {
    const object = this.objects[body];
    if (object === null) return true;
    const isAsTold =
      shownWordOf(object, this.isShown(object, body)) === (this.words[body] & SHOWING) &&
      (object.layers.mask | 0) === this.masks[body] &&
      Object.is(object.renderOrder, this.orderAt(body)) &&
      this.hasToldSource(object, body);
    if (!isAsTold) this.recheck(body);
    return isAsTold;
  }

  /**
   * Has the next search for changes compare the member of a body: all of them in the order of bodies, in which most lie
   * in memory.
   *
   * @param isShowing Whether it compares only how a leaf is shown.
   */
  recheck(body: number, isShowing?: boolean): void {
    this.words[body] |= isShowing ? IS_GLANCED : IS_SUSPECT;
    this.hasSuspects = true;
  }

  /** Whether a part of a member, itself included, may change without a change of a value. */
  isUnknownPart(object: Object3D, isCaster: boolean): boolean {
    const { geometry, material } = object as { geometry?: BufferGeometry; material?: Material | Material[] };
    if (isUnknownKind(object) || (wordOf(object) & (CALLS | OWN_DEPTH)) !== 0) return true;
    const record = geometry && this.geometries.get(geometry);
    if (record?.isUnknown === true || record?.isMorphing === true) return true;
    for (const each of Array.isArray(material) ? material : [material]) {
      const found = each ? this.materials.get(each) : undefined;
      if (isCaster ? found?.isUnknownCaster : found?.isUnknown) return true;
    }
    return false;
  }

  add(member: M): void {
    const { boundsSource, watchedSource } = member;
    if (watchedSource === boundsSource) return;
    this.restart(member);
    if (watchedSource === null) for (const subscriber of this.subscribers) subscriber.added?.(member);
  }

  remove(member: M): void {
    if (member.watchedSource === null) return;
    for (const subscriber of this.subscribers) subscriber.removed?.(member);
    this.forget(member, member.body!.index);
    member.watchedSource = null;
    this.reports.delete(member);
  }

  moving(member: M, isMoved: boolean): void {
    const { watchedSource, compound, object } = member;
    let bits = isMoved ? PLACE : 0;
    if (watchedSource !== null && (compound !== null || watchedSource.sources.length > 1)) {
      if (watchedSource !== member.boundsSource) bits |= GEOMETRY | MATERIAL | KIND;
    } else if (watchedSource !== null) {
      const [{ geometry, material }] = watchedSource.sources;
      if ((object as Mesh).geometry !== geometry) bits |= GEOMETRY;
      if ((object as Mesh).material !== material) bits |= MATERIAL;
    }
    this.tell(member, bits);
  }

  reported(member: M): void {
    this.reports.add(member);
    if (member.watchedSource === null) return;
    const { index } = member.body!;
    for (const resources of this.resources) resources.compareNext(index);
  }

  visitChanged(onChanged: OnChanged<M>): void {
    this.textures.update++;
    const visit = (body: number, bits: number): void => {
      const member = this.host.memberAt(body);
      this.tell(member, bits);
      // An array with other elements: the member uses other materials, too.
      if ((bits & MATERIAL) !== 0) this.restart(member);
      else if ((bits & UNKNOWN) !== 0) this.findUnknown(member);
      if ((bits & NEW_BOUNDS) !== 0) onChanged(member);
    };
    let wants = 0;
    let geometriesPerUpdate = 0;
    let materialsPerUpdate = 0;
    let readsTraits = false;
    for (const subscriber of this.subscribers) {
      wants |= subscriber.wants;
      geometriesPerUpdate = Math.max(geometriesPerUpdate, subscriber.geometriesPerUpdate ?? RESOURCES_PER_UPDATE);
      if ((subscriber.wants & (VALUES | LOOK | CASTER)) === 0) readsTraits = true;
      else materialsPerUpdate = Math.max(materialsPerUpdate, subscriber.materialsPerUpdate ?? RESOURCES_PER_UPDATE);
    }
    this.arrays.visitChanged(visit);
    this.geometries.visitChanged(visit, wants, geometriesPerUpdate, (one) => one.isWatched && one.hasUsualChange);
    if (materialsPerUpdate === 0) materialsPerUpdate = RESOURCES_PER_UPDATE;
    this.materials.visitChanged(
      visit,
      wants,
      materialsPerUpdate,
      (one, material, number) =>
        this.usual.take(material, number) || (readsTraits && traitsOf(material) !== one.traits),
    );
    // First: what is told below is compared again by the next update. In this one an effect that hides objects for a
    // render has not shown them yet.
    if (this.hasSuspects) this.compareSuspects(onChanged);
    for (const member of this.trees.keys()) if (!member.isStatic) this.compare(member, onChanged);
    for (const member of this.reports) if (member.watchedSource !== null) this.compare(member, onChanged);
    this.reports.clear();
  }

  compare(member: M, onChanged: OnChanged<M>, isShowing?: boolean): void {
    const body = member.body!.index;
    const leaf = this.objects[body];
    const tree = leaf === null ? this.trees.get(member) : undefined;
    const bits = tree === undefined ? this.differences(body, isShowing) : this.treeDifferences(member, tree);
    if (bits !== 0) {
      this.tell(member, bits);
      // Not by `store`, which reads all fields: that takes too long for thousands that are hidden at once.
      if (leaf !== null && (bits & ~(SHOWING | LAYERS)) === 0) {
        this.words[body] ^= bits & SHOWING;
        if ((bits & LAYERS) !== 0) this.masks[body] = leaf.layers.mask;
        this.recheck(body, (bits & LAYERS) === 0);
      }
      // If its parts are about to be collected again, `add` stores it with them.
      else if (member.watchedSource === member.boundsSource) this.store(member, body);
    }
    const object = this.objects[body];
    // The word of a tree does not tell which of its objects has another kind. `moving` tells of another source.
    if ((bits & NEW_BOUNDS) !== 0 || (object !== null && !this.hasToldSource(object, body)))
      onChanged(member, tree !== undefined);
  }

  /** Whether a leaf has the geometry and the material that were told last. */
  private hasToldSource(object: Object3D, body: number): boolean {
    const { geometry, material } = object as Partial<Mesh>;
    if (!this.geometries.isFirst(geometry, body)) return false;
    return Array.isArray(material) ? this.arrays.isFirst(material, body) : this.materials.isFirst(material, body);
  }

  private compareSuspects(onChanged: OnChanged<M>): void {
    this.hasSuspects = false;
    for (let body = 0; body < this.objects.length; body++) {
      const marks = this.words[body] & ~(ALL | IS_PART);
      if (marks === 0) continue;
      this.words[body] ^= marks;
      try {
        this.compare(this.host.memberAt(body), onChanged, marks === IS_GLANCED);
      } catch (error) {
        // The walk has stored what it saw: the next update compares it again.
        this.recheck(body);
        throw error;
      }
    }
  }

  /** The bits in which a leaf differs from what is stored. */
  private differences(body: number, isShowing?: boolean): number {
    const object = this.objects[body]!;
    if (isShowing) return (shownWordOf(object, this.isShown(object, body)) ^ this.words[body]) & SHOWING;
    return (
      (wordOf(object, this.isShown(object, body)) ^ (this.words[body] & ALL)) |
      ((object.layers.mask | 0) === this.masks[body] ? 0 : LAYERS) |
      (Object.is(object.renderOrder, this.orderAt(body)) ? 0 : ORDER)
    );
  }

  private orderAt(body: number): number {
    return body < this.orders.length ? this.orders[body] : 0;
  }

  private isShown({ visible }: Object3D, body: number): boolean {
    return visible && !((this.words[body] & IS_PART) !== 0 && this.host.memberAt(body).hasHiddenAncestor);
  }

  private treeDifferences(member: M, tree: Values): number {
    const word = readMember(member, tree);
    if (!tree.end()) return 0;
    return (word ^ (this.words[member.body!.index] & ALL)) | SHOWN | CASTS | RECEIVES | LAYERS | ORDER | KIND;
  }

  /** Stores how a member is, as told. */
  private store(member: M, body: number): void {
    const { object, isDescendant } = member;
    this.reserve(member, body);
    // A bit does not tell which material of its own a leaf has.
    const hasOwnDepth = (wordOf(object) & OWN_DEPTH) !== 0;
    const isLeaf = member.compound === null && !isSprite(object) && !isRepeated(object) && !hasOwnDepth;
    this.objects[body] = isLeaf ? object : null;
    this.words[body] = isDescendant ? IS_PART : 0;
    if (isLeaf) {
      this.trees.delete(member);
      this.words[body] |= wordOf(object, this.isShown(object, body));
      this.masks[body] = object.layers.mask;
      if (body < this.orders.length) this.orders[body] = object.renderOrder;
    } else {
      let tree = this.trees.get(member);
      if (tree === undefined) this.trees.set(member, (tree = new Values()));
      this.words[body] |= readMember(member, tree);
      tree.end();
    }
    this.findUnknown(member);
    // The group may not have seen this state: it would miss a change back to the one before.
    this.recheck(body);
  }

  private forget(member: M, body: number): void {
    for (const resources of this.resources) resources.remove(body);
    this.objects[body] = null;
    this.words[body] = 0;
    this.trees.delete(member);
    this.unknown.delete(member);
    this.unknownCasters.delete(member);
  }

  private restart(member: M): void {
    const body = member.body!.index;
    const { boundsSource } = member;
    // First: without memory all is as before, and the next update tries again.
    this.reserve(member, body);
    this.forResources(boundsSource!, body, 'prepare');
    const released = this.resources.map((resources) => resources.detach(body));
    this.forResources(boundsSource!, body, 'add');
    for (const [k, resources] of this.resources.entries()) resources.release(released[k]);
    member.watchedSource = boundsSource;
    if (!member.isStatic)
      for (const { geometry } of boundsSource!.sources) if (geometry) this.geometries.get(geometry)!.isWatched = true;
    this.store(member, body);
  }

  private get resources(): readonly Pick<
    SharedResources<object, never>,
    'compareNext' | 'detach' | 'release' | 'remove'
  >[] {
    return [this.geometries, this.materials, this.arrays];
  }

  /** Calls a method for all resources of a source. */
  private forResources({ sources }: NonNullable<M['boundsSource']>, body: number, method: 'prepare' | 'add'): void {
    for (const { geometry, materials } of sources) {
      if (geometry) this.geometries[method](geometry, body);
      for (const material of materials) {
        if (Array.isArray(material)) this.arrays[method](material, body);
        for (const each of Array.isArray(material) ? material : [material])
          if (each) this.materials[method](each, body);
      }
    }
  }

  /** Finds out whether values show all changes of a member. */
  private findUnknown(member: M): void {
    for (const isCaster of [false, true]) {
      const isUnknown = (node: Object3D): boolean => this.isUnknownPart(node, isCaster);
      const all = isCaster ? this.unknownCasters : this.unknown;
      if (member.compound?.nodes.some(isUnknown) ?? isUnknown(member.object)) all.add(member);
      else all.delete(member);
    }
  }

  private tell(member: M, bits: number): void {
    for (const subscriber of this.subscribers) if ((bits & subscriber.wants) !== 0) subscriber.changing?.(member, bits);
  }

  private reserve({ object }: M, body: number): void {
    this.words = withCapacity(this.words, body + 1);
    this.masks = withCapacity(this.masks, body + 1);
    if (!Object.is(object.renderOrder, 0)) this.orders = withCapacity(this.orders, body + 1);
    while (this.objects.length <= body) this.objects.push(null);
  }
}

/** Reads a member that is no leaf. A member with a hidden ancestor shows nothing. */
function readMember(member: DetectedMember, tree: Values): number {
  return member.hasHiddenAncestor ? 0 : readTree(member.object, tree);
}
