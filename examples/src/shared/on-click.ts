// Distinguishes clicks from drags.

/** Pixels that a pointer may move during a click. */
const CLICK_PIXELS = 5;

/** Calls back when a pointer that went down on the element goes up at about the same place. */
export function onClick(element: HTMLElement, act: (event: PointerEvent) => void): void {
  let [x, y] = [NaN, NaN];
  element.addEventListener('pointerdown', ({ clientX, clientY }) => ([x, y] = [clientX, clientY]));
  element.addEventListener('pointerup', (event) => {
    if (Math.hypot(event.clientX - x, event.clientY - y) <= CLICK_PIXELS) act(event);
  });
}
