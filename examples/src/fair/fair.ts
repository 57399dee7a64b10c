// The fair: thousands of meshes in one OctreeGroup, of which some move, and the triangles of all of them.

import { Group, Mesh, type Object3D } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { OctreeGroup, StaticBatches } from '../../../src/three.ts';
import { nextTurn, type SlicedWork } from '../shared/slices.ts';
import { Balls } from './balls.ts';
import { Carousel } from './carousel.ts';
import { Hall } from './hall.ts';
import type { Mover } from './mover.ts';
import { addFence, addGate, addPaths, createGround, FENCE, planTrees } from './grounds.ts';
import { Parts } from './parts.ts';
import { createLooks, Person } from './people.ts';
import { AVENUE, CAROUSEL, planStalls } from './plan.ts';
import { TriangleScene } from '../../../src/triangles/index.ts';
import { addBalloons, addBench, addBunting, addLamp, addStall, addTree } from './stalls.ts';
import { Tower } from './tower.ts';
import { Wheel } from './wheel.ts';

export interface FairSize {
  readonly stalls: number;
  readonly people: number;
}

/** Most turns in which batches are built before the first frame: a few times what the largest fair takes. */
const MAX_TURNS = 1000;
const TURNS_PER_REPORT = 8;

export class Fair {
  readonly group = new OctreeGroup();
  readonly triangles = new TriangleScene(this.group, { MeshBVH });
  readonly parts = new Parts();
  readonly people: Person[] = [];
  readonly balls = new Balls();
  readonly movers: Mover[] = [];
  readonly peopleRoot = new Group();
  wheel!: Wheel;
  tower!: Tower;
  hall!: Hall;
  carousel!: Carousel;
  meshes = 0;
  /** Seconds since the fair began. */
  seconds = 0;
  /** Draws what stands still in few draw calls. */
  batches: StaticBatches | null = null;

  /** Adds what is below an object of the group, which stands still but for what moves by itself. */
  add(root: Object3D, mover?: Mover): void {
    this.group.addTree(root, { isStatic: true });
    for (const object of mover?.objects ?? []) this.group.setStatic(object, false);
    if (mover !== undefined) this.movers.push(mover);
  }

  /** Places what moves by itself, and updates the octree. */
  move(seconds: number): void {
    this.seconds += seconds;
    for (const mover of this.movers) mover.move(this.seconds);
    this.group.updateMatrixWorld();
  }

  /** Builds the batches: one update in each turn of the event loop. Frames build what is left. */
  async batch(signal: AbortSignal, onProgress: (part: number) => void): Promise<void> {
    const batches = (this.batches = new StaticBatches(this.group));
    for (let turn = 1; turn <= MAX_TURNS && batches.isBuilding; turn++) {
      await nextTurn();
      signal.throwIfAborted();
      this.group.updateMatrixWorld();
      if (turn % TURNS_PER_REPORT === 0) onProgress(batches.report().batched / this.meshes);
    }
  }

  /** One mesh of each kind of material. */
  get samples(): readonly Object3D[] {
    return [this.group.children[0], this.balls.mesh, this.peopleRoot];
  }

  dispose(): void {
    this.batches?.dispose();
    this.group.traverse((object) => {
      if (object instanceof Mesh) (object as Mesh).geometry.dispose();
    });
    this.parts.dispose();
    this.balls.mesh.dispose();
  }
}

/** Builds a thing at a time. */
export function* buildFair({ stalls, people }: FairSize): SlicedWork<Fair> {
  const fair = new Fair();
  const { group, parts } = fair;
  const things = planThings(fair, stalls);
  const total = things.length + people / 4;
  for (const [k, build] of things.entries()) {
    const first = group.children.length;
    const mover = build() ?? undefined;
    for (const root of group.children.slice(first)) fair.add(root, mover);
    // Otherwise the first frame would compute all bounds at once.
    group.updateMatrixWorld();
    yield k / total;
  }
  const looks = createLooks();
  group.addTree(fair.peopleRoot);
  for (let k = 0; k < people; k++) {
    fair.people.push(new Person(parts, fair.peopleRoot, looks[k % looks.length], k, fair.triangles));
    if (k % 4 !== 3) continue;
    group.updateMatrixWorld();
    yield Math.min(1, (things.length + k / 4) / total);
  }
  fair.move(0);
  yield 1;
  group.traverse((object) => void (fair.meshes += Number('isMesh' in object)));
  yield 1;
  return fair;
}

type Build = () => Mover | void;

function planThings(fair: Fair, stalls: number): Build[] {
  const { group, parts } = fair;
  const things: Build[] = [() => void group.add(createGround()), () => addPaths(parts, group)];
  for (const place of planStalls(stalls)) things.push(() => addStall(parts, group, place));
  for (let k = 0; k < 24; k++)
    things.push(() => addLamp(parts, group, k, k % 2 === 0 ? 6.9 : -6.9, 8.4 + 4.6 * (k >> 1)));
  for (let k = 0; k < 10; k++) things.push(() => addBunting(parts, group, k, 6 + 5.4 * k, AVENUE - 0.4));
  for (let k = 0; k < 12; k++)
    things.push(() => addBalloons(parts, group, k, k % 2 === 0 ? 6.2 : -6.2, 10.7 + 9.2 * (k >> 1)));
  for (let k = 0; k < 14; k++) {
    const angle = ((k + 0.5) / 14) * 2 * Math.PI;
    const [x, z] = [11 * Math.sin(angle), CAROUSEL.z + 11 * Math.cos(angle)];
    if (Math.abs(x) > 4) things.push(() => addBench(parts, group, k, x, z, angle + Math.PI));
  }
  for (const [k, [x, z, size]] of planTrees().entries()) things.push(() => addTree(parts, group, k, x, z, size));
  for (let k = 0; k < FENCE; k++) things.push(() => addFence(parts, group, k));
  things.push(
    () => addGate(parts, group),
    () => (fair.wheel = new Wheel(parts, group)),
    () => (fair.tower = new Tower(parts, group)),
    () => (fair.hall = new Hall(parts, group)),
    () => (fair.carousel = new Carousel(parts, group)),
  );
  return things;
}
