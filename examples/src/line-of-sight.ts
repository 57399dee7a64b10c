// Watchers walk through a city. Thousands of rays find how far each of them sees, and whom.

import { Scene, Vector3 } from 'three';
import { Picture } from './line-of-sight/picture.ts';
import { Comparison } from './line-of-sight/comparison.ts';
import { createPanel } from './line-of-sight/panel.ts';
import { figuresOf, type SightFigures, writeFigures } from './line-of-sight/readout.ts';
import { readSettings, type Settings } from './line-of-sight/settings.ts';
import { Sight } from './line-of-sight/sight.ts';
import { element } from './shared/elements.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { PageProbe, publish } from './shared/page-probe.ts';
import { LatestWork, type SlicedWork } from './shared/slices.ts';
import { StepClock } from './shared/step-clock.ts';

const STEP_SECONDS = 1 / 30;
const PLACES = { wide: new Vector3(0, 400, 420), narrow: new Vector3(0, 560, 290), maxDistance: 1500 };

openPage(Page, 'The city could not be built', watch);

/** A city with its watchers, and its picture. */
interface City {
  readonly sight: Sight;
  readonly picture: Picture;
}

/**
 * Builds each part in a turn of the event loop of its own, so that the page stays responsive. Even a paused page shows
 * what the watchers see.
 */
function* buildCity(settings: Settings): SlicedWork<City> {
  const sight = new Sight(settings);
  yield 0.3;
  const picture = new Picture(sight);
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

async function watch(page: Page): Promise<void> {
  const { board, query, stage } = page;
  const probe = publish('sightProbe', new PageProbe<SightFigures>());
  const settings = keptSettings(query, readSettings);
  const view = new OrbitView(stage, element('statistics'), PLACES);
  const scene = new Scene();
  const comparison = new Comparison();
  const clock = new StepClock();
  const building = new LatestWork();
  let { sight, picture } = (await building.run(buildCity(settings)))!;
  let steps = 1;
  scene.add(picture.object);
  createPanel(settings, () => page.attempt(rebuild()));

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

  function step(): void {
    sight.step(STEP_SECONDS, settings);
    steps++;
  }

  function report(now: number): SightFigures {
    writeFigures(board, sight, comparison, settings.batch, now);
    comparison.begin(sight, now);
    return figuresOf(sight, comparison, steps);
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) clock.run(seconds, STEP_SECONDS, step);
    picture.update(sight, settings.range, view.pixelsPerMetre);
    view.draw(scene);
    comparison.advance(sight, now);
    probe.frame(now, () => report(now));
  }

  await view.prepare(scene);
  stage.start(frame);
}
