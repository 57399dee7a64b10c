// How the city is drawn: culled by the frustum, or with occlusion. Uploads all meshes in short steps, so that no frame
// has to upload many.

import { type Camera, Frustum, Matrix4, Mesh, type PerspectiveCamera, type Scene, type WebGLRenderer } from 'three';
import { IndexList } from '../../../src/index.ts';
import { OcclusionCulling, type OctreeGroup } from '../../../src/three.ts';
import type { TaskContext } from '../shared/task.ts';
import { untilDrawn } from '../shared/until-drawn.ts';
import type { StreetCity } from './city.ts';
import { STATE } from './observer.ts';
import type { Mode } from './settings.ts';

/** Houses that are uploaded at a time. */
const UPLOADED = 48;

export class StreetDrawing {
  readonly city: StreetCity;
  /** Null while the mode is `frustum`. */
  occlusion: OcclusionCulling<OctreeGroup> | null = null;
  /** By number of a house, for the view from above. */
  readonly states: Uint8Array;
  /** Longest time in milliseconds that an upload blocked the page. */
  longestUpload = 0;
  private readonly frustum = new Frustum();
  private readonly matrix = new Matrix4();
  private readonly list = new IndexList();

  constructor(city: StreetCity) {
    this.city = city;
    this.states = new Uint8Array(city.houses.length);
  }

  setMode(mode: Mode, camera: Camera): void {
    this.occlusion?.dispose();
    this.occlusion = null;
    if (mode === 'frustum') return;
    this.occlusion = new OcclusionCulling(this.city.group, camera, {
      auto: ({ geometry }) => this.city.solids.get(geometry) ?? null,
    });
  }

  /** What has become of each house in the last frame. Call it before the camera moves. */
  look(camera: PerspectiveCamera): void {
    const { city, states, list, frustum, matrix, occlusion } = this;
    frustum.setFromProjectionMatrix(matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const { octree } = city.group;
    octree.collectFrustum(frustum, list);
    const isHiding = occlusion !== null && occlusion.reason === '';
    states.fill(STATE.outside);
    for (let k = 0; k < list.length; k++) {
      const number = city.numberOf(octree.dataAt(list.array[k]));
      if (number !== undefined) states[number] = isHiding ? STATE.hidden : STATE.visible;
    }
    if (!isHiding) return;
    const { visible, occluders } = occlusion;
    for (const [objects, state] of [
      [visible, STATE.visible],
      [occluders, STATE.occluder],
    ] as const)
      for (const object of objects) {
        const number = city.numberOf(object);
        if (number !== undefined) states[number] = state;
      }
  }

  /** Uploads the geometries of all houses, some at a time. */
  async upload(renderer: WebGLRenderer, scene: Scene, camera: Camera, context: TaskContext): Promise<void> {
    const { city } = this;
    const meshes = Array.from({ length: UPLOADED }, () => new Mesh(undefined, city.materials.house));
    for (const mesh of meshes) mesh.frustumCulled = false;
    for (let first = 0; first < city.houses.length; first += UPLOADED) {
      const houses = city.houses.slice(first, first + UPLOADED);
      for (const [k, { geometry }] of houses.entries()) meshes[k].geometry = geometry;
      scene.add(...meshes.slice(0, houses.length));
      const begin = performance.now();
      // One pixel of the canvas, which the next frame draws over.
      renderer.setScissorTest(true);
      renderer.setViewport(0, 0, 1, 1);
      renderer.setScissor(0, 0, 1, 1);
      renderer.render(scene, camera);
      this.longestUpload = Math.max(this.longestUpload, performance.now() - begin);
      scene.remove(...meshes);
      await untilDrawn(renderer);
      context.signal.throwIfAborted();
      context.progress((first + houses.length) / city.houses.length);
    }
  }

  dispose(): void {
    this.occlusion?.dispose();
    this.city.dispose();
  }
}
