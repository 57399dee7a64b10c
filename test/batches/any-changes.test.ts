/**
 * Random changes of static members and of batches, most of them not reported. Once the turn of static members has
 * come to all of them, each is where three draws it, and no batch draws an old state.
 */

import {
  BoxGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Vector3,
  type BufferGeometry,
  type Object3D,
  type Scene,
} from 'three';
import { poseSoon, setBatchLimits } from '../support/batch-limits.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { Detector } from '../../src/three/detector/detector.ts';
import type { Member } from '../../src/three/group/member.ts';
import { StaticBatches, type OctreeGroup } from '../../src/three.ts';
import { batchedAt, box, colorFrom, gray, membersOf, run, staticGroup } from '../support/batch-places.ts';
import { seedsOf } from '../support/history-profile.ts';
import { createRandom, type Random } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';
import { playShortened, randomOf } from '../support/shortened-history.ts';
import { validate } from '../../src/debug-three/index.ts';

const SEEDS = seedsOf(IS_LONG ? 40 : 10);
const COLORS = ['red', 'lime', 'blue', 'white'];
/** Members of a key that the batches of these tests merge. */
const MIN_MEMBERS = 3;
const TREE_STEPS = 18;
const BATCH_STEPS = 120;

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

/** A group with what has been done to it. */
class History {
  readonly scene: Scene;
  readonly group: OctreeGroup;
  /** Of the step that is played. */
  random: Random;
  readonly operations: string[] = [];
  readonly seed: number;
  private count = 0;

  constructor(seed: number) {
    this.seed = seed;
    ({ scene: this.scene, group: this.group } = staticGroup());
    this.random = createRandom(seed);
  }

  isLikely(probability: number): boolean {
    return this.random.next() < probability;
  }

  named<T extends Object3D>(object: T): T {
    object.name = `object ${this.count++}`;
    return object;
  }

  placed<T extends Object3D>(object: T, size: number): T {
    const { random } = this;
    object.position.set(random.between(0, size), random.between(0, size), random.between(0, size));
    return this.named(object);
  }

  /** All objects in the group. */
  get objects(): Object3D[] {
    const objects: Object3D[] = [];
    for (const child of this.group.children) child.traverse((object) => void objects.push(object));
    return objects;
  }

  /** Does one of the operations to one of the objects. */
  operate<H extends History, O extends Object3D>(
    this: H,
    operations: Record<string, (history: H, object: O) => void>,
    objects: readonly O[],
  ): void {
    if (objects.length === 0) return;
    const object = this.random.pick(objects);
    const name = this.random.pick(Object.keys(operations));
    this.operations.push(`${object.name} ${name}`);
    operations[name](this, object);
  }

  expectNo(faults: string[]): void {
    expect(faults, this.operations.join('; ')).toEqual([]);
  }
}

function isBelow(object: Object3D, ancestor: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null; node = node.parent) if (node === ancestor) return true;
  return false;
}

/** Whether neither an object nor what is above it, below the group, is hidden. */
function isShown(object: Object3D, group: OctreeGroup): boolean {
  for (let node: Object3D | null = object; node !== null && node !== group; node = node.parent)
    if (!node.visible) return false;
  return true;
}

function isFar(place: Vector3, object: Object3D): boolean {
  return place.distanceTo(new Vector3().setFromMatrixPosition(object.matrixWorld)) > 1;
}

/** Children and trees in which single objects move, are frozen, or get another parent. */
class TreeHistory extends History {
  readonly shapes = [box, new BoxGeometry(1, 2, 1)];

  /** An object with some below it. */
  make(depth: number): Object3D {
    const { random, shapes } = this;
    const isGroup = depth > 0 && this.isLikely(0.3);
    const object = this.placed<Object3D>(isGroup ? new Group() : new Mesh(random.pick(shapes), gray), 50);
    if (depth > 0) for (let left = random.below(3); left > 0; left--) object.add(this.make(depth - 1));
    if (this.isLikely(0.15)) {
      object.updateMatrix();
      object.matrixAutoUpdate = false;
    }
    if (this.isLikely(0.05)) object.pivot = new Vector3(random.next(), random.next(), random.next());
    return object;
  }
}

function updateFrozen(object: Object3D): void {
  if (!object.matrixAutoUpdate) object.updateMatrix();
}

const TREE_OPERATIONS: Record<string, (history: TreeHistory, object: Object3D) => void> = {
  moves: (_, object) => {
    object.position.x += 60;
    updateFrozen(object);
  },
  turns: (_, object) => {
    object.quaternion.set(0, 0, 1, 0);
    updateFrozen(object);
  },
  'gets a pivot': ({ random }, object) => {
    object.pivot = new Vector3(random.between(0, 9), 1, 1);
    updateFrozen(object);
  },
  'is frozen, or no longer': (_, object) => {
    object.matrixAutoUpdate = !object.matrixAutoUpdate;
  },
  'gets another frozen matrix': ({ random }, object) => {
    if (!object.matrixAutoUpdate) object.matrix.setPosition(random.between(0, 100), 0, 0);
  },
  'is removed': ({ group }, object) => {
    if (object.parent !== group) object.removeFromParent();
  },
  'gets a child': (history, object) => {
    object.add(history.make(1));
  },
  'gets another geometry': ({ random, shapes }, object) => {
    if (object instanceof Mesh) object.geometry = random.pick(shapes);
  },
  'gets another parent': (history, object) => {
    const parent = history.random.pick(history.objects);
    if (!isBelow(parent, object)) parent.add(object);
  },
  'is replaced': (history, object) => {
    const { parent } = object;
    if (parent !== history.group) parent!.remove(object).add(history.make(0));
  },
  'stays, and the group moves': (history) => {
    if (history.isLikely(0.3)) history.group.position.x += 3;
  },
  'stays, and a child becomes static, or no longer': (history) => {
    const { group, random } = history;
    if (history.isLikely(0.1)) group.setStatic(random.pick(group.children), history.isLikely(0.5));
  },
};

/** Where the matrices, the bounds and the batches of a group differ from what three draws. */
function treeFaults(group: OctreeGroup, batches: StaticBatches | null): string[] {
  const { groupChildren } = group;
  const { space } = groupChildren.bodies;
  const toSpace = space.isWorld ? new Matrix4() : space.toWorld.clone().invert();
  const faults: string[] = [];
  const boundsFault = (member: Member): boolean => {
    const bounds = member.body!.getBox().expandByScalar(1e-3);
    let isOutside = false;
    member.object.traverse((object) => {
      const middle = new Vector3().setFromMatrixPosition(object.matrixWorld).applyMatrix4(toSpace);
      if (object instanceof Mesh && !bounds.containsPoint(middle)) isOutside = true;
    });
    return isOutside;
  };
  const visit = (object: Object3D, parentWorld: Matrix4): void => {
    if (object.matrixAutoUpdate) object.updateMatrix();
    const world = new Matrix4().multiplyMatrices(parentWorld, object.matrix);
    const { elements } = object.matrixWorld;
    const isWrong = world.elements.some((element, k) => Math.abs(element - elements[k]) > 1e-5);
    if (isWrong && object instanceof Mesh) faults.push(`${object.name}: matrix`);
    const member = groupChildren.memberOf(object);
    if (member === undefined) {
      if (object.parent === group && !groupChildren.isOpen(object)) faults.push(`${object.name}: no member`);
    } else if (member.body !== null) {
      if (boundsFault(member)) faults.push(`${object.name}: bounds`);
      const place = batches && batchedAt(batches, group, object);
      if (place !== null && isFar(place, object)) faults.push(`${object.name}: batch`);
    }
    for (const child of object.children) visit(child, world);
  };
  for (const child of group.children) visit(child, group.matrixWorld);
  return faults;
}

/** A history of static members: `TREE_STEPS` operations, after each of which some frames may pass. */
async function playTree(seed: number, steps: readonly number[]): Promise<void> {
  const history = new TreeHistory(seed);
  const { scene, group, random } = history;
  for (let made = 0; made < 40; made++) {
    const object = history.make(made % 3 === 0 ? 2 : 0);
    if (history.isLikely(0.5)) group.addTree(object);
    else group.add(object);
  }
  const isMixed = seed % 3 === 0;
  if (isMixed) for (let left = 10; left > 0; left--) group.setStatic(random.pick(group.children), false);
  const batches = seed % 2 === 0 ? new StaticBatches(group, { posesMovers: seed % 4 === 0 }).finish() : null;
  if (batches !== null) poseSoon(batches);
  if (seed % 5 === 0) Detector.subscribe(group.groupChildren.bodies, { wants: ~0 });
  await run(scene, 2);
  for (const step of steps) {
    history.random = randomOf(seed, step);
    history.operate(TREE_OPERATIONS, history.objects);
    if (history.isLikely(0.33)) await run(scene, history.random.below(3));
    if (history.isLikely(0.1)) group.groupChildren.updatePending(() => undefined);
    if (IS_LONG) history.expectNo(validate(group));
  }
  // Two turns of the static members: by a detector, one takes few updates, but a moved member rests for 30.
  await run(scene, batches !== null || seed % 5 === 0 ? 150 : 520);
  history.expectNo([...treeFaults(group, batches), ...validate(group)]);
}

it.each(SEEDS)('static members are found where any changes have left them: history %i', (seed) =>
  playShortened(seed, TREE_STEPS, (steps) => playTree(seed, steps)),
);

/** Batches that are built in slices while their members change. */
class BatchHistory extends History {
  readonly shapes: BufferGeometry[] = [box, new BoxGeometry(1, 2, 1), new BoxGeometry(2, 1, 1, 2)];
  readonly materials: MeshLambertMaterial[];
  /** What meshes are added to: the group, and groups below it. */
  readonly parents: Object3D[] = [this.group];
  batches: StaticBatches;

  constructor(seed: number) {
    super(seed);
    this.materials = Array.from({ length: 6 }, () => new MeshLambertMaterial({ color: this.random.pick(COLORS) }));
    for (let left = 3; left > 0; left--) {
      const [root, inner] = [this.named(new Group()), this.named(new Group())];
      this.group.addTree(root.add(inner));
      this.parents.push(root, inner);
    }
    for (let left = 90; left > 0; left--) this.addMesh();
    this.batches = this.attach();
  }

  attach(): StaticBatches {
    const batches = new StaticBatches(this.group, {
      mergesMaterials: this.seed % 2 === 0,
      posesMovers: this.seed % 4 > 1,
    });
    poseSoon(batches);
    setBatchLimits(batches, { minMembers: MIN_MEMBERS, minInstances: this.seed % 3 === 0 ? Infinity : 5 });
    return batches;
  }

  addMesh(): void {
    const { random, shapes, materials } = this;
    random.pick(this.parents).add(this.placed(new Mesh(random.pick(shapes), random.pick(materials)), 90));
  }

  get meshes(): Mesh[] {
    return this.objects.filter((object) => object instanceof Mesh);
  }

  /** A group below the group. */
  pickParent(): Object3D {
    return this.random.pick(this.parents.slice(1));
  }
}

const BATCH_OPERATIONS: Record<string, (history: BatchHistory, object: Mesh) => void> = {
  moves: (history, object) => {
    object.position.x = history.random.between(0, 90);
    if (history.isLikely(0.5)) history.group.reportMove(object);
  },
  'is hidden or shown': (_, object) => {
    object.visible = !object.visible;
  },
  'casts a shadow, or no longer': (history, object) => {
    object.castShadow = !object.castShadow;
    if (history.isLikely(0.3)) object.layers.toggle(3);
  },
  'gets another material': ({ random, materials }, object) => {
    object.material = random.pick(materials);
  },
  'gets another geometry': ({ random, shapes }, object) => {
    object.geometry = random.pick(shapes);
  },
  'is removed': (_, object) => {
    object.removeFromParent();
  },
  'gets another parent': ({ random, parents }, object) => {
    random.pick(parents).add(object);
  },
  'is left out, or no longer': (history, object) => {
    history.batches.leaveOut(object, history.isLikely(0.5));
  },
  'gets a callback, or loses it': (history, object) => {
    if (history.isLikely(0.5)) object.onBeforeRender = () => undefined;
    else Reflect.deleteProperty(object, 'onBeforeRender');
  },
  'stays, and a mesh is added': (history) => {
    history.addMesh();
  },
  'stays, and a material is painted': ({ random, materials }) => {
    random.pick(materials).color.set(random.pick(COLORS));
  },
  'stays, and a material becomes transparent, or no longer': ({ random, materials }) => {
    const material = random.pick(materials);
    material.transparent = !material.transparent;
    material.needsUpdate = true;
  },
  'stays, and a material is shaded otherwise': (history) => {
    const material = history.random.pick(history.materials);
    material.flatShading = !material.flatShading;
    material.needsUpdate = true;
    if (history.isLikely(0.3)) material.depthWrite = !material.depthWrite;
  },
  'stays, and a parent is hidden or shown': (history) => {
    const parent = history.pickParent();
    parent.visible = !parent.visible;
  },
  'stays, and a parent moves': (history) => {
    history.pickParent().position.x += 3;
    if (history.isLikely(0.3)) history.group.position.y += 2;
  },
  'stays, and a parent becomes static, or no longer': (history) => {
    if (history.isLikely(0.2)) history.group.setStatic(history.pickParent(), history.isLikely(0.6));
  },
  'stays, and what is due is updated': ({ group }) => {
    group.groupChildren.updatePending(() => undefined);
  },
  'stays, and other batches are attached': (history) => {
    if (!history.isLikely(0.15)) return;
    history.batches.dispose();
    history.batches = history.attach();
  },
};

/** What batches draw otherwise than three would, and members that no batch will ever draw, though it could. */
function batchFaults({ group, batches }: BatchHistory): string[] {
  const members = membersOf(batches);
  const { keys } = members;
  const faults: string[] = [];
  const waiting = new Map<string, number>();

  const checkAlone = (member: Member): void => {
    const { object } = member;
    const state = members.states.of(member);
    const key = keys.of(member);
    if (state === 'resting' && isShown(object, group) && !members.leftOut.has(object))
      faults.push(`${object.name}: rests for ever`);
    if (typeof key === 'string') {
      if (state === 'waiting') faults.push(`${object.name}: waits for nothing: ${key}`);
    } else if (state === 'alone') faults.push(`${object.name}: alone for ever`);
    else if (state === 'waiting') waiting.set(key.id, (waiting.get(key.id) ?? 0) + 1);
  };
  const checkDrawn = (member: Member, address: number): void => {
    const object = member.object as Mesh;
    const chunk = members.slots.chunkAt(address);
    const key = keys.of(member);
    const id = typeof key === 'string' ? key : key.id;
    if (id !== chunk.key.id) faults.push(`${object.name}: ${id}, drawn as ${chunk.key.id}`);
    if (!isShown(object, group)) faults.push(`${object.name}: hidden`);
    if (members.leftOut.has(object)) faults.push(`${object.name}: left out`);
    if (isFar(batchedAt(batches, group, object)!, object)) faults.push(`${object.name}: place`);
    const color = (object.material as MeshLambertMaterial).color.toArray().map(Math.fround).join();
    const drawn = colorFrom(batches, group, object)!.map(Math.fround).join();
    if (drawn !== color) faults.push(`${object.name}: colour ${color}, drawn as ${drawn}`);
  };
  for (const member of group.groupChildren.allMembers) {
    const address = members.states.placedAt(member);
    if (address < 0) checkAlone(member);
    else if (members.slots.draws(member)) checkDrawn(member, address);
    else if (isShown(member.object, group)) faults.push(`${member.object.name}: its slot draws nothing`);
  }
  for (const [id, count] of waiting) if (count >= MIN_MEMBERS) faults.push(`${count} wait for ever as ${id}`);
  return faults;
}

/** A history of batches: `BATCH_STEPS` operations, after each of which some frames may pass. */
async function playBatches(seed: number, steps: readonly number[]): Promise<void> {
  const history = new BatchHistory(seed);
  const { scene, random } = history;
  // Builds are cut into slices of different lengths; of each fourth history the clock stands still, so none is cut.
  let time = 0;
  vi.spyOn(clock, 'now').mockImplementation(() => (time += seed % 4 > 0 ? random.between(0, 3 / (seed % 4)) : 0));
  for (const step of steps) {
    history.random = randomOf(seed, step);
    history.operate(BATCH_OPERATIONS, history.meshes);
    if (history.isLikely(0.5)) await run(scene, history.random.below(4));
    if (IS_LONG) history.expectNo(validate(history.group));
  }
  // Turns of so few members take two updates; a moved member rests for 30, and then a build may take more.
  await run(scene, 300);
  history.expectNo([...batchFaults(history), ...validate(history.group)]);
}

it.each(SEEDS)('batches draw what any changes have left: history %i', (seed) =>
  playShortened(seed, BATCH_STEPS, (steps) => playBatches(seed, steps)),
);
