// The chart of the last ticks: pairs that began upwards, pairs that ended downwards.

/** Number of ticks that are shown. */
const TICKS = 240;

export class Pulse {
  private readonly canvas: HTMLCanvasElement;
  private readonly began = new Float64Array(TICKS);
  private readonly ended = new Float64Array(TICKS);
  private readonly colours: readonly [began: string, ended: string];
  private ticks = 0;
  private top = 1;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    const style = getComputedStyle(canvas);
    this.colours = [style.getPropertyValue('--began'), style.getPropertyValue('--ended')];
  }

  add(began: number, ended: number): void {
    this.began[this.ticks % TICKS] = began;
    this.ended[this.ticks % TICKS] = ended;
    this.ticks++;
  }

  clear(): void {
    this.ticks = 0;
    this.top = 1;
    this.began.fill(0);
    this.ended.fill(0);
  }

  draw(): void {
    const { canvas, began, ended, ticks } = this;
    const width = Math.round(canvas.clientWidth * devicePixelRatio);
    const height = Math.round(canvas.clientHeight * devicePixelRatio);
    const context = canvas.getContext('2d');
    if (context === null || width === 0) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    else context.clearRect(0, 0, width, height);
    // The scale grows at once and shrinks slowly.
    this.top = Math.max(1, this.top * 0.98, ...began, ...ended);
    const bar = width / TICKS;
    const shown = Math.min(ticks, TICKS);
    for (const [values, colour, sign] of [
      [began, this.colours[0], -1],
      [ended, this.colours[1], 1],
    ] as const) {
      context.fillStyle = colour;
      for (let back = 1; back <= shown; back++) {
        const length = (values[(ticks - back) % TICKS] / this.top) * (height / 2 - 1) * sign;
        context.fillRect(width - back * bar, height / 2, Math.max(1, bar * 0.8), length);
      }
    }
  }
}
