// The city: houses, trees and lamps, each a mesh of its own in one OctreeGroup.

import {
  Box3,
  BufferAttribute,
  type BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  Mesh,
  MeshLambertMaterial,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { OctreeGroup } from '../../../src/three.ts';
import { createFacadeTexture } from '../shared/facade.ts';
import { buildHouse, wallHeight } from '../shared/house.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { planStreets, type Plot, type Prop, type StreetPlan } from './plan.ts';

const HOUSES_PER_STEP = 12;
/** Meshes per update of the group: about 2 ms of work. */
const MESHES_PER_UPDATE = 256;
/** Share of the progress that the plan takes. */
const PLAN = 0.08;
/** By how much a solid box is smaller than the walls, in metres. */
const PLASTER = 0.02;

export class StreetCity {
  readonly plan: StreetPlan;
  readonly group = new OctreeGroup({ hasStaticChildren: true });
  readonly houses: Mesh[] = [];
  /** What is solid of a house, in its local space: its walls, up to the roof. */
  readonly solids = new WeakMap<BufferGeometry, Box3>();
  readonly materials = {
    house: new MeshLambertMaterial({ vertexColors: true, map: createFacadeTexture() }),
    prop: new MeshLambertMaterial({ vertexColors: true, flatShading: true }),
  };
  private readonly props = { tree: createTree(), lamp: createLamp() };
  private readonly numbers = new Map<object, number>();

  constructor(plan: StreetPlan) {
    this.plan = plan;
  }

  addHouse(plot: Plot): void {
    const { geometry } = buildHouse(plot);
    const [x, z] = [plot.width / 2 - PLASTER, plot.depth / 2 - PLASTER];
    this.solids.set(geometry, new Box3(new Vector3(-x, 0, -z), new Vector3(x, wallHeight(plot) - PLASTER, z)));
    const house = new Mesh(geometry, this.materials.house);
    house.position.set(plot.x, 0, plot.z);
    house.rotation.y = plot.turn;
    house.name = `house ${this.houses.length + 1}`;
    this.numbers.set(house, this.houses.length);
    this.houses.push(house);
    this.group.add(house);
  }

  addProp({ kind, x, z, size }: Prop): void {
    const prop = new Mesh(this.props[kind], this.materials.prop);
    prop.name = kind;
    prop.position.set(x, 0.15, z);
    prop.rotation.y = x + z;
    prop.scale.setScalar(size);
    this.group.add(prop);
  }

  /** The number of a house; undefined for other objects. */
  numberOf(object: object): number | undefined {
    return this.numbers.get(object);
  }

  get samples(): readonly Mesh[] {
    return [new Mesh(this.houses[0].geometry, this.materials.house), new Mesh(this.props.tree, this.materials.prop)];
  }

  dispose(): void {
    for (const { geometry } of this.houses) geometry.dispose();
    for (const geometry of Object.values(this.props)) geometry.dispose();
    this.materials.house.map!.dispose();
    for (const material of Object.values(this.materials)) material.dispose();
  }
}

export function* buildStreets(count: number): SlicedWork<StreetCity> {
  const plan = yield* partOf(planStreets(count), 0, PLAN);
  const city = new StreetCity(plan);
  const all = plan.plots.length + plan.props.length;
  for (let k = 0; k < all; k++) {
    if (k < plan.plots.length) city.addHouse(plan.plots[k]);
    else city.addProp(plan.props[k - plan.plots.length]);
    // Otherwise the first frame would compute all bounds at once.
    if (k % MESHES_PER_UPDATE === 0) city.group.updateMatrixWorld();
    if (k % HOUSES_PER_STEP === 0) yield PLAN + (1 - PLAN) * (k / all);
  }
  city.group.updateMatrixWorld();
  return city;
}

function createTree(): BufferGeometry {
  const crown = new IcosahedronGeometry(2, 1).scale(1, 1.2, 1).translate(0, 5, 0);
  const trunk = new CylinderGeometry(0.16, 0.24, 3.4, 6, 1, true).translate(0, 1.7, 0).toNonIndexed();
  paint(crown, (y) => [0.16 + 0.04 * y, 0.3 + 0.045 * y, 0.1 + 0.012 * y]);
  paint(trunk, () => [0.24, 0.17, 0.11]);
  return mergeGeometries([crown, trunk]);
}

function createLamp(): BufferGeometry {
  const post = new CylinderGeometry(0.06, 0.09, 4.2, 6, 1, true).translate(0, 2.1, 0).toNonIndexed();
  const hood = new ConeGeometry(0.42, 0.35, 8).translate(0, 4.62, 0).toNonIndexed();
  const light = new CylinderGeometry(0.2, 0.14, 0.42, 6).translate(0, 4.3, 0).toNonIndexed();
  paint(post, () => [0.05, 0.07, 0.07]);
  paint(hood, () => [0.06, 0.08, 0.08]);
  paint(light, () => [1, 0.86, 0.56]);
  return mergeGeometries([post, hood, light]);
}

function paint(geometry: BufferGeometry, colorAt: (y: number) => readonly [number, number, number]): void {
  const { position } = geometry.attributes;
  const colors = new Float32Array(position.count * 3);
  for (let k = 0; k < position.count; k++) colors.set(colorAt(position.getY(k)), 3 * k);
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
}
