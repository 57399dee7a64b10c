// Zones light up when people enter or leave, and people take the colour of their distance to a player: sensors and bands of distance of an octree.

import { Scene, Vector3 } from 'three';
import { Comparison } from './sensors/comparison.ts';
import { createPanel } from './sensors/panel.ts';
import { openProbe } from './sensors/probe.ts';
import { figuresOf, Readout } from './sensors/readout.ts';
import { readSettings } from './sensors/settings.ts';
import { TownView } from './sensors/town-view.ts';
import { STEP_SECONDS, TownWatch } from './sensors/town-watch.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { OrbitView } from './shared/orbit-view.ts';
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

async function watch(context: WebGL2RenderingContext): Promise<void> {
  const probe = openProbe();
  const settings = readSettings(new URLSearchParams(location.search), matchMedia('(prefers-reduced-motion: reduce)').matches);
  const stage = new Stage(context, [element('camera-view')]);
  const view = new OrbitView(stage, element('statistics'), PLACES);
  const scene = new Scene();
  const readout = new Readout(element('statistics'));
  const clock = new StepClock();
  let town = new TownWatch(settings);
  let comparison = new Comparison(town);
  let picture = new TownView(town);
  scene.add(picture.object);
  view.onClick((x, z) => town.send(x, z));
  createPanel(element('panel'), settings, () => {
    scene.remove(picture.object);
    picture.dispose();
    town = new TownWatch(settings);
    comparison = new Comparison(town);
    picture = new TownView(town);
    scene.add(picture.object);
    readout.clear();
    step(performance.now());
  });

  function step(now: number): void {
    town.step(settings.patrol);
    comparison.step(town, now);
  }

  /** Runs the due steps. Steps that do not fit in the frame are dropped, so a slow machine slows the simulation down. */
  function advance(seconds: number, now: number): void {
    const end = performance.now() + MAX_STEPPING_MS;
    for (let due = clock.take(seconds, STEP_SECONDS); due > 0 && performance.now() < end; due--) {
      step(now);
    }
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) advance(seconds, now);
    picture.update(town, (stage.pixelRatio * stage.views[0].height * 0.5) / Math.tan((view.camera.fov * Math.PI) / 360));
    view.draw(scene);
    if (readout.isDue(now)) {
      readout.write(town, comparison, now);
      probe.figures = figuresOf(town, comparison);
      probe.reports++;
    }
    probe.frames++;
  }

  // Even a paused page shows who is where.
  step(performance.now());
  await view.prepare(scene);
  stage.start(frame);
  if (settings.isPaused) showToast('Paused. Press P, or switch off pause in the settings, to start.');
}
