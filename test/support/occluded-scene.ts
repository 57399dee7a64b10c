/** A wall before a small box, in a container with OcclusionCulling, and what passes draw of it. No renderer. */

import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, type Camera, type Object3D } from 'three';
import { OcclusionCulling, OctreeGroup, type OcclusionOptions } from '../../src/three.ts';
import { frustumOf, projectPass, shadowPass } from './pass-lists.ts';

const WALL = new BoxGeometry(20, 20, 1);
const SMALL = new BoxGeometry(2, 2, 2);

export function perspective(x = 0, y = 0, z = 20): PerspectiveCamera {
  const camera = new PerspectiveCamera(60, 1, 0.1, 200);
  camera.position.set(x, y, z);
  camera.updateMatrixWorld();
  return camera;
}

/** What a pass of a renderer draws, by name. */
export function namesDrawn(scene: Scene, camera: Camera, renderer: object = {}): string[] {
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [renderer, scene]);
  return projectPass(scene, camera).map(({ object }) => object.name);
}

/** As `namesDrawn`, in a shadow map of WebGLRenderer. */
export function namesInShadow(scene: Scene, camera: Camera): string[] {
  return shadowPass(scene, camera.layers, frustumOf(camera)).map(({ object }) => object.name);
}

export interface Occluded {
  readonly scene: Scene;
  readonly group: OctreeGroup;
  readonly camera: PerspectiveCamera;
  readonly wall: Mesh<BoxGeometry, MeshBasicMaterial>;
  readonly small: Mesh<BoxGeometry, MeshBasicMaterial>;
  readonly occlusion: OcclusionCulling<OctreeGroup>;
  /** What the next frame draws, in the order of names. */
  readonly drawn: (camera?: Camera, renderer?: object) => string[];
}

/** A wall at z = 0 that is named an occluder, and a small box 10 behind it. The camera looks along -z. */
export function occluded(options: OcclusionOptions = {}, isNamed = true): Occluded {
  const scene = new Scene();
  const group = new OctreeGroup();
  scene.add(group);
  const wall = new Mesh(WALL.clone(), new MeshBasicMaterial());
  const small = new Mesh(SMALL.clone(), new MeshBasicMaterial());
  wall.name = 'wall';
  small.name = 'small';
  wall.castShadow = small.castShadow = true;
  small.position.z = -10;
  group.add(wall, small);
  const camera = perspective();
  const occlusion = new OcclusionCulling(group, camera, { minRemoved: 0, ...options });
  if (isNamed) occlusion.setOccluder(wall, true);
  const drawn = (by: Camera = camera, renderer: object = {}): string[] => namesDrawn(scene, by, renderer).sort();
  occlusion.finish();
  return { scene, group, camera, wall, small, occlusion, drawn };
}

/** Adds an object behind the wall. */
export function addBehind({ group }: Occluded, object: Object3D, name = 'added'): void {
  object.name = name;
  object.position.z = -10;
  group.add(object);
}
