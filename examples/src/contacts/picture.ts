// Draws the table, and controls its orbit camera.

import { BufferGeometry, LineBasicMaterial, LineLoop, PerspectiveCamera, Plane, Raycaster, Scene, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { palette } from '../shared/colours.ts';
import type { Stage } from '../shared/stage.ts';
import { BallView } from './ball-view.ts';
import type { Table } from './table.ts';

const FIELD_OF_VIEW = 36;
/** Offset from the centre of the table to the camera, in radii of the table. A narrow window shows the table from higher up, and from farther away. */
const INITIAL_OFFSET = new Vector3(0, 1.75, 2.15);
const NARROW_OFFSET = new Vector3(0, 3.6, 1.9);
const RIM_POINTS = 180;
/** Pixels that a pointer may move during a click. */
const CLICK_PIXELS = 5;

export class Picture {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 4000);
  private readonly scene = new Scene();
  private readonly balls = new BallView();
  private readonly rim: LineLoop;
  private readonly controls: OrbitControls;
  private readonly stage: Stage;
  /** Offset of the scene in CSS pixels to the right and down, away from the overlay. */
  private readonly shift = new Vector2();

  /** @param overlay Element over the view; the scene is shifted if it covers much of the view. */
  constructor(stage: Stage, tableRadius: number, overlay: HTMLElement) {
    this.stage = stage;
    new ResizeObserver(() => {
      const { width, right, bottom } = overlay.getBoundingClientRect();
      const share = width / innerWidth;
      this.shift.set(share < 0.8 ? right / 2 : 0, share >= 0.8 ? bottom / 2 : 0);
    }).observe(overlay);
    const points = Array.from({ length: RIM_POINTS }, (_, k) => new Vector3(Math.cos((k / RIM_POINTS) * 2 * Math.PI), 0, Math.sin((k / RIM_POINTS) * 2 * Math.PI)));
    this.rim = new LineLoop(new BufferGeometry().setFromPoints(points), new LineBasicMaterial({ color: '#34425c' }));
    this.scene.add(this.rim, this.balls.object);
    const [{ element, aspect }] = stage.views;
    this.camera.position.copy(aspect < 1 ? NARROW_OFFSET : INITIAL_OFFSET).multiplyScalar(tableRadius * Math.max(1, 0.75 / aspect));
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enablePan = false;
    this.controls.enableDamping = true;
    this.controls.minDistance = 30;
    this.controls.maxDistance = 2500;
    this.controls.maxPolarAngle = Math.PI / 2 - 0.1;
    this.controls.listenToKeyEvents(element);
    this.setTable(tableRadius);
    this.controls.update();
  }

  setTable(radius: number): void {
    this.rim.scale.setScalar(radius);
  }

  /** Compiles the shaders in advance, so that the first frame does not block the page. */
  prepare(): Promise<void> {
    return this.stage.prepare(this.scene.children, this.camera, this.scene);
  }

  /** Calls back with the place on the table at which the user clicks. */
  onClick(act: (x: number, z: number) => void): void {
    const { element } = this.stage.views[0];
    const down = new Vector2();
    element.addEventListener('pointerdown', ({ clientX, clientY }) => down.set(clientX, clientY));
    element.addEventListener('pointerup', ({ clientX, clientY }) => {
      if (Math.hypot(clientX - down.x, clientY - down.y) > CLICK_PIXELS) return;
      const { x, y, width, height } = this.stage.views[0];
      const raycaster = new Raycaster();
      raycaster.setFromCamera(new Vector2(((clientX - x) / width) * 2 - 1, 1 - ((clientY - y) / height) * 2), this.camera);
      const place = raycaster.ray.intersectPlane(new Plane(new Vector3(0, 1, 0)), new Vector3());
      if (place !== null) act(place.x, place.z);
    });
  }

  draw(table: Table): void {
    const { camera, shift, stage } = this;
    const [view] = stage.views;
    camera.aspect = view.aspect;
    camera.setViewOffset(view.width, view.height, -shift.x, -shift.y, view.width, view.height);
    this.controls.update();
    this.balls.update(table);
    stage.draw(view, this.scene, camera, palette.ink);
  }
}
