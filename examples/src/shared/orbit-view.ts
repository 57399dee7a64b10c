// A perspective camera that orbits a point of a scene, and draws it beside the overlay of the page.

import { PerspectiveCamera, Plane, Raycaster, type Scene, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { palette } from './colours.ts';
import { onClick } from './on-click.ts';
import type { Stage } from './stage.ts';

const FIELD_OF_VIEW = 36;
/** Radians per press of an arrow key, or per repeat of it. */
const KEY_ANGLE = 0.06;
/** Turns per minute of a camera that turns by itself. */
const TURN_SPEED = 0.5;
/**
 * Distance of the camera after `fit` in a wide window, relative to the distance at which the sphere just fits into the
 * view. Below 1, because few scenes fill their sphere.
 */
const FIT = 0.72;
/** Share of the window from which on the overlay is above the scene instead of beside it. */
const WIDE_OVERLAY = 0.8;

const TURNS: Readonly<Record<string, { left: number; up: number } | undefined>> = {
  ArrowLeft: { left: 1, up: 0 },
  ArrowRight: { left: -1, up: 0 },
  ArrowUp: { left: 0, up: 1 },
  ArrowDown: { left: 0, up: -1 },
};

export interface OrbitPlaces {
  /** From the centre to the camera, in a wide and in a narrow window. */
  readonly wide: Vector3;
  readonly narrow: Vector3;
  readonly maxDistance: number;
}

export class OrbitView {
  readonly camera: PerspectiveCamera;
  private readonly controls: OrbitControls;
  private readonly stage: Stage;
  /** Offset of the scene in CSS pixels to the right and down, away from the overlay. */
  private readonly shift = new Vector2();

  /** @param overlay Element over the view; the scene is shifted away from it. */
  constructor(stage: Stage, overlay: HTMLElement, { wide, narrow, maxDistance }: OrbitPlaces) {
    this.stage = stage;
    new ResizeObserver(() => {
      const { width, right, bottom } = overlay.getBoundingClientRect();
      const isAbove = width / innerWidth >= WIDE_OVERLAY;
      this.shift.set(isAbove ? 0 : right / 2, isAbove ? bottom / 2 : 0);
    }).observe(overlay);
    const [{ element, aspect }] = stage.views;
    this.camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, 3 * maxDistance);
    this.camera.position.copy(aspect < 1 ? narrow : wide).multiplyScalar(Math.max(1, 0.75 / aspect));
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enablePan = false;
    this.controls.enableDamping = true;
    this.controls.minDistance = 30;
    this.controls.maxDistance = maxDistance;
    this.controls.maxPolarAngle = Math.PI / 2 - 0.1;
    element.addEventListener('keydown', (event) => this.turnByKey(event));
    this.controls.update();
  }

  /** Device pixels per metre at a distance of 1 m from the camera. */
  get pixelsPerMetre(): number {
    const { stage, camera } = this;
    return stage.pixelRatio / stage.views[0].pixelSizeOf(camera);
  }

  /** Called after the user or `fit` has moved the camera. */
  onMove(act: () => void): void {
    this.controls.addEventListener('change', act);
  }

  /** Turns the camera around its target by itself, or stops that. */
  set turnsByItself(turns: boolean) {
    this.controls.autoRotate = turns;
    this.controls.autoRotateSpeed = TURN_SPEED;
  }

  /** Shows a sphere of any size as a whole, from the same direction. */
  fit(center: Vector3, radius: number): void {
    const {
      camera,
      controls,
      stage: {
        views: [{ aspect }],
      },
    } = this;
    const distance = radius / Math.sin((FIELD_OF_VIEW / 2) * (Math.PI / 180) * Math.min(1, aspect));
    const direction = camera.position.clone().sub(controls.target).normalize();
    controls.target.copy(center);
    camera.position.copy(center).addScaledVector(direction, distance * (aspect < 1 ? 1 : FIT));
    controls.minDistance = radius / 100;
    controls.maxDistance = distance * 4;
    camera.near = radius / 500;
    camera.far = distance * 8;
    controls.update();
  }

  /** Moves the point that the camera orbits, and the camera with it. */
  follow(center: Vector3): void {
    this.camera.position.add(center).sub(this.controls.target);
    this.controls.target.copy(center);
  }

  /** The keys of OrbitControls turn only with a modifier, and by less than a degree. */
  private turnByKey(event: KeyboardEvent): void {
    const turn = TURNS[event.code];
    if (turn === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.controls.rotateLeft(turn.left * KEY_ANGLE);
    this.controls.rotateUp(turn.up * KEY_ANGLE);
  }

  /** Compiles the shaders in advance, so that the first frame does not block the page. */
  prepare(scene: Scene): Promise<void> {
    return this.stage.prepare(scene.children, this.camera, scene);
  }

  /** Calls back with the place in the plane y = 0 at which the user clicks. */
  onClick(act: (x: number, z: number) => void): void {
    onClick(this.stage.views[0].element, ({ clientX, clientY }) => {
      const { x, y, width, height } = this.stage.views[0];
      const raycaster = new Raycaster();
      raycaster.setFromCamera(
        new Vector2(((clientX - x) / width) * 2 - 1, 1 - ((clientY - y) / height) * 2),
        this.camera,
      );
      const place = raycaster.ray.intersectPlane(new Plane(new Vector3(0, 1, 0)), new Vector3());
      if (place !== null) act(place.x, place.z);
    });
  }

  /** Moves the camera as far as the user has turned it. `draw` does so too. */
  update(): void {
    this.controls.update();
  }

  draw(scene: Scene): void {
    const { camera, shift, stage } = this;
    const [view] = stage.views;
    camera.aspect = view.aspect;
    camera.setViewOffset(view.width, view.height, -shift.x, -shift.y, view.width, view.height);
    this.controls.update();
    stage.draw(view, scene, camera, palette.ink);
  }
}
