/**
 * When each feature of a group finds a change: the change is made in a small world with all features on one group, and
 * frame by frame each feature is compared with what it has to find. That is what a plain group with the same children
 * draws and is hit at, or what the same world answers if the change was made before the features were.
 */

import {
  BoxGeometry,
  DirectionalLight,
  Group,
  Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  PlaneGeometry,
  Raycaster,
  Scene,
  Vector3,
  type Camera,
  type Intersection,
} from 'three';
import { OcclusionCulling, OctreeGroup, ShadowUpdates, StaticBatches, ViewChanges } from '../../src/three.ts';
import { ANY, AT_ONCE, NEVER, type Kind, type KindWorld, type Subject } from './kind-of-change.ts';
import { FakeRenderer } from './change-towns.ts';
import { missingTriangles, trianglesOfObject, type Triangle } from './drawn-triangles.ts';
import { frustumOf, isOutside, projectPass, type Drawn } from './pass-lists.ts';
import { createCamera } from './three-pictures.ts';

/** How the group learns of changes: by looking, by `reportMove`, or not at all. */
export const MODES = ['watched', 'reported', 'not reported'] as const;
export type Mode = (typeof MODES)[number];

/** Whether the frame after the change is rendered in the task of the frame before it, or in another one. */
export const MOMENTS = ['same task', 'next frame'] as const;
export type Moment = (typeof MOMENTS)[number];

/** What passes and rays show of a feature. ViewChanges and ShadowUpdates tell by themselves. */
const PASS_FEATURES = ['bounds', 'hits', 'batches', 'occlusion'] as const;
type Feature = (typeof PASS_FEATURES)[number];
export interface Told {
  readonly views: boolean;
  readonly shadows: boolean;
}

/** Frames after the change. Each turn over the members of the world takes fewer. */
const FRAMES = 2;
/** From this number of equal meshes on, they are drawn from a batch. */
const SIBLINGS = 15;

/** See x between two numbers, beside the mesh: in its sphere only, and beyond that. */
const STRIPES = [
  [0.55, 0.8],
  [0.9, 1.2],
  [1.3, 2.4],
].map(([left, right]) => updated(new OrthographicCamera(left, right, 2, -2, -2, 2)));
export const EVERYTHING = updated(new OrthographicCamera(-999, 999, 999, -999, -999, 999));
/** Sees the mesh behind a wall. */
const AT_WALL = aimed([0, 0, 8]);
/** Sees the mesh, and something small behind it. */
export const AT_MESH = aimed([4, 0, 0]);
const RAYS = [-0.9, -0.45, 0.05, 0.3, 0.55, 0.7, 1].map((x) => {
  const ray = new Raycaster(new Vector3(x, 9, 0.1), new Vector3(0, -1, 0));
  // For sprites.
  ray.camera = EVERYTHING;
  return ray;
});

function updated<C extends Camera>(camera: C): C {
  camera.updateMatrixWorld();
  return camera;
}
function aimed(place: readonly [number, number, number]): PerspectiveCamera {
  const camera = new PerspectiveCamera(60, 1, 0.1, 200);
  camera.position.set(...place);
  camera.lookAt(0, 0, 0);
  return updated(camera);
}

const FLOOR = new PlaneGeometry(50, 50);
FLOOR.computeBoundingSphere();
const SMALL = new BoxGeometry(0.3, 0.3, 0.3);
const WALL = new BoxGeometry(4, 4, 0.5);
/** With an index, normals and texture coordinates, as a box has. */
const TRIANGLE = new PlaneGeometry();
TRIANGLE.setIndex([0, 1, 2]);

const boxOf = (material: MeshLambertMaterial): Subject =>
  Object.assign(new Mesh(new BoxGeometry(), material), { name: 'mesh', castShadow: true });

/** The mesh, other meshes with its material, a wall in front of it, and something small beside it. */
export class World implements KindWorld {
  readonly scene = new Scene();
  readonly group: Group;
  material = new MeshLambertMaterial({ name: 'material', color: 0x804020 });
  mesh: Subject = boxOf(this.material);
  readonly wall = new Mesh(WALL, new MeshBasicMaterial({ name: 'wall' }));
  readonly light = new DirectionalLight();
  readonly camera = createCamera([0, 20, 0.1], [0, 0, 0], 60);
  readonly renderer = new FakeRenderer() as KindWorld['renderer'];
  readonly floor = new Mesh(FLOOR, new MeshLambertMaterial());

  constructor(group: Group) {
    this.group = group;
    const { scene, light, mesh, wall, floor, material } = this;
    wall.name = 'wall';
    wall.position.z = 3;
    const small = new Mesh(SMALL, new MeshBasicMaterial({ name: 'small' }));
    small.name = 'small';
    small.position.x = -3;
    group.add(wall, small);
    for (let k = 0; k < SIBLINGS; k++) {
      const sibling = new Mesh(TRIANGLE, material);
      sibling.position.set(100 + 3 * k, 0, 0);
      sibling.castShadow = true;
      sibling.name = `sibling ${k}`;
      group.add(sibling);
    }
    floor.rotateX(-Math.PI / 2).translateZ(-2);
    floor.receiveShadow = true;
    light.position.set(0, 10, 0);
    light.castShadow = true;
    scene.add(group.add(mesh), light, light.target, floor, new Object3D());
  }
}

/** An object that a plain group draws. */
class Expected {
  readonly name: string;
  readonly matrix: readonly number[];
  private readonly object: Object3D;
  private known: Triangle[] | null = null;

  constructor(object: Object3D) {
    this.object = object;
    this.name = object.name;
    this.matrix = [...object.matrixWorld.elements];
  }

  get triangles(): readonly Triangle[] {
    return (this.known ??= trianglesOfAll([this.object]));
  }
}

function trianglesOfAll(objects: readonly Object3D[]): Triangle[] {
  return objects.filter((object) => 'isMesh' in object).flatMap((object) => trianglesOfObject(object as Mesh));
}

/** What has to be found after a change. */
export interface Truth {
  readonly objects: readonly Expected[];
  /** By stripe: the names of the objects to draw. */
  readonly stripes: readonly (readonly string[])[];
  readonly hits: string;
}

/** What a plain group draws, and where rays hit it. */
export function truthOf(kind: Kind): Truth {
  const world = new World(new Group());
  kind.make?.(world);
  world.scene.updateMatrixWorld();
  kind.change(world);
  world.scene.updateMatrixWorld();
  const { group } = world;
  const stripes = STRIPES.map((camera) => {
    const frustum = frustumOf(camera);
    return projectPass(group, camera)
      .filter((each) => !('isMesh' in each.object) || !isOutside(each, frustum) || isDrawnBeyond(each))
      .map(({ object }) => object.name);
  });
  const objects = projectPass(group, EVERYTHING).map(({ object }) => new Expected(object));
  return { objects, stripes, hits: hitsOf(group) };
}

/** What a pass draws: the names of the objects, and whether it draws anything else. */
interface Shown {
  readonly names: Set<string>;
  /** Names of those that are drawn by themselves. */
  readonly alone: Set<string>;
  /** Whether it draws an object elsewhere than it is, or one that is not there, or triangles of none. */
  readonly hasMore: boolean;
}

function shownIn(group: Object3D, camera: Camera, { objects }: Truth): Shown {
  const drawn = projectPass(group, camera).map(({ object }) => object);
  const alone = new Set<string>();
  let hasMore = false;
  for (const object of drawn) {
    if (object.parent === null) continue;
    const expected = objects.find(({ name }) => name === object.name);
    if (expected?.matrix.every((number, k) => Math.abs(number - object.matrixWorld.elements[k]) < 1e-6))
      alone.add(object.name);
    else hasMore = true;
  }
  const names = new Set(alone);
  const merged = trianglesOfAll(drawn.filter(({ parent }) => parent === null));
  let left = merged.length;
  for (const { name, triangles } of merged.length > 0 ? objects : []) {
    if (names.has(name) || missingTriangles(merged, triangles).length > 0) continue;
    names.add(name);
    left -= triangles.length;
  }
  return { names, alone, hasMore: hasMore || left !== 0 };
}

/** Whether an object is drawn by more than its vertices: an octree may not leave it out by these. */
function isDrawnBeyond({ object }: Drawn): boolean {
  const { geometry, customDepthMaterial, customDistanceMaterial } = object as Mesh;
  const materials = [(object as Mesh).material, customDepthMaterial, customDistanceMaterial]
    .flat()
    .filter((each) => !!each);
  const { boundingSphere } = geometry;
  geometry.computeBoundingSphere();
  const ownSphere = boundingSphere !== null && boundingSphere.radius > 1.01 * geometry.boundingSphere!.radius;
  geometry.boundingSphere = boundingSphere;
  return (
    ownSphere ||
    !object.frustumCulled ||
    Object.hasOwn(object, 'intersectsFrustum') ||
    (['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const).some((name) =>
      Object.hasOwn(object, name),
    ) ||
    Object.keys(geometry.morphAttributes).length > 0 ||
    materials.some(
      (material) =>
        Object.hasOwn(material, 'onBeforeCompile') ||
        material.onBeforeRender !== Material.prototype.onBeforeRender ||
        Reflect.get(material, 'displacementMap') ||
        Reflect.get(material, 'positionNode'),
    )
  );
}

const inWords = ({ object, distance, faceIndex, instanceId }: Intersection): string =>
  [object.name, distance.toFixed(4), faceIndex, instanceId].join();

export function hitsOf(group: Object3D): string {
  return RAYS.flatMap((ray, k) => ray.intersectObject(group).map((hit) => `${k}: ${inWords(hit)}`)).join('\n');
}

/** A world with all features on one group. */
export class FeatureWorld extends World {
  declare readonly group: OctreeGroup;
  readonly mode: Mode;
  private kind: Kind;
  readonly views: ViewChanges;
  readonly shadows: ShadowUpdates;
  readonly occlusion: OcclusionCulling;
  readonly batches: StaticBatches | null;
  private readonly probe: Object3D;

  /** @param isChanged Whether the change is made first. */
  constructor(mode: Mode, kind: Kind, isChanged = false) {
    super(new OctreeGroup({ hasStaticChildren: mode !== 'watched' }));
    this.mode = mode;
    this.kind = kind;
    const { scene, renderer, group, mesh, wall, floor } = this;
    if (kind.type !== undefined) renderer.shadowMap.type = kind.type as never;
    kind.make?.(this);
    scene.updateMatrixWorld();
    if (isChanged) {
      kind.change(this);
      this.report();
      scene.updateMatrixWorld();
    }
    this.views = new ViewChanges(scene, renderer, [group]).setStill(floor);
    this.shadows = new ShadowUpdates(scene, renderer, [group]).setStill(floor);
    this.probe = scene.children.at(-1)!;
    this.occlusion = new OcclusionCulling(group, AT_WALL, { bufferWidth: 64, minRemoved: 0, minOccluderArea: 0 });
    for (const occluder of [wall, mesh]) this.occlusion.setOccluder(occluder, true);
    this.batches = mode === 'watched' ? null : new StaticBatches(group).finish();
    this.occlusion.finish();
  }

  /** Replaces the mesh by another one, for another kind of change. Its siblings keep the old material. */
  restart(kind: Kind): void {
    const { group, wall, mesh: old } = this;
    group.remove(group.children.includes(old) ? old : group.children.at(-1)!);
    this.kind = kind;
    this.material = new MeshLambertMaterial({ name: 'material', color: 0x804020 });
    this.mesh = boxOf(this.material);
    group.add(this.mesh);
    kind.make?.(this);
    this.occlusion.setOccluder(wall, true).setOccluder(this.mesh, true).finish();
  }

  change(): void {
    this.kind.change(this);
    if (this.mode === 'reported') this.report();
  }

  private report(): void {
    const object = this.kind.reported?.(this) ?? this.mesh;
    if (object.parent !== null) this.group.reportMove(object);
  }

  /** Asks for the picture, and begins a frame. Returns whether the picture, and the map, have changed. */
  begin(): Told {
    const { scene, camera, renderer, light, probe } = this;
    const views = this.views.changedIn(camera);
    scene.updateMatrixWorld();
    Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [renderer, scene]);
    (probe as unknown as { update(camera: object): void }).update(camera);
    light.shadow.updateMatrices(light);
    light.shadow.needsUpdate = false;
    return { views, shadows: this.shadows.due.length > 0 };
  }

  shownIn(camera: Camera, truth: Truth): Shown {
    return shownIn(this.group, camera, truth);
  }

  get hits(): string {
    return hitsOf(this.group);
  }

  shownBehind(camera: Camera, truth: Truth): Shown {
    this.occlusion.camera = camera;
    return shownIn(this.group, camera, truth);
  }

  /** The passes of a frame. */
  draw(): void {
    for (const camera of [...STRIPES, EVERYTHING]) projectPass(this.group, camera);
    for (const camera of [AT_WALL, AT_MESH]) {
      this.occlusion.camera = camera;
      projectPass(this.group, camera);
    }
  }
}

/** What a world answers if the change was made before the features were. */
export interface FreshTruth {
  readonly isBatched: boolean;
  readonly behind: readonly (readonly [Camera, ReadonlySet<string>])[];
}

export function freshTruthOf(mode: Mode, kind: Kind, truth: Truth): FreshTruth {
  const world = new FeatureWorld(mode, kind, true);
  world.begin();
  world.draw();
  world.begin();
  const { names, alone } = world.shownIn(EVERYTHING, truth);
  return {
    isBatched: names.has('mesh') && !alone.has('mesh'),
    behind: [AT_WALL, AT_MESH].map((camera) => {
      const { names: behind } = world.shownBehind(camera, truth);
      if (camera === AT_WALL && kind.showsThrough) behind.add('mesh');
      if (camera === AT_MESH && kind.opens) behind.add('small');
      return [camera, behind] as const;
    }),
  };
}

const hasAll = ({ names }: Shown, expected: Iterable<string>): boolean =>
  Array.from(expected).every((name) => names.has(name));

/** Which features are wrong in the current frame, as far as a pass or a ray shows it. */
export function wrongIn(world: FeatureWorld, truth: Truth, fresh: FreshTruth): Feature[] {
  const wrong: Feature[] = [];
  if (!truth.stripes.every((expected, k) => hasAll(world.shownIn(STRIPES[k], truth), expected))) wrong.push('bounds');
  if (world.hits !== truth.hits) wrong.push('hits');
  if (world.mode !== 'watched') {
    const shown = world.shownIn(EVERYTHING, truth);
    const isRight =
      !shown.hasMore &&
      hasAll(
        shown,
        truth.objects.map(({ name }) => name),
      ) &&
      (fresh.isBatched || !shown.names.has('mesh') || shown.alone.has('mesh'));
    if (!isRight) wrong.push('batches');
  }
  if (!fresh.behind.every(([camera, expected]) => hasAll(world.shownBehind(camera, truth), expected)))
    wrong.push('occlusion');
  return wrong;
}

/** In which modes, moments and features a change is found later than it has to be, in words. */
export async function latenessOf(
  kind: Kind,
  tried: readonly Moment[] = MOMENTS,
  modes: readonly Mode[] = MODES,
): Promise<string[]> {
  const faults: string[] = [];
  const truth = truthOf(kind);
  let freshOfStatic: FreshTruth | undefined;
  for (const mode of modes) {
    // Static children are the same to a feature that has just begun.
    const fresh =
      mode === 'watched' ? freshTruthOf(mode, kind, truth) : (freshOfStatic ??= freshTruthOf(mode, kind, truth));
    const ofMode = new Map<string, Moment[]>();
    for (const moment of tried)
      for (const fault of await latenessIn(mode, moment, kind, truth, fresh))
        ofMode.set(fault, [...(ofMode.get(fault) ?? []), moment]);
    for (const [fault, moments] of ofMode)
      faults.push([mode, ...(moments.length === tried.length ? [] : moments), fault].join(', '));
  }
  return faults;
}

async function latenessIn(mode: Mode, moment: Moment, kind: Kind, truth: Truth, fresh: FreshTruth): Promise<string[]> {
  const world = new FeatureWorld(mode, kind);
  // The first frame sets up the light.
  world.begin();
  world.begin();
  world.draw();
  await Promise.resolve();
  expectRest(world, kind);
  world.draw();
  if (moment === 'next frame') await Promise.resolve();
  world.change();
  /** By frame: which features are wrong, and what ViewChanges and ShadowUpdates tell. */
  const wrong: Feature[][] = [];
  const told: Told[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    told.push(world.begin());
    wrong.push(wrongIn(world, truth, fresh));
    await Promise.resolve();
  }
  told.push(world.begin());
  const latest = mode === 'not reported' ? kind.unreported : AT_ONCE;
  const faults: string[] = [];
  for (const feature of PASS_FEATURES) {
    const isWrong = wrong.map((each) => each.includes(feature));
    if (isWrong.at(-1)) faults.push(`${feature}: never`);
    else if (isWrong[0] && latest === AT_ONCE) faults.push(`${feature}: late`);
  }
  return [...faults, ...faultsOfTold(told, kind, latest, mode === 'reported')];
}

/** As `latenessOf`, of a change of the scene, which only pictures and shadow maps show. */
export function latenessOfScene(kind: Kind): string[] {
  const world = new FeatureWorld('watched', kind);
  for (let k = 0; k < 2; k++) world.begin();
  expectRest(world, kind);
  world.change();
  const told = Array.from({ length: FRAMES + 1 }, () => world.begin());
  return faultsOfTold(told, kind, AT_ONCE, false);
}

function expectRest(world: FeatureWorld, kind: Kind): void {
  const { views, shadows } = world.begin();
  if ((views && kind.views !== ANY) || (shadows && kind.shadows !== ANY)) throw new Error('the world is not at rest');
}

/** @param isReported Whether a report alone may count as a change. */
export function faultsOfTold(told: readonly Told[], kind: Kind, latest: string, isReported: boolean): string[] {
  return (['views', 'shadows'] as const).flatMap((feature) => {
    const expected = kind[feature];
    const first = told.findIndex((each) => each[feature]);
    const isUnknown = kind.isUnknown === true && expected !== NEVER;
    if (expected === ANY) return [];
    if (expected === NEVER && first >= 0 && !isReported) return [`${feature}: told without a change`];
    if (expected !== NEVER && first < 0) return [`${feature}: never`];
    if (expected !== NEVER && first > 0 && latest === AT_ONCE) return [`${feature}: late`];
    return told.at(-1)![feature] === isUnknown ? [] : [`${feature}: ${isUnknown ? 'rests' : 'does not rest'}`];
  });
}

/** What the world shows without a change: the table means nothing if a batch, or an occluder, does nothing in it. */
export function shownAtRest(mode: Mode): { merged: string[]; atWall: string[]; atMesh: string[] } {
  const kind: Kind = { change: () => undefined, views: NEVER, shadows: NEVER, unreported: AT_ONCE };
  const truth = truthOf(kind);
  const world = new FeatureWorld(mode, kind);
  world.begin();
  const { names, alone } = world.shownIn(EVERYTHING, truth);
  const [atWall, atMesh] = [AT_WALL, AT_MESH].map((camera) => Array.from(world.shownBehind(camera, truth).names));
  return { merged: Array.from(names).filter((name) => !alone.has(name)), atWall, atMesh };
}
