// How the city is drawn: the houses in a Group, in an OctreeGroup, or in an OctreeGroup with batches. Prepares each way
// in short steps, so that no frame has to upload thousands of geometries.

import { type Camera, Mesh, type Object3D, OrthographicCamera, type Scene, type WebGLRenderer } from 'three';
import { StaticBatches } from '../../../src/three.ts';
import { nextTurn, type SlicedWork } from '../shared/slices.ts';
import type { TaskContext } from '../shared/task.ts';
import { untilDrawn } from '../shared/until-drawn.ts';
import type { City } from './city.ts';
import type { Mode } from './settings.ts';

/** Houses that are uploaded at a time. */
const UPLOADED = 64;
/** Updates of the group between two looks at how far the batches are. */
const UPDATES_PER_REPORT = 8;
/** Cells along each side of the city: the batches are uploaded with the first cell that shows them. */
const CELLS = 6;

export class CityDrawing {
  readonly city: City;
  /** Null unless the mode is `batched`, or becomes so. */
  batches: StaticBatches | null = null;
  mode: Mode | null = null;
  /** Longest time in milliseconds that an upload blocked the page. */
  longestUpload = 0;
  private readonly renderer: WebGLRenderer;
  private readonly scene: Scene;
  /** Objects around the houses that have not been drawn yet. */
  private scenery: readonly Object3D[];

  /** @param scenery Objects around the houses. */
  constructor(renderer: WebGLRenderer, scene: Scene, city: City, scenery: readonly Object3D[]) {
    this.scenery = scenery;
    this.renderer = renderer;
    this.scene = scene;
    this.city = city;
  }

  /** Draws the houses in another way from now on. If the task is cancelled before, in the same way as until now. */
  async switchTo(mode: Mode, camera: Camera, context: TaskContext): Promise<void> {
    const { city, scene, mode: former } = this;
    // The group draws what is built of its batches.
    if (mode === 'batched' && former === 'culled') this.mode = mode;
    try {
      await this.drawScenery(camera, context);
      if (mode === 'batched') {
        await context.slices(this.buildBatches(), 0, 0.8);
        await this.uploadBatches(context);
      } else await this.upload(camera, context);
    } catch (error) {
      this.mode = former;
      if (former !== 'batched') this.endBatches();
      throw error;
    }
    if (mode !== 'batched') this.endBatches();
    scene.remove(city.plain, city.group);
    scene.add(mode === 'plain' ? city.plain : city.group);
    this.mode = mode;
  }

  dispose(): void {
    this.endBatches();
    this.scene.remove(this.city.plain, this.city.group);
    this.city.dispose();
  }

  private endBatches(): void {
    this.batches?.dispose();
    this.batches = null;
  }

  /** Builds the batches. Each update of the group goes on for 4 ms. */
  private *buildBatches(): SlicedWork<void> {
    const { city } = this;
    this.batches ??= new StaticBatches(city.group, { posesMovers: true });
    yield 0;
    let share = 0;
    for (let update = 1; this.batches.isBuilding; update++) {
      city.group.updateMatrixWorld();
      if (update % UPDATES_PER_REPORT === 0) share = this.batches.report().batched / city.houses.length;
      yield share;
    }
  }

  /** The first draw of each object waits for its shader. So what surrounds the houses is drawn before them, in turn. */
  private async drawScenery(camera: Camera, { signal }: TaskContext): Promise<void> {
    for (const object of this.scenery) {
      // Builds the octree of the trees.
      object.updateMatrixWorld();
      await nextTurn();
      signal.throwIfAborted();
      for (const other of this.scenery) other.visible = other === object;
      this.drawPixel(camera, []);
      for (const other of this.scenery) other.visible = true;
      await untilDrawn(this.renderer);
      signal.throwIfAborted();
    }
    this.scenery = [];
  }

  /** Draws a few pixels of the city, cell by cell, until all batches are on the GPU. */
  private async uploadBatches(context: TaskContext): Promise<void> {
    const { city, renderer } = this;
    const { radius } = city.plan;
    const half = radius / CELLS;
    const camera = new OrthographicCamera(-half, half, half, -half, 1, 1000);
    for (let cell = 0; cell < CELLS * CELLS; cell++) {
      camera.position.set(
        ((cell % CELLS) * 2 + 1) * half - radius,
        500,
        (Math.floor(cell / CELLS) * 2 + 1) * half - radius,
      );
      camera.lookAt(camera.position.x, 0, camera.position.z);
      this.drawPixel(camera, [city.group]);
      await untilDrawn(renderer);
      context.signal.throwIfAborted();
      context.progress(0.8 + (0.2 * (cell + 1)) / (CELLS * CELLS));
    }
  }

  /** Uploads the geometries of all houses that are not on the GPU, some at a time, and prepares their materials. */
  private async upload(camera: Camera, { signal, progress }: TaskContext): Promise<void> {
    const { city, renderer } = this;
    const missing = city.houses.filter(({ mesh }) => !city.memory.has(mesh.geometry));
    const meshes = Array.from({ length: UPLOADED }, () => new Mesh());
    for (const mesh of meshes) {
      mesh.frustumCulled = false;
      mesh.receiveShadow = true;
    }
    for (let first = 0; first < missing.length; first += UPLOADED) {
      const batch = missing.slice(first, first + UPLOADED);
      for (const [k, { mesh }] of batch.entries()) {
        meshes[k].geometry = mesh.geometry;
        meshes[k].material = mesh.material;
      }
      this.drawPixel(camera, meshes.slice(0, batch.length));
      await untilDrawn(renderer);
      signal.throwIfAborted();
      progress((first + batch.length) / missing.length);
    }
  }

  /**
   * Draws into one pixel of the canvas, which the next frame draws over: what is uploaded and compiled is the same as
   * for a frame.
   *
   * @param objects Drawn in place of the city, with the light and the haze of the scene, so that the shader is the
   *   same.
   */
  private drawPixel(camera: Camera, objects: readonly Object3D[]): void {
    const { city, renderer, scene } = this;
    const shown = [city.plain, city.group].filter(({ parent }) => parent !== null);
    scene.remove(...shown);
    for (const object of objects) scene.add(object);
    const { autoUpdate } = renderer.shadowMap;
    const begin = performance.now();
    renderer.shadowMap.autoUpdate = false;
    renderer.setScissorTest(true);
    renderer.setViewport(0, 0, 1, 1);
    renderer.setScissor(0, 0, 1, 1);
    try {
      renderer.render(scene, camera);
    } finally {
      renderer.shadowMap.autoUpdate = autoUpdate;
      scene.remove(...objects);
      for (const group of shown) scene.add(group);
    }
    this.longestUpload = Math.max(this.longestUpload, performance.now() - begin);
  }
}
