/** A first-in, first-out queue of nodes: a ring buffer that doubles when it is full. */

export class NodeQueue {
  length = 0;
  /** Its length is a power of two, so that a mask wraps positions. */
  private ring = new Int32Array(64);
  private head = 0;

  push(node: number): void {
    if (this.length === this.ring.length) this.grow();
    this.ring[(this.head + this.length++) & (this.ring.length - 1)] = node;
  }

  /** Removes and returns the oldest node. The queue must not be empty. */
  shift(): number {
    const node = this.ring[this.head];
    this.head = (this.head + 1) & (this.ring.length - 1);
    this.length--;
    return node;
  }

  private grow(): void {
    const { ring, head } = this;
    this.ring = new Int32Array(2 * ring.length);
    this.ring.set(ring.subarray(head));
    this.ring.set(ring.subarray(0, head), ring.length - head);
    this.head = 0;
  }
}
