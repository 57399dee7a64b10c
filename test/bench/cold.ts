/**
 * What a user meets first: the first calls and the first ticks of a process, before the engine has compiled the code.
 * Each figure comes from processes of its own, and is run time of the main thread: wall time would count the waits for
 * a core while the engine compiles in other threads.
 */

import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ray } from 'three';
import { createRandom } from '../support/random.ts';
import { median } from './measure.ts';
import { newMotion } from './motion.ts';
import { direction, lookFrom, placeNear } from './queries.ts';
import type { Entry, Row } from './result.ts';
import { buildRival } from './rivals/build-rival.ts';
import { loadRival, maxBodies, REFERENCE } from './rivals/rivals.ts';
import { sameEntry } from './scenarios/agreement.ts';
import { loadScene, type SceneChoice } from './scenes/load-scene.ts';
import type { Scene } from './scenes/scene.ts';

const FIRST_RAYS = 500;
/** Rays whose results are compared with brute force, after the measured calls. */
const CHECKED_RAYS = 50;
/** Ticks after tick 0. */
const NEXT_TICKS = 9;

/** What one process measures: milliseconds, one for each of its rows, and how many of its results are wrong. */
interface Measured {
  readonly times: readonly number[];
  readonly wrong: number;
  readonly checked: number;
}

type Task = (name: string, scene: Scene) => Promise<Measured | null>;

/** The rows of each task. */
const TASKS: Readonly<Record<string, { readonly rows: readonly string[]; readonly run: Task }>> = {
  rays: { rows: ['first ray', `first ${FIRST_RAYS} rays, each`], run: measureRays },
  'ticks 1 %': ticks('1 %', 0.01),
  'ticks 10 %': ticks('10 %', 0.1),
  'ticks 100 %': ticks('100 %', 1),
};

function ticks(text: string, share: number): { rows: string[]; run: Task } {
  return {
    rows: [`${text} move, tick 0`, `${text} move, ticks 1 to ${NEXT_TICKS}, each`],
    run: (name, scene) => measureTicks(name, scene, share),
  };
}

async function measureRays(name: string, scene: Scene): Promise<Measured | null> {
  const rival = buildRival(await loadRival(name), scene.boxes, 'static');
  if (!rival.firstHit) return null;
  const random = createRandom(2);
  const rays = Array.from({ length: FIRST_RAYS }, () => new Ray(placeNear(scene.boxes, random), direction(random)));
  const found = new Int32Array(FIRST_RAYS);
  const begin = runTime();
  found[0] = rival.firstHit(rays[0]);
  const first = runTime();
  for (let k = 1; k < FIRST_RAYS; k++) found[k] = rival.firstHit(rays[k]);
  const end = runTime();
  const reference = buildRival(await loadRival(REFERENCE), scene.boxes, 'static');
  const checked = rays.slice(0, CHECKED_RAYS);
  const wrong = checked.filter((ray, k) => !sameEntry(scene.boxes, ray, found[k], reference.firstHit!(ray))).length;
  return { times: [first - begin, (end - begin) / FIRST_RAYS], wrong, checked: checked.length };
}

async function measureTicks(name: string, scene: Scene, share: number): Promise<Measured | null> {
  const rival = buildRival(await loadRival(name), scene.boxes, 'moving');
  if (!rival.move || !rival.cull) return null;
  const random = createRandom(4);
  const view = lookFrom(placeNear(scene.boxes, random), 1500, random);
  const motion = newMotion(scene, share);
  const times = new Float64Array(NEXT_TICKS + 1);
  let count = 0;
  for (let tick = 0; tick <= NEXT_TICKS; tick++) {
    motion.step();
    const begin = runTime();
    rival.move(motion.moving, motion.batch);
    count = rival.cull(view);
    times[tick] = runTime() - begin;
  }
  const reference = buildRival(await loadRival(REFERENCE), motion.boxes, 'moving');
  const next = times.subarray(1).reduce((sum, time) => sum + time, 0) / NEXT_TICKS;
  return { times: [times[0], next], wrong: Number(reference.cull!(view) !== count), checked: 1 };
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));

/** Run time of the calling thread so far, milliseconds; where the system does not tell it, wall time. */
function runTime(): number {
  // Linux brings the run time of a thread up to date when the thread stops.
  Atomics.wait(neverNotified, 0, 0, 0.1);
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Runs in a process of its own, and sends what it has measured to its parent. */
export async function runColdTask(name: string, task: string, choice: SceneChoice): Promise<void> {
  runTime();
  const scene = loadScene(choice);
  const isTooLarge = scene.boxes.length / 6 > (maxBodies[name] ?? Infinity);
  process.send!(isTooLarge ? null : await TASKS[task].run(name, scene));
  process.disconnect();
}

function measureInProcess(name: string, task: string, script: string, args: string[]): Promise<Measured | null> {
  const child = fork(script, ['--worker', name, '--cold-task', task, ...args]);
  return new Promise((resolve, reject) => {
    child.once('message', (measured) => resolve(measured as Measured | null));
    child.once('exit', (code) => reject(new Error(`${task} of ${name} ended with ${code}`)));
  });
}

/** Runs each task of each rival in `rounds` processes, by turns; calls `report` with each row. */
export async function runColdRows(
  rivals: readonly string[],
  rounds: number,
  script: string,
  args: string[],
  report: (row: Row) => void,
): Promise<void> {
  for (const task of Object.keys(TASKS)) {
    const measured = new Map<string, Measured[]>();
    for (let round = 0; round < rounds; round++) {
      for (const name of rivals) {
        const one = await measureInProcess(name, task, script, args);
        if (one !== null) measured.set(name, [...(measured.get(name) ?? []), one]);
      }
    }
    TASKS[task].rows.forEach((scenario, k) => {
      const entries = [...measured].map(([name, all]): [string, Entry] => {
        const times = all.map((one) => one.times[k]);
        return [name, { ...all[0], value: median(times), fastest: Math.min(...times) }];
      });
      report({ scenario, unit: 'ms', entries: Object.fromEntries(entries) });
    });
  }
}
