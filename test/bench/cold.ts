/**
 * What a user meets first: the first calls and the first ticks of a process, before the engine has compiled the code.
 * Each figure comes from processes of its own. In Node it is run time of the main thread: wall time would count the
 * waits for a core while the engine compiles in other threads. A page has wall time only.
 */

import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { TASKS, type Measured } from './cold-tasks.ts';
import { median } from './measure.ts';
import type { Entry, Row } from './result.ts';
import { maxBodies } from './rivals/rivals.ts';
import { loadScene, type SceneChoice } from './scenes/load-scene.ts';

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
  process.send!(isTooLarge ? null : await TASKS[task].run(name, scene, runTime));
  process.disconnect();
}

/** Measures a task of a rival in a process of its own. */
export type Measure = (name: string, task: string) => Promise<Measured | null>;

/** @param script This program. */
export function inNode(script: string, args: string[]): Measure {
  return (name, task) => measureInProcess(script, ['--worker', name, '--cold-task', task, ...args]);
}

function measureInProcess(script: string, args: string[]): Promise<Measured | null> {
  const child = fork(script, args);
  return new Promise((resolve, reject) => {
    child.once('message', (measured) => resolve(measured as Measured | null));
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
}

/** Runs each task of each rival in `rounds` processes, by turns; calls `report` with each row. */
export async function runColdRows(
  rivals: readonly string[],
  rounds: number,
  isChosen: (task: string) => boolean,
  measure: Measure,
  report: (row: Row) => void,
): Promise<void> {
  for (const task of Object.keys(TASKS).filter(isChosen)) {
    const measured = new Map<string, Measured[]>();
    for (let round = 0; round < rounds; round++) {
      for (const name of rivals) {
        const one = await measure(name, task);
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
