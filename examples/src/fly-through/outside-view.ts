// Shows the cull from outside, with its frustum and the cells of the octree: from behind the flyer in the inset, or the
// whole world in the large view.

import type { Object3D, Scene } from 'three';
import { FrustumShape } from '../shared/frustum-shape.ts';
import { Interval } from '../shared/interval.ts';
import { ObserverCamera } from '../shared/observer-camera.ts';
import type { Stage } from '../shared/stage.ts';
import { CullCells } from './cull-cells.ts';
import type { Culling } from './culling.ts';
import { LAYERS } from './layers.ts';
import { Overview } from './overview.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

const CELLS_EVERY_MS = 100;

export class OutsideView {
  private readonly stage: Stage;
  private readonly scene: Scene;
  private readonly observer: ObserverCamera;
  private readonly overview: Overview;
  private readonly frustum = new FrustumShape();
  private readonly cells = new CullCells();
  private readonly cellUpdates = new Interval(CELLS_EVERY_MS);

  /** @param stage With the large view and the inset. */
  constructor(stage: Stage, scene: Scene) {
    const [large, inset] = stage.views;
    this.stage = stage;
    this.scene = scene;
    this.observer = new ObserverCamera(inset.element);
    this.overview = new Overview(large.element, LAYERS.overview);
    for (const { camera } of [this.observer, this.overview]) camera.layers.enable(LAYERS.observer);
    for (const object of [...this.frustum.object.children, this.cells.object]) object.layers.set(LAYERS.observer);
    scene.add(...this.objects);
  }

  get objects(): readonly Object3D[] {
    return [this.frustum.object, this.cells.object];
  }

  /** Number of cells drawn around the nodes of the cull. */
  get cellCount(): number {
    return this.cells.count;
  }

  /** Number of cells drawn in the view of the whole world. */
  get wholeCellCount(): number {
    return this.overview.isShown ? this.overview.cellCount : 0;
  }

  /** Begins or ends the view of the whole world. It begins at the place of the inset's camera. */
  showWhole(isShown: boolean, { pose }: Culling): void {
    if (isShown) this.overview.show(this.observer.camera, pose.position);
    else this.overview.hide();
  }

  /** Frees what belongs to a world, before the world is disposed. */
  leave(): void {
    this.overview.leave();
  }

  drawInset(world: World, culling: Culling, settings: Settings, now: number): void {
    const [, inset] = this.stage.views;
    if (!inset.isShown) return;
    this.observer.follow(culling.pose, settings.far, inset.aspect, world.drawFar);
    this.followCull(world, culling, settings, now);
    this.stage.draw(inset, this.scene, this.observer.camera, world.scenery.background);
  }

  drawWhole(world: World, culling: Culling, settings: Settings, seconds: number, now: number): void {
    const [large] = this.stage.views;
    this.scene.add(this.overview.cellsOf(world));
    this.overview.update(seconds, world, large.aspect);
    this.followCull(world, culling, settings, now);
    this.stage.draw(large, this.scene, this.overview.camera, world.scenery.background);
  }

  private followCull({ octree }: World, { camera, frustum }: Culling, settings: Settings, now: number): void {
    this.frustum.follow(camera);
    if (this.cellUpdates.isDue(now)) this.cells.update(octree, frustum, settings.cells, settings.outline);
  }
}
