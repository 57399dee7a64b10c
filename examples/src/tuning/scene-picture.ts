// The picture of the scene: its bodies from above.

import type { SceneReport } from './messages.ts';

/** Share of the canvas around the scene. */
const BORDER = 0.04;
/** Pixels: smaller bodies are drawn larger. */
const MIN_SIZE = 1.5;

/** Draws at most some thousand rectangles, moving bodies last. */
export function drawScene(canvas: HTMLCanvasElement, { picture, movingInPicture, moving, bodies }: SceneReport): void {
  const context = canvas.getContext('2d')!;
  const style = getComputedStyle(canvas);
  const scale = canvas.width * (1 - 2 * BORDER);
  context.clearRect(0, 0, canvas.width, canvas.height);
  const draw = (from: number, to: number, colour: string): void => {
    context.fillStyle = style.getPropertyValue(colour);
    for (let k = from; k < to; k++) {
      const [x, z, halfX, halfZ] = picture.subarray(k * 4, k * 4 + 4);
      const [width, height] = [Math.max(MIN_SIZE, 2 * halfX * scale), Math.max(MIN_SIZE, 2 * halfZ * scale)];
      // Large bodies are faint, so that the others show through.
      context.globalAlpha = Math.max(0.08, Math.min(0.75, 6 / Math.max(width, height)));
      context.fillRect(
        canvas.width / 2 + x * scale - width / 2,
        canvas.height / 2 + z * scale - height / 2,
        width,
        height,
      );
    }
  };
  draw(movingInPicture, picture.length / 4, '--still');
  if (moving > 0) draw(0, movingInPicture, '--moving');
  canvas.parentElement!.classList.toggle('has-moving', moving > 0 && bodies > 0);
}
