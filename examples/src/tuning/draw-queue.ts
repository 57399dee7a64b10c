// Draws the parts of a page one after the other, each in a frame of its own, so that the style and layout of all of
// them do not fall into one long task.

export class DrawQueue {
  /** By part: what draws it. In the order in which the parts were added. */
  private readonly waiting = new Map<object, () => void>();
  /** Null while nothing waits. */
  private drawn: Promise<void> | null = null;

  /** Draws the part in a later frame. Replaces a drawing of the same part that has not begun. */
  add(part: object, draw: () => void): void {
    this.waiting.set(part, draw);
    this.drawn ??= this.drawAll();
  }

  /** Resolves when nothing waits. */
  async done(): Promise<void> {
    await this.drawn;
  }

  private async drawAll(): Promise<void> {
    try {
      while (this.waiting.size > 0) {
        await nextFrame();
        const [part, draw] = this.waiting.entries().next().value!;
        this.waiting.delete(part);
        draw();
      }
    } finally {
      this.drawn = null;
    }
  }
}

/** A hidden page has no frames. */
const nextFrame = (): Promise<unknown> =>
  new Promise((resolve) => (document.hidden ? setTimeout(resolve) : requestAnimationFrame(resolve)));
