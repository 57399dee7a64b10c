// Shows a name beside the pointer.

import type { PointerLike } from '../../../src/three.ts';

export class NameTag {
  private readonly tag: HTMLElement;

  constructor(tag: HTMLElement) {
    this.tag = tag;
  }

  /** Shows the name to the right of the pointer, or to the left if the window ends there. */
  show({ clientX, clientY }: PointerLike, name: string): void {
    const { tag } = this;
    tag.textContent = name;
    tag.hidden = false;
    const isRight = clientX + tag.offsetWidth + 24 < innerWidth;
    tag.style.left = `${isRight ? clientX + 16 : clientX - tag.offsetWidth - 12}px`;
    tag.style.top = `${Math.max(4, clientY - tag.offsetHeight - 10)}px`;
  }

  hide(): void {
    this.tag.hidden = true;
  }
}
