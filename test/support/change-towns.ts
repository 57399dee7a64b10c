/** Towns with both containers, and what a renderer does with them, without one. */

import {
  Color,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PCFShadowMap,
  PointLight,
  Vector2,
  type Light,
  type Plane,
} from 'three';
import { InstanceChanges, OctreeInstances, ShadowUpdates, ViewChanges } from '../../src/three.ts';
import { boxes, createTown, type Town } from './shadow-towns.ts';
import { createCamera } from './three-pictures.ts';

export interface ChangeTown extends Town {
  readonly trees: OctreeInstances<(typeof boxes)[0], MeshLambertMaterial>;
  readonly floor: Mesh;
}

export const TREES = 64;
const matrix = new Matrix4();

/** The matrix of a tree at a place. */
export const at = (x: number, z: number, y = 2): Matrix4 => matrix.makeTranslation(x, y, z).clone();

/** As `createTown`, with 64 trees on a grid. */
export function createChangeTown(): ChangeTown {
  const town = createTown(3, 40);
  const trees = new OctreeInstances(boxes[0], new MeshLambertMaterial(), TREES);
  trees.castShadow = true;
  for (let k = 0; k < TREES; k++) trees.setMatrixAt(k, at(-21 + 6 * (k % 8), -21 + 6 * Math.floor(k / 8)));
  town.parent.add(trees);
  return { ...town, trees, floor: town.scene.children.find((child) => child instanceof Mesh)! as Mesh };
}

/** The members of a renderer that are read. */
export class FakeRenderer {
  readonly size = new Vector2(300, 200);
  readonly clearColor = new Color(0);
  readonly shadowMap = { type: PCFShadowMap, enabled: true };
  toneMappingExposure = 1;
  clippingPlanes: Plane[] = [];

  getDrawingBufferSize(target: Vector2): Vector2 {
    return target.copy(this.size);
  }

  getClearColor(target: Color): Color {
    return target.copy(this.clearColor);
  }

  getClearAlpha(): number {
    return 1;
  }
}

/** Sees the corner of the first light, and little else. */
export const corner = createCamera([-12, 20, -11.9], [-12, 0, -12], 60);
/** Sees the opposite corner. */
export const opposite = createCamera([12, 20, 12.1], [12, 0, 12], 60);
for (const camera of [corner, opposite]) {
  camera.fov = 30;
  camera.updateProjectionMatrix();
}

export interface Watch {
  readonly renderer: FakeRenderer;
  readonly shadows: ShadowUpdates;
  readonly views: ViewChanges;
  /** Begins a pass, and draws the maps that are due. */
  readonly pass: () => readonly Light[];
}

export function watchTown(town: ChangeTown): Watch {
  const renderer = new FakeRenderer();
  const containers = [town.group, new InstanceChanges(town.trees)];
  const shadows = new ShadowUpdates(town.scene, renderer, containers);
  const views = new ViewChanges(town.scene, renderer, containers);
  views.setStill(town.floor);
  const [probe] = town.scene.children.slice(-1);
  const pass = (): readonly Light[] => {
    town.scene.updateMatrixWorld();
    Reflect.apply(Reflect.get(town.scene, 'onBeforeRender'), town.scene, [renderer, town.scene]);
    (probe as unknown as { update(camera: object): void }).update(corner);
    for (const light of town.lights) {
      // The faces of a point light are not read.
      if (!(light instanceof PointLight)) light.shadow.updateMatrices(light);
      light.shadow.needsUpdate = false;
    }
    return shadows.due;
  };
  return { renderer, shadows, views, pass };
}
