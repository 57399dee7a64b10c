// A gun fires at targets. Bullets and targets are bodies of an octree, whose cells are drawn in the colour of their
// phase. Shape casts find the hits.

import { Aim } from './bullets/aim.ts';
import { CellHistory } from './bullets/cell-history.ts';
import type { Bullet } from './bullets/flight.ts';
import { createPanel } from './bullets/panel.ts';
import { Picture } from './bullets/picture.ts';
import { figuresOf, type BulletsFigures, writeFigures } from './bullets/readout.ts';
import { readSettings } from './bullets/settings.ts';
import { Simulation } from './bullets/simulation.ts';
import type { Target } from './bullets/target.ts';
import { element } from './shared/elements.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { PageProbe, publish } from './shared/page-probe.ts';
import { StepClock } from './shared/step-clock.ts';

openPage(Page, 'The range could not be built', shoot);

async function shoot(page: Page): Promise<void> {
  const { board, query, stage } = page;
  const probe = publish('bulletsProbe', new PageProbe<BulletsFigures>());
  const settings = keptSettings(query, readSettings);
  const simulation = new Simulation(settings.looseness);
  const history = new CellHistory<Bullet | Target>();
  const picture = new Picture(stage, simulation, element('statistics'));
  const aim = new Aim(element('camera-view'), picture.camera);
  const clock = new StepClock();
  createPanel(settings, {
    casts: () => simulation.resetCrossings(),
    lifespan: showOctree,
    rebuild: () => {
      simulation.rebuild(settings.looseness);
      history.clear();
    },
    patrol: () => aim.release(),
  });

  /** Shows the cells of the octree with lifespans, or of the octree without them. */
  function showOctree(): void {
    history.clear();
    document.body.classList.toggle('without-lifespans', !settings.lifespan);
  }

  function step(): void {
    // While the user does not aim, the gun aims automatically or keeps its aim.
    simulation.step(settings, aim.place ?? (settings.patrol ? null : simulation.aim));
    const { bodies } = settings.lifespan ? simulation.withLifespans : simulation.withoutLifespans;
    history.observe(bodies.octree);
    picture.addSparks(simulation);
  }

  function report(): BulletsFigures {
    writeFigures(board, simulation, settings.lifespan, settings.casts);
    return figuresOf(simulation, picture);
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    aim.update(seconds);
    picture.move(seconds);
    if (!settings.isPaused) clock.run(seconds * settings.pace, simulation.interval, step);
    picture.draw(simulation, history, settings.cells, Math.min(clock.rest, simulation.interval));
    probe.frame(now, report);
  }

  showOctree();
  await picture.prepare();
  stage.start(frame);
}
