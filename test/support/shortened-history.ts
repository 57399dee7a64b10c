/**
 * Histories of steps that can be left out: each step draws from random numbers of its own. A history that fails is
 * played again without some of its steps, as long as it still fails.
 */
import { createRandom, type Random } from './random.ts';

/** How often a history that has failed is played again at most. */
const MAX_TRIALS = 150;

/** The random numbers of one step of a history. */
export function randomOf(seed: number, step: number): Random {
  return createRandom(Math.imul(seed, 0x9e3779b1) + Math.imul(step + 1, 0x85ebca6b));
}

/** Plays these steps, ascending. Throws if something is wrong. */
type Play = (steps: readonly number[]) => unknown;

async function failureOf(play: Play, steps: readonly number[]): Promise<Error | null> {
  try {
    await play(steps);
    return null;
  } catch (error) {
    return error as Error;
  }
}

/**
 * Plays steps 0 to `count` - 1. If that throws, drops steps: halves, then quarters, down to single ones; and throws the
 * last error with seed and steps.
 */
export async function playShortened(seed: number, count: number, play: Play): Promise<void> {
  let steps = Array.from({ length: count }, (_, step) => step);
  let failure = await failureOf(play, steps);
  if (failure === null) return;
  let trials = 0;
  let size = steps.length;
  while (size >= 1 && trials < MAX_TRIALS) {
    const before = steps.length;
    // From the end: what comes after the fault goes first.
    for (let end = steps.length; end > 0 && trials < MAX_TRIALS; end -= size) {
      const fewer = steps.filter((_, k) => k < end - size || k >= end);
      trials++;
      const error = await failureOf(play, fewer);
      if (error === null) continue;
      failure = error;
      steps = fewer;
    }
    // Single steps are tried until none can be left out.
    if (size > 1 || steps.length === before) size >>= 1;
  }
  throw new Error(`seed ${seed}, steps ${JSON.stringify(steps)} of ${count}: ${failure.message}`, { cause: failure });
}
