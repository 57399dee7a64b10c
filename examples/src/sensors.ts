// Zones light up when people enter or leave, and people take the colour of their distance to a player: sensors and
// bands of distance of an octree.

import { Scene, Vector3 } from 'three';
import { Comparison } from './sensors/comparison.ts';
import { createPanel } from './sensors/panel.ts';
import { figuresOf, type SensorsFigures, writeFigures } from './sensors/readout.ts';
import { readSettings, type Settings } from './sensors/settings.ts';
import { Picture } from './sensors/picture.ts';
import { STEP_SECONDS, TownWatch } from './sensors/town-watch.ts';
import { element } from './shared/elements.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { PageProbe, publish } from './shared/page-probe.ts';
import { Rates } from './shared/rates.ts';
import { LatestWork, partOf, type SlicedWork } from './shared/slices.ts';
import { StepClock } from './shared/step-clock.ts';

/** Steps over which the rates are computed. */
const RATE_STEPS = 60;
const PLACES = { wide: new Vector3(0, 420, 380), narrow: new Vector3(0, 560, 290), maxDistance: 1500 };

openPage(Page, 'The town could not be built', watch);

/** A town, the same without sensors, and its picture. */
interface Town {
  readonly watch: TownWatch;
  readonly comparison: Comparison;
  readonly picture: Picture;
}

/** Even a paused page shows who is where. */
function* buildTown(settings: Settings): SlicedWork<Town> {
  const watch = yield* partOf(TownWatch.build(settings), 0, 0.4);
  const comparison = yield* partOf(Comparison.build(watch), 0.4, 0.7);
  const picture = new Picture(watch);
  yield 0.8;
  watch.step(settings.patrol);
  yield 0.9;
  comparison.step(watch, performance.now());
  return { watch, comparison, picture };
}

async function watch(page: Page): Promise<void> {
  const { board, query, stage } = page;
  const probe = publish('sensorsProbe', new PageProbe<SensorsFigures>());
  const settings = keptSettings(query, readSettings);
  const view = new OrbitView(stage, element('statistics'), PLACES);
  const scene = new Scene();
  const rates = new Rates(RATE_STEPS, STEP_SECONDS);
  const clock = new StepClock();
  const building = new LatestWork();
  let town = (await building.run(buildTown(settings)))!;
  scene.add(town.picture.object);
  view.onClick((x, z) => town.watch.send(x, z));
  createPanel(settings, () => page.attempt(rebuild()));

  /** Shows the former town until the new one is built. */
  async function rebuild(): Promise<void> {
    const built = await building.run(buildTown(settings));
    if (built === undefined) return;
    scene.remove(town.picture.object);
    town.picture.dispose();
    town = built;
    scene.add(town.picture.object);
    rates.clear();
  }

  function step(now: number): void {
    town.watch.step(settings.patrol);
    town.comparison.step(town.watch, now);
  }

  function report(now: number): SensorsFigures {
    const { steps, entered, left } = town.watch;
    rates.write(board, steps, { 'entered-rate': entered, 'left-rate': left });
    writeFigures(board, town.watch, town.comparison, now);
    return figuresOf(town.watch, town.comparison, now);
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) clock.run(seconds, STEP_SECONDS, () => step(now));
    town.picture.update(town.watch, view.pixelsPerMetre);
    view.draw(scene);
    probe.frame(now, () => report(now));
  }

  await view.prepare(scene);
  stage.start(frame);
}
