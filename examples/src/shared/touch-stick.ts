// On-screen controls for touch: a stick to move along the ground, and buttons for up and down.

import type { Vector3 } from 'three';

/** Pixels from the centre to full speed. */
const STICK_RADIUS = 40;

/** Writes the input to `push`: right, up and forwards, -1 to 1 each. Up are the buttons `.rise` and `.sink`. */
export function connectTouchStick(root: HTMLElement, push: Vector3): void {
  const stick = root.querySelector<HTMLElement>('.stick')!;
  const knob = root.querySelector<HTMLElement>('.knob')!;
  const set = (right: number, forwards: number) => {
    push.x = right;
    push.z = forwards;
    knob.style.transform = `translate(${right * STICK_RADIUS}px, ${-forwards * STICK_RADIUS}px)`;
  };
  const follow = (event: PointerEvent) => {
    const { left, top, width, height } = stick.getBoundingClientRect();
    const right = (event.clientX - left - width / 2) / STICK_RADIUS;
    const forwards = (top + height / 2 - event.clientY) / STICK_RADIUS;
    const length = Math.max(1, Math.sqrt(right * right + forwards * forwards));
    set(right / length, forwards / length);
  };
  stick.addEventListener('pointerdown', (event) => {
    stick.setPointerCapture(event.pointerId);
    follow(event);
  });
  stick.addEventListener('pointermove', (event) => {
    if (stick.hasPointerCapture(event.pointerId)) follow(event);
  });
  stick.addEventListener('lostpointercapture', () => set(0, 0));
  for (const [selector, direction] of [
    ['.rise', 1],
    ['.sink', -1],
  ] as const) {
    const button = root.querySelector<HTMLElement>(selector);
    button?.addEventListener('pointerdown', (event) => {
      button.setPointerCapture(event.pointerId);
      push.y = direction;
    });
    button?.addEventListener('lostpointercapture', () => (push.y = 0));
  }
}
