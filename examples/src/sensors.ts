// Zones light up when people enter or leave, and people take the colour of their distance to a player: sensors and bands of distance of an octree.

import { Scene, Vector3 } from 'three';
import { Comparison } from './sensors/comparison.ts';
import { createPanel } from './sensors/panel.ts';
import { openProbe } from './sensors/probe.ts';
import { figuresOf, Readout } from './sensors/readout.ts';
import { readSettings, type Settings } from './sensors/settings.ts';
import { TownView } from './sensors/town-view.ts';
import { STEP_SECONDS, TownWatch } from './sensors/town-watch.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { LatestWork, nextTurn, type SlicedWork } from './shared/slices.ts';
import { openContext, Stage } from './shared/stage.ts';
import { StepClock } from './shared/step-clock.ts';
import { showToast } from './shared/toast.ts';

/** Maximum time for simulation steps in a frame; the rest is for drawing and user input. */
const MAX_STEPPING_MS = 30;
const PLACES = { wide: new Vector3(0, 420, 380), narrow: new Vector3(0, 560, 290), maxDistance: 1500 };

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) watch(context).catch((error: unknown) => showMissing('The town could not be built', error instanceof Error ? error.message : String(error)));
else showNoWebGL2();

/** A town, the same without sensors, and its picture. */
interface Town {
  readonly watch: TownWatch;
  readonly comparison: Comparison;
  readonly picture: TownView;
}

/** Each part in a turn of its own, so that the page stays responsive. Even a paused page shows who is where. */
function* buildTown(settings: Settings): SlicedWork<Town> {
  const watch = new TownWatch(settings);
  yield 0.2;
  const comparison = new Comparison(watch);
  yield 0.4;
  const picture = new TownView(watch);
  yield 0.6;
  watch.step(settings.patrol);
  yield 0.8;
  comparison.step(watch, performance.now());
  return { watch, comparison, picture };
}

async function watch(context: WebGL2RenderingContext): Promise<void> {
  await nextTurn();
  const probe = openProbe();
  const settings = readSettings(new URLSearchParams(location.search), matchMedia('(prefers-reduced-motion: reduce)').matches);
  const stage = new Stage(context, [element('camera-view')]);
  const view = new OrbitView(stage, element('statistics'), PLACES);
  const scene = new Scene();
  const readout = new Readout(element('statistics'));
  const clock = new StepClock();
  const building = new LatestWork();
  let town = (await building.run(buildTown(settings)))!;
  scene.add(town.picture.object);
  view.onClick((x, z) => town.watch.send(x, z));
  createPanel(element('panel'), settings, () => void rebuild());

  /** Shows the former town until the new one is built. */
  async function rebuild(): Promise<void> {
    const built = await building.run(buildTown(settings));
    if (built === undefined) return;
    scene.remove(town.picture.object);
    town.picture.dispose();
    town = built;
    scene.add(town.picture.object);
    readout.clear();
  }

  /** Runs the due steps. Steps that do not fit in the frame are dropped, so a slow machine slows the simulation down. */
  function advance(seconds: number, now: number): void {
    const end = performance.now() + MAX_STEPPING_MS;
    for (let due = clock.take(seconds, STEP_SECONDS); due > 0 && performance.now() < end; due--) {
      town.watch.step(settings.patrol);
      town.comparison.step(town.watch, now);
    }
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) advance(seconds, now);
    town.picture.update(town.watch, (stage.pixelRatio * stage.views[0].height * 0.5) / Math.tan((view.camera.fov * Math.PI) / 360));
    view.draw(scene);
    if (readout.isDue(now)) {
      readout.write(town.watch, town.comparison, now);
      probe.figures = figuresOf(town.watch, town.comparison);
      probe.reports++;
    }
    probe.frames++;
  }

  await view.prepare(scene);
  stage.start(frame);
  if (settings.isPaused) showToast('Paused. Press P, or switch off pause in the settings, to start.');
}
