// Runs the benchmark in the user's browser: the octree, three-mesh-bvh and brute force, each in its own worker, with
// all results checked.

import { REVISION } from 'three';
import benchmarkText from '../../docs/benchmark.md?raw';
import type { Row } from '../../test/bench/result.ts';
import { copyText } from './shared/copy-text.ts';
import { find } from './shared/elements.ts';
import { FigureBoard } from './shared/figure-board.ts';
import { showFailure } from './shared/missing.ts';
import { ProgressBar } from './shared/progress.ts';
import { showToast } from './shared/toast.ts';
import { browserName } from './shared/browser-name.ts';
import { selectedScenarios } from './benchmark/selected-scenarios.ts';
import { runBenchmark } from './benchmark/run-benchmark.ts';
import type { Choice } from './benchmark/messages.ts';
import { toMarkdown } from './benchmark/markdown.ts';
import { REFERENCE, OURS } from './benchmark/names.ts';
import { ResultList } from './benchmark/result-list.ts';
import { WARM_UP_MS } from './benchmark/round-timing.ts';
import { readStoredRun } from './benchmark/stored-run.ts';

const start = find('#start', HTMLButtonElement);
const copy = find('#copy', HTMLButtonElement);
const bodies = find('#bodies', HTMLSelectElement);
const scene = find('#scene', HTMLSelectElement);
const table = find('#table', HTMLElement);
const progress = new ProgressBar(find('#progress', HTMLElement));
const board = new FigureBoard(document.body);
const effort = { rounds: 7, warmUpMs: WARM_UP_MS };
const scenarios = selectedScenarios.map(({ name }) => name);
const results = new ResultList(find('#results', HTMLElement), scenarios);

readQuery(new URLSearchParams(location.search));
showStoredRun();
start.addEventListener(
  'click',
  () => void run().catch((error: unknown) => showFailure('The benchmark could not run', error)),
);
copy.addEventListener('click', () => void copyTable());

/**
 * Reads the settings from the page's query string, for instance `?bodies=10000&scene=clustered&rounds=3&warmup=20`:
 * bodies, scene (uniform, clustered), the measured rounds (1 to 99) and the warm-up of each scenario in milliseconds (1
 * to 1000). A missing or invalid value keeps its default.
 */
function readQuery(query: URLSearchParams): void {
  const count = Number.parseInt(query.get('bodies') ?? '', 10);
  if (count >= 100 && count <= 1_000_000) {
    if (![...bodies.options].some(({ value }) => value === String(count)))
      bodies.add(new Option(count.toLocaleString('en'), String(count)));
    bodies.value = String(count);
  }
  if (query.get('scene') === 'clustered') scene.value = 'clustered';
  const within = (name: string, high: number, start: number): number => {
    const given = Number.parseInt(query.get(name) ?? '', 10);
    return given >= 1 && given <= high ? given : start;
  };
  effort.rounds = within('rounds', 99, effort.rounds);
  effort.warmUpMs = within('warmup', 1000, effort.warmUpMs);
}

/** Until a run is made here. */
function showStoredRun(): void {
  const { origin, rows } = readStoredRun(benchmarkText, scenarios);
  for (const row of rows) results.show(row);
  board.set('summary', `${origin} Press Run for figures of your machine: a minute or less, no data is sent.`);
}

async function run(): Promise<void> {
  const choice: Choice = {
    bodies: Number(bodies.value),
    scene: scene.value === 'clustered' ? 'clustered' : 'uniform',
    ...effort,
  };
  const rows: Row[] = [];
  const stop = new AbortController();
  setRunning(true);
  results.clear();
  progress.begin('', () => stop.abort());
  try {
    await runBenchmark(choice, stop.signal, {
      progress(scenario, fraction) {
        progress.set(fraction, scenario === '' ? `Placing ${choice.bodies.toLocaleString('en')} bodies` : scenario);
        results.markCurrent(scenario);
      },
      row(row) {
        rows.push(row);
        results.show(row);
      },
    });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    showToast('Stopped. The results so far are kept.');
  } finally {
    setRunning(false);
    finish(choice, rows);
  }
}

function setRunning(isRunning: boolean): void {
  document.body.classList.toggle('is-running', isRunning);
  for (const control of [start, bodies, scene, copy]) control.disabled = isRunning;
  if (isRunning) return;
  progress.end();
  results.markCurrent('');
}

function finish(choice: Choice, rows: readonly Row[]): void {
  const compared = rows.filter(({ entries }) => entries[REFERENCE] && entries[OURS]);
  const faster = compared.filter(({ entries }) => entries[OURS].value < entries[REFERENCE].value).length;
  const entries = rows.flatMap(({ entries }) => Object.values(entries));
  const wrong = sum(entries.map((entry) => entry.wrong));
  const checked = sum(entries.map((entry) => entry.checked)).toLocaleString('en');
  copy.disabled = rows.length === 0;
  if (rows.length === 0) return;
  const speedText = `The octree is faster than brute force in ${faster} of ${compared.length} rows.`;
  board.set('summary', `${speedText} ${checked} results checked, ${wrong === 0 ? 'none' : wrong} wrong.`);
  table.textContent = toMarkdown(headOf(choice), rows);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function headOf({ bodies, scene }: Choice): string {
  const where = `${browserName(navigator.userAgent)}, ${navigator.hardwareConcurrency} cores`;
  return `${bodies.toLocaleString('en')} boxes, ${scene}; ${new Date().toISOString().slice(0, 10)}, ${where}, three r${REVISION}`;
}

async function copyTable(): Promise<void> {
  const problem = await copyText(table, 'The table');
  if (problem) find('details', HTMLDetailsElement).open = true;
  showToast(problem ?? 'Copied the table as Markdown.');
}
