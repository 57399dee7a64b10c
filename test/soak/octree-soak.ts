/**
 * An octree at a constant population, tick by tick: bodies move, come and go, contacts, sensors, bands and overlaps
 * follow them, every kind of query runs. Measures how much memory each 1,000 ticks leave behind.
 */

import { PerspectiveCamera } from 'three';
import {
  assignBands,
  castRays,
  collectVisible,
  IndexList,
  idOf,
  moveManyById,
  Octree,
  onIntersection,
  sortByDistance,
  trackContacts,
  translate,
  watch,
  watchDistances,
  type Body,
} from '../../src/index.ts';
import { callOf, EXAMPLES, QUERY_SPECS, queryIndices } from '../support/queries.ts';
import { createRandom } from '../support/random.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, planesOfBox, point, shapeOf, sphereOf } from '../support/shapes.ts';
import { measureGrowth, type Growth } from './memory.ts';

const EDGE = 400;
const RAYS = 64;
const CAMERA = new PerspectiveCamera();

/** The octree, and all that follows its bodies. */
class Population {
  readonly octree: Octree<number>;
  private readonly bodies: Body<number>[];
  private readonly sensors;
  private readonly bands;
  private readonly random = createRandom(7);
  private readonly list = new IndexList();
  private readonly hits = {
    indices: new Int32Array(RAYS),
    distances: new Float64Array(RAYS),
    normals: new Float64Array(3 * RAYS),
  };
  private readonly bandsOfList: Uint8Array;
  private tick = 0;
  /** What callbacks have counted. */
  calls = 0;

  constructor(count: number, simdFrom: number) {
    this.octree = new Octree<number>({ simdFrom });
    const { octree } = this;
    const call = (): void => void this.calls++;
    this.bodies = uniform(count, 1, EDGE, 6).map((shape, k) =>
      octree.insert(shapeOf(shape), k, { isStatic: k % 4 === 3 }),
    );
    trackContacts(octree, { within: 1 });
    this.sensors = [
      boxOf(cube(0, 0, 0, 60)),
      sphereOf([90, 0, 0, 50]),
      planesOf(planesOfBox([-99, -99, -99, 0, 0, 0])),
    ].map((shape) => watch(octree, shape, { onEnter: call, onLeave: call }));
    this.bands = watchDistances(octree, point([0, 0, 0]), [50, 100], { hysteresis: 0.1, onChange: call });
    this.bandsOfList = new Uint8Array(2 * count);
    for (let k = 0; k < 40; k++) onIntersection(octree, this.bodies[k], call);
    for (const body of this.bodies) idOf(octree, body.index);
  }

  /** A tick, in which a tenth of the bodies move, ten are replaced, and one of the queries of each kind is asked. */
  step(): void {
    const { bands, bodies, list, octree, random, sensors } = this;
    const within = (): number => random.between(-EDGE / 2, EDGE / 2);
    for (let k = this.tick % 10; k < bodies.length; k += 10) {
      const body = bodies[k];
      if (body.isStatic) continue;
      const { min, max } = body.getBox();
      const [x, y, z] = [min.x + max.x, min.y + max.y, min.z + max.z].map((sum) => {
        const next = sum / 2 + random.between(-1, 1);
        return Math.abs(next) > EDGE / 2 ? 0 : next;
      });
      if (k % 3 === 0) moveManyById(octree, [idOf(octree, body.index)], Float64Array.of(x, y, z));
      else body.setCenter(point([x, y, z]));
    }
    for (let k = 0; k < 10; k++) {
      const at = 40 + random.below(bodies.length - 40);
      const { isStatic, data } = bodies[at];
      bodies[at].remove();
      bodies[at] = octree.insert(sphereOf([within(), within(), within(), 2]), data, { isStatic });
    }
    sensors[this.tick % 2].moveTo(sphereOf([within(), within(), within(), 50]));
    bands.moveTo(point([within(), 0, 0]));
    if (this.tick % 500 === 0) translate(octree, { x: this.tick % 1000 === 0 ? 64 : -64, y: 0, z: 0 });
    octree.update(0.05);
    const query = EXAMPLES[this.tick % EXAMPLES.length];
    queryIndices(octree, query, list);
    const spec = QUERY_SPECS[this.tick % QUERY_SPECS.length];
    callOf(octree, spec.methods.records)(...spec.arguments(spec.example));
    octree.collectBox(boxOf(cube(within(), within(), within(), 40)), list);
    sortByDistance(octree, list, point([0, 0, 0]));
    assignBands(octree, list, point([0, 0, 0]), [50, 100], this.bandsOfList);
    const rays = Float64Array.from({ length: 7 * RAYS }, (_, k) => (k % 7 === 6 ? EDGE : within()));
    castRays(octree, rays, this.hits);
    collectVisible(octree, CAMERA, list);
    this.tick++;
  }
}

/** Runs a population for some ticks. */
export async function soakOctree(count: number, ticks: number, simdFrom: number): Promise<Growth> {
  const population = new Population(count, simdFrom);
  const growth = await measureGrowth(population, ticks);
  if (population.calls === 0) throw new Error('No callback was called.');
  return growth;
}
