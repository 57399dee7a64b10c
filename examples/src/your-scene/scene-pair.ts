// One scene twice, with the same geometries and materials: in three's own Group, and in an OctreeGroup in which each
// mesh is a body.

import {
  AnimationMixer,
  type Bone,
  Box3,
  DirectionalLight,
  Group,
  InstancedMesh,
  type Light,
  type Mesh,
  type Object3D,
  PropertyBinding,
  SkinnedMesh,
  Sphere,
  SpotLight,
  Vector3,
} from 'three';
import { OctreeGroup } from '../../../src/three.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { disposeTree } from '../shared/dispose-tree.ts';
import type { LoadedScene } from './load-scene.ts';

/** Work per step, in objects: less than a millisecond. */
const STEP = 32;
/**
 * Minimum work between two updates of the OctreeGroup, in objects; 1/32 of all objects if that is more. Each update
 * also checks all earlier objects.
 */
const BATCH = 256;
/** Vertices whose bounds take as long as an object. */
const VERTICES_PER_OBJECT = 100;

export interface SceneCounts {
  readonly objects: number;
  readonly meshes: number;
  readonly triangles: number;
  readonly lights: number;
}

interface SceneFacts {
  readonly counts: SceneCounts;
  readonly samples: readonly Mesh[];
  readonly bounds: Box3;
}

export class ScenePair {
  readonly name: string;
  readonly notes: readonly string[];
  readonly plain = new Group();
  readonly culled: OctreeGroup;
  readonly counts: SceneCounts;
  /** Meshes to upload and compile in advance: one of each combination of geometry and material. */
  readonly samples: readonly Mesh[];
  /** Around all meshes that are not huge. */
  readonly bounds: Box3;
  readonly sphere: Sphere;
  /** Of the longest animation, in seconds. The first animation is played. */
  readonly duration: number;
  /** Number of objects that animations move. */
  readonly animatedCount: number;
  private readonly mixers: readonly AnimationMixer[];

  constructor(
    { name, notes, root, animations }: LoadedScene,
    culled: OctreeGroup,
    { counts, samples, bounds }: SceneFacts,
  ) {
    this.name = name;
    this.notes = notes;
    this.culled = culled;
    this.counts = counts;
    this.samples = samples;
    this.bounds = bounds;
    this.sphere = bounds.getBoundingSphere(new Sphere());
    this.plain.add(root);
    this.duration = Math.max(0, ...animations.map(({ duration }) => duration));
    this.animatedCount = new Set(
      animations.flatMap(({ tracks }) => tracks.map(({ name }) => PropertyBinding.parseTrackName(name).nodeName)),
    ).size;
    this.mixers = animations.length === 0 ? [] : [root, culled].map((tree) => new AnimationMixer(tree));
    for (const mixer of this.mixers) for (const clip of animations.slice(0, 1)) mixer.clipAction(clip).play();
  }

  get isAnimated(): boolean {
    return this.mixers.length > 0;
  }

  /** Moves both copies to a time of their animation. */
  animateTo(seconds: number): void {
    for (const mixer of this.mixers) mixer.setTime(this.duration > 0 ? seconds % this.duration : 0);
  }

  /**
   * Brings the world matrices and bounds of both copies up to date, so that picks find both in the same pose. A frame
   * updates only the copy that it draws.
   */
  update(): void {
    for (const copy of [this.plain, this.culled]) copy.updateMatrixWorld();
    // three computes the bounds of a skin only once.
    this.plain.traverse((object) => object instanceof SkinnedMesh && object.computeBoundingSphere());
  }

  /** Whether nothing in the OctreeGroup moves by itself. A change recomputes all bounds. */
  set isStatic(isStatic: boolean) {
    for (const child of this.culled.children) this.culled.setStatic(child, isStatic);
    this.culled.updateMatrixWorld();
  }

  /** Frees the GPU memory of both copies. */
  dispose(): void {
    for (const mixer of this.mixers) mixer.stopAllAction();
    disposeTree(this.plain);
    disposeTree(this.culled);
  }
}

/** An object is huge if it is larger than the median by this factor. */
const HUGE = 400;

/**
 * Copies a loaded scene into an OctreeGroup. The copies have the uuids of their originals, so that animations and picks
 * find both.
 *
 * @param isStatic Whether nothing moves.
 */
export function* pairScene(loaded: LoadedScene, isStatic: boolean): SlicedWork<ScenePair> {
  const originals: Object3D[] = [];
  loaded.root.traverse((object) => originals.push(object));
  yield 0;
  loaded.root.updateMatrixWorld();
  yield 0.03;
  const samples = samplesOf(originals);
  yield 0.06;
  const counts = countsOf(originals);
  const weights = weightsOf(originals);
  const bounds = yield* partOf(boundsOf(originals, weights), 0.1, 0.3);
  const culled = new OctreeGroup();
  // An animation may move any parent, so then all of them need a copy.
  yield* partOf(copyInto(culled, loaded.root, weights, loaded.animations.length === 0, isStatic), 0.3, 1);
  return new ScenePair(loaded, culled, { counts, samples, bounds });
}

/** Work of each object: one, and more for the vertices of a geometry that no earlier object has. */
function weightsOf(objects: readonly Object3D[]): Map<Object3D, number> {
  const known = new Set<unknown>();
  return new Map(
    objects.map((object) => {
      const { geometry } = object as Partial<Mesh>;
      const vertices =
        geometry === undefined || known.has(geometry) ? 0 : (geometry.getAttribute('position')?.count ?? 0);
      known.add(geometry);
      return [object, 1 + vertices / VERTICES_PER_OBJECT];
    }),
  );
}

/** The box around all meshes, except meshes that are far larger than the others, such as a sky. */
function* boundsOf(objects: readonly Object3D[], weights: ReadonlyMap<Object3D, number>): SlicedWork<Box3> {
  const boxes: Box3[] = [];
  let work = 0;
  for (const [k, object] of objects.entries()) {
    if (work > STEP) {
      yield k / objects.length;
      work = 0;
    }
    work += weights.get(object)!;
    const { isMesh, geometry } = object as Mesh;
    if (!isMesh) continue;
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    const own =
      object instanceof InstancedMesh || object instanceof SkinnedMesh
        ? (object.computeBoundingBox(), object.boundingBox)
        : geometry.boundingBox;
    const box = own!.clone().applyMatrix4(object.matrixWorld);
    if (Number.isFinite(box.min.x + box.min.y + box.min.z + box.max.x + box.max.y + box.max.z)) boxes.push(box);
  }
  const size = new Vector3();
  const sizes = boxes.map((box) => box.getSize(size).length());
  const median = [...sizes].sort((a, b) => a - b)[sizes.length >> 1] ?? 0;
  const bounds = new Box3();
  for (const [k, box] of boxes.entries()) if (sizes[k] <= median * HUGE) bounds.union(box);
  // A scene without extent still gets a camera.
  if (bounds.isEmpty()) bounds.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  else if (bounds.getSize(size).length() === 0) bounds.expandByScalar(1);
  return bounds;
}

/** Fills the group piece by piece, with an update in between, so that no step has to insert all bodies. */
function* copyInto(
  group: OctreeGroup,
  root: Object3D,
  weights: ReadonlyMap<Object3D, number>,
  isSplit: boolean,
  isStatic: boolean,
): SlicedWork<void> {
  const copies = new Map<Object3D, Object3D>();
  const linked: Object3D[] = [];
  const count = weights.size;
  const batch = Math.max(BATCH, count >> 5);
  let work = 0;
  for (const { parent, objects } of piecesOf(root, batch, weights, isSplit)) {
    const holder = parent === root ? null : holderOf(parent);
    for (const object of objects) {
      const originals: Object3D[] = [];
      object.traverse((one) => originals.push(one));
      for (const original of originals) {
        const copy = copyOf(original);
        copies.set(original, copy);
        work += weights.get(original)!;
        if (original !== object) copies.get(original.parent!)!.add(copy);
        if (original instanceof SkinnedMesh || hasTarget(original)) linked.push(original);
        if (copies.size % STEP === 0) yield copies.size / count;
      }
      const copy = copies.get(object)!;
      if (holder) holder.add(copy);
      else group.addTree(copy, { isStatic });
    }
    if (holder) group.addTree(holder, { isStatic });
    // Before all bones are copied, a skinned mesh has no valid bounds.
    if (work < batch || linked.length > 0) continue;
    group.updateMatrixWorld();
    work = 0;
    yield Math.min(1, copies.size / count);
  }
  yield 1;
  for (const original of linked) connect(original, copies);
  group.updateMatrixWorld();
}

/** Objects, with all below them, that are added to the OctreeGroup together. They have the same parent. */
interface Piece {
  readonly parent: Object3D;
  readonly objects: readonly Object3D[];
}

/** Cuts a tree into pieces of about `size` work, or into the children of its root. */
function* piecesOf(
  parent: Object3D,
  size: number,
  weights: ReadonlyMap<Object3D, number>,
  isSplit: boolean,
): Generator<Piece, void, void> {
  let objects: Object3D[] = [];
  let held = 0;
  for (const child of parent.children) {
    let below = 0;
    child.traverse((object) => void (below += weights.get(object)!));
    if (isSplit && below > size && isPlainParent(child)) {
      yield* piecesOf(child, size, weights, true);
      continue;
    }
    objects.push(child);
    held += below;
    if (held < size) continue;
    yield { parent, objects };
    [objects, held] = [[], 0];
  }
  if (objects.length > 0) yield { parent, objects };
}

/** Whether an object only places its children. */
const isPlainParent = ({ type, visible }: Object3D): boolean => visible && (type === 'Group' || type === 'Object3D');

/** Places objects as their original parent does, which has no copy. */
function holderOf(parent: Object3D): Group {
  const holder = new Group();
  holder.matrix.copy(parent.matrixWorld);
  holder.matrixAutoUpdate = false;
  return holder;
}

/** A copy without children that shares geometry, material and instances. */
function copyOf(original: Object3D): Object3D {
  const copy = original.clone(false);
  copy.uuid = original.uuid;
  // The copy of a light with a target has a new target, which is not among its children.
  copy.clear();
  if (copy instanceof InstancedMesh && original instanceof InstancedMesh) {
    copy.instanceMatrix = original.instanceMatrix;
    copy.instanceColor = original.instanceColor;
  }
  return copy;
}

/** Lets a copy refer to the copies of the bones and the target of its original. */
function connect(original: Object3D, copies: ReadonlyMap<Object3D, Object3D>): void {
  const copy = copies.get(original)!;
  if (original instanceof SkinnedMesh && copy instanceof SkinnedMesh) {
    const skeleton = original.skeleton.clone();
    skeleton.bones = original.skeleton.bones.map((bone) => (copies.get(bone) ?? bone) as Bone);
    copy.bind(skeleton, original.bindMatrix);
  } else if (hasTarget(original) && hasTarget(copy)) {
    const target = copies.get(original.target);
    if (target) copy.target = target;
  }
}

const hasTarget = (object: Object3D): object is DirectionalLight | SpotLight =>
  object instanceof DirectionalLight || object instanceof SpotLight;

function samplesOf(objects: readonly Object3D[]): Mesh[] {
  const samples = new Map<string, Mesh>();
  for (const object of objects) {
    const { isMesh, geometry, material } = object as Mesh;
    if (isMesh)
      samples.set([geometry.uuid, ...[material].flat().map(({ uuid }) => uuid), object.type].join(), object as Mesh);
  }
  return [...samples.values()];
}

function countsOf(objects: readonly Object3D[]): SceneCounts {
  let [meshes, triangles, lights] = [0, 0, 0];
  for (const object of objects) {
    lights += Number((object as Partial<Light>).isLight === true);
    const { isMesh, geometry } = object as Partial<Mesh>;
    if (!isMesh || !geometry) continue;
    meshes++;
    const corners = geometry.index?.count ?? geometry.getAttribute('position')?.count ?? 0;
    triangles += Math.floor(corners / 3) * (object instanceof InstancedMesh ? object.count : 1);
  }
  return { objects: objects.length, meshes, triangles, lights };
}
