// A town of plain meshes, one per building, in an OctreeGroup. The meshes are not specially prepared for picking. 1
// unit = 1 m.

import {
  Group,
  HemisphereLight,
  DirectionalLight,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  Plane,
  Raycaster,
  Vector3,
} from 'three';
import { OctreeGroup } from '../../../src/three.ts';
import { palette } from '../shared/colours.ts';
import { addGlow, createGlow } from '../shared/glow.ts';
import { hash } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { flatSurface } from '../shared/surface.ts';
import { BuildingShapes, type BuildingKind } from './building-shapes.ts';
import type { PickingWorld, WorldPlan } from './picking-world.ts';
import { nodeAlong, pathAlong } from './ray-path.ts';
import { createTownGround } from './town-ground.ts';
import { planTown, radiusOfTown } from './town-plan.ts';
import { createWindowTexture } from './windows.ts';

/** Distance in metres at which the fog is opaque. */
const FAR = 2200;
/** Buildings per octree update: about 2 ms of work. */
const BUILDINGS_PER_UPDATE = 256;
/** A place among houses, with towers in the distance to the east. */
const SUBURB = new Vector3(-2420, 0, 960);
const GROUND = new Plane(new Vector3(0, 1, 0));
const SALT = 91;
const KIND_NAMES: Readonly<Record<BuildingKind, string>> = {
  houses: 'house',
  flats: 'block of flats',
  halls: 'hall',
  towers: 'tower',
};

export const townPlan: WorldPlan = {
  name: 'city',
  itemName: 'buildings',
  counts: [2000, 20_000, 50_000, 100_000],
  startCount: 100_000,
  load: () => Promise.resolve(),
  build: buildTown,
};

function* buildTown(count: number): SlicedWork<PickingWorld> {
  // Buildings do not move. As static children they cost nothing in a frame.
  const group = new OctreeGroup({ hasStaticChildren: true });
  const shapes = new BuildingShapes();
  const windows = createWindowTexture();
  const material = new MeshLambertMaterial({ vertexColors: true, emissive: 0xffffff, emissiveMap: windows });
  const kinds = new Map<Object3D, BuildingKind>();
  const edge = 2 ** Math.ceil(Math.log2(3.2 * radiusOfTown(count) + 512));
  const glow = createGlow(1024, 1024);

  yield* planTown(count, ({ x, z, width, depth, height, kind, address }) => {
    const chance = hash(Math.round(x), Math.round(z), SALT);
    const mesh = new Mesh(shapes.shapeFor(kind, height, chance), material);
    mesh.name = address;
    mesh.position.set(x, 0, z);
    mesh.scale.set(width, height, depth);
    group.add(mesh);
    kinds.set(mesh, kind);
    addGlow(glow, x / edge + 0.5, z / edge + 0.5, 6 + height / 5);
    // Otherwise the first frame would compute the bounds of all buildings at once.
    if (kinds.size % BUILDINGS_PER_UPDATE === 0) group.updateMatrixWorld();
  });
  group.updateMatrixWorld();
  // The first ray of a group brings its members into their order. This ray hits nothing, but does that before the first
  // click.
  group.raycastFirst(new Raycaster(new Vector3(0, -1, 0), new Vector3(0, -1, 0)));
  return createTown(group, kinds, material, createTownGround(edge, glow, FAR), () => {
    shapes.dispose();
    windows.dispose();
  });
}

function createTown(
  group: OctreeGroup,
  kinds: ReadonlyMap<Object3D, BuildingKind>,
  material: MeshLambertMaterial,
  ground: PickingWorld['scenery'],
  disposeShapes: () => void,
): PickingWorld {
  const buildings = [...kinds.keys()] as Mesh[];
  const selectedMaterial = new MeshLambertMaterial({
    vertexColors: true,
    color: '#8ff0dc',
    emissive: palette.contained,
    emissiveIntensity: 0.32,
  });
  const scenery = { ...ground, object: new Group().add(ground.object, ...createLights()) };
  return {
    plan: townPlan,
    count: buildings.length,
    container: group,
    scenery,
    viewOptions: {
      surface: flatSurface,
      unit: 'm',
      digits: 1,
      farFrom: () => FAR,
      distance: { low: 25, high: 1100, start: 430 },
      ...startOf(buildings.length),
    },
    groundDistance: (ray) => ray.distanceToPlane(GROUND) ?? Infinity,
    plainObjects: () => buildings,
    nameOf: ({ object }) => object.name,
    factsOf: ({ object }) => [
      ['kind', KIND_NAMES[kinds.get(object)!]],
      ['height', `${object.scale.y.toFixed(1)} m high`],
    ],
    shapeOf: ({ object }) => ({ geometry: (object as Mesh).geometry, matrix: object.matrixWorld }),
    nodeOf: ({ object }, ray) => nodeAlong(group.octree, ray, object),
    pathOf(ray, far) {
      const { nodes, tested } = pathAlong(group.octree, ray, far);
      return { nodes, tested: tested.map((object) => ({ object })) };
    },
    setSelected(items, isSelected) {
      // Both materials draw the same surface, so the bounds in the octree stay valid.
      for (const { object } of items) (object as Mesh).material = isSelected ? selectedMaterial : material;
    },
    dispose() {
      material.dispose();
      selectedMaterial.dispose();
      ground.dispose();
      disposeShapes();
    },
  };
}

/**
 * The initial view: over the roofs of a suburb towards the towers, or from the edge of a town that is too small for
 * suburbs.
 */
function startOf(count: number): Pick<PickingWorld['viewOptions'], 'target' | 'heading' | 'tilt'> {
  const isLarge = radiusOfTown(count) > SUBURB.length();
  return {
    target: isLarge ? SUBURB : new Vector3(-0.7 * radiusOfTown(count), 0, 0),
    heading: new Vector3(1, 0, isLarge ? 0.2 : 0),
    tilt: 0.3,
  };
}

/** Evening sun from the west, sky light from above and street light from below. */
function createLights(): Object3D[] {
  const sun = new DirectionalLight('#ffb787', 1.5);
  sun.position.set(-3, 1.4, 1.2);
  return [sun, new HemisphereLight('#6f8fc4', '#4a3424', 1.15)];
}
