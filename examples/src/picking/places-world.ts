// The world of real places: each is an instance of one pillar in an OctreeInstances. 1 unit = 1 km.

import placeNamesUrl from 'virtual:place-names';
import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  Float32BufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Sphere,
  Vector3,
} from 'three';
import { OctreeInstances } from '../../../src/three.ts';
import { createGlobe } from '../shared/globe.ts';
import { EARTH_RADIUS, fetchPlaces, heightFor, mostPopulous, widthFor } from '../shared/places.ts';
import { latitudeOf, longitudeOf, type PlaceColumns, populationOf } from '../shared/places-binary.ts';
import { bodyLight, palette } from '../shared/colours.ts';
import { addGlow, createGlow } from '../shared/glow.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { createGlobeSurface, onGlobe } from '../shared/surface.ts';
import type { HazyScenery, PickingWorld, WorldPlan } from './picking-world.ts';
import { nodeAlong, pathAlong } from './ray-path.ts';

/** Places per octree update: about 2 ms of work. */
const PLACES_PER_UPDATE = 512;
/** Upper bound of the height and the width of a pillar, in km. */
const MAX_PILLAR = 300;
/** The tallest pillar is visible from up to this distance behind the horizon, in km. */
const BEHIND_HORIZON = 1750;
const GLOBE = new Sphere(new Vector3(), EARTH_RADIUS);
const START = { longitude: 4.6, latitude: 51.6 };
const RADIANS = Math.PI / 180;

interface NamedPlaces {
  readonly columns: PlaceColumns;
  /** By place: two letters for the country, then the name. */
  readonly names: readonly string[];
}

export function createPlacesPlan(): WorldPlan {
  let places: NamedPlaces | undefined;
  const plan: WorldPlan = {
    name: 'cities',
    itemName: 'places',
    counts: [10_000, 50_000, 135_233],
    startCount: 135_233,
    async load() {
      places ??= await fetchNamedPlaces();
    },
    *build(count) {
      if (!places) throw new Error('places.build: call load() first');
      return yield* buildWorld(plan, places, Math.min(count, places.columns.count));
    },
  };
  return plan;
}

async function fetchNamedPlaces(): Promise<NamedPlaces> {
  const [columns, response] = await Promise.all([fetchPlaces(), fetch(placeNamesUrl)]);
  if (!response.ok)
    throw new Error(`The names of the places did not load (${response.status} ${response.statusText}).`);
  return { columns, names: (await response.text()).split('\n') };
}

function* buildWorld(plan: WorldPlan, { columns, names }: NamedPlaces, count: number): SlicedWork<PickingWorld> {
  const pillars = new OctreeInstances(createPillar(), new MeshBasicMaterial({ vertexColors: true }));
  const glow = createGlow(2048, 1024);
  /** The place of each instance, by instance id. */
  const placeOf = new Uint32Array(count);
  yield* partOf(addPillars(pillars, columns, count, placeOf, glow), 0, 0.85);
  const plain = new InstancedMesh(pillars.geometry, pillars.material, count);
  yield* partOf(copyInstances(pillars, plain), 0.85, 1);
  return createWorld(
    plan,
    pillars,
    plain,
    { ...createGlobe(EARTH_RADIUS, glow), hazeEnd: Infinity },
    {
      nameOf: (id) => names[placeOf[id]].slice(2),
      countryOf: (id) => names[placeOf[id]].slice(0, 2),
      populationOf: (id) => populationOf(columns, placeOf[id]),
    },
  );
}

function* addPillars(
  pillars: OctreeInstances,
  columns: PlaceColumns,
  count: number,
  placeOf: Uint32Array,
  glow: ReturnType<typeof createGlow>,
): SlicedWork<void> {
  const isWanted = mostPopulous(columns, count);
  const matrix = new Matrix4();
  const up = new Vector3();
  const color = new Color();
  for (let place = 0; place < columns.count; place++) {
    const [longitude, latitude, population] = [
      longitudeOf(columns, place),
      latitudeOf(columns, place),
      populationOf(columns, place),
    ];
    addGlow(glow, longitude / (2 * Math.PI) + 0.5, latitude / Math.PI + 0.5, 2 + Math.log2(1 + population));
    if (isWanted(place)) {
      const id = pillars.addInstance(
        standOn(onGlobe(longitude, latitude, up), widthFor(population), heightFor(population), matrix),
      );
      pillars.setColorAt(id, lightFor(population, color));
      placeOf[id] = place;
    }
    if (place % PLACES_PER_UPDATE === 0) {
      pillars.updateMatrixWorld();
      yield place / columns.count;
    }
  }
  pillars.updateMatrixWorld();
}

/** Copies the instances to an InstancedMesh for three's own Raycaster; it is never drawn. */
function* copyInstances(from: OctreeInstances, to: InstancedMesh): SlicedWork<void> {
  const matrix = new Matrix4();
  for (let id = 0; id < to.count; id++) {
    to.setMatrixAt(id, from.getMatrixAt(id, matrix));
    if (id % PLACES_PER_UPDATE === 0) yield id / to.count;
  }
  // Otherwise three computes it from all instances at the first ray.
  to.boundingSphere = new Sphere(new Vector3(), EARTH_RADIUS + MAX_PILLAR);
}

interface PlaceBook {
  nameOf(id: number): string;
  countryOf(id: number): string;
  populationOf(id: number): number;
}

function createWorld(
  plan: WorldPlan,
  pillars: OctreeInstances,
  plain: InstancedMesh,
  scenery: HazyScenery,
  book: PlaceBook,
): PickingWorld {
  const regions = new Intl.DisplayNames(['en'], { type: 'region' });
  const color = new Color();
  const onGround = new Vector3();
  return {
    plan,
    count: pillars.instanceCount,
    container: pillars,
    scenery,
    viewOptions: {
      surface: createGlobeSurface(EARTH_RADIUS),
      unit: 'km',
      digits: 1,
      farFrom: (altitude) => Math.sqrt(Math.max(0, altitude) * (2 * EARTH_RADIUS + altitude)) + BEHIND_HORIZON,
      distance: { low: 30, high: 12_000, start: 520 },
      target: onGlobe(START.longitude * RADIANS, START.latitude * RADIANS, new Vector3()).multiplyScalar(EARTH_RADIUS),
      heading: new Vector3(0.3, 1, 0),
      tilt: 0.62,
    },
    groundDistance: (ray) => ray.intersectSphere(GLOBE, onGround)?.distanceTo(ray.origin) ?? Infinity,
    plainObjects: () => [plain],
    nameOf: ({ instanceId }) => book.nameOf(instanceId!),
    factsOf: ({ instanceId }) => [
      ['country', regions.of(book.countryOf(instanceId!)) ?? ''],
      ['people', `${Math.round(book.populationOf(instanceId!)).toLocaleString('en')} people`],
    ],
    shapeOf: ({ instanceId }) => ({
      geometry: pillars.geometry,
      matrix: pillars.getMatrixAt(instanceId!, new Matrix4()),
    }),
    nodeOf: ({ instanceId }, ray) => nodeAlong(pillars.octree, ray, instanceId!),
    pathOf(ray, far) {
      const { nodes, tested } = pathAlong(pillars.octree, ray, far);
      return { nodes, tested: tested.map((instanceId) => ({ object: pillars, instanceId })) };
    },
    setSelected(items, isSelected) {
      for (const { instanceId } of items)
        pillars.setColorAt(
          instanceId!,
          isSelected ? palette.contained : lightFor(book.populationOf(instanceId!), color),
        );
    },
    dispose() {
      pillars.dispose();
      pillars.geometry.dispose();
      (pillars.material as MeshBasicMaterial).dispose();
      plain.dispose();
      scenery.dispose();
    },
  };
}

/** Colour of a pillar by its height. */
const lightFor = (population: number, target: Color): Color =>
  bodyLight(Math.log(heightFor(population) / 1.6) / Math.log(150), target);

/** Matrix of a pillar on the globe in the direction of the unit vector `up`. */
function standOn(up: Vector3, width: number, height: number, target: Matrix4): Matrix4 {
  east.set(up.z, 0, -up.x).normalize();
  south.crossVectors(east, up);
  return target
    .makeBasis(east, up, south)
    .scale(size.set(width, height, width))
    .setPosition(up.x * EARTH_RADIUS, up.y * EARTH_RADIUS, up.z * EARTH_RADIUS);
}
const east = new Vector3();
const south = new Vector3();
const size = new Vector3();

/** A unit box with its bottom at y = 0 and shading in its vertex colours. */
function createPillar(): BufferGeometry {
  const pillar = new BoxGeometry(1, 1, 1).translate(0, 0.5, 0);
  const normals = pillar.getAttribute('normal');
  const shades = Array.from({ length: normals.count }, (_, corner) =>
    normals.getY(corner) > 0.5 ? 1 : 0.5 + 0.22 * normals.getX(corner) + 0.1 * normals.getZ(corner),
  );
  return pillar.setAttribute(
    'color',
    new Float32BufferAttribute(
      shades.flatMap((shade) => [shade, shade, shade]),
      3,
    ),
  );
}
