// The city: the same houses in three's own Group and in an OctreeGroup. Each house has a geometry of its own, and in a
// city that is not too large a material of its own, which its two meshes share. Some houses move: the OctreeGroup
// watches them, and all others are static.

import {
  type BufferAttribute,
  type BufferGeometry,
  Color,
  Group,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
} from 'three';
import { OctreeGroup } from '../../../src/three.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { type CityPlan, planCity, type Plot } from './city-plan.ts';
import { createFacadeTexture } from '../shared/facade.ts';
import { GeometryMemory } from './geometry-memory.ts';
import { buildHouse } from '../shared/house.ts';

/** Houses per update of the group: about 2 ms of work. */
const HOUSES_PER_UPDATE = 256;
const HOUSES_PER_STEP = 16;
/**
 * In a larger city the houses share one material. The values of all materials are compared in each frame: of 30,000
 * that would take longer than drawing them.
 */
export const MOST_MATERIALS = 10_000;
/** One house in so many moves. */
const HOUSES_PER_MOVER = 12;
const GLOW = new Color('#d9761a');
const DARK = new Color('#000000');
/** Share of the progress that the plan takes. */
const PLAN = 0.1;

export class House {
  readonly plot: Plot;
  /** In the OctreeGroup. */
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  /** In the plain Group. */
  readonly twin: House['mesh'];
  private readonly wallVertices: number;
  private readonly wall: Color;

  constructor(plot: Plot, mesh: House['mesh'], twin: House['mesh'], wallVertices: number) {
    this.plot = plot;
    this.mesh = mesh;
    this.twin = twin;
    this.wallVertices = wallVertices;
    this.wall = plot.wall.clone();
  }

  moveTo(x: number, z: number): void {
    for (const mesh of [this.mesh, this.twin]) mesh.position.set(x, mesh.position.y, z);
  }

  liftTo(y: number): void {
    for (const mesh of [this.mesh, this.twin]) mesh.position.y = y;
  }

  turnTo(turn: number): void {
    for (const mesh of [this.mesh, this.twin]) mesh.rotation.y = turn;
  }

  setMaterial(material: MeshLambertMaterial): void {
    this.mesh.material = this.twin.material = material;
  }

  setVisible(isVisible: boolean): void {
    this.mesh.visible = this.twin.visible = isVisible;
  }

  /** Writes another colour into the vertices of the walls. */
  paint(color: Color): void {
    const colors = this.mesh.geometry.getAttribute('color') as BufferAttribute;
    const { r, g, b } = this.wall;
    for (let k = 0; k < this.wallVertices; k++)
      colors.setXYZ(k, (colors.getX(k) / r) * color.r, (colors.getY(k) / g) * color.g, (colors.getZ(k) / b) * color.b);
    colors.needsUpdate = true;
    this.wall.copy(color);
  }
}

export class City {
  readonly plan: CityPlan;
  readonly plain = new Group();
  readonly group = new OctreeGroup({ hasStaticChildren: true });
  readonly houses: House[] = [];
  /** Those that may move at any time. */
  readonly movers: House[] = [];
  private readonly shared = new MeshLambertMaterial({ vertexColors: true, map: createFacadeTexture() });
  private readonly glowing = this.shared.clone();
  readonly memory = new GeometryMemory();
  private readonly byMesh = new Map<Object3D, House>();

  constructor(plan: CityPlan) {
    this.plan = plan;
    this.glowing.emissive.copy(GLOW);
  }

  add(plot: Plot): void {
    const { geometry, wallVertices } = buildHouse(plot);
    // Otherwise the first pass would compute the spheres of all houses at once.
    geometry.computeBoundingSphere();
    const material = this.hasOwnMaterials ? this.shared.clone() : this.shared;
    const meshes = [this.group, this.plain].map((group) => {
      const mesh = new Mesh(geometry, material);
      mesh.position.set(plot.x, 0, plot.z);
      mesh.rotation.y = plot.turn;
      mesh.castShadow = mesh.receiveShadow = true;
      group.add(mesh);
      return mesh;
    });
    meshes[0].name = `house ${plot.number + 1}`;
    const house = new House(plot, meshes[0], meshes[1], wallVertices);
    if (this.houses.push(house) % HOUSES_PER_MOVER === 0) {
      this.movers.push(house);
      this.group.setStatic(house.mesh, false);
    }
    this.byMesh.set(meshes[0], house);
    this.memory.add(geometry);
  }

  private get hasOwnMaterials(): boolean {
    return this.plan.plots.length <= MOST_MATERIALS;
  }

  /** Has a house glow, or no longer. Its own material changes by a value: it stays in its batch. */
  setGlow(house: House, isOn: boolean): void {
    if (this.hasOwnMaterials) house.mesh.material.emissive.copy(isOn ? GLOW : DARK);
    else {
      house.setMaterial(isOn ? this.glowing : this.shared);
      this.group.reportMove(house.mesh);
    }
  }

  houseOf(mesh: Object3D): House {
    return this.byMesh.get(mesh)!;
  }

  dispose(): void {
    for (const { mesh } of this.houses) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.glowing.dispose();
    this.shared.map!.dispose();
  }
}

/** Builds the houses. */
export function* buildCity(count: number): SlicedWork<City> {
  const city = new City(yield* partOf(planCity(count), 0, PLAN));
  for (const [k, plot] of city.plan.plots.entries()) {
    city.add(plot);
    // Otherwise the first frame would compute the bounds of all houses at once.
    if (k % HOUSES_PER_UPDATE === 0) city.group.updateMatrixWorld();
    if (k % HOUSES_PER_STEP === 0) yield PLAN + (1 - PLAN) * (k / count);
  }
  city.group.updateMatrixWorld();
  return city;
}
