// Balls bounce off each other. An octree reports in each tick which pairs have begun to touch, and which have parted.

import { Comparison } from './contacts/comparison.ts';
import { createPanel } from './contacts/panel.ts';
import { Picture } from './contacts/picture.ts';
import { Pulse } from './contacts/pulse.ts';
import { figuresOf, type ContactsFigures, writeFigures } from './contacts/readout.ts';
import { readSettings } from './contacts/settings.ts';
import { STEP_SECONDS, Table } from './contacts/table.ts';
import { element, find } from './shared/elements.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { PageProbe, publish } from './shared/page-probe.ts';
import { Rates } from './shared/rates.ts';
import { LatestWork, nextTurn } from './shared/slices.ts';
import { StepClock } from './shared/step-clock.ts';

/** Steps over which the rates are computed. */
const RATE_STEPS = 120;

openPage(Page, 'The table could not be built', bounce);

async function bounce(page: Page): Promise<void> {
  const { board, query, stage } = page;
  const probe = publish('contactsProbe', new PageProbe<ContactsFigures>());
  const settings = keptSettings(query, readSettings);
  const building = new LatestWork();
  let table = (await building.run(Table.build(settings)))!;
  await nextTurn();
  const picture = new Picture(stage, table.balls.tableRadius, element('statistics'));
  const rates = new Rates(RATE_STEPS, STEP_SECONDS);
  const comparison = new Comparison();
  const pulse = new Pulse(find('#pulse', HTMLCanvasElement));
  const clock = new StepClock();

  picture.view.onClick((x, z) => table.shove(x, z));
  createPanel(settings, {
    rebuild: () => page.attempt(rebuild()),
    shove: () => table.shove(0, 0),
  });

  /** Shows the former table until the new one is built. */
  async function rebuild(): Promise<void> {
    const built = await building.run(Table.build(settings));
    if (built === undefined) return;
    table = built;
    picture.setTable(table.balls.tableRadius);
    comparison.clear();
    rates.clear();
    pulse.clear();
  }

  function step(now: number): void {
    table.step(settings);
    comparison.tracked.add(table.milliseconds, now);
    pulse.add(table.contacts.began.length / 2, table.contacts.ended.length / 2);
  }

  function report(now: number): ContactsFigures {
    const { steps, began, ended } = table;
    if (steps > 0) comparison.compare(table, now);
    rates.write(board, steps, { 'began-rate': began, 'ended-rate': ended });
    writeFigures(board, table, comparison, now);
    return figuresOf(table, comparison);
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) clock.run(seconds * settings.pace, STEP_SECONDS, () => step(now));
    picture.draw(table);
    pulse.draw();
    probe.frame(now, () => report(now));
  }

  await picture.prepare();
  stage.start(frame);
}
