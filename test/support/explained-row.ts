// A row of cubes, and an orthographic camera that sees the first of them, for tests of `explain`.

import { BoxGeometry, Mesh, MeshBasicMaterial, OrthographicCamera, Scene, type Object3D } from 'three';
import { OctreeGroup } from '../../src/three.ts';

export const cube = new BoxGeometry(4, 4, 4);

/** A scene whose renderer is known, as after a frame, with an OctreeGroup. */
export function sceneWith(...objects: Object3D[]): Scene {
  const scene = new Scene().add(...objects);
  frame(scene);
  return scene;
}

/** What a renderer does before a pass. */
export function frame(scene: Scene, renderer: object = {}): void {
  scene.updateMatrixWorld();
  (scene.onBeforeRender as unknown as (renderer: object) => void)(renderer);
}

/** Sees x from -10 to 10 of a row of cubes along x. */
export function slab(): OrthographicCamera {
  const camera = new OrthographicCamera(-10, 10, 50, -50, -50, 50);
  camera.updateMatrixWorld();
  return camera;
}

/** Static boxes along x, 10 apart, that are named by their number, and more of them than sleep. */
export function row(group = new OctreeGroup({ hasStaticChildren: true })): OctreeGroup {
  for (let k = 0; k < 60; k++) {
    const mesh = new Mesh(cube, new MeshBasicMaterial());
    mesh.name = String(k);
    mesh.position.x = 10 * k;
    group.add(mesh);
  }
  return group;
}
