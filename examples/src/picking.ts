// Picks one of 100,000 objects, shows its record and the path of the ray through the octree, and compares with three's own Raycaster.

import { Fog, PerspectiveCamera, Scene } from 'three';
import { pickWithin, type PointerLike } from '../../src/three/index.ts';
import { Builder } from './shared/builder.ts';
import { palette } from './shared/colours.ts';
import { HeldKeys, onKeyPress } from './shared/held-keys.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { ProgressBar } from './shared/progress.ts';
import { openContext, Stage } from './shared/stage.ts';
import { showToast } from './shared/toast.ts';
import { compare } from './picking/comparison.ts';
import { Gestures } from './picking/gestures.ts';
import { GroundOrbit } from './picking/ground-orbit.ts';
import { Highlight } from './picking/highlight.ts';
import { Hover } from './picking/hover.ts';
import { moveByKeys } from './picking/key-moves.ts';
import { Marquee } from './picking/marquee.ts';
import { connectModes } from './picking/modes.ts';
import { NameTag } from './picking/name-tag.ts';
import { Panel } from './picking/panel.ts';
import type { PickingWorld, Item } from './picking/picking-world.ts';
import { cameraOf, openProbe } from './picking/probe.ts';
import { createPlacesPlan } from './picking/places-world.ts';
import { raycasterAt } from './picking/pointer-ray.ts';
import { RayDiagram } from './picking/ray-diagram.ts';
import { RecordCard } from './picking/record-card.ts';
import { type RecordedPick, recordPick } from './picking/recorded-pick.ts';
import { Selection } from './picking/selection.ts';
import { readSettings } from './picking/settings.ts';
import { SideView } from './picking/side-view.ts';
import { townPlan } from './picking/town.ts';

const FIELD_OF_VIEW = 50;
/** Start of the fog, as a share of the distance to its end. */
const HAZE_START = 0.4;
/** Layer of the objects that only the side view draws. */
const SIDE = 1;

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) showPicking(context);
else showNoWebGL2();

function showPicking(context: WebGL2RenderingContext): void {
  const probe = openProbe();
  const plans = { city: townPlan, cities: createPlacesPlan() };
  const settings = readSettings(new URLSearchParams(location.search), plans);

  // Stage: the world, and a side view of the last ray.
  const stage = new Stage(context, [element('camera-view'), element('observer-view')]);
  const [view, sideView] = stage.views as [typeof stage.views[0], typeof stage.views[0]];
  const camera = new PerspectiveCamera(FIELD_OF_VIEW);
  const orbit = new GroundOrbit();
  const side = new SideView(sideView.element, SIDE, () => invalidate());
  const diagram = new RayDiagram(SIDE);
  const pickHighlight = new Highlight(palette.accent, 0.5, 2.5);
  const hover = new Hover(new NameTag(element('name-tag')));
  const scene = new Scene();
  scene.add(diagram.object, pickHighlight.object, hover.highlight.object);

  // Page: record, selection, settings.
  const card = new RecordCard(element('statistics'));
  const selection = new Selection(element('selection'));
  const marquee = new Marquee(element('marquee'));
  const builder = new Builder(new ProgressBar(element('progress')));
  const panel = new Panel(element('panel'), settings, plans, { rebuild: () => void rebuild().catch(fail), change: () => applySettings() });
  const showModes = connectModes(element('modes'), (isDrawing) => panel.set('rectangle', isDrawing));

  let world: PickingWorld | undefined;
  let picked: RecordedPick | null = null;
  /** Frames are drawn only after a change. */
  let isStale = true;
  const invalidate = (): void => {
    isStale = true;
    probe.isStale = true;
  };

  async function rebuild(): Promise<void> {
    const plan = plans[settings.world];
    const { count } = settings;
    const built = await builder.build({
      title: `Building ${count.toLocaleString('en')} ${plan.itemName}`,
      load: () => plan.load(),
      build: () => plan.build(count),
      prepare: ({ scenery }) => stage.prepare([scenery.object], camera, scene),
    });
    if (built) enter(built);
    else if (!builder.isBusy) showToast('Stopped. Choose a world or a number of objects to build another one.');
  }

  function enter(next: PickingWorld): void {
    const isElsewhere = next.plan !== world?.plan;
    clearPick();
    if (world) {
      scene.remove(world.container, world.scenery.object);
      world.dispose();
    }
    world = next;
    const { container, scenery: { object, background, hazeEnd }, viewOptions } = world;
    scene.add(object, container);
    scene.fog = hazeEnd < Infinity ? new Fog(background, HAZE_START * hazeEnd, hazeEnd) : null;
    if (isElsewhere) orbit.begin(viewOptions);
    document.body.dataset.world = world.plan.name;
    card.showPrompt(world);
  }

  /** Clears the pick and the selection. */
  function clearPick(): void {
    picked = null;
    selection.set(world, []);
    pickHighlight.hide();
    diagram.clear();
    if (world) card.showPrompt(world);
    Object.assign(probe, { picked: null, areEqual: null, selected: [] });
    applySettings();
  }

  // Pick: the object under the pointer, by the octree and, if wanted, by three's Raycaster.
  function click(pointer: PointerLike): void {
    if (!world) return;
    picked = recordPick(world, pointer, camera, view.element);
    const { hit } = picked;
    if (hit) pickHighlight.show(world.shapeOf(hit));
    else pickHighlight.hide();
    side.turnTo(picked, world.viewOptions.surface);
    card.show(world, picked);
    probe.picked = hit && { name: world.nameOf(hit), distance: hit.distance, point: hit.point.toArray() };
    probe.areEqual = null;
    applySettings();
    if (settings.compare) void runComparison(world, picked, pointer);
  }

  /** Shows a message first, because three's own Raycaster blocks the page. Does nothing if another pick follows meanwhile. */
  async function runComparison(comparedWorld: PickingWorld, comparedPick: RecordedPick, pointer: PointerLike): Promise<void> {
    const raycaster = raycasterAt(pointer, camera, view.element, comparedWorld);
    card.showTesting(comparedWorld);
    await nextPaint();
    if (world !== comparedWorld || picked !== comparedPick) return;
    const comparison = compare(comparedWorld, raycaster, comparedPick.hit);
    card.showComparison(comparison);
    probe.areEqual = comparison.areEqual;
  }

  // Select: the objects in the rectangle.
  const within = (from: PointerLike, to: PointerLike): readonly Item[] =>
    world ? pickWithin(from, to, camera, view.element, world.container, { inside: settings.inside }) : [];

  function select(items: readonly Item[]): void {
    selection.set(world, items);
    probe.selected = selection.items.map((item) => world!.nameOf(item));
    invalidate();
  }

  const keys = new HeldKeys();
  const gestures = new Gestures(view.element, {
    isDrawing: () => settings.rectangle,
    click,
    select: (from, to) => select(within(from, to)),
    hover: (pointer) => hover.point(pointer),
    draw: (from, to) => (to ? marquee.show(from, to, within(from, to).length) : marquee.hide()),
    turn: (right, down) => move(() => orbit.turn(right, down)),
    slide: (right, down) => move(() => orbit.slide(-right / view.height, down / view.height)),
    zoom: (factor) => move(() => orbit.zoom(factor)),
  });

  /** Applies a change of the view; `change` returns false if it changed nothing. */
  function move(change: () => boolean | void): void {
    if (!world || change() === false) return;
    hover.refresh();
    invalidate();
  }

  /** Updates the page from the settings and the last pick. */
  function applySettings(): void {
    showModes(settings.rectangle);
    document.body.classList.toggle('without-observer', !settings.side || picked === null);
    if (world && picked) diagram.show(world, picked, settings.path);
    hover.refresh();
    invalidate();
  }

  function frame(seconds: number, now: number): void {
    probe.isBuilding = builder.isBusy;
    probe.longestSlice = builder.longestSlice;
    if (!world) return;
    move(() => moveByKeys(keys, orbit, seconds));
    if (hover.update(world, camera, view.element, settings.hover, now)) invalidate();
    card.setHover(hover.times.medianAt(now));
    if (isStale) draw(world);
    probe.isStale = isStale;
  }

  function draw(world: PickingWorld): void {
    isStale = false;
    stage.beginFrame();
    orbit.applyTo(camera, view.aspect);
    const pixelSize = (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, view.height);
    for (const highlight of [pickHighlight, hover.highlight]) highlight.follow(camera, pixelSize);
    stage.draw(view, scene, camera, world.scenery.background);
    if (sideView.isShown) stage.draw(sideView, scene, side.cameraFor(sideView.aspect), palette.ink);
    Object.assign(probe, {
      frames: probe.frames + 1, total: world.count, drawCalls: stage.renderer.info.render.calls, hovered: hover.name, boxes: diagram.boxCount, camera: cameraOf(camera),
    });
  }

  onKeyPress('Escape', () => {
    gestures.cancelRectangle();
    clearPick();
  });
  onKeyPress('Enter', () => {
    if (document.activeElement === view.element) click(centreOf(view.element));
  });
  onKeyPress('KeyG', () => {
    if (picked?.hit) move(() => orbit.lookAt(picked!.hit!.point));
  });
  element('selection').querySelector('button')!.addEventListener('click', () => select([]));
  stage.onBlank = invalidate;
  applySettings();
  stage.start(frame);
  void rebuild().catch(fail);
}

/** Resolves after the page has been painted. */
const nextPaint = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

function centreOf(element: Element): PointerLike {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width / 2, clientY: top + height / 2 };
}

function fail(error: unknown): void {
  showMissing('The world could not be built', error instanceof Error ? error.message : String(error));
}
