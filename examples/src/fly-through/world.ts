// A data set once it is built: its bodies in an octree, and what draws them.

import { IndexList, Octree } from '../../../src/index.ts';
import { BruteForce } from '../shared/brute-force.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { VisibleBodies } from '../shared/visible-bodies.ts';
import type { Bodies, DataSet, Scenery, Tour } from './data-set.ts';
import type { Settings } from './settings.ts';

/** Bodies a step of the build: about 2 ms of work. */
const BODIES_A_STEP = 1024;

export class World {
  readonly dataSet: DataSet;
  readonly bodies: Bodies;
  readonly octree: Octree<undefined>;
  /** The bodies to draw; its array holds all of them from the start. */
  readonly list: IndexList;
  readonly bruteForce: BruteForce;
  readonly drawn: VisibleBodies;
  readonly scenery: Scenery;
  readonly tour: Tour;
  /** How far the camera's picture reaches. */
  readonly drawFar: number;

  constructor(dataSet: DataSet, bodies: Bodies, octree: Octree<undefined>) {
    this.dataSet = dataSet;
    this.bodies = bodies;
    this.octree = octree;
    this.list = new IndexList(bodies.set.count);
    this.bruteForce = new BruteForce(bodies.set.bounds);
    this.drawn = new VisibleBodies(bodies.set, this.list, dataSet.name === 'cities' ? 'globe' : 'city');
    this.scenery = dataSet.createScenery(bodies);
    this.tour = dataSet.createTour(bodies);
    this.drawFar = bodies.region.edge * 5;
  }

  dispose(): void {
    this.drawn.dispose();
    this.scenery.dispose();
  }
}

/** Builds a world step by step; bodies that the last world already has are taken from it. */
export function* buildWorld(dataSet: DataSet, settings: Settings, last: World | undefined): SlicedWork<World> {
  const canReuse = last?.dataSet === dataSet && last.bodies.set.count === settings.count;
  const bodies = canReuse ? last.bodies : yield* partOf(dataSet.build(settings.count), 0, 0.4);
  const octree = new Octree<undefined>({ region: bodies.region, looseness: settings.looseness, leafCapacity: settings.leafCapacity });
  yield* partOf(fillOctree(octree, bodies), canReuse ? 0 : 0.4, 1);
  return new World(dataSet, bodies, octree);
}

/** Inserting only queues: the update after every slice does the work, so that no query has to do all of it at once. */
function* fillOctree(octree: Octree<undefined>, { set }: Bodies): SlicedWork<void> {
  for (let body = 0; body < set.count; body += BODIES_A_STEP) {
    const end = Math.min(set.count, body + BODIES_A_STEP);
    const indices = octree.insertMany(set.bounds.subarray(body * 6, end * 6), { kind: 'box' });
    if (indices[0] !== body) throw new Error('fillOctree: a new octree numbers its bodies from 0');
    octree.update();
    yield end / set.count;
  }
}
