// A gun fires at targets. Bullets and targets are bodies of an octree, whose cells are drawn in the colour of their phase. Shape casts find the hits.

import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { nextTurn } from './shared/slices.ts';
import { openContext, Stage } from './shared/stage.ts';
import { showToast } from './shared/toast.ts';
import { Aim } from './bullets/aim.ts';
import { CellHistory } from './bullets/cell-history.ts';
import type { Bullet } from './bullets/flight.ts';
import { Panel } from './bullets/panel.ts';
import { Picture } from './bullets/picture.ts';
import { openProbe } from './bullets/probe.ts';
import { figuresOf, Readout } from './bullets/readout.ts';
import { readSettings } from './bullets/settings.ts';
import { Simulation } from './bullets/simulation.ts';
import { StepClock } from './shared/step-clock.ts';
import type { Target } from './bullets/target.ts';

/** Maximum time for simulation steps in a frame; the rest is for drawing and user input. */
const MAX_STEPPING_MS = 30;

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) shoot(context).catch((error: unknown) => showMissing('The range could not be built', error instanceof Error ? error.message : String(error)));
else showNoWebGL2();

async function shoot(context: WebGL2RenderingContext): Promise<void> {
  await nextTurn();
  const probe = openProbe();
  const settings = readSettings(new URLSearchParams(location.search), matchMedia('(prefers-reduced-motion: reduce)').matches);

  // Stage, bodies, cells.
  const stage = new Stage(context, [element('camera-view')]);
  const simulation = new Simulation(settings.looseness);
  const history = new CellHistory<Bullet | Target>();
  const picture = new Picture(stage, simulation, element('statistics'));
  const readout = new Readout(element('statistics'));
  const aim = new Aim(element('camera-view'), picture.camera);
  const clock = new StepClock();
  new Panel(element('panel'), settings, {
    casts: () => simulation.resetCrossings(),
    lifespan: showOctree,
    rebuild: () => {
      simulation.rebuild(settings.looseness);
      history.clear();
    },
    patrol: () => aim.release(),
  }).connectKeys();

  /** Shows the cells of the octree with lifespans, or of the one without. */
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

  /** Runs the due steps. Steps that do not fit in the frame are dropped, so a slow machine slows the simulation down. */
  function advance(seconds: number): void {
    const end = performance.now() + MAX_STEPPING_MS;
    for (let due = clock.take(seconds, simulation.interval); due > 0 && performance.now() < end; due--) step();
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    aim.update(seconds);
    picture.move(seconds);
    if (!settings.isPaused) advance(seconds * settings.pace);
    picture.draw(simulation, history, settings.cells, Math.min(clock.rest, simulation.interval));
    if (readout.isDue(now)) {
      readout.write(simulation, settings.lifespan, settings.casts, now);
      probe.figures = figuresOf(simulation, picture);
      probe.reports++;
    }
    probe.frames++;
  }

  showOctree();
  await picture.prepare();
  stage.start(frame);
  if (settings.isPaused) showToast('Paused. Press P, or switch off pause in the settings, to start.');
}
