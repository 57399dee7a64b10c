// A camera over the city: a drag turns it around the point that it looks at, two fingers or the right button move it.

import { PerspectiveCamera, TOUCH, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { View } from '../shared/stage.ts';
import { FAR } from './scenery.ts';

const FIELD_OF_VIEW = 42;
const NEAR = 2;
/** Radians per press of an arrow key. */
const KEY_ANGLE = 0.06;
/** Turns per minute. */
const TURN_SPEED = 0.32;
/** Where the view begins: above the roofs of the old town. */
const START = new Vector3(-250, 92, 150);
const TARGET = new Vector3(40, 0, -20);
const DISTANCE = { low: 45, high: 900 };

export class Orbit {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, FAR);
  private readonly controls: OrbitControls;
  private readonly view: View;
  private radius = Infinity;

  /** @param onTurn Called when the user begins to move the camera. */
  constructor(view: View, onTurn: () => void) {
    this.view = view;
    this.camera.position.copy(START);
    const controls = (this.controls = new OrbitControls(this.camera, view.element));
    controls.target.copy(TARGET);
    controls.enableDamping = true;
    controls.screenSpacePanning = false;
    controls.minDistance = DISTANCE.low;
    controls.maxDistance = DISTANCE.high;
    controls.maxPolarAngle = 1.5;
    controls.zoomToCursor = true;
    controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    controls.addEventListener('start', onTurn);
    view.element.addEventListener('keydown', (event) => this.turnByKey(event, onTurn));
  }

  get target(): Vector3 {
    return this.controls.target;
  }

  /** Whether drags move the camera. */
  set isEnabled(isOn: boolean) {
    this.controls.enabled = isOn;
  }

  /** @param radius The target stays within it, in metres. */
  begin(radius: number): void {
    this.radius = radius;
  }

  update(seconds: number, turns: boolean): void {
    const { camera, controls, view, target } = this;
    controls.autoRotate = turns;
    controls.autoRotateSpeed = TURN_SPEED;
    controls.update(seconds);
    const { x, z } = target;
    target.setY(0).clampLength(0, this.radius);
    camera.position.x += target.x - x;
    camera.position.z += target.z - z;
    camera.aspect = view.aspect;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  private turnByKey(event: KeyboardEvent, onTurn: () => void): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const left = Number(event.code === 'ArrowLeft') - Number(event.code === 'ArrowRight');
    const up = Number(event.code === 'ArrowUp') - Number(event.code === 'ArrowDown');
    if (left === 0 && up === 0) return;
    event.preventDefault();
    onTurn();
    this.controls.rotateLeft(left * KEY_ANGLE);
    this.controls.rotateUp(up * KEY_ANGLE);
  }
}
