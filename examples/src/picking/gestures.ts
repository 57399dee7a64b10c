// Maps pointer events to gestures: a click picks, a drag turns, a Shift drag draws a rectangle, two fingers slide and
// zoom.

import type { PointerLike } from '../../../src/three.ts';

/** Maximum movement of the pointer during a click, in pixels. */
const CLICK_PX = 6;
const ZOOM_PER_NOTCH = 0.0012;

export interface GestureTarget {
  /** Whether a drag without Shift draws a rectangle; then a Shift drag turns. */
  isDrawing(): boolean;
  click(pointer: PointerLike): void;
  /** The hovering mouse has moved; null when it has left. */
  hover(pointer: PointerLike | null): void;
  /** In pixels. */
  turn(right: number, down: number): void;
  /** In pixels. */
  slide(right: number, down: number): void;
  zoom(factor: number): void;
  /** The current corners of the rectangle; `to` is null when the rectangle ends. */
  draw(from: PointerLike, to: PointerLike | null): void;
  select(from: PointerLike, to: PointerLike): void;
}

type Gesture = 'none' | 'press' | 'turn' | 'slide' | 'draw' | 'pinch';

export class Gestures {
  private readonly element: HTMLElement;
  private readonly target: GestureTarget;
  private readonly pointers = new Map<number, PointerEvent>();
  private gesture: Gesture = 'none';
  private start: PointerEvent | undefined;

  constructor(element: HTMLElement, target: GestureTarget) {
    this.element = element;
    this.target = target;
    element.addEventListener('pointerdown', (event) => this.press(event));
    element.addEventListener('pointermove', (event) => this.move(event));
    element.addEventListener('pointerup', (event) => this.release(event));
    element.addEventListener('pointercancel', (event) => this.removePointer(event));
    element.addEventListener('pointerleave', () => target.hover(null));
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        target.zoom(Math.exp(event.deltaY * ZOOM_PER_NOTCH));
      },
      { passive: false },
    );
  }

  /** Ends the current gesture; cancels its rectangle, if there is one. */
  cancelRectangle(): void {
    if (this.gesture === 'draw') this.target.draw(this.start!, null);
    this.gesture = 'none';
  }

  private press(event: PointerEvent): void {
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, event);
    this.target.hover(null);
    if (this.pointers.size === 1) {
      this.start = event;
      this.gesture = 'press';
    } else {
      this.cancelRectangle();
      this.gesture = 'pinch';
    }
  }

  private move(event: PointerEvent): void {
    const last = this.pointers.get(event.pointerId);
    if (last === undefined) {
      if (event.pointerType !== 'touch') this.target.hover(event);
      return;
    }
    if (this.gesture === 'press' && distanceOf(event, this.start!) > CLICK_PX)
      this.gesture = this.beginDrag(this.start!);
    const [right, down] = [event.clientX - last.clientX, event.clientY - last.clientY];
    if (this.gesture === 'pinch') this.pinch(event, right, down);
    if (this.gesture === 'turn') this.target.turn(right, down);
    if (this.gesture === 'slide') this.target.slide(right, down);
    if (this.gesture === 'draw') this.target.draw(this.start!, event);
    this.pointers.set(event.pointerId, event);
  }

  private release(event: PointerEvent): void {
    const { gesture, start } = this;
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size > 0) return;
    this.gesture = 'none';
    if (gesture === 'press' && start!.button === 0) this.target.click(event);
    if (gesture === 'draw') {
      this.target.draw(start!, null);
      this.target.select(start!, event);
    }
  }

  private removePointer({ pointerId }: PointerEvent): void {
    if (this.pointers.delete(pointerId)) this.cancelRectangle();
  }

  private beginDrag({ button, shiftKey, ctrlKey, metaKey }: PointerEvent): Gesture {
    if (button !== 0 || ctrlKey || metaKey) return 'slide';
    return shiftKey !== this.target.isDrawing() ? 'draw' : 'turn';
  }

  /** Moving one of two fingers moves their midpoint by half as much. */
  private pinch(event: PointerEvent, right: number, down: number): void {
    const before = this.spread();
    this.pointers.set(event.pointerId, event);
    this.target.zoom(before / Math.max(1, this.spread()));
    this.target.slide(right / 2, down / 2);
  }

  /** Distance of two fingers in pixels. */
  private spread(): number {
    const [first, second] = this.pointers.values();
    return first && second ? Math.max(1, distanceOf(first, second)) : 1;
  }
}

const distanceOf = (a: PointerLike, b: PointerLike): number =>
  Math.sqrt((a.clientX - b.clientX) ** 2 + (a.clientY - b.clientY) ** 2);
