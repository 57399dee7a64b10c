// Draws the scene, and controls its orbit camera.

import { PerspectiveCamera, Scene, TOUCH, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { palette } from '../shared/colours.ts';
import { HeldKeys } from '../shared/held-keys.ts';
import type { Stage } from '../shared/stage.ts';
import type { ShownCells } from './cell-history.ts';
import { CellView } from './cell-view.ts';
import { GunView } from './gun-view.ts';
import { createScenery } from './scenery.ts';
import type { CellChoice } from './settings.ts';
import type { Simulation } from './simulation.ts';
import { Sparks } from './sparks.ts';
import { TargetView } from './target-view.ts';
import { Tracers } from './tracers.ts';

const FIELD_OF_VIEW = 36;
/** Initial offset from the orbit centre to the camera; scaled up in a narrow window. */
const INITIAL_OFFSET = new Vector3(240, 125, 325);
const ORBIT_CENTRE = new Vector3(0, -22, 8);
/** Change of the natural logarithm of the distance per second. */
const ZOOM_PER_SECOND = 1.2;

export class Picture {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 4000);
  readonly cells = new CellView();
  private readonly scene = new Scene();
  private readonly tracers = new Tracers();
  private readonly sparks = new Sparks();
  private readonly gun = new GunView();
  private readonly targets: TargetView;
  private readonly controls: OrbitControls;
  private readonly keys = new HeldKeys();
  private readonly stage: Stage;
  /** Offset of the scene in CSS pixels to the right and down, away from the overlay. */
  private readonly shift = new Vector2();

  /** @param overlay Element over the view; the scene is shifted if it covers much of the view. */
  constructor(stage: Stage, { targets }: Simulation, overlay: HTMLElement) {
    this.stage = stage;
    new ResizeObserver(() => {
      const { width, right, bottom } = overlay.getBoundingClientRect();
      const share = width / innerWidth;
      this.shift.set(share > 1 / 3 && share < 0.8 ? right / 2 : 0, share >= 0.8 ? bottom / 2 : 0);
    }).observe(overlay);
    this.targets = new TargetView(targets);
    this.scene.add(
      createScenery(),
      this.gun.object,
      this.targets.object,
      this.cells.object,
      this.tracers.object,
      this.sparks.object,
    );
    const [{ element, aspect }] = stage.views;
    this.camera.position
      .copy(INITIAL_OFFSET)
      .multiplyScalar(Math.max(1, 1.25 / aspect))
      .add(ORBIT_CENTRE);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.target.copy(ORBIT_CENTRE);
    this.controls.enablePan = false;
    this.controls.enableDamping = true;
    this.controls.minDistance = 30;
    this.controls.maxDistance = 1500;
    // One finger aims, two fingers turn and zoom.
    this.controls.touches = { ONE: null, TWO: TOUCH.DOLLY_ROTATE };
    this.controls.listenToKeyEvents(element);
    this.controls.update();
  }

  /** Compiles the shaders in advance, so that the first frame does not block the page. */
  prepare(): Promise<void> {
    return this.stage.prepare(this.scene.children, this.camera, this.scene);
  }

  /** Zooms by keys. Call it once per frame. */
  move(seconds: number): void {
    const {
      controls: { target, minDistance, maxDistance },
      camera,
      keys,
    } = this;
    const factor = Math.exp(keys.axis('KeyS', 'KeyW') * ZOOM_PER_SECOND * seconds);
    if (factor !== 1)
      camera.position.sub(target).multiplyScalar(factor).clampLength(minDistance, maxDistance).add(target);
  }

  /** Adds the sparks of the hits until the next step. */
  addSparks({ impacts, seconds }: Simulation): void {
    for (const { position, delay } of impacts.coming) this.sparks.add(position, seconds + delay);
  }

  /** Draws the state `ahead` seconds after the last step. */
  draw(simulation: Simulation, history: ShownCells, cells: CellChoice, ahead: number): void {
    const { camera, shift, stage } = this;
    const [view] = stage.views;
    camera.aspect = view.aspect;
    camera.setViewOffset(view.width, view.height, -shift.x, -shift.y, view.width, view.height);
    this.controls.update();
    this.gun.update(simulation.gun, simulation.aim);
    this.targets.update();
    this.cells.update(history, cells);
    this.tracers.show(simulation.flight, ahead, view.height);
    this.sparks.show(simulation.seconds + ahead, stage.pixelRatio / view.pixelSizeOf(camera));
    stage.draw(view, this.scene, camera, palette.ink);
  }
}
