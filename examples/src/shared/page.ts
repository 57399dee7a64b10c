// Opens a page that draws with WebGL 2.

import { find } from './elements.ts';
import { showFailure, showNoWebGL2 } from './missing.ts';
import { nextTurn } from './slices.ts';
import { openContext } from './stage.ts';

/**
 * Runs a page in the next turn of the event loop, because loading its scripts was a long task already. Shows a message instead if there is no WebGL 2, or
 * if `run` fails.
 * @param problem What a failure means, for instance "The town could not be built".
 */
export function openPage(problem: string, run: (context: WebGL2RenderingContext) => void | Promise<void>): void {
  const context = openContext(find('canvas', HTMLCanvasElement));
  if (context === null) showNoWebGL2();
  else nextTurn().then(() => run(context)).catch((error: unknown) => showFailure(problem, error));
}
