/**
 * Histories of changes between the steps of builds. Each update takes a step or some; after it, a pass must draw what a
 * loop over all meshes draws, in an order that looks the same, and from buffers that the renderer still has.
 */

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FrontSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  Scene,
  TetrahedronGeometry,
  type Material,
  type Object3D,
} from 'three';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showsOrder } from '../../src/batches/mergeable.ts';
import { endsStep } from '../../src/batches/steps.ts';
import { clock } from '../../src/math/clock.ts';
import { validate } from '../../src/debug-three/index.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { poseSoon, setBatchLimits } from '../support/batch-limits.ts';
import { everything } from '../support/batched-meshes.ts';
import { isPalette, missingTriangles, trianglesOfObject, type Triangle } from '../support/drawn-triangles.ts';
import { seedsOf } from '../support/history-profile.ts';
import { projectPass } from '../support/pass-lists.ts';
import { createRandom, type Random } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';
import { playShortened, randomOf } from '../support/shortened-history.ts';

/** Changes of a history: two before each update at most. */
const CHANGES_PLAYED = 400;
const MESHES = 40;

/** Buffers of geometries as WebGLRenderer keeps them: those of a geometry until one that shares them is disposed of. */
class Buffers {
  /** By attribute: how often its buffer was freed. */
  private readonly freed = new Map<object, number>();
  /** By geometry: its attributes, as it was drawn first, with `freed` of them. */
  private readonly bound = new Map<BufferGeometry, Map<object, number>>();
  private readonly free = ({ target }: { readonly target: BufferGeometry }): void => {
    for (const attribute of Object.values(target.attributes)) this.freed.set(attribute, this.timesFreed(attribute) + 1);
    this.forget(target);
  };

  /** Draws a geometry. Returns whether the renderer has all of its buffers. */
  draw(geometry: BufferGeometry): boolean {
    let bound = this.bound.get(geometry);
    if (bound === undefined) {
      this.bound.set(geometry, (bound = new Map()));
      geometry.addEventListener('dispose', this.free);
    }
    let hasAll = true;
    for (const attribute of Object.values(geometry.attributes)) {
      if (!bound.has(attribute)) bound.set(attribute, this.timesFreed(attribute));
      if (bound.get(attribute) !== this.timesFreed(attribute)) hasAll = false;
    }
    return hasAll;
  }

  /** Forgets geometries that are not in the scene: their users free what they share. */
  keep(geometries: ReadonlySet<BufferGeometry>): void {
    for (const geometry of this.bound.keys()) if (!geometries.has(geometry)) this.forget(geometry);
  }

  private forget(geometry: BufferGeometry): void {
    geometry.removeEventListener('dispose', this.free);
    this.bound.delete(geometry);
  }

  private timesFreed(attribute: object): number {
    return this.freed.get(attribute) ?? 0;
  }
}

class History {
  random: Random;
  readonly log: string[] = [];
  readonly scene = new Scene();
  readonly group = new OctreeGroup();
  batches: StaticBatches;
  readonly meshes: Mesh[] = [];
  /** What meshes are added to. */
  readonly parents: Object3D[];
  readonly materials: MeshLambertMaterial[];
  readonly geometries: BufferGeometry[];
  moving: readonly Mesh[] = [];
  private readonly seed: number;
  private readonly buffers = new Buffers();

  constructor(seed: number) {
    this.seed = seed;
    const random = (this.random = createRandom(seed));
    const { scene, group } = this;
    const trees = [new Group(), new Group()];
    const beside = new Group();
    scene.add(seed % 2 === 0 ? beside : group, seed % 2 === 0 ? group : beside);
    group.addTree(trees[0]).addTree(trees[1], { isStatic: true });
    this.parents = [group, ...trees, beside];
    this.materials = Array.from(
      { length: 10 },
      (_, k) => new MeshLambertMaterial({ color: random.below(2 ** 24), flatShading: k % 4 === 3 }),
    );
    const shape = new TetrahedronGeometry();
    this.geometries = [shape, new TetrahedronGeometry(2), sharing(shape), new TetrahedronGeometry(1, 1)];
    for (let k = 0; k < MESHES; k++) {
      const mesh = new Mesh(random.pick(this.geometries), random.pick(this.materials));
      mesh.name = `mesh ${k}`;
      this.meshes.push(mesh);
      this.put(mesh);
      random.pick(this.parents.slice(0, k % 8 === 0 ? 4 : 3)).add(mesh);
      if (this.belongs(mesh) && this.isLikely(0.4)) group.setStatic(mesh);
    }
    this.batches = this.attach();
  }

  attach(): StaticBatches {
    const { seed } = this;
    const batches = new StaticBatches(this.group, { mergesMaterials: seed % 5 > 0, posesMovers: seed % 3 > 0 });
    poseSoon(batches, seed % 2 === 0 ? 1 : 6);
    setBatchLimits(batches, { minMembers: 2 + (seed % 2), minInstances: seed % 4 > 0 ? 4 : Infinity });
    return batches;
  }

  isLikely(probability: number): boolean {
    return this.random.next() < probability;
  }

  /** Whether a mesh is a member of the group. */
  belongs(object: Object3D): boolean {
    for (let node = object.parent; node !== null; node = node.parent) if (node === this.group) return true;
    return false;
  }

  put(mesh: Mesh): void {
    const { random } = this;
    mesh.position.set(random.between(-30, 30), random.between(-30, 30), random.between(-30, 30));
    mesh.rotation.set(6 * random.next(), 6 * random.next(), 0);
  }

  report(object: Object3D): void {
    if (this.belongs(object)) this.group.reportMove(object);
  }

  reportUsers(geometry: BufferGeometry): void {
    for (const mesh of this.meshes) if (mesh.geometry === geometry) this.report(mesh);
  }

  /** Whether a mesh is a member itself, and not below one. */
  isMember(mesh: Mesh): boolean {
    return this.belongs(mesh) && !(mesh.parent instanceof Mesh);
  }

  /** Plays one of the changes that are played, or none. Returns whether there was one. */
  change(number: number, played: ReadonlySet<number>): boolean {
    this.random = randomOf(this.seed, number);
    if (!played.has(number) || this.isLikely(0.4)) return false;
    const mesh = this.random.pick(this.meshes);
    const name = this.random.pick(Object.keys(CHANGES));
    this.log.push(`${number}: ${mesh.name} ${name}`);
    CHANGES[name](this, mesh);
    return true;
  }

  moveOn(): void {
    for (const mesh of this.moving) {
      mesh.position.x += 0.1;
      mesh.rotation.z += 0.2;
      this.report(mesh);
    }
  }

  /** Expects of a pass what a loop over all meshes draws. */
  expectSame(): void {
    this.scene.updateMatrixWorld();
    // A build finds materials whose order shows.
    const order = this.batches.isBuilding ? [] : this.orderedIds;
    const objects = projectPass(this.scene, everything).map(({ object }) => object as Mesh);
    const shown: Mesh[] = [];
    this.scene.traverseVisible((object) => {
      const { layers, material } = object as Mesh;
      const isShown = Array.isArray(material) || material?.visible;
      if (object instanceof Mesh && isShown && layers.test(everything.layers)) shown.push(object);
    });
    const [found, expected] = [objects, shown].map((list) => list.flatMap((mesh) => picture(mesh, order)));
    const log = this.log.slice(-60).join('; ');
    expect(missingTriangles(found, expected), log).toEqual([]);
    expect(found.length, log).toBe(expected.length);
    this.buffers.keep(geometriesIn(this.scene));
    for (const { geometry } of objects) expect(this.buffers.draw(geometry), log).toBe(true);
  }

  /** Ids of the materials of the group whose place in the order of drawing shows. */
  private get orderedIds(): number[] {
    const ids = this.meshes
      .filter((mesh) => this.belongs(mesh))
      .flatMap(({ material }) => material)
      .filter(showsOrder)
      .map(({ id }) => id);
    return Array.from(new Set(ids));
  }

  expectSettled(): void {
    const log = this.log.slice(-60).join('; ');
    const { chunks, states } = this.batches.members;
    for (const chunk of chunks) {
      if (chunk === null) continue;
      // Too few for a batch, or some that move have slots in it for a while.
      const isHeld = chunk.members.some((member) => member !== null && states.of(member) === 'resting');
      if (isHeld || chunk.usedCount < 3) continue;
      expect(chunk.isOld, log).toBe(false);
      expect(2 * chunk.usedCount, log).toBeGreaterThanOrEqual(chunk.members.length);
    }
    expect(validate(this.group), log).toEqual([]);
  }
}

function geometriesIn(scene: Scene): Set<BufferGeometry> {
  const geometries = new Set<BufferGeometry>();
  scene.traverse((object) => object instanceof Mesh && geometries.add(object.geometry as BufferGeometry));
  return geometries;
}

/** The triangles of an object, with how its material draws them, and behind how many materials whose order shows. */
function picture(mesh: Mesh, order: readonly number[]): Triangle[] {
  const [{ id, side, transparent, flatShading, vertexColors, map, depthWrite }] = [mesh.material].flat() as [
    MeshLambertMaterial,
  ];
  const place = order.filter((ordered) => ordered < id).length;
  const look = [place, side, transparent, flatShading, vertexColors, map !== null && !isPalette(map), depthWrite];
  const triangles = trianglesOfObject(mesh);
  for (const triangle of triangles) triangle.words += ` ${look.join()}`;
  return triangles;
}

/** A geometry with the attributes of another one. */
function sharing(geometry: BufferGeometry): BufferGeometry {
  const made = new BufferGeometry();
  for (const [name, attribute] of Object.entries(geometry.attributes)) made.setAttribute(name, attribute);
  return made;
}

const texture = new DataTexture(new Uint8Array(4), 1, 1);

/** Changes of a mesh, of what it shares with others, or of the scene. Those that no pass finds are reported. */
const CHANGES: Record<string, (history: History, mesh: Mesh) => void> = {
  'is moved': (history, mesh) => {
    history.put(mesh);
    history.report(mesh);
  },
  'is scaled': (history, mesh) => {
    mesh.scale.set(history.random.pick([1, -1, 2]), history.random.pick([1, 1, 3]), 1);
    history.report(mesh);
  },
  'is hidden or shown': (_, mesh) => void (mesh.visible = !mesh.visible),
  'casts shadows, or not': (_, mesh) => void (mesh.castShadow = !mesh.castShadow),
  'gets another layer': ({ random }, mesh) => mesh.layers.toggle(random.pick([0, 1, 1])),
  'gets an order': ({ random }, mesh) => void (mesh.renderOrder = random.below(2)),
  'gets a callback, or loses it': (history, mesh) => {
    if (history.isLikely(0.5)) mesh.onBeforeRender = () => undefined;
    else Reflect.deleteProperty(mesh, 'onBeforeRender');
    history.report(mesh);
  },
  'gets a material for shadows': (history, mesh) => {
    mesh.customDepthMaterial = history.isLikely(0.3) ? history.materials[0] : undefined;
    history.report(mesh);
  },
  'gets another material': ({ random, materials }, mesh) => void (mesh.material = random.pick(materials)),
  'gets a new material': ({ random }, mesh) =>
    void (mesh.material = new MeshLambertMaterial({ color: random.below(2 ** 24) })),
  'gets several materials': (history, mesh) => {
    if (!history.isLikely(0.3)) return;
    mesh.material = history.materials.slice(0, 2) as unknown as Material;
    history.report(mesh);
  },
  'gets another geometry': ({ random, geometries }, mesh) => void (mesh.geometry = random.pick(geometries)),
  'gets a geometry of its own': (_, mesh) => void (mesh.geometry = mesh.geometry.clone()),
  'gets a geometry with the same buffers': (_, mesh) => void (mesh.geometry = sharing(mesh.geometry)),
  'gets other vertices': (history, mesh) => {
    mesh.geometry.scale(history.random.pick([0.5, 2]), 1, 1);
    for (const { geometry } of history.meshes) geometry.computeBoundingSphere();
    for (const { geometry } of history.meshes)
      if (geometry.attributes.position === mesh.geometry.attributes.position) history.reportUsers(geometry);
  },
  'gets other attributes': (history, { geometry }) => {
    if (history.isLikely(0.3)) geometry.deleteAttribute('normal');
    else if (history.isLikely(0.5))
      geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * geometry.attributes.position.count), 3));
    else geometry.setDrawRange(0, history.random.pick([6, Infinity]));
    history.reportUsers(geometry);
  },
  'loses its buffers': ({ meshes }, { geometry }) => {
    const { position } = geometry.attributes;
    if (meshes.every(({ geometry: each }) => each === geometry || each.attributes.position !== position))
      geometry.dispose();
  },
  'is removed': (_, mesh) => void mesh.removeFromParent(),
  'is added to a parent': (history, mesh) => void history.random.pick(history.parents).add(mesh),
  'is added to a mesh': ({ random, meshes }, mesh) => {
    const parent = random.pick(meshes);
    if (parent !== mesh && mesh.children.length === 0 && parent.parent instanceof Group) parent.add(mesh);
  },
  'is static, or no longer': (history, mesh) => {
    if (history.isMember(mesh)) history.group.setStatic(mesh, history.isLikely(0.5));
  },
  'is left out, or no longer': (history, mesh) => {
    if (history.belongs(mesh)) history.batches.leaveOut(mesh, history.isLikely(0.4));
  },
  'and others begin or end to move': (history) => {
    history.moving = history.meshes.filter(() => history.isLikely(history.isLikely(0.5) ? 0 : 0.5));
  },
  'stays, and a material is painted': ({ random, materials }) => {
    const material = random.pick(materials);
    (random.next() < 0.5 ? material.color : material.emissive).setHex(random.below(2 ** 24));
  },
  'stays, and a material gets other traits': (history) => {
    const material = history.random.pick(history.materials);
    const key = history.random.pick(['transparent', 'depthWrite', 'depthTest', 'visible', 'wireframe'] as const);
    material[key] = !material[key];
    material.needsUpdate = true;
  },
  'stays, and a material looks otherwise': (history) => {
    const material = history.random.pick(history.materials);
    if (history.isLikely(0.3)) material.map = material.map === null ? texture : null;
    else if (history.isLikely(0.4)) material.flatShading = !material.flatShading;
    else if (history.isLikely(0.5)) material.vertexColors = !material.vertexColors;
    else material.side = material.side === FrontSide ? DoubleSide : FrontSide;
    material.needsUpdate = true;
  },
  'stays, and a material takes the place of another one': (history) => {
    const { random, materials, meshes } = history;
    const k = random.below(materials.length);
    const before = materials[k];
    materials[k] = history.isLikely(0.5) ? before.clone() : new MeshLambertMaterial({ color: random.below(2 ** 24) });
    for (const mesh of meshes) if (mesh.material === before) mesh.material = materials[k];
    before.dispose();
  },
  'stays, and a parent is hidden or shown': ({ random, parents }) => {
    const parent = random.pick(parents);
    parent.visible = !parent.visible || random.next() < 0.5;
  },
  'stays, and a parent moves': (history) => {
    const parent = history.random.pick(history.parents);
    parent.position.x += 1;
    history.report(parent);
  },
  'stays, and queries look': ({ group }) => group.groupChildren.updatePending(() => undefined),
  'stays, and a report is read': ({ batches }) => void batches.report(),
  'stays, and all is built': (history) => {
    if (history.isLikely(0.3)) history.batches.finish();
  },
  'stays, and other batches are attached': (history) => {
    if (!history.isLikely(0.1)) return;
    history.batches.dispose();
    history.batches = history.attach();
  },
};

afterEach(() => void vi.restoreAllMocks());
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));

async function play(seed: number, steps: readonly number[]): Promise<void> {
  // All modules share its count of visits.
  while (!endsStep());
  let time = 0;
  const stepMs = [10, 1, 10, 0.3][seed % 4];
  vi.spyOn(clock, 'now').mockImplementation(() => (time += stepMs));
  const history = new History(seed);
  if (seed % 3 !== 1) history.batches.finish();
  const chosen = new Set(steps);
  for (let k = 0; k < CHANGES_PLAYED; k += 2) {
    history.change(k, chosen);
    history.moveOn();
    await Promise.resolve();
    history.expectSame();
    // Another pass of the same task in some frames.
    if (history.change(k + 1, chosen)) history.expectSame();
  }
  history.batches.finish();
  history.expectSame();
  history.expectSettled();
}

it.each(seedsOf(IS_LONG ? 30 : 4))('each step of a build may find the scene changed: history %i', (seed) =>
  playShortened(seed, CHANGES_PLAYED, (steps) => play(seed, steps)),
);
