// A canvas of react-three-fiber for tests in a browser.

import { act, createRoot, events, type ReconcilerRoot, type RootState } from '@react-three/fiber';
import { createElement, Fragment, type ReactNode } from 'react';

/** Edge of the canvas in pixels. */
const EDGE = 200;

/** A canvas of fiber with 20 x 20 units of the plane z = 0. */
export class Screen {
  readonly canvas = document.createElement('canvas');
  private readonly root: ReconcilerRoot<HTMLCanvasElement>;
  private time = 0;

  constructor() {
    Object.assign(this.canvas.style, {
      position: 'fixed',
      left: '0',
      top: '0',
      width: `${EDGE}px`,
      height: `${EDGE}px`,
    });
    // Synthetic pointers cannot be captured by an element.
    this.canvas.setPointerCapture = this.canvas.releasePointerCapture = () => {};
    document.body.append(this.canvas);
    this.root = createRoot(this.canvas);
  }

  async open(): Promise<this> {
    await this.root.configure({
      events,
      frameloop: 'never',
      size: { width: EDGE, height: EDGE, top: 0, left: 0 },
      camera: { position: [0, 0, 10], fov: 90 },
      dpr: 1,
    });
    return this;
  }

  /** Renders elements and draws a frame. */
  async show(...elements: ReactNode[]): Promise<RootState> {
    const state = await act(async () => this.root.render(createElement(Fragment, null, ...elements)).getState());
    await this.draw(state);
    return state;
  }

  async draw(state: RootState): Promise<void> {
    await act(async () => state.advance(this.time++));
  }

  async fire(type: string, x: number, y: number): Promise<void> {
    const clientX = EDGE / 2 + (x / 20) * EDGE;
    const clientY = EDGE / 2 - (y / 20) * EDGE;
    await act(async () =>
      this.canvas.dispatchEvent(new PointerEvent(type, { clientX, clientY, bubbles: true, pointerId: 1 })),
    );
  }

  async close(): Promise<void> {
    await act(async () => this.root.unmount());
    this.canvas.remove();
  }
}
