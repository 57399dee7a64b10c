// 10,000 React elements with handlers, in a <group> and in an <OctreeGroup>: the time of a pointer move, and of a frame, with each.

import { createRoot, events, extend, type RootState, type RootStore } from '@react-three/fiber';
import { Color, DirectionalLight, Fog, Group, HemisphereLight, Mesh, Object3D, setConsoleFunction, WebGLRenderer } from 'three';
import type { Column } from './react/columns.ts';
import { Field, type FieldReports } from './react/field.tsx';
import { Flight } from './react/flight.tsx';
import { startWandering } from './react/wandering-pointer.ts';
import { find } from './shared/elements.ts';
import { FigureBoard, milliseconds, times } from './shared/figure-board.ts';
import { onKeyPress } from './shared/held-keys.ts';
import { watchContext } from './shared/lost-context.ts';
import { openContextFor } from './shared/page.ts';
import { QueryReader } from './shared/query-reader.ts';
import { RecentTimes } from './shared/recent-times.ts';

const MAX_COUNT = 20_000;
const WINDOW_MS = 20_000;
const REPORT_EVERY_MS = 250;
/** Pointer moves of the first group that are measured before the page changes to the other one. */
const FIRST_MOVES = 12;
/** Moves and frames that are not measured, because they compile code or build the octree. */
const SKIPPED = 4;

/** The figures of one of the two groups. */
class Costs {
  readonly moves = new RecentTimes(WINDOW_MS);
  readonly frames = new RecentTimes(WINDOW_MS);
  moveCount = 0;
  frameCount = 0;
  asked = 0;
}

/** The figures of the page, for its tests. */
export interface ReactProbe {
  usesOctree: boolean;
  frames: number;
  plainMoves: number;
  octreeMoves: number;
  plainMove: number;
  octreeMove: number;
  plainAsked: number;
  octreeAsked: number;
  hovered: number;
  near: number;
}

declare global {
  var reactProbe: ReactProbe | undefined;
}

// fiber 9 makes a THREE.Clock, of which three warns.
setConsoleFunction((type, message, ...values: unknown[]) => {
  // oxlint-disable-next-line no-console -- all other messages
  if (!message.includes('THREE.Clock')) console[type](message, ...values);
});
extend({ Mesh, Group, Object3D, Fog, Color, HemisphereLight, DirectionalLight });
openContextFor('The scene could not be drawn', start);

async function start(context: WebGL2RenderingContext): Promise<void> {
  const canvas = context.canvas as HTMLCanvasElement;
  const query = new QueryReader();
  const count = query.integer('count', { low: 1, high: MAX_COUNT, start: 10_000 });
  const isMoving = query.isOn('path', true) && !query.reducesMotion;
  const board = new FigureBoard(document.body);
  const note = find('.note', HTMLElement);
  const input = find('#uses-octree', HTMLInputElement);
  const costs = { plain: new Costs(), octree: new Costs() };
  let usesOctree = query.isOn('octree', false);
  let hasChosen = query.has('octree');
  let hovered = -1;
  let near = 0;
  /** False while columns are made or removed: moves and frames are not measured then. */
  let isComplete = false;
  const used = (): Costs => (usesOctree ? costs.octree : costs.plain);

  const root = createRoot(canvas);
  let state: RootState | undefined;
  const size = (): { width: number; height: number; top: number; left: number } => ({ width: canvas.clientWidth, height: canvas.clientHeight, top: 0, left: 0 });
  const configure = (): Promise<unknown> =>
    root.configure({
      gl: (defaults) => new WebGLRenderer({ ...defaults, canvas, context }), flat: true, dpr: [1, 2], size: size(), camera: { fov: 42, near: 0.5, far: 60 },
      events: (store: RootStore) => measured(events(store)),
    });
  await configure();

  /** fiber's events, with a clock around pointer moves. */
  function measured(manager: ReturnType<typeof events>): ReturnType<typeof events> {
    const { onPointerMove } = manager.handlers!;
    const move = (event: Event): void => {
      const start = performance.now();
      onPointerMove(event);
      const time = performance.now() - start;
      if (!isComplete) return;
      const { moves } = used();
      if (used().moveCount++ >= SKIPPED) moves.add(time, performance.now());
      used().asked = state?.internal.interaction.length ?? 0;
    };
    return { ...manager, handlers: { ...manager.handlers!, onPointerMove: move } };
  }

  const reports: FieldReports = {
    onHover: ({ id }: Column) => (hovered = id),
    onNear: (found) => (near = found),
    onComplete: (isNow) => (isComplete = isNow),
  };
  const onRender = (time: number): void => {
    if (isComplete && used().frameCount++ >= SKIPPED) used().frames.add(time, performance.now());
  };

  function show(): void {
    input.checked = usesOctree;
    document.body.classList.toggle('uses-octree', usesOctree);
    state = root.render(
      <>
        <Flight isMoving={isMoving} onRender={onRender} />
        <Field count={count} usesOctree={usesOctree} reports={reports} />
      </>,
    ).getState();
  }

  function use(isOn: boolean): void {
    if (isOn === usesOctree) return;
    usesOctree = isOn;
    isComplete = false;
    used().moveCount = used().frameCount = 0;
    show();
  }
  input.addEventListener('change', () => {
    hasChosen = true;
    use(input.checked);
  });
  onKeyPress('KeyO', () => input.click());
  // fiber itself follows no resizes of a canvas that it did not make.
  new ResizeObserver(() => void configure().catch(() => {})).observe(canvas);
  watchContext(canvas);
  startWandering(canvas, (event) => state?.events.handlers?.onPointerMove(event));

  setInterval(() => {
    const now = performance.now();
    if (!hasChosen && !usesOctree && costs.plain.moveCount > FIRST_MOVES && costs.plain.frameCount > FIRST_MOVES) {
      hasChosen = true;
      use(true);
    }
    note.textContent = hasChosen ? 'Move the pointer over the columns; click to mark one.' : 'Measuring <group> first ...';
    const [plainMove, octreeMove] = [costs.plain.moves.medianAt(now), costs.octree.moves.medianAt(now)];
    remember('plainMove', plainMove);
    remember('octreeMove', octreeMove);
    remember('plainTime', costs.plain.frames.medianAt(now));
    remember('octreeTime', costs.octree.frames.medianAt(now));
    const gain = times(known.plainMove, known.octreeMove);
    board.set('gain', gain);
    for (const name of ['plain', 'octree'] as const) if (costs[name].asked > 0) board.setCount(`${name}Asked`, costs[name].asked);
    board.setCount('total', count);
    board.set('hovered', hovered < 0 ? '-' : `column ${hovered.toLocaleString('en')}`);
    board.set('near', usesOctree ? `${near.toLocaleString('en')} columns` : '-');
    canvas.classList.toggle('over', hovered >= 0);
    globalThis.reactProbe = {
      usesOctree, frames: used().frameCount, plainMoves: costs.plain.moveCount, octreeMoves: costs.octree.moveCount, plainMove: known.plainMove, octreeMove: known.octreeMove,
      plainAsked: costs.plain.asked, octreeAsked: costs.octree.asked, hovered, near,
    };
  }, REPORT_EVERY_MS);

  /** The last figures; those of the group that is not in use stay. */
  const known: Record<string, number> = { plainMove: Number.NaN, octreeMove: Number.NaN, plainTime: Number.NaN, octreeTime: Number.NaN };
  function remember(name: string, time: number): void {
    if (!Number.isNaN(time)) known[name] = time;
    board.set(name, milliseconds(known[name]));
  }

  show();
}
