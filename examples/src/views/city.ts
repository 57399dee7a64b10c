// The views of a frame: the camera, the shadow cascades and the minimap. Culls for each of them, and records which
// views see each building.

import { type Camera, Frustum, Matrix4, OrthographicCamera, PerspectiveCamera } from 'three';
import { IndexList, Octree } from '../../../src/index.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { Cascades } from './cascades.ts';
import { type CityPlan, MAX_HEIGHT, planCity } from './city-plan.ts';
import { Flight } from './flight.ts';
import type { Settings } from './settings.ts';

const FIELD_OF_VIEW = 48;
const NEAR = 4;
/** Half of the height of the minimap's picture, in metres. */
const MINIMAP_HALF = 280;
/** Buildings inserted between two yields. */
const BODIES_PER_STEP = 500;
/** Share of the plan in the work. */
const PLAN_SHARE = 0.4;

export interface CityView {
  /** The name of its figure. */
  readonly name: string;
  /** Its bit in the sets of views. */
  readonly bit: number;
  readonly from: Camera;
  readonly frustum: Frustum;
  readonly list: IndexList;
}

/** Plans the city and inserts its buildings into the octree, in many short steps. */
export function* buildCity(buildings: number): SlicedWork<City> {
  const city = new City(yield* partOf(planCity(buildings), 0, PLAN_SHARE));
  for (let first = 0; first < buildings; first += BODIES_PER_STEP) {
    city.octree.insertMany(city.bounds.subarray(first * 6, (first + BODIES_PER_STEP) * 6), {
      kind: 'box',
      isStatic: true,
    });
    // Builds this part of the tree now: the first query would build all of it.
    city.octree.update(0);
    yield PLAN_SHARE + (1 - PLAN_SHARE) * (first / buildings);
  }
  return city;
}

export class City {
  readonly octree = new Octree<null>();
  /** Min x y z and max x y z of each building. */
  readonly bounds: Float64Array;
  /** Half of the edge of the city. */
  readonly half: number;
  readonly flight: Flight;
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR);
  /** Looks down at the place of the camera; north is up. */
  readonly minimap = new OrthographicCamera(
    -MINIMAP_HALF,
    MINIMAP_HALF,
    MINIMAP_HALF,
    -MINIMAP_HALF,
    1,
    2 * MAX_HEIGHT,
  );
  /** The camera, all cascades, the minimap. Bit k of a set belongs to view k. */
  readonly all: readonly CityView[];
  /** The views of the last frame: all but the cascades that the settings leave out. */
  active: readonly CityView[] = [];
  /** By building: the set of views that see it. */
  readonly sets: Uint8Array;
  /** Sum of the lengths of all lists. */
  found = 0;
  /** Buildings that no view sees. */
  unseen = 0;
  private readonly cascades = new Cascades(MAX_HEIGHT);
  private readonly matrix = new Matrix4();

  /** The octree is empty at first. A building and its body have the same index. */
  constructor({ bounds, half }: CityPlan) {
    this.bounds = bounds;
    this.half = half;
    this.flight = new Flight(half);
    this.sets = new Uint8Array(bounds.length / 6);
    this.minimap.up.set(0, 0, -1);
    const froms: [string, Camera][] = [
      ['camera', this.camera],
      ...this.cascades.cameras.map((camera, k): [string, Camera] => [`cascade-${k + 1}`, camera]),
      ['minimap', this.minimap],
    ];
    this.all = froms.map(([name, from], k) => ({
      name,
      bit: 1 << k,
      from,
      frustum: new Frustum(),
      list: new IndexList(),
    }));
  }

  /**
   * Places the views of a frame.
   *
   * @param aspect Width of the camera's picture, divided by its height.
   * @param minimapAspect The same of the minimap's picture.
   */
  place({ cascades, far }: Settings, aspect: number, minimapAspect = 1): void {
    const { camera, minimap, flight } = this;
    camera.aspect = aspect;
    camera.far = far;
    camera.updateProjectionMatrix();
    flight.place(camera);
    this.cascades.fit(camera, cascades);
    minimap.right = MINIMAP_HALF * minimapAspect;
    minimap.left = -minimap.right;
    minimap.updateProjectionMatrix();
    minimap.position.set(camera.position.x, 2 * MAX_HEIGHT, camera.position.z);
    minimap.lookAt(camera.position.x, 0, camera.position.z);
    minimap.updateMatrixWorld();
    this.active = this.all.filter((_, k) => k <= cascades || k === this.all.length - 1);
    for (const { from, frustum } of this.active)
      frustum.setFromProjectionMatrix(this.matrix.multiplyMatrices(from.projectionMatrix, from.matrixWorldInverse));
  }

  /** Fills the list of each view, and counts what the lists hold. */
  cull(): void {
    this.found = 0;
    for (const { frustum, list } of this.active) this.found += this.octree.collectFrustum(frustum, list);
  }

  /** Writes the set of views of each building, from the lists. */
  writeSets(): void {
    const { sets } = this;
    sets.fill(0);
    for (const {
      bit,
      list: { array, length },
    } of this.active)
      for (let k = 0; k < length; k++) sets[array[k]] |= bit;
    this.unseen = 0;
    for (const set of sets) if (set === 0) this.unseen++;
  }
}
