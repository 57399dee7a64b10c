// Measures settings against each other in interleaved rounds, so that whatever slows the machine for a while slows all
// of them.

import type { MeasuredScene } from './measured-scene.ts';
import type { MeasureCommand, Report } from './messages.ts';
import type { Motion } from './motion.ts';
import { TunedOctree, type RoundPlan } from './tuned-octree.ts';

/**
 * Approximate milliseconds of each kind of operation in a round. Many short rounds are better than few long ones if
 * other processes interrupt: most short rounds are not interrupted, so the others do not change the median. Shorter
 * rounds would be too short for clocks of 0.1 ms.
 */
const ROUND_MS = 2.5;
/** Results are compared after every fourth round, and after the last. */
const CHECKED_ROUNDS = 4;
/** Ticks before the first round: the margins of moving bodies are then as in a long run. */
const WARM_UP_TICKS = 24;
/** Milliseconds of culls and rays until their code is compiled. */
const COMPILE_MS = 300;
const MAX_REPEATS = 1000;
/**
 * Approximate number of moves in a round, over all ticks. A number, not a time, so that the trees, their depths and
 * their memory are the same in every run.
 */
const ROUND_MOVES = 20_000;
const MIN_TICKS = 3;
const MAX_TICKS = 32;

export function measureSettings(
  { settings, rounds }: MeasureCommand,
  scene: MeasuredScene,
  post: (report: Report) => void,
): void {
  // Building, warming up and each round are the steps of the progress of each setting.
  const steps = settings.length * (rounds + 2);
  let done = 0;
  const step = (): void => post({ kind: 'progress', share: ++done / steps });

  const moves = new Moves(scene);
  const octrees = settings.map((setting) => {
    const octree = new TunedOctree(setting, scene);
    step();
    return octree;
  });
  const plan = warmUp(octrees, moves, step);
  for (let round = 0; round < rounds; round++) {
    moves.next();
    // Each round begins with another octree, because the first one finds the moves outside the caches.
    for (let k = 0; k < octrees.length; k++) {
      octrees[(k + round) % octrees.length].measure(plan, moves.centres);
      step();
    }
    const isLast = round === rounds - 1;
    if (!isLast && round % CHECKED_ROUNDS !== 0) continue;
    const expected = octrees[0].results();
    for (const octree of octrees) octree.check(expected);
    post({ kind: 'round', rounds: round + 1, isLast, measurements: octrees.map((octree) => octree.measurement()) });
  }
  for (const octree of octrees) octree.dispose();
}

/**
 * Runs all octrees until their code is compiled and their bodies have margins. Returns how often each operation fits
 * into a round.
 */
function warmUp(octrees: readonly TunedOctree[], moves: Moves, step: () => void): RoundPlan {
  const begin = performance.now();
  let [cull, ray] = [Infinity, Infinity];
  while (performance.now() - begin < COMPILE_MS) {
    const times = octrees[0].run({ ticks: 0, culls: 1, rays: 1 }, []);
    [cull, ray] = [Math.min(cull, times.cull), Math.min(ray, times.ray)];
  }
  const plan = { ticks: moves.ticks, culls: repeats(cull), rays: repeats(ray) };
  for (let ticks = 0; ticks < WARM_UP_TICKS && plan.ticks > 0; ticks += plan.ticks) {
    moves.next();
    for (const octree of octrees) octree.run({ ...plan, culls: 1, rays: 1 }, moves.centres);
  }
  for (let k = 0; k < octrees.length; k++) step();
  return plan;
}

/** How often something that takes `ms` milliseconds fits into a round. */
const repeats = (ms: number): number =>
  Math.max(1, Math.min(MAX_REPEATS, Math.round(ROUND_MS / Math.max(ms, ROUND_MS / MAX_REPEATS))));

/** The moves of a round, computed once for all octrees. */
class Moves {
  /** Ticks in a round. */
  readonly ticks: number;
  /** Centres of the moving bodies in each tick. */
  readonly centres: readonly Float64Array[];
  private readonly motion: Motion;

  constructor(scene: MeasuredScene) {
    this.ticks =
      scene.moving === 0 ? 0 : Math.max(MIN_TICKS, Math.min(MAX_TICKS, Math.round(ROUND_MOVES / scene.moving)));
    this.centres = Array.from({ length: this.ticks }, () => new Float64Array(scene.moving * 3));
    this.motion = scene.createMotion();
  }

  next(): void {
    for (const centres of this.centres) this.motion.step(centres);
  }
}
