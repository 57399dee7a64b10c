// Shows the selection rectangle while it is drawn, with the number of items in it.

import type { PointerLike } from '../../../src/three.ts';

export class Marquee {
  private readonly box: HTMLElement;
  private readonly count: HTMLElement;

  constructor(box: HTMLElement) {
    this.box = box;
    this.count = box.querySelector('span')!;
  }

  show(from: PointerLike, to: PointerLike, count: number): void {
    const { style } = this.box;
    style.left = `${Math.min(from.clientX, to.clientX)}px`;
    style.top = `${Math.min(from.clientY, to.clientY)}px`;
    style.width = `${Math.abs(to.clientX - from.clientX)}px`;
    style.height = `${Math.abs(to.clientY - from.clientY)}px`;
    this.count.textContent = count.toLocaleString('en');
    this.box.hidden = false;
  }

  hide(): void {
    this.box.hidden = true;
  }
}
