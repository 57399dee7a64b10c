// Picks one of 100,000 objects, shows its record and the path of the ray through the octree, and compares with three's
// own Raycaster.

import { Fog, PerspectiveCamera, Scene } from 'three';
import { pick, pickWithin, type PointerLike } from '../../src/three.ts';
import { Gestures } from './picking/gestures.ts';
import { GroundOrbit } from './picking/ground-orbit.ts';
import { Hover } from './picking/hover.ts';
import { moveByKeys } from './picking/key-moves.ts';
import { Marquee } from './picking/marquee.ts';
import { connectModes } from './picking/modes.ts';
import { NameTag } from './picking/name-tag.ts';
import { createPanel } from './picking/panel.ts';
import { PickSession } from './picking/pick-session.ts';
import type { Item, PickingWorld } from './picking/picking-world.ts';
import { createPlacesPlan } from './picking/places-world.ts';
import { cameraOf, PickingProbe } from './picking/probe.ts';
import { Selection } from './picking/selection.ts';
import { readSettings } from './picking/settings.ts';
import { townPlan } from './picking/town.ts';
import { palette } from './shared/colours.ts';
import { element } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { HeldKeys, onKeyPress } from './shared/held-keys.ts';
import { publish } from './shared/page-probe.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import type { QueryReader } from './shared/query-reader.ts';
import { TaskRunner } from './shared/task.ts';

const FIELD_OF_VIEW = 50;
/** Where the first visit looks for an object: shares of the view. */
const FIRST_PICKS = [0, 0.06, -0.06, 0.12, -0.12, 0.2, -0.2].flatMap((aside) =>
  [0.55, 0.62, 0.48].map((down) => [0.5 + aside, down] as const),
);
/** Start of the fog, as a share of the distance to its end. */
const HAZE_START = 0.4;

class PickingPage extends Page {
  private readonly probe = publish('pickingProbe', new PickingProbe());
  private readonly plans = { city: townPlan, cities: createPlacesPlan() };
  private readonly settings = keptSettings(this.query, (query) => readSettings(query, this.plans));
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW);
  private readonly orbit = new GroundOrbit();
  private readonly picks = new PickSession(this.camera, this.stage, this.probe, () => this.invalidate());
  private readonly hover = new Hover(new NameTag(element('name-tag')));
  private readonly selection = new Selection(element('selection'));
  private readonly marquee = new Marquee(element('marquee'));
  private readonly tasks = new TaskRunner();
  private readonly keys = new HeldKeys();
  private readonly gestures: Gestures;
  private readonly showModes: (isDrawing: boolean) => void;
  private world: PickingWorld | undefined;
  /** Frames are drawn only after a change. */
  private isStale = true;
  private isFirstPickDue = this.query.isEmpty;

  constructor(context: WebGL2RenderingContext, problem: string, query: QueryReader) {
    super(context, problem, query);
    const { scene, hover, plans, settings } = this;
    this.stage.onBlank = () => this.invalidate();
    const [{ element: surface }] = this.stage.views;
    scene.add(this.picks.object, hover.highlight.object);
    const panel = createPanel(settings, plans, { rebuild: () => this.rebuild(), change: () => this.applySettings() });
    this.showModes = connectModes(element('modes'), (isDrawing) => panel.set('rectangle', isDrawing));
    this.gestures = this.connectPointer(surface);
    this.connectKeys(surface);
    element('selection')
      .querySelector('button')!
      .addEventListener('click', () => this.select([]));
  }

  start(): void {
    explainOnAltClick(this.stage.views[0].element, () => ({
      camera: this.camera,
      containers: this.world === undefined ? [] : [this.world.container],
    }));
    this.applySettings();
    this.stage.start((seconds, now) => this.frame(seconds, now));
    this.rebuild();
  }

  private rebuild(): void {
    this.attempt(this.build());
  }

  private async build(): Promise<void> {
    const {
      stage,
      scene,
      camera,
      tasks,
      settings: { count, world },
    } = this;
    const plan = this.plans[world];
    const built = await tasks.build({
      title: `Building ${count.toLocaleString('en')} ${plan.itemName}`,
      load: () => plan.load(),
      build: () => plan.build(count),
      prepare: ({ scenery }) => stage.prepare([scenery.object], camera, scene),
      hint: 'Choose a world or a number of objects to build another one.',
    });
    if (built) this.enter(built);
  }

  private enter(next: PickingWorld): void {
    const { scene, world } = this;
    this.clear();
    if (world) {
      scene.remove(world.container, world.scenery.object);
      world.dispose();
    }
    this.world = next;
    const {
      container,
      plan,
      scenery: { object, background, hazeEnd },
      viewOptions,
    } = next;
    scene.add(object, container);
    scene.fog = hazeEnd < Infinity ? new Fog(background, HAZE_START * hazeEnd, hazeEnd) : null;
    if (plan !== world?.plan) this.orbit.begin(viewOptions);
    document.body.dataset.world = plan.name;
    this.picks.clear(next);
  }

  /** Clears the pick and the selection. */
  private clear(): void {
    this.select([]);
    if (this.world) this.picks.clear(this.world);
    this.applySettings();
  }

  private connectPointer(element: HTMLElement): Gestures {
    const { camera, hover, marquee, orbit, settings } = this;
    const within = (from: PointerLike, to: PointerLike): readonly Item[] =>
      this.world ? pickWithin(from, to, camera, element, this.world.container, { inside: settings.inside }) : [];
    return new Gestures(element, {
      isDrawing: () => settings.rectangle,
      click: (pointer) => this.click(pointer),
      select: (from, to) => this.select(within(from, to)),
      hover: (pointer) => hover.point(pointer),
      draw: (from, to) => (to ? marquee.show(from, to, within(from, to).length) : marquee.hide()),
      turn: (right, down) => this.move(() => orbit.turn(right, down)),
      slide: (right, down) => this.move(() => orbit.slide(-right / element.clientHeight, down / element.clientHeight)),
      zoom: (factor) => this.move(() => orbit.zoom(factor)),
    });
  }

  private connectKeys(element: HTMLElement): void {
    onKeyPress('Escape', () => {
      this.gestures.cancelRectangle();
      this.clear();
    });
    onKeyPress('Enter', () => {
      if (document.activeElement === element) this.click(centreOf(element));
    });
    onKeyPress('KeyG', () => {
      const point = this.picks.hit?.point;
      if (point) this.move(() => this.orbit.lookAt(point));
    });
  }

  private click(pointer: PointerLike): void {
    if (!this.world) return;
    this.picks.pick(this.world, pointer, this.settings.compare);
    this.applySettings();
  }

  /** Shows a pick at the first visit: of an object near the middle of the view. */
  private pickFirst({ container }: PickingWorld): void {
    this.isFirstPickDue = false;
    const { element } = this.stage.views[0];
    const { left, top, width, height } = element.getBoundingClientRect();
    const places = FIRST_PICKS.map(([x, y]) => ({ clientX: left + width * x, clientY: top + height * y }));
    this.click(places.find((place) => pick(place, this.camera, element, container) !== null) ?? places[0]);
  }

  private select(items: readonly Item[]): void {
    this.selection.set(this.world, items);
    this.probe.selected = items.map((item) => this.world!.nameOf(item));
    this.invalidate();
  }

  /** Applies a change of the view; `change` returns false if it changed nothing. */
  private move(change: () => boolean | void): void {
    if (!this.world || change() === false) return;
    this.hover.refresh();
    this.invalidate();
  }

  /** Updates the page from the settings and the last pick. */
  private applySettings(): void {
    const { picks, settings, world } = this;
    this.showModes(settings.rectangle);
    document.body.classList.toggle('without-observer', !settings.side || !picks.hasPick);
    if (world) picks.show(world, settings.path);
    this.hover.refresh();
    this.invalidate();
  }

  private invalidate(): void {
    this.isStale = true;
    this.probe.isStale = true;
  }

  private frame(seconds: number, now: number): void {
    const { camera, hover, picks, probe, tasks, settings, stage, world } = this;
    probe.isBuilding = tasks.isBusy;
    probe.longestSlice = tasks.longestSlice;
    if (!world) return;
    this.move(() => moveByKeys(this.keys, this.orbit, seconds));
    if (hover.update(world, camera, stage.views[0].element, settings.hover, now)) this.invalidate();
    picks.card.setHover(hover.times.medianAt(now));
    if (this.isStale) this.draw(world);
    if (this.isFirstPickDue) this.pickFirst(world);
    probe.isStale = this.isStale;
  }

  private draw({ count, scenery }: PickingWorld): void {
    const { camera, hover, orbit, picks, probe, scene, stage } = this;
    const [view, sideView] = stage.views;
    this.isStale = false;
    stage.beginFrame();
    orbit.applyTo(camera, view.aspect);
    for (const highlight of [picks.highlight, hover.highlight]) highlight.follow(camera, view.pixelSizeOf(camera));
    stage.draw(view, scene, camera, scenery.background);
    if (sideView.isShown) stage.draw(sideView, scene, picks.side.cameraFor(sideView.aspect), palette.ink);
    Object.assign(probe, {
      frames: probe.frames + 1,
      total: count,
      drawCalls: stage.renderer.info.render.calls,
      hovered: hover.name,
      boxes: picks.boxCount,
      camera: cameraOf(camera),
    });
  }
}

function centreOf(element: Element): PointerLike {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

openPage(PickingPage, 'The world could not be built', (page) => page.start());
