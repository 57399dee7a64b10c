// Measures the options of the octree on a scene of the user's choice, plots what each value costs, and recommends
// values.

import { copyText } from './shared/copy-text.ts';
import { find } from './shared/elements.ts';
import { FigureBoard } from './shared/figure-board.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { messageOf, showFailure } from './shared/missing.ts';
import { ProgressBar } from './shared/progress.ts';
import { QueryReader } from './shared/query-reader.ts';
import { showToast } from './shared/toast.ts';
import { type Metric, noiseOf } from './tuning/comparison.ts';
import { DrawQueue } from './tuning/draw-queue.ts';
import { Measurer } from './tuning/measurer.ts';
import type { Measurement, OwnFiles, SceneReport } from './tuning/messages.ts';
import { DEFAULTS, type OptionName, OPTIONS, type Setting, toCode, TWINS } from './tuning/options.ts';
import { OptionSection } from './tuning/option-section.ts';
import { acceptFiles } from './tuning/own-bodies.ts';
import { candidateOf, recommend, settingsToConfirm, type Recommendation } from './tuning/recommend.ts';
import { drawScene } from './tuning/scene-picture.ts';
import { readSettings } from './tuning/settings.ts';
import { SettingsForm } from './tuning/settings-form.ts';
import { describeScene, expectedTime, recommendationText, unitWarning } from './tuning/wording.ts';

const canvas = find('.scene canvas', HTMLCanvasElement);
const start = find('#start', HTMLButtonElement);
const code = find('#code', HTMLElement);
const form = new SettingsForm(document, keptSettings(new QueryReader(), readSettings));
const progress = new ProgressBar(find('#progress', HTMLElement));
const board = new FigureBoard(document.body);
const measurer = new Measurer();
const sections = new Map(OPTIONS.map((option) => [option, new OptionSection(option)]));
const drawQueue = new DrawQueue();

let ownFiles: OwnFiles | null = null;
let scene: SceneReport | null = null;
/** What was measured for each option of the scene: the defaults, their twins, then its other values. */
let measured = new Map<OptionName, readonly Measurement[]>();
/** The second measurements of the scene, by their settings. */
let confirmed = new Map<string, readonly Measurement[]>();
/** When the run began, in milliseconds. */
let begun = 0;
/** Null until all is measured. */
let recommendation: Recommendation | null = null;

find('#options', HTMLElement).append(...[...sections.values()].map(({ root }) => root));
form.onScene = () => void setScene();
form.onLoad = () => void changeLoad().catch(fail);
form.onRounds = showExpectedTime;
start.addEventListener('click', () => void run().catch(fail));
find('#copy', HTMLButtonElement).addEventListener(
  'click',
  () => void copyText(code, 'The code').then((problem) => showToast(problem ?? 'Copied the options.')),
);
matchMedia('(prefers-color-scheme: light)').addEventListener('change', () => scene && drawScene(canvas, scene));
acceptFiles(
  find('#files', HTMLInputElement),
  (files) => {
    ownFiles = files;
    form.addOwnScene(files.text.name.replace(/\.\w+$/, ''));
    void setScene();
  },
  showToast,
);
void setScene();

async function setScene(): Promise<void> {
  measured = new Map();
  confirmed = new Map();
  recommendation = null;
  start.disabled = true;
  try {
    scene = await measurer.setScene({
      kind: 'scene',
      choice: form.choice,
      files: form.choice.scene === 'own' ? ownFiles : null,
    });
  } catch (error) {
    if (isStop(error)) return;
    if (form.choice.scene !== 'own') return fail(error);
    showToast(messageOf(error));
    form.removeOwnScene();
    return setScene();
  }
  start.disabled = false;
  drawScene(canvas, scene);
  board.set('scene', describeScene(scene));
  showExpectedTime();
  for (const option of OPTIONS) sections.get(option)!.clear(scene.values[option]);
  showRecommendation();
}

/** Says before a run how long it takes. */
function showExpectedTime(): void {
  if (scene !== null && measured.size === 0)
    board.set('summary', unitWarning(scene) || expectedTime(scene, form.rounds));
}

async function run(): Promise<void> {
  if (scene === null) return;
  measured = new Map();
  confirmed = new Map();
  recommendation = null;
  const { values } = scene;
  const { rounds } = form;
  for (const option of OPTIONS) sections.get(option)!.clear(values[option]);
  await whileRunning(async () => {
    for (const [at, option] of OPTIONS.entries()) {
      const section = sections.get(option)!;
      section.root.classList.add('is-current');
      const others = values[option].filter((value) => value !== DEFAULTS[option]);
      await measurer.measure([...TWINS, ...others.map((value) => ({ ...DEFAULTS, [option]: value }))], rounds, {
        progress: (share) => showProgress((at + share) / (OPTIONS.length + 1), option),
        round(measurements) {
          measured.set(option, measurements);
          section.setMeasurements(measurements);
          show(option);
        },
      });
      section.root.classList.remove('is-current');
    }
    await confirm((share) => (OPTIONS.length + share) / (OPTIONS.length + 1));
  });
}

/** Shows the progress, with the remaining time as soon as it can be estimated. */
function showProgress(share: number, what: string): void {
  const passed = (performance.now() - begun) / 1000;
  const left = Math.ceil((passed / share - passed) / 5) * 5;
  progress.set(share, passed > 2 && left > 0 ? `Measuring ${what}, about ${left} s left` : `Measuring ${what}`);
}

/** The recommendation for another frame. It needs no new measurement, unless other values may now be better. */
async function changeLoad(): Promise<void> {
  const wasDone = recommendation !== null;
  recommendation = null;
  for (const option of OPTIONS) show(option);
  if (!wasDone) return;
  await whileRunning(() => confirm((share) => share));
}

/** Measures the best values a second time, and recommends. */
async function confirm(overall: (share: number) => number): Promise<void> {
  const { load, rounds } = form;
  const settings = settingsToConfirm(measured, load);
  const key = JSON.stringify(settings);
  if (settings.length > 0 && !confirmed.has(key)) {
    showRecommendation();
    confirmed.set(
      key,
      await measurer.measure(settings, rounds * 2, {
        progress: (share) => showProgress(overall(share), 'the best values again'),
        round: () => {},
      }),
    );
  }
  recommendation = recommend(candidateOf(measured, load), confirmed.get(key) ?? [], load);
}

/** Shows the progress of some work and its button, and its result at the end. */
async function whileRunning(work: () => Promise<void>): Promise<void> {
  document.body.classList.add('is-running');
  form.setDisabled(true);
  start.disabled = true;
  begun = performance.now();
  progress.begin('Measuring', () => measurer.stop());
  try {
    await work();
  } catch (error) {
    if (!isStop(error)) throw error;
    showToast('Stopped. What has been measured is kept.');
  } finally {
    for (const section of sections.values()) section.root.classList.remove('is-current');
    showRecommendation();
    showChecks();
    await drawQueue.done();
    document.body.classList.remove('is-running');
    form.setDisabled(false);
    start.disabled = false;
    progress.end();
  }
}

/** The noise of a metric in all that has been measured, the same for all options. */
function currentNoise(metric: Metric): number {
  return noiseOf(measured.values(), metric, form.load);
}

function showRecommendation(): void {
  const setting: Setting = recommendation?.setting ?? DEFAULTS;
  code.textContent = toCode(setting);
  if (recommendation === null) {
    board.set('verdict', measured.size === 0 ? 'Not measured yet.' : 'Not measured completely.');
    board.set('evidence', 'The best value of each option is measured a second time before it is recommended.');
    return;
  }
  const { verdict, evidence } = recommendationText(recommendation, currentNoise('frame'), memoryRatio(setting));
  board.set('verdict', verdict);
  board.set('evidence', evidence);
  for (const option of OPTIONS) show(option);
}

/** Draws the section of an option soon, with the measurements of that time. */
function show(option: OptionName): void {
  const section = sections.get(option)!;
  drawQueue.add(section, () => section.show(form.load, currentNoise, recommendation?.setting[option] ?? null));
}

/** Memory of the octree with a setting that was measured a second time, divided by its memory with the defaults. */
function memoryRatio(setting: Setting): number {
  const all = [...confirmed.values()].flat();
  const found = all.find((measurement) => toCode(measurement.setting) === toCode(setting));
  return found === undefined ? 1 : found.bytes / all[0].bytes;
}

function showChecks(): void {
  const all = [...measured.values(), ...confirmed.values()].flat();
  if (all.length === 0) return;
  const checked = all.reduce((sum, measurement) => sum + measurement.checked, 0).toLocaleString('en');
  const wrong = all.reduce((sum, measurement) => sum + measurement.wrong, 0);
  board.set(
    'summary',
    `${checked} results compared with the defaults, ${wrong === 0 ? 'all equal' : `${wrong.toLocaleString('en')} differ`}.`,
  );
  board.mark('summary', 'is-wrong', wrong > 0);
}

const isStop = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
const fail = (error: unknown): void => showFailure('The options could not be measured', error);
