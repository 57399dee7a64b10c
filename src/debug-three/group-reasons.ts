/** Why a pass draws an object of an OctreeGroup, or leaves it out, and by what. Asks the group, and its features. */

import { Box3, Sphere, type Frustum, type Material, type Mesh } from 'three';
import type { BatchKeys } from '../batches/batch-keys.ts';
import { slotOf } from '../batches/draw-states.ts';
import type { BatchKey } from '../batches/mergeable.ts';
import { MergedChunk } from '../batches/merged-chunk.ts';
import type { SharedMaterials } from '../batches/shared-materials.ts';
import type { StaticBatches } from '../batches/static-batches.ts';
import type { OcclusionPass } from '../occlusion/culling/occlusion-pass.ts';
import { collectVisible } from '../occlusion/visible/visible.ts';
import type { Body, ReadOnlyOctree } from '../three-math/octree.ts';
import type { BodySpace } from '../three/bounds/body-space.ts';
import { nameOf } from '../three/bounds/object-kinds.ts';
import type { Member } from '../three/group/member.ts';
import type { OctreeGroup } from '../three/group/octree-group.ts';
import { scenesAbove } from '../three/passes/pass-renderer.ts';
import type { PassOcclusion } from '../three/passes/pass-occlusion.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import type { Reason } from './explanation.ts';
import type { PassResult, PassWalk } from './pass-walk.ts';
import { namesOf, planeBeyond, unculledReason } from './sentences.ts';

/** Of a `BatchKey`, beside material and attributes. */
const STATE = ['castShadow', 'receiveShadow', 'layerMask', 'renderOrder'] as const;

/** The features of a container that leave things out. */
interface Features {
  readonly bodies: { culling: PassOcclusion | undefined };
  readonly screenSize: { min: number };
}

/**
 * Why a container leaves something out: its features are switched off one after the other, until it is listed.
 *
 * @param isListed Runs a pass; returns whether it lists what is looked for.
 * @param body Of what is looked for; -1 if it has none.
 * @param plane Names the plane of the frustum outside of which it lies.
 */
export function leftOutReason(
  { bodies, screenSize }: Features,
  isListed: () => boolean,
  body: number,
  plane: () => string | null,
): Reason {
  const { culling } = bodies;
  const { min } = screenSize;
  try {
    bodies.culling = undefined;
    if (culling !== undefined && isListed()) {
      bodies.culling = culling;
      // The pass that leaves it out, once more.
      isListed();
      return 'projection' in culling ? occlusionReason(culling as OcclusionPass, body) : BY_TILES;
    }
    screenSize.min = 0;
    if (min > 0 && isListed()) return { kind: 'size', text: `it looks smaller than minScreenSize, ${min}`, about: [] };
  } finally {
    bodies.culling = culling;
    screenSize.min = min;
    isListed();
  }
  const text = plane();
  return text === null
    ? { kind: 'unknown', text: 'its container leaves it out, and its bounds are in the frustum: a fault', about: [] }
    : { kind: 'frustum', text: `its bounds are ${text}`, about: [] };
}

/** The plane of a frustum outside of which a body lies, in words; null if it touches the inner side of all. */
export function bodyBeyond(
  octree: ReadOnlyOctree<unknown>,
  { kind, index }: Pick<Body<unknown>, 'kind' | 'index'>,
  space: BodySpace,
  frusta: readonly Frustum[],
): string | null {
  const bounds = kind === 'sphere' ? octree.getSphereAt(index, new Sphere()) : octree.getBoxAt(index, new Box3());
  const planes = frusta.map((frustum) => planeBeyond(space.frustumOf(frustum).planes, bounds));
  return planes.includes(null) ? null : planes[0];
}

const BY_TILES: Reason = { kind: 'occlusion', text: 'each object in it is behind others, by TileOcclusion', about: [] };

/** The occluders that hide a body: without them the same walk finds it. */
function occlusionReason({ bodies, projection, options, visible }: OcclusionPass, body: number): Reason {
  const list = new IndexList();
  // A view of its own: the walk keeps what it knows of a view.
  const { projectionMatrix, matrixWorldInverse, coordinateSystem, reversedDepth } = projection;
  const view = { projectionMatrix, matrixWorldInverse, coordinateSystem, reversedDepth };
  const isHiddenBy = (occluders: readonly number[]): boolean => {
    const kept = new Set([body, ...occluders]);
    const filter = ({ index }: { readonly index: number }): boolean => kept.has(index);
    collectVisible(bodies.octree, view, list, { ...options, minRemoved: 0, filter });
    return !Array.from(list).includes(body);
  };
  let hiding = Array.from(visible).filter((index) => bodies.isOccluderAt(index));
  if (!isHiddenBy(hiding)) return { kind: 'occlusion', text: 'it is hidden by occluders', about: [] };
  // Leaves out ever smaller parts of the list without which it is hidden too.
  for (let size = hiding.length >> 1; size > 0; size >>= 1)
    for (let k = 0; k < hiding.length;) {
      const rest = [...hiding.slice(0, k), ...hiding.slice(k + size)];
      if (rest.length > 0 && isHiddenBy(rest)) hiding = rest;
      else k += size;
    }
  const about = hiding.map((index) => bodies.itemAt(index)!);
  const names = namesOf(about.map((one) => (typeof one === 'number' ? `the instance ${one}` : one)));
  return { kind: 'occlusion', text: `it is behind ${names}`, about };
}

/** What a group does with one of its objects. */
export class GroupReasons {
  readonly group: OctreeGroup;
  /** The member that the object is, or that it belongs to; undefined while the group sleeps. */
  readonly member: Member | undefined = undefined;
  private readonly walk: PassWalk;
  private readonly batches: StaticBatches | null;

  constructor(group: OctreeGroup, walk: PassWalk) {
    this.group = group;
    this.walk = walk;
    const children = group.awake;
    for (const object of walk.path) this.member = children?.memberOf(object) ?? this.member;
    this.batches = (children?.bodies.drawing?.source as StaticBatches | undefined) ?? null;
  }

  /** What a batch draws in place of the object: where, in words; null if the renderer draws it, or nothing does. */
  drawnByBatch({ listed }: PassResult): string | null {
    const { batches, member } = this;
    if (batches === null || member === undefined) return null;
    const { members } = batches;
    if (!members.slots.draws(member)) return null;
    const address = members.states.placedAt(member);
    const chunk = members.slots.chunkAt(address);
    const slot = slotOf(address);
    const traits = members.keys.known((member.object as Mesh).material as Material);
    const others = traits?.hasPalette ? traits.shared!.drawnCount - 1 : 0;
    const name = `${chunk.isPosed ? 'posed chunk' : 'batch'} ${members.chunks.indexOf(chunk)}${
      others > 0 ? ` (its material is drawn as one with ${others} others, which differ in values only)` : ''
    }`;
    if (chunk instanceof MergedChunk) {
      const mesh = chunk.mesh;
      const indexStarts = chunk.indexStarts;
      const groups = listed.includes(mesh) ? mesh.geometry.groups : [];
      const range = groups.findIndex(
        ({ start, count }) => start <= indexStarts[slot] && indexStarts[slot + 1] <= start + count,
      );
      if (range < 0) return null;
      const { start, count } = groups[range];
      return `${name}, in its range ${range + 1} of ${groups.length} (indices ${start} to ${start + count})`;
    }
    const runs = chunk.runs;
    for (let k = 0; k < runs.length; k += 2)
      if (runs[k] <= slot && slot < runs[k + 1])
        return `${name}, as one of ${countOf(runs)} instances of the same geometry`;
    return null;
  }

  /** Whether the batch that has the object draws it with a copy of its material. */
  get isDrawnByCopy(): boolean {
    const { members } = this.batches!;
    return members.slots.chunkAt(members.states.placedAt(this.member!)).key.hasPalette;
  }

  /** Runs a pass without batches. */
  withoutBatches(): PassResult {
    const { bodies } = this.group.groupChildren;
    const { drawing } = bodies;
    bodies.drawing = null;
    try {
      return this.walk.run();
    } finally {
      bodies.drawing = drawing;
    }
  }

  leftOut(): Reason {
    const { group, member, walk } = this;
    const hidden = walk.path.slice(walk.path.indexOf(group) + 1).filter(({ visible }) => !visible);
    if (member === undefined || hidden.length > 0)
      return { kind: 'hidden', text: `visible of ${namesOf(hidden)} is false`, about: hidden };
    const { bodies } = group.groupChildren;
    const { octree, space } = bodies;
    const { body } = member;
    const isListed = (): boolean => {
      const { end, at } = walk.run();
      return !(end === 'left out' && at === group);
    };
    const { drawing } = bodies;
    // A pass does not list what its batches draw.
    bodies.drawing = null;
    try {
      const features = { bodies, screenSize: group.screenSize };
      return leftOutReason(features, isListed, body?.index ?? -1, () =>
        body === null ? null : bodyBeyond(octree, body, space, walk.frusta),
      );
    } finally {
      bodies.drawing = drawing;
      walk.run();
    }
  }

  /** What is to be known of an object that the renderer draws on its own: sentences. */
  get notes(): string[] {
    const { group, member, batches } = this;
    if (group.awake === null) return ['its group is small, and is drawn as a plain Group'];
    if (member === undefined) return [];
    const notes: string[] = [];
    const { pending, bodies } = group.awake;
    if (!group.canCull(scenesAbove(group)))
      notes.push('nothing is culled, because the scene or the renderer may move vertices');
    else if (bodies.areBoundsOld) notes.push('most members move, so each pass lists all, and the renderer culls them');
    if (member.bounds === 'unculled') {
      const wait = member.retryUpdate - bodies.updateCount;
      const reason = unculledReason(member.object);
      notes.push(
        `every pass draws it, because ${reason}; bounds are looked for again in ${wait} update${wait === 1 ? '' : 's'}`,
      );
    } else if (pending.has(member))
      notes.push(
        member.bounds === 'new'
          ? 'it is new, and every pass draws it until the next update'
          : 'it has moved or changed, and every pass draws it until the next update',
      );
    if (batches !== null) notes.push(batchNote(batches, member));
    return notes;
  }
}

/** Why a member is not drawn by a batch, in words. */
function batchNote(batches: StaticBatches, member: Member): string {
  const { members, pass, isBuilding } = batches;
  const { states } = members;
  const resting = states.resting.get(member);
  switch (states.of(member)) {
    case 'waiting':
      return isBuilding
        ? 'a batch that is being built will draw it'
        : `its batch is not built, because too few others of its kind wait${fieldsNote(members.keys.shared, member)}${nearestKind(batches, member)}`;
    case 'resting': {
      if (members.leftOut.has(member.object)) return 'leaveOut keeps it out of its batch';
      const fault = resting!.address < 0 ? members.faultOf(member) : null;
      if (fault !== null) return `no batch draws it: ${fault}`;
      const left = Math.max(members.states.returns[member.body!.index] - members.updates, 0);
      if (left === 0) return 'its batch draws it again after the next update';
      if (resting!.address >= 0) return `it has changed, and its batch draws it again after ${left} updates`;
      return `it ${resting!.isMoved ? 'has moved' : 'is new'}, and a batch may draw it after ${left} updates without a move${members.movers === null ? '' : `, or a posed chunk while ${members.movers.minPosed} or more move`}`;
    }
    case 'alone':
    case 'refused':
      return `no batch draws it: ${members.faultOf(member) ?? 'it is looked at in the next update'}`;
    default:
      if (!members.slots.draws(member)) return 'its batch draws it again after the next update';
      if (pass.leavesPosed && states.posed.has(member)) return 'it moves, and the pass has motion vectors';
      return pass.fault === null
        ? 'it has changed since the last update, so its batch does not draw it in this pass'
        : `no batch is drawn: ${pass.fault}`;
  }
}

/** In which fields the materials of the type of that of a member differ, so that they are not drawn as one. */
function fieldsNote({ fieldsApart }: SharedMaterials, { object }: Member): string {
  const { type } = (object as Mesh).material as Material;
  const texts = Array.from(fieldsApart, ([field, count]) =>
    field.startsWith(`${type}.`) ? `${field} has ${count} values` : [],
  ).flat();
  return texts.length === 0 ? '' : `: ${texts.join(', ')}, and each needs a batch of its own`;
}

/** The kind that differs in the fewest fields from that of a waiting member, and makes enough with it, in words. */
function nearestKind({ builder, members }: StaticBatches, member: Member): string {
  const { children, keys, slots, states } = members;
  const kinds = new Map<string, { readonly kind: Kind; count: number }>();
  for (const each of children.allMembers) {
    const address = states.placedAt(each);
    const key = address < 0 ? states.waiting.get(each) : slots.chunkAt(address).key;
    if (!key) continue;
    const counted = kinds.get(key.id) ?? { kind: [each, key], count: 0 };
    kinds.set(key.id, counted);
    counted.count++;
  }
  const key = states.waiting.get(member);
  const own = key && kinds.get(key.id);
  const [nearest] = Array.from(kinds.values())
    .filter((other) => own && other !== own && other.count + own.count >= builder.minMembers)
    .map(({ kind, count }) => ({ kind, count, fields: fieldsBetween(keys, own!.kind, kind) }))
    .filter(({ fields }) => fields.length > 0)
    .sort((a, b) => a.fields.length - b.fields.length || b.count - a.count);
  if (nearest === undefined) return '';
  const { kind, count, fields } = nearest;
  return `; nearest are ${count} of the kind of ${nameOf(kind[0].object)}, which differ in ${fields.join(', ')}`;
}

type Kind = readonly [first: Member, key: BatchKey];

/** The fields in which two kinds differ. */
function fieldsBetween(keys: BatchKeys, [first, key]: Kind, [otherFirst, otherKey]: Kind): string[] {
  const [material, other] = [first, otherFirst].map(({ object }) => (object as Mesh).material as Material);
  const [shared, otherShared] = [material, other].map((each) => keys.known(each)?.shared);
  const fields = new Map(shared?.fields);
  const otherFields = new Map(otherShared?.fields);
  const apart = Array.from(fields.keys()).filter((name) => fields.get(name) !== otherFields.get(name));
  const isSame = material === other || (shared === otherShared && shared?.draws(material) && shared.draws(other));
  const isLike = apart.length > 0 && material.type === other.type;
  const names = ['position', 'normal', 'tangent', 'color', 'uv', 'uv1', 'uv2'];
  return [
    ...(isSame ? [] : isLike ? apart : ['material']),
    ...STATE.filter((name) => key[name] !== otherKey[name]).map((name) => name.replace('layerMask', 'layers')),
    ...names.filter((name) => key.attributes.get(name) !== otherKey.attributes.get(name)),
  ];
}

function countOf(runs: readonly number[]): number {
  let count = 0;
  for (let k = 0; k < runs.length; k += 2) count += runs[k + 1] - runs[k];
  return count;
}
