// A town at night: houses, trees, twelve lamps with shadow maps, cars and people. 1 unit = 1 m.

import {
  BoxGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  HemisphereLight,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Object3D,
  PlaneGeometry,
  Scene,
  SphereGeometry,
  SpotLight,
  Vector3,
} from 'three';
import { InstanceChanges, OctreeGroup, OctreeInstances, type Pickable } from '../../../src/three.ts';
import { palette } from '../shared/colours.ts';
import { hash, mix } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { RANGES } from './settings.ts';

/** Distance of two streets. */
export const BLOCK = 46;
export const STREET = 13;
/** Blocks along x and z. */
export const COLUMNS = 8;
export const ROWS = 6;
const TREES = 260;
const LAMPS = { columns: 4, rows: 3, height: 24, angle: 0.95, reach: 60, mapSize: 512 };
const MARGIN = 30;
const WALLS = ['#8d8577', '#6f7a86', '#9a7b68', '#77806f'];
const CARS = ['#b4422f', '#3a6ea8', '#c9c4b8', '#4a4f58'];

/** The middle of the street beside a block. The town lies around the origin. */
export const streetAt = (line: number, blocks: number): number => (line - blocks / 2) * BLOCK;

export interface Town {
  readonly scene: Scene;
  /** The lamps, row by row. */
  readonly lamps: readonly SpotLight[];
  readonly cars: readonly Mesh[];
  readonly people: OctreeInstances;
  /** The people and the trees. */
  readonly instances: readonly OctreeInstances[];
  /** All containers. */
  readonly pickable: readonly Pickable[];
  /** The containers, as `ShadowUpdates` takes them. */
  readonly containers: readonly [OctreeGroup, InstanceChanges, InstanceChanges];
  /** Stands still, outside of the containers. */
  readonly ground: Mesh;
  readonly objects: number;
}

/** Adds the houses in portions. An update after each inserts them; otherwise the first frame would insert them all. */
export function* buildTown(): SlicedWork<Town> {
  const scene = new Scene();
  const group = new OctreeGroup({ hasStaticChildren: true });
  const trees = new OctreeInstances(new ConeGeometry(2, 7, 7), lambert('#3f6b4a'), TREES);
  const people = new OctreeInstances(new CylinderGeometry(0.35, 0.45, 1.8, 8), lambert('#d8c7a4'), RANGES.people.high);
  const ground = new Mesh(
    new PlaneGeometry(COLUMNS * BLOCK + 2 * MARGIN, ROWS * BLOCK + 2 * MARGIN).rotateX(-Math.PI / 2),
    lambert('#59616e'),
  );
  ground.receiveShadow = true;
  for (let column = 0; column < COLUMNS; column++) {
    for (let row = 0; row < ROWS; row++) addBlock(group, column, row);
    group.updateMatrixWorld();
    yield (column / COLUMNS) * 0.6;
  }
  plant(trees);
  yield 0.6;
  const cars = Array.from({ length: RANGES.cars.high }, (_, k) => createCar(k));
  group.add(...cars);
  for (const car of cars) group.setStatic(car, false);
  yield 0.7;
  const instances = [people, trees];
  trees.name = 'trees';
  people.name = 'people';
  for (const mesh of instances) mesh.castShadow = mesh.receiveShadow = true;
  const lamps = createLamps(scene);
  scene.add(ground, group, trees, people, new HemisphereLight('#7f97c9', '#1a2130', 0.85), createMoon());
  trees.updateMatrixWorld();
  yield 0.9;
  return {
    scene,
    lamps,
    cars,
    people,
    instances,
    pickable: [group, ...instances],
    containers: [group, new InstanceChanges(trees), new InstanceChanges(people)],
    ground,
    objects: group.children.length + TREES + RANGES.people.high + 1,
  };
}

const lambert = (color: string): MeshLambertMaterial => new MeshLambertMaterial({ color });

const box = new BoxGeometry().translate(0, 0.5, 0);
const roof = new ConeGeometry(Math.SQRT1_2, 1, 4).rotateY(Math.PI / 4).translate(0, 0.5, 0);
const walls = WALLS.map(lambert);
const tiles = lambert('#5a4038');
const windows = new MeshBasicMaterial({ color: palette.accent });

/** Houses along the sides of a block, each with a roof. */
function addBlock(group: OctreeGroup, column: number, row: number): void {
  const inner = BLOCK - STREET;
  const [x0, z0] = [streetAt(column, COLUMNS) + STREET / 2, streetAt(row, ROWS) + STREET / 2];
  for (let k = 0; k < 10; k++) {
    const [across, along] = [k % 5, Math.floor(k / 5)];
    const chance = hash(column * 10 + k, row, 1);
    if (chance < 0.1) continue;
    const width = (inner / 5) * mix(0.72, 0.95, chance);
    const depth = mix(8, 12, hash(column * 10 + k, row, 2));
    const height = mix(4, 13, hash(column * 10 + k, row, 3) ** 2);
    const x = x0 + (across + 0.5) * (inner / 5);
    const z = z0 + (along === 0 ? depth / 2 : inner - depth / 2);
    const house = place(new Mesh(box, walls[Math.floor(chance * 97) % walls.length]), x, 0, z, width, height, depth);
    const top = place(new Mesh(roof, tiles), x, height, z, width * 1.1, 3, depth * 1.1);
    house.name = `house ${group.children.length + 1}`;
    top.name = `roof of ${house.name}`;
    group.add(house, top);
    if (hash(column * 10 + k, row, 4) < 0.45) {
      const side = along === 0 ? -1 : 1;
      const light = place(new Mesh(box, windows), x, height * 0.5, z + (side * depth) / 2, width / 5, 1, 0.2);
      light.name = `window of ${house.name}`;
      light.castShadow = light.receiveShadow = false;
      group.add(light);
    }
  }
}

function place<Kind extends Object3D>(
  object: Kind,
  x: number,
  y: number,
  z: number,
  width: number,
  height: number,
  depth: number,
): Kind {
  object.position.set(x, y, z);
  object.scale.set(width, height, depth);
  object.castShadow = object.receiveShadow = true;
  return object;
}

function plant(trees: OctreeInstances): void {
  const matrix = new Matrix4();
  for (let k = 0; k < TREES; k++) {
    const isAlongX = k % 2 === 0;
    const line = Math.floor(hash(k, 1, 5) * (isAlongX ? ROWS + 1 : COLUMNS + 1));
    const side = hash(k, 2, 5) < 0.5 ? -1 : 1;
    const aside = streetAt(line, isAlongX ? ROWS : COLUMNS) + side * (STREET / 2 - 0.8);
    const far = isAlongX ? COLUMNS : ROWS;
    const along = (hash(k, 3, 5) - 0.5) * far * BLOCK;
    // Not on a crossing.
    const block = Math.floor(along / BLOCK + far / 2) - far / 2;
    const kept = Math.min(Math.max(along, block * BLOCK + STREET), (block + 1) * BLOCK - STREET);
    const size = mix(0.6, 1.1, hash(k, 4, 5));
    matrix.makeScale(size, size, size).setPosition(isAlongX ? kept : aside, 3.5 * size, isAlongX ? aside : kept);
    trees.setMatrixAt(k, matrix);
  }
}

const body = new BoxGeometry(4.2, 1.3, 1.9);
const carMaterials = CARS.map(lambert);

function createCar(k: number): Mesh {
  const car = new Mesh(body, carMaterials[k % carMaterials.length]);
  car.name = `car ${k + 1}`;
  car.castShadow = car.receiveShadow = true;
  return car;
}

/** Weak light from the side, so that walls differ. It casts no shadows. */
function createMoon(): DirectionalLight {
  const moon = new DirectionalLight('#8ea6d8', 0.55);
  moon.position.set(-3, 4, 2);
  return moon;
}

/** Lamps above the crossings of every second street, each with a glowing ball. */
function createLamps(scene: Scene): SpotLight[] {
  const { columns, rows, height, angle, reach, mapSize } = LAMPS;
  const ball = new SphereGeometry(0.7, 12, 8);
  return Array.from({ length: columns * rows }, (_, k) => {
    const [column, row] = [k % columns, Math.floor(k / columns)];
    const lamp = new SpotLight(new Color('#ffcf8f'), 95, reach, angle, 0.5, 1);
    lamp.position.set(streetAt(2 * column + 1, COLUMNS), height, streetAt(2 * row + 1, ROWS));
    lamp.target.position.copy(lamp.position).setY(0);
    lamp.castShadow = true;
    lamp.shadow.mapSize.set(mapSize, mapSize);
    lamp.shadow.camera.near = 4;
    lamp.shadow.bias = -0.002;
    const bulb = new Mesh(ball, windows);
    bulb.position.copy(lamp.position).add(new Vector3(0, 0.5, 0));
    scene.add(lamp, lamp.target, bulb);
    return lamp;
  });
}
