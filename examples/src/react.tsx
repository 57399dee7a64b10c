// 10,000 React elements with handlers, in a <group> and in an <OctreeGroup>: the time of a pointer move, and of a
// frame, with each.

import { createRoot, events, extend, type RootState, type RootStore } from '@react-three/fiber';
import {
  Color,
  DirectionalLight,
  Fog,
  Group,
  HemisphereLight,
  Mesh,
  Object3D,
  setConsoleFunction,
  WebGLRenderer,
} from 'three';
import { OctreeGroup } from '../../src/three.ts';
import type { Column } from './react/columns.ts';
import { Costs } from './react/costs.ts';
import { Field, type FieldReports } from './react/field.tsx';
import { Flight } from './react/flight.tsx';
import { readSettings, type Settings } from './react/settings.ts';
import { startWandering } from './react/wandering-pointer.ts';
import { find } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { FigureBoard, milliseconds, times } from './shared/figure-board.ts';
import { onKeyPress } from './shared/held-keys.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { watchContext } from './shared/lost-context.ts';
import { openContextFor } from './shared/page.ts';
import type { QueryReader } from './shared/query-reader.ts';
import { nextTurn } from './shared/slices.ts';

const REPORT_EVERY_MS = 250;
/** Pointer moves of the first group that are measured before the page changes to the other one. */
const FIRST_MOVES = 12;

/** The figures of the page, for its tests. */
export interface ReactProbe {
  usesOctree: boolean;
  frames: number;
  plainMoves: number;
  octreeMoves: number;
  plainMove: number;
  octreeMove: number;
  plainTested: number;
  octreeTested: number;
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
class ReactPage {
  private readonly context: WebGL2RenderingContext;
  private readonly canvas = find('canvas', HTMLCanvasElement);
  /** What the canvas fills. */
  private readonly frame = this.canvas.parentElement!;
  private readonly settings: Settings;
  private readonly board = new FigureBoard(document.body);
  private readonly note = find('.note', HTMLElement);
  private readonly input = find('#uses-octree', HTMLInputElement);
  private readonly costs = { plain: new Costs(), octree: new Costs() };
  private readonly root = createRoot(this.canvas);
  private state: RootState | undefined;
  private usesOctree: boolean;
  private hasChosen: boolean;
  private hovered = -1;
  private near = 0;
  /** False while columns are made or removed: moves and frames are not measured then. */
  private isComplete = false;
  private readonly reports: FieldReports = {
    onHover: ({ id }: Column) => (this.hovered = id),
    onNear: (found) => (this.near = found),
    onComplete: (isNow) => (this.isComplete = isNow),
  };
  private readonly onRender = (time: number): void => {
    if (this.isComplete) this.used.addFrame(time);
  };

  constructor(context: WebGL2RenderingContext, query: QueryReader) {
    this.context = context;
    this.settings = keptSettings(query, readSettings);
    this.usesOctree = this.settings.octree === 'on';
    this.hasChosen = this.settings.octree !== 'both';
  }

  async start(): Promise<void> {
    const { canvas, input } = this;
    await this.configure();
    await nextTurn();
    input.addEventListener('change', () => {
      this.hasChosen = true;
      this.settings.octree = input.checked ? 'on' : 'off';
      this.use(input.checked);
    });
    onKeyPress('KeyO', () => input.click());
    explainOnAltClick(canvas, () => {
      const { scene, camera } = this.state!;
      return { camera, containers: scene.children.filter((child) => child instanceof OctreeGroup) };
    });
    // fiber itself follows no resizes of a canvas that it did not make. It writes a size into the style of the canvas,
    // so the canvas keeps that size; its parent follows the window.
    new ResizeObserver(() => void this.configure().catch(() => {})).observe(this.frame);
    watchContext(canvas);
    startWandering(canvas, (event) => this.state?.events.handlers?.onPointerMove(event));
    setInterval(() => this.report(), REPORT_EVERY_MS);
    this.show();
  }

  private get used(): Costs {
    return this.usesOctree ? this.costs.octree : this.costs.plain;
  }

  private configure(): Promise<unknown> {
    const { canvas, context, frame } = this;
    return this.root.configure({
      gl: (defaults) => new WebGLRenderer({ ...defaults, canvas, context }),
      flat: true,
      dpr: [1, 2],
      size: { width: frame.clientWidth, height: frame.clientHeight, top: 0, left: 0 },
      camera: { fov: 42, near: 0.5, far: 60 },
      events: (store: RootStore) => this.measured(events(store)),
    });
  }

  /** fiber's events, with a clock around pointer moves. */
  private measured(manager: ReturnType<typeof events>): ReturnType<typeof events> {
    const { onPointerMove } = manager.handlers!;
    const move = (event: Event): void => {
      const start = performance.now();
      onPointerMove(event);
      if (this.isComplete) this.used.addMove(performance.now() - start, this.state?.internal.interaction.length ?? 0);
    };
    return { ...manager, handlers: { ...manager.handlers!, onPointerMove: move } };
  }

  private show(): void {
    const {
      input,
      onRender,
      reports,
      root,
      settings: { count, path },
      usesOctree,
    } = this;
    input.checked = usesOctree;
    document.body.classList.toggle('uses-octree', usesOctree);
    this.state = root
      .render(
        <>
          <Flight isMoving={path} onRender={onRender} />
          <Field count={count} usesOctree={usesOctree} reports={reports} />
        </>,
      )
      .getState();
  }

  private use(isOn: boolean): void {
    if (isOn === this.usesOctree) return;
    this.usesOctree = isOn;
    this.isComplete = false;
    this.used.restart();
    this.show();
  }

  private report(): void {
    const {
      board,
      costs: { plain, octree },
      hovered,
      near,
    } = this;
    if (!this.hasChosen && !this.usesOctree && plain.moveCount > FIRST_MOVES && plain.frameCount > FIRST_MOVES) {
      this.hasChosen = true;
      this.use(true);
    }
    this.note.textContent = this.hasChosen
      ? 'Move the pointer over the columns; click to mark one, Alt+click to ask why it is drawn.'
      : 'Measuring <group> first ...';
    for (const [name, costs] of [
      ['plain', plain],
      ['octree', octree],
    ] as const) {
      costs.updateMedians(performance.now());
      board.set(`${name}Move`, milliseconds(costs.moveTime));
      board.set(`${name}Time`, milliseconds(costs.frameTime));
      if (costs.tested > 0) board.setCount(`${name}Tested`, costs.tested);
    }
    board.set('gain', times(plain.moveTime, octree.moveTime));
    board.setCount('total', this.settings.count);
    board.set('hovered', hovered < 0 ? 'none' : `column ${hovered.toLocaleString('en')}`);
    board.set('near', this.usesOctree ? `${near.toLocaleString('en')} columns` : 'needs OctreeGroup');
    this.canvas.classList.toggle('over', hovered >= 0);
    globalThis.reactProbe = {
      usesOctree: this.usesOctree,
      frames: this.used.frameCount,
      plainMoves: plain.moveCount,
      octreeMoves: octree.moveCount,
      plainMove: plain.moveTime,
      octreeMove: octree.moveTime,
      plainTested: plain.tested,
      octreeTested: octree.tested,
      hovered,
      near,
    };
  }
}

openContextFor('The scene could not be drawn', (context, query) => new ReactPage(context, query).start());
