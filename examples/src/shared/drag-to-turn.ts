// Converts a pointer drag on an element to rotation angles.

const RADIANS_PER_PIXEL = 0.0032;

/** Calls back with radians to the left and upwards. The picture follows the pointer. */
export function dragToTurn(element: HTMLElement, turn: (left: number, upwards: number) => void): void {
  let dragging = -1;
  let [x, y] = [0, 0];
  element.addEventListener('pointerdown', (event) => {
    if (event.button > 0 || dragging !== -1) return;
    dragging = event.pointerId;
    [x, y] = [event.clientX, event.clientY];
    element.setPointerCapture(dragging);
    element.focus({ preventScroll: true });
  });
  element.addEventListener('pointermove', ({ pointerId, clientX, clientY }) => {
    if (pointerId !== dragging || (clientX === x && clientY === y)) return;
    turn((clientX - x) * RADIANS_PER_PIXEL, (clientY - y) * RADIANS_PER_PIXEL);
    [x, y] = [clientX, clientY];
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    element.addEventListener(end, ({ pointerId }) => {
      if (pointerId === dragging) dragging = -1;
    });
  }
}
