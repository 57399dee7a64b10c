// Opens a page that draws with WebGL 2.

import { element, find } from './elements.ts';
import { FigureBoard, loadNumberFormat } from './figure-board.ts';
import { connectFold } from './fold.ts';
import { showFailure, showNoWebGL2 } from './missing.ts';
import { QueryReader } from './query-reader.ts';
import { nextTurn } from './slices.ts';
import { drawsSlowly } from './small-start.ts';
import { openContext, Stage } from './stage.ts';
import { showToast } from './toast.ts';

/** Says once what a touch does: the list of controls is closed, and a page that moves by itself looks like a film. */
function showTouchHint(): void {
  const hint = document.querySelector<HTMLElement>('.help')?.dataset.touch;
  if (hint !== undefined && matchMedia('(pointer: coarse)').matches) showToast(hint);
}

/** The views that a page may have, in the order of `stage.views`. */
const VIEWS = '#camera-view, #observer-view, #minimap-view';

/** What every page with a stage has. A page with more state is a class of its own that extends this one. */
export class Page {
  readonly stage: Stage;
  readonly query: QueryReader;
  readonly board = new FigureBoard(document.body);
  private readonly failureTitle: string;

  constructor(context: WebGL2RenderingContext, problem: string, query: QueryReader) {
    this.query = query;
    this.stage = new Stage(context, [...document.querySelectorAll<HTMLElement>(VIEWS)]);
    this.failureTitle = problem;
    connectFold(element('statistics'));
    showTouchHint();
  }

  /** Replaces the page by a message if the work fails. */
  attempt(work: Promise<void>): void {
    work.catch((error: unknown) => showFailure(this.failureTitle, error));
  }
}

/**
 * Opens a page with a stage. Creating the stage is a long task, so `run` starts in another one.
 *
 * @param problem Title of the message if `run` fails, for instance "The town could not be built".
 */
export function openPage<Kind extends Page>(
  PageClass: new (context: WebGL2RenderingContext, problem: string, query: QueryReader) => Kind,
  problem: string,
  run: (page: Kind) => void | Promise<void>,
): void {
  openContextFor(problem, async (context, query) => {
    const page = new PageClass(context, problem, query);
    await nextTurn();
    await run(page);
  });
}

/**
 * Opens a page that has no stage. Runs it in a later turn of the event loop, because loading its scripts was a long
 * task already. Shows a message instead if there is no WebGL 2.
 */
export function openContextFor(
  problem: string,
  run: (context: WebGL2RenderingContext, query: QueryReader) => void | Promise<void>,
): void {
  const context = openContext(find('canvas', HTMLCanvasElement));
  if (context === null) showNoWebGL2();
  else
    readQuery(context)
      .then((query) => run(context, query))
      .catch((error: unknown) => showFailure(problem, error));
}

/** A first visit finds out whether the machine draws slowly. */
async function readQuery(context: WebGL2RenderingContext): Promise<QueryReader> {
  await nextTurn();
  loadNumberFormat();
  await nextTurn();
  const query = new QueryReader();
  return query.isEmpty ? new QueryReader('', query.reducesMotion, await drawsSlowly(context)) : query;
}
