/**
 * `npm run load`: large numbers of everything, and what they cost: a million bodies with all features, a thousand
 * sensors, batches of more than 65,536 meshes, a thousand containers, a hundred cameras. Each row compares its results
 * with a loop, or with plain three, and throws if they differ. `--scale 0.01` runs a hundredth of each; a name, that
 * row alone.
 */
import { parseArgs } from 'node:util';
import { BoxGeometry, Group, Matrix4, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene } from 'three';
import {
  collectPairs,
  idsOf,
  IndexList,
  moveManyById,
  nearest,
  Octree,
  onIntersection,
  setOccluder,
  trackContacts,
  watch,
  watchDistances,
} from '../../src/index.ts';
import { OctreeGroup, OctreeInstances, StaticBatches } from '../../src/three.ts';
import { frustumOf, isOutside, projectPass } from '../support/pass-lists.ts';
import { createRandom, type Random } from '../support/random.ts';
import { boxOf, cube, point, sphereOf } from '../support/shapes.ts';
import { bytesOfBuffers } from './memory.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string', default: '1' } },
});
const scale = Number(values.scale);
const scaled = (count: number): number => Math.ceil(count * scale);

/** What the parts of a row take. */
class Costs {
  readonly parts: string[] = [];
  private readonly before = bytesHeld();

  /** Runs a part. Its memory is what is held after it, and was not before the row. */
  time(name: string, run: () => void): void {
    const start = performance.now();
    run();
    const milliseconds = Math.round(performance.now() - start);
    this.parts.push(`${name} ${milliseconds} ms (${Math.round((bytesHeld() - this.before) / 1e6)} MB)`);
  }
}

function expectEqual(what: string, found: number | string, expected: number | string): void {
  if (found !== expected) throw new Error(`${what}: ${found} in place of ${expected}`);
}

/** Centres x y z in a cube about the origin, in which each body has a volume of 125. */
function places(random: Random, count: number): Float64Array {
  const edge = 5 * Math.cbrt(count);
  return Float64Array.from({ length: 3 * count }, () => random.between(-edge / 2, edge / 2));
}

function cameraAt(x: number, y: number, z: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(50, 1, 0.1, 120);
  camera.position.set(x, y, z);
  camera.updateMatrixWorld();
  return camera;
}

/**
 * Throws unless both scenes draw the same, but for meshes of which no pixel is in the picture. Returns their number.
 */
function compare([plain, own]: readonly Scene[], camera: PerspectiveCamera): number {
  const drawn = projectPass(own, camera);
  const names = new Set(drawn.map(({ object }) => object.name));
  const frustum = frustumOf(camera);
  const expected = projectPass(plain, camera).filter(
    (each) => names.has(each.object.name) || !isOutside(each, frustum),
  );
  const inWords = (list: typeof drawn): string => list.map(({ object }) => object.name).join();
  expectEqual('drawn', inWords(drawn), inWords(expected));
  return drawn.length;
}

function camerasOf(y: number): PerspectiveCamera[] {
  return Array.from({ length: 100 }, (_, k) => cameraAt(k - 50, y, k));
}

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

/** Two scenes with the same meshes at random places: in plain groups and in groups with an octree. */
function twinScenes(groups: number, meshes: number): readonly Scene[] {
  const all = places(createRandom(5), groups * meshes);
  return [Group, OctreeGroup].map((Class) => {
    const scene = new Scene();
    for (let g = 0; g < groups; g++) {
      const group = new Class();
      for (let k = 0; k < meshes; k++) {
        const mesh = new Mesh(geometry, material);
        mesh.position.fromArray(all, 3 * (g * meshes + k));
        mesh.name = `${g} ${k}`;
        group.add(mesh);
      }
      scene.add(group);
    }
    return scene;
  });
}

/** Each measures its parts, and checks its results. */
const ROWS: Readonly<Record<string, (costs: Costs) => void>> = {
  '1,000,000 bodies with all features'(costs) {
    const count = scaled(1_000_000);
    const random = createRandom(1);
    const centers = places(random, count);
    const spheres = Float64Array.from({ length: 4 * count }, (_, k) =>
      k % 4 === 3 ? 1 : centers[3 * (k >> 2) + (k % 4)],
    );
    const octree = new Octree<number>();
    const list = new IndexList();
    let calls = 0;
    const call = (): void => void calls++;
    let ids: Float64Array = centers;
    costs.time('insert', () => {
      const indices = octree.insertMany(spheres, { kind: 'sphere' });
      octree.update();
      ids = idsOf(octree, indices);
    });
    const contacts = trackContacts(octree);
    const area = sphereOf([0, 0, 0, 40]);
    const sensor = watch(octree, area, { onEnter: call });
    watchDistances(octree, point([0, 0, 0]), [50, 100], { onChange: call });
    for (let k = 0; k < 1000; k++) onIntersection(octree, octree.bodyAt(k % count), call);
    for (let k = 0; k < 100; k++) setOccluder(octree, octree.bodyAt(k % count), true);
    costs.time('first update', () => octree.update());
    const moved = ids.filter((_, k) => k % 100 === 0);
    costs.time('10 updates, 1 % moving', () => {
      for (let tick = 0; tick < 10; tick++) {
        for (let k = 0; k < count; k += 100)
          for (let axis = 0; axis < 3; axis++) centers[3 * k + axis] += random.between(-1, 1);
        moveManyById(
          octree,
          moved,
          Float64Array.from({ length: 3 * moved.length }, (_, k) => centers[300 * Math.floor(k / 3) + (k % 3)]),
        );
        octree.update();
      }
    });
    expectEqual('contacts', contacts.count, collectPairs(octree, list));
    let inside = 0;
    for (let k = 0; k < centers.length; k += 3) if (Math.hypot(...centers.subarray(k, k + 3)) <= 41) inside++;
    expectEqual('sensor', sensor.inside.length, inside);
    costs.time('1,000 queries', () => {
      for (let k = 0; k < 1000; k++) {
        octree.collectBox(boxOf(cube(centers[3 * (k % count)], 0, 0, 5)), list);
        nearest(octree, point([k, 0, 0]), 4);
      }
    });
    expectEqual('callbacks', calls > 0 ? 1 : 0, 1);
  },
  '1,000 sensors among 100,000 bodies'(costs) {
    const count = scaled(100_000);
    const random = createRandom(2);
    const centers = places(random, count);
    const octree = new Octree<number>();
    const boxes = Float64Array.from({ length: count }, (_, k) => k).reduce<number[]>(
      (all, k) => (all.push(...cube(centers[3 * k], centers[3 * k + 1], centers[3 * k + 2], 1)), all),
      [],
    );
    const indices = octree.insertMany(Float64Array.from(boxes), { kind: 'box' });
    const areas = Array.from({ length: scaled(1000) }, () =>
      sphereOf([random.between(-90, 90), random.between(-90, 90), random.between(-90, 90), 10]),
    );
    const sensors = areas.map((area) => watch(octree, area));
    costs.time('first update', () => octree.update());
    costs.time('10 updates, 10 % moving', () => {
      for (let tick = 0; tick < 10; tick++) {
        const moved = indices.filter((_, k) => k % 10 === tick);
        octree.moveMany(
          moved,
          Float64Array.from({ length: 3 * moved.length }, () => random.between(-90, 90)),
        );
        octree.update();
      }
    });
    const list = new IndexList();
    for (const [k, area] of areas.entries())
      expectEqual(`sensor ${k}`, sensors[k].inside.length, octree.collectSphere(area, list));
  },
  '70,000 meshes of one geometry in a batch': (costs) => batch(costs, () => geometry),
  '70,000 meshes of own geometries in a batch': (costs) => batch(costs, () => new BoxGeometry()),
  '1,000 containers'(costs) {
    const twins = twinScenes(scaled(1000), 60);
    const [plain, own] = twins;
    costs.time('first frame', () => {
      own.updateMatrixWorld();
      projectPass(own, cameraAt(0, 0, 90));
    });
    plain.updateMatrixWorld();
    costs.time('frame', () => {
      own.updateMatrixWorld();
      projectPass(own, cameraAt(0, 0, 60));
    });
    for (const z of [90, 0, -50]) compare(twins, cameraAt(0, 0, z));
  },
  '100 cameras before 20,000 meshes and 100,000 instances'(costs) {
    const twins = twinScenes(1, scaled(20_000));
    const [plain, own] = twins;
    const count = scaled(100_000);
    const all = places(createRandom(8), count);
    const instances = new OctreeInstances(geometry, material, count);
    for (let id = 0; id < count; id++)
      instances.setMatrixAt(id, new Matrix4().makeTranslation(all[3 * id], all[3 * id + 1], all[3 * id + 2]));
    const apart = new Scene().add(instances);
    for (const scene of [plain, own, apart]) scene.updateMatrixWorld();
    const cameras = camerasOf(0);
    const frame = (): void => {
      for (const camera of cameras) {
        projectPass(own, camera);
        projectPass(apart, camera);
      }
    };
    costs.time('first frame', frame);
    costs.time('frame', frame);
    for (const camera of cameras.slice(0, 9)) compare(twins, camera);
    // Cameras that come and go: what is kept for them ends after at most 240 passes, of which 1,200 are a multiple.
    const drawGone = (): number => {
      for (let round = 0; round < 12; round++)
        for (const camera of camerasOf(round)) {
          projectPass(own, camera);
          projectPass(apart, camera);
        }
      return bytesHeld();
    };
    const before = drawGone();
    const growth = drawGone() / before;
    if (growth > 1.1) throw new Error(`1,200 more cameras that are gone: memory grows to ${growth.toFixed(2)} times`);
  },
};

function batch(costs: Costs, geometryOf: () => BoxGeometry): void {
  const count = scaled(70_000);
  const all = places(createRandom(4), count);
  const group = new OctreeGroup({ hasStaticChildren: true });
  for (let k = 0; k < count; k++) {
    const mesh = new Mesh(geometryOf(), material);
    mesh.position.fromArray(all, 3 * k);
    group.add(mesh);
  }
  const scene = new Scene().add(group);
  scene.updateMatrixWorld();
  const camera = cameraAt(0, 0, 0);
  const seen = projectPass(scene, camera).length;
  let batches: StaticBatches | null = null;
  costs.time('build', () => (batches = new StaticBatches(group).finish()));
  const { batched, chunks } = batches!.report();
  expectEqual('batched', batched, count);
  costs.time('frame', () => {
    scene.updateMatrixWorld();
    projectPass(scene, camera);
  });
  const drawn = projectPass(scene, camera).length;
  if (drawn > chunks || seen < drawn) throw new Error(`${drawn} of ${chunks} chunks are drawn for ${seen} meshes`);
}

/** Bytes of what is held: objects, and the content of array buffers. */
function bytesHeld(): number {
  const buffers = bytesOfBuffers();
  return buffers + process.memoryUsage().heapUsed;
}

for (const [name, run] of Object.entries(ROWS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const costs = new Costs();
  run(costs);
  console.log(`${name}: ${costs.parts.join(', ')}`);
}
