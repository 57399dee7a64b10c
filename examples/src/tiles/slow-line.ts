// A line of a limited speed, which all files of the page share, packet by packet.

const LATENCY_MS = 20;
const PACKET = 16_384;
/** Shorter waits than a timer can keep are made up for by the next packets. */
const SHORTEST_MS = 4;

export class SlowLine {
  /** Mbit/s. Infinity: as fast as the page gets them. */
  readonly rate: number;
  /** Bytes that have passed. */
  bytes = 0;
  private freeAt = 0;

  constructor(rate: number) {
    this.rate = rate;
  }

  /** Resolves when the bytes have passed. Rejects with the reason of the signal. */
  async carry(bytes: number, signal: AbortSignal | null | undefined): Promise<void> {
    if (this.rate < Infinity) await delay(LATENCY_MS);
    for (let left = bytes; left > 0; left -= PACKET) {
      const size = Math.min(left, PACKET);
      this.freeAt = Math.max(this.freeAt, performance.now()) + this.millisecondsOf(size);
      const wait = this.freeAt - performance.now();
      if (wait > SHORTEST_MS) await delay(wait);
      signal?.throwIfAborted();
      this.bytes += size;
    }
  }

  millisecondsOf(bytes: number): number {
    return (8 * bytes) / (1000 * this.rate);
  }
}

const delay = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
