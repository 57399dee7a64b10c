// The user's aim in the plane of the targets, by mouse, touch or arrow keys. After some seconds without input there is
// no aim.

import { type Camera, Plane, Raycaster, Vector2, Vector3 } from 'three';
import { HeldKeys } from '../shared/held-keys.ts';
import { FIELD_RADIUS, fieldCentre } from './range.ts';

/** Time without input after which the user's aim ends. */
const IDLE_SECONDS = 6;
/** Speed of the aim by keys. */
const METRES_PER_SECOND = 60;

export class Aim {
  private readonly chosen = fieldCentre.clone();
  private readonly plane = new Plane(new Vector3(0, 0, 1), -fieldCentre.z);
  private readonly raycaster = new Raycaster();
  private readonly pointer = new Vector2();
  private readonly keys = new HeldKeys();
  private readonly camera: Camera;
  private idle = Infinity;

  constructor(element: HTMLElement, camera: Camera) {
    this.camera = camera;
    let fingers = 0;
    element.addEventListener('pointerdown', (event) => {
      if (event.pointerType === 'touch' && ++fingers === 1) this.follow(event, element);
    });
    element.addEventListener('pointermove', (event) => {
      // A pressed button or a second finger turns the camera.
      if (event.pointerType === 'touch' ? fingers === 1 : event.buttons === 0) this.follow(event, element);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(end, ({ pointerType }) => {
        if (pointerType === 'touch') fingers = Math.max(0, fingers - 1);
      });
    }
  }

  /** The place that the user aims at, or null after `IDLE_SECONDS` without input. */
  get place(): Vector3 | null {
    return this.idle < IDLE_SECONDS ? this.chosen : null;
  }

  /** Moves the aim by keys. Call it once per frame. */
  update(seconds: number): void {
    const { keys } = this;
    // With Shift the arrows turn the camera.
    const isAiming = !keys.has('ShiftLeft') && !keys.has('ShiftRight');
    const right = isAiming ? keys.axis('ArrowRight', 'ArrowLeft') : 0;
    const up = isAiming ? keys.axis('ArrowUp', 'ArrowDown') : 0;
    this.idle = right === 0 && up === 0 ? this.idle + seconds : 0;
    const distance = METRES_PER_SECOND * seconds;
    this.moveTo(this.chosen.x + right * distance, this.chosen.y + up * distance);
  }

  /** Ends the user's aim. */
  release(): void {
    this.idle = Infinity;
  }

  private follow({ clientX, clientY }: PointerEvent, element: HTMLElement): void {
    const { left, top, width, height } = element.getBoundingClientRect();
    this.pointer.set(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2);
    this.raycaster.setFromCamera(this.pointer, this.camera);
    const hit = this.raycaster.ray.intersectPlane(this.plane, follow_hit);
    if (hit === null) return;
    this.idle = 0;
    this.moveTo(hit.x, hit.y);
  }

  /** Clamps the aim to the radius of the target field. */
  private moveTo(x: number, y: number): void {
    this.chosen.set(x, y, fieldCentre.z).sub(fieldCentre).clampLength(0, FIELD_RADIUS).add(fieldCentre);
  }
}
const follow_hit = new Vector3();
