// Watchers walk through a city. Thousands of rays tell how far each of them sees, and whom.

import { Scene, Vector3 } from 'three';
import { CityView } from './line-of-sight/city-view.ts';
import { Comparison } from './line-of-sight/comparison.ts';
import { createPanel } from './line-of-sight/panel.ts';
import { openProbe } from './line-of-sight/probe.ts';
import { Readout } from './line-of-sight/readout.ts';
import { readSettings, type Settings } from './line-of-sight/settings.ts';
import { Sight } from './line-of-sight/sight.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { LatestWork, nextTurn, type SlicedWork } from './shared/slices.ts';
import { openContext, Stage } from './shared/stage.ts';
import { StepClock } from './shared/step-clock.ts';
import { showToast } from './shared/toast.ts';

const STEP_SECONDS = 1 / 30;
/** Maximum time for simulation steps in a frame; the rest is for drawing and user input. */
const MAX_STEPPING_MS = 30;
const PLACES = { wide: new Vector3(0, 400, 420), narrow: new Vector3(0, 560, 290), maxDistance: 1500 };

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) watch(context).catch((error: unknown) => showMissing('The city could not be built', error instanceof Error ? error.message : String(error)));
else showNoWebGL2();

/** A city with its watchers, and its picture. */
interface City {
  readonly sight: Sight;
  readonly picture: CityView;
}

/** Each part in a turn of its own, so that the page stays responsive. Even a paused page shows what the watchers see. */
function* buildCity(settings: Settings): SlicedWork<City> {
  const sight = new Sight(settings);
  yield 0.3;
  const picture = new CityView(sight);
  yield 0.5;
  sight.build();
  yield 0.7;
  sight.move(0);
  yield 0.8;
  sight.aim(settings.range);
  yield 0.9;
  sight.cast(settings.batch);
  return { sight, picture };
}

async function watch(context: WebGL2RenderingContext): Promise<void> {
  await nextTurn();
  const probe = openProbe();
  const settings = readSettings(new URLSearchParams(location.search), matchMedia('(prefers-reduced-motion: reduce)').matches);
  const stage = new Stage(context, [element('camera-view')]);
  const view = new OrbitView(stage, element('statistics'), PLACES);
  const scene = new Scene();
  const readout = new Readout(element('statistics'));
  const comparison = new Comparison();
  const clock = new StepClock();
  const building = new LatestWork();
  let { sight, picture } = (await building.run(buildCity(settings)))!;
  let steps = 1;
  scene.add(picture.object);
  createPanel(element('panel'), settings, () => void rebuild());

  /** Shows the former city until the new one is built. */
  async function rebuild(): Promise<void> {
    const built = await building.run(buildCity(settings));
    if (built === undefined) return;
    scene.remove(picture.object);
    picture.dispose();
    ({ sight, picture } = built);
    scene.add(picture.object);
    comparison.clear();
  }

  /** Runs the due steps. Steps that do not fit in the frame are dropped, so a slow machine slows the simulation down. */
  function advance(seconds: number): void {
    const end = performance.now() + MAX_STEPPING_MS;
    for (let due = clock.take(seconds, STEP_SECONDS); due > 0 && performance.now() < end; due--, steps++) sight.step(STEP_SECONDS, settings);
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) advance(seconds);
    picture.update(sight, settings.range, (stage.pixelRatio * stage.views[0].height * 0.5) / Math.tan((view.camera.fov * Math.PI) / 360));
    view.draw(scene);
    const isDue = readout.isDue(now);
    if (isDue) comparison.begin(sight, now);
    comparison.advance(sight, now);
    if (isDue) {
      readout.write(sight, comparison, settings.batch, now);
      probe.figures = { steps, rays: sight.rayCount, fanRays: sight.watchers.count * sight.fan, people: sight.people.count, seen: sight.seen, doAgree: comparison.doAgree };
      probe.reports++;
    }
    probe.frames++;
  }

  await view.prepare(scene);
  stage.start(frame);
  if (settings.isPaused) showToast('Paused. Press P, or switch off pause in the settings, to start.');
}
