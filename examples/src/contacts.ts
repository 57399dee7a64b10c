// Balls bounce off each other. An octree tells in each tick which pairs have begun to touch, and which have parted.

import { Comparison } from './contacts/comparison.ts';
import { createPanel } from './contacts/panel.ts';
import { Picture } from './contacts/picture.ts';
import { openProbe } from './contacts/probe.ts';
import { Pulse } from './contacts/pulse.ts';
import { figuresOf, Readout } from './contacts/readout.ts';
import { readSettings, type Settings } from './contacts/settings.ts';
import { STEP_SECONDS, Table } from './contacts/table.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { LatestWork, nextTurn, type SlicedWork } from './shared/slices.ts';
import { openContext, Stage } from './shared/stage.ts';
import { StepClock } from './shared/step-clock.ts';
import { showToast } from './shared/toast.ts';

/** Maximum time for simulation steps in a frame; the rest is for drawing and user input. */
const MAX_STEPPING_MS = 30;

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) bounce(context).catch((error: unknown) => showMissing('The table could not be built', error instanceof Error ? error.message : String(error)));
else showNoWebGL2();

/** Each part in a turn of its own, so that the page stays responsive. */
function* buildTable(settings: Settings): SlicedWork<Table> {
  const table = new Table(settings);
  yield 0.5;
  table.build();
  return table;
}

async function bounce(context: WebGL2RenderingContext): Promise<void> {
  await nextTurn();
  const probe = openProbe();
  const settings = readSettings(new URLSearchParams(location.search), matchMedia('(prefers-reduced-motion: reduce)').matches);
  const stage = new Stage(context, [element('camera-view')]);
  const building = new LatestWork();
  let table = (await building.run(buildTable(settings)))!;
  const picture = new Picture(stage, table.balls.tableRadius, element('statistics'));
  const readout = new Readout(element('statistics'));
  const comparison = new Comparison();
  const pulse = new Pulse(document.querySelector<HTMLCanvasElement>('#pulse')!);
  const clock = new StepClock();

  picture.view.onClick((x, z) => table.shove(x, z));
  createPanel(element('panel'), settings, {
    rebuild: () => void rebuild(),
    shove: () => table.shove(0, 0),
  });

  /** Shows the former table until the new one is built. */
  async function rebuild(): Promise<void> {
    const built = await building.run(buildTable(settings));
    if (built === undefined) return;
    table = built;
    picture.setTable(table.balls.tableRadius);
    comparison.clear();
    readout.clear();
    pulse.clear();
  }

  /** Runs the due steps. Steps that do not fit in the frame are dropped, so a slow machine slows the simulation down. */
  function advance(seconds: number, now: number): void {
    const end = performance.now() + MAX_STEPPING_MS;
    for (let due = clock.take(seconds, STEP_SECONDS); due > 0 && performance.now() < end; due--) {
      table.step(settings);
      comparison.tracked.add(table.milliseconds, now);
      pulse.add(table.contacts.began.length / 2, table.contacts.ended.length / 2);
    }
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) advance(seconds * settings.pace, now);
    picture.draw(table);
    pulse.draw();
    if (readout.isDue(now)) {
      if (table.steps > 0) comparison.compare(table, now);
      readout.write(table, comparison, now);
      probe.figures = figuresOf(table, comparison);
      probe.reports++;
    }
    probe.frames++;
  }

  await picture.prepare();
  stage.start(frame);
  if (settings.isPaused) showToast('Paused. Press P, or switch off pause in the settings, to start.');
}
