// A pointer that wanders over the canvas while the visitor's own pointer rests, so that the field moves and both groups
// are measured.

/** Time without a move of the visitor's pointer before the other one moves, in milliseconds. */
const REST_MS = 4000;
const EVERY_MS = 70;

/** @param move Called with each synthetic move. */
export function startWandering(canvas: HTMLCanvasElement, move: (event: PointerEvent) => void): void {
  let movedAt = -Infinity;
  canvas.addEventListener('pointermove', () => (movedAt = performance.now()));
  setInterval(() => {
    const now = performance.now();
    if (now - movedAt < REST_MS || document.hidden) return;
    const time = now / 1000;
    const { width, height } = canvas.getBoundingClientRect();
    move(pointerAt(width * (0.56 + 0.26 * Math.sin(time * 0.7)), height * (0.55 + 0.17 * Math.sin(time * 1.13 + 1))));
  }, EVERY_MS);
}

/** fiber reads the offsets of an event, which browsers compute only for events that they have made. */
function pointerAt(x: number, y: number): PointerEvent {
  const event = new PointerEvent('pointermove', { clientX: x, clientY: y, pointerId: 1, bubbles: true });
  return Object.defineProperties(event, { offsetX: { value: x }, offsetY: { value: y } });
}
