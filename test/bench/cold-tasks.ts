/**
 * What is measured of the first calls and the first ticks of a process, in Node and in a page. It imports nothing of
 * Node.
 */

import { Ray } from 'three';
import { createRandom } from '../support/random.ts';
import { newMotion } from './motion.ts';
import { direction, lookFrom, placeNear } from './queries.ts';
import { buildRival } from './rivals/build-rival.ts';
import { loadRival, REFERENCE } from './rivals/rivals.ts';
import { sameEntry } from './scenarios/agreement.ts';
import type { Scene } from './scenes/scene.ts';

const FIRST_RAYS = 500;
/** Rays whose results are compared with brute force, after the measured calls. */
const CHECKED_RAYS = 50;
/** Ticks after tick 0. */
const NEXT_TICKS = 9;

/** What one process measures: milliseconds, one for each of its rows, and how many of its results are wrong. */
export interface Measured {
  readonly times: readonly number[];
  readonly wrong: number;
  readonly checked: number;
}

/** @param time Milliseconds so far. */
type Task = (name: string, scene: Scene, time: () => number) => Promise<Measured | null>;

/** The rows of each task. */
export const TASKS: Readonly<Record<string, { readonly rows: readonly string[]; readonly run: Task }>> = {
  rays: { rows: ['first ray', `first ${FIRST_RAYS} rays, each`], run: measureRays },
  'ticks 1 %': ticks('1 %', 0.01),
  'ticks 10 %': ticks('10 %', 0.1),
  'ticks 100 %': ticks('100 %', 1),
};

function ticks(text: string, share: number): { rows: string[]; run: Task } {
  return {
    rows: [`${text} move, tick 0`, `${text} move, ticks 1 to ${NEXT_TICKS}, each`],
    run: (name, scene, time) => measureTicks(name, scene, time, share),
  };
}

async function measureRays(name: string, scene: Scene, time: () => number): Promise<Measured | null> {
  const rival = buildRival(await loadRival(name), scene.boxes, 'static');
  if (!rival.firstHit) return null;
  const random = createRandom(2);
  const rays = Array.from({ length: FIRST_RAYS }, () => new Ray(placeNear(scene.boxes, random), direction(random)));
  const found = new Int32Array(FIRST_RAYS);
  const begin = time();
  found[0] = rival.firstHit(rays[0]);
  const first = time();
  for (let k = 1; k < FIRST_RAYS; k++) found[k] = rival.firstHit(rays[k]);
  const end = time();
  const reference = buildRival(await loadRival(REFERENCE), scene.boxes, 'static');
  const checked = rays.slice(0, CHECKED_RAYS);
  const wrong = checked.filter((ray, k) => !sameEntry(scene.boxes, ray, found[k], reference.firstHit!(ray))).length;
  return { times: [first - begin, (end - begin) / FIRST_RAYS], wrong, checked: checked.length };
}

async function measureTicks(name: string, scene: Scene, time: () => number, share: number): Promise<Measured | null> {
  const rival = buildRival(await loadRival(name), scene.boxes, 'moving');
  if (!rival.move || !rival.cull) return null;
  const random = createRandom(4);
  const view = lookFrom(placeNear(scene.boxes, random), 1500, random);
  const motion = newMotion(scene, share);
  const times = new Float64Array(NEXT_TICKS + 1);
  let count = 0;
  for (let tick = 0; tick <= NEXT_TICKS; tick++) {
    motion.step();
    const begin = time();
    rival.move(motion.moving, motion.batch);
    count = rival.cull(view);
    times[tick] = time() - begin;
  }
  const reference = buildRival(await loadRival(REFERENCE), motion.boxes, 'moving');
  const next = times.subarray(1).reduce((sum, tick) => sum + tick, 0) / NEXT_TICKS;
  return { times: [times[0], next], wrong: Number(reference.cull!(view) !== count), checked: 1 };
}
