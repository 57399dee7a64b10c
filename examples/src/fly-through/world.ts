// A built data set: its bodies in an octree, and the objects that draw them.

import { Box3 } from 'three';
import { IndexList, type Octree } from '../../../src/index.ts';
import type { OctreeInstancesOptions } from '../../../src/three.ts';
import { FrustumLoop } from '../shared/frustum-loop.ts';
import type { Scenery } from '../shared/ground.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { VisibleBodies } from './visible-bodies.ts';
import type { Tour } from '../shared/tour.ts';
import type { Bodies, DataSet } from './data-set.ts';
import type { Settings } from './settings.ts';

/** Bodies per step of the build: about 2 ms of work. */
const BODIES_PER_STEP = 1024;
/** The first step is short, because its code is not optimized yet. */
const FIRST_STEP = 128;

export class World {
  readonly dataSet: DataSet;
  readonly bodies: Bodies;
  readonly octree: Octree<number>;
  /** The visible bodies. It has room for all bodies from the start. */
  readonly list: IndexList;
  readonly loop: FrustumLoop;
  readonly drawn: VisibleBodies;
  /** Nodes of the octree. */
  readonly nodes: number;
  readonly scenery: Scenery;
  readonly tour: Tour;
  /** Far plane of the drawing cameras. */
  readonly drawFar: number;

  constructor(dataSet: DataSet, bodies: Bodies, filled: FilledOctree) {
    this.dataSet = dataSet;
    this.bodies = bodies;
    this.list = filled.list;
    this.drawn = filled.drawn;
    this.octree = this.drawn.pillars.octree;
    this.nodes = filled.nodes;
    this.loop = new FrustumLoop(filled.bounds);
    this.scenery = dataSet.createScenery(bodies);
    this.tour = dataSet.createTour(bodies);
    this.drawFar = bodies.region.edge * 5;
  }

  dispose(): void {
    this.drawn.dispose();
    this.scenery.dispose();
  }
}

/** Builds a world step by step. Reuses the bodies of the last world if data set and count are the same. */
export function* buildWorld(dataSet: DataSet, settings: Settings, last: World | undefined): SlicedWork<World> {
  const canReuse = last?.dataSet === dataSet && last.bodies.set.count === settings.count;
  const bodies = canReuse ? last.bodies : yield* partOf(dataSet.build(settings.count), 0, 0.4);
  const { looseness, leafCapacity } = settings;
  const filled = yield* partOf(
    fillOctree(dataSet, bodies, { region: bodies.region, looseness, leafCapacity }),
    canReuse ? 0 : 0.4,
    1,
  );
  // A step of its own, because the scenery takes as long as many bodies.
  yield 1;
  return new World(dataSet, bodies, filled);
}

interface FilledOctree {
  readonly list: IndexList;
  readonly drawn: VisibleBodies;
  readonly bounds: Float64Array;
  readonly nodes: number;
}

/**
 * Adding instances only queues them. The update after each step inserts them, so that the first query is not delayed.
 */
function* fillOctree({ name }: DataSet, { set }: Bodies, options: OctreeInstancesOptions): SlicedWork<FilledOctree> {
  const list = new IndexList(set.count);
  const drawn = new VisibleBodies(set, list, name === 'cities' ? 'globe' : 'city', options);
  const bounds = new Float64Array(set.count * 6);
  const box = new Box3();
  const { pillars } = drawn;
  yield 0;
  for (let body = 0, step = FIRST_STEP; body < set.count; body += step, step = Math.min(BODIES_PER_STEP, 2 * step)) {
    const end = Math.min(set.count, body + step);
    pillars.addInstances(set.matrices.subarray(body * 16, end * 16));
    pillars.updateMatrixWorld();
    for (let id = body; id < end; id++) {
      pillars.getBoundingBoxAt(id, box);
      box.min.toArray(bounds, id * 6);
      box.max.toArray(bounds, id * 6 + 3);
    }
    yield end / set.count;
  }
  return { list, drawn, bounds, nodes: pillars.octree.statistics.nodes };
}
