// Which values are recommended. First the best value of each option alone; then all combinations of these values are
// measured again.

import { compare, type Comparison, type FrameLoad, noiseOf } from './comparison.ts';
import type { Measurement } from './messages.ts';
import { changesOf, DEFAULTS, type OptionName, OPTIONS, type Setting, TWINS } from './options.ts';

/** A simpler setting is preferred to one that is faster by no more than this. */
const MAX_SLOWER = 0.1;

/** What was measured for each option: the defaults, their twins, then its other values. */
export type Measured = ReadonlyMap<OptionName, readonly Measurement[]>;

export interface Recommendation {
  /** The defaults if nothing is better. */
  readonly setting: Setting;
  /** In the second measurement; null if the defaults are recommended. */
  readonly frame: Comparison | null;
  readonly noise: number;
  /** What looked better in the first measurement. */
  readonly candidate: Setting;
}

/**
 * The settings that the second measurement needs: the defaults, their twins, then the candidates; empty if no value is
 * better than its default.
 */
export function settingsToConfirm(measured: Measured, load: FrameLoad): readonly Setting[] {
  const candidates = combinations(candidateOf(measured, load));
  return candidates.length === 0 ? [] : [...TWINS, ...candidates];
}

/** The defaults, with the best value of each option that is better than its default. */
export function candidateOf(measured: Measured, load: FrameLoad): Setting {
  const noise = noiseOf(measured.values(), 'frame', load);
  const best = OPTIONS.map((option) => {
    const measurements = measured.get(option) ?? [];
    if (measurements.length === 0) return [option, DEFAULTS[option]];
    const distance = (k: number): number => Math.abs(Math.log2(measurements[k].setting[option] / DEFAULTS[option]));
    return [option, measurements[choose(compare(measurements, 'frame', load, noise), noise, distance)].setting[option]];
  });
  return Object.fromEntries(best) as Setting;
}

/** @param confirmed The second measurement, of `settingsToConfirm`; empty if there was none to do. */
export function recommend(candidate: Setting, confirmed: readonly Measurement[], load: FrameLoad): Recommendation {
  if (confirmed.length === 0) return { setting: DEFAULTS, frame: null, noise: 0, candidate };
  const noise = noiseOf([confirmed], 'frame', load);
  const comparisons = compare(confirmed, 'frame', load, noise);
  // The settings with the fewest changes come first; of equally many, always the same.
  const at = choose(comparisons, noise, (k) => k);
  return { setting: confirmed[at].setting, frame: at === 0 ? null : comparisons[at], noise, candidate };
}

/**
 * The index of the best setting. Candidates are the settings that are better than the defaults and nearly as fast as
 * the fastest of these; the best is the candidate with the lowest cost. So two runs seldom differ. 0 if none is better.
 */
function choose(comparisons: readonly Comparison[], noise: number, cost: (index: number) => number): number {
  const better = comparisons.flatMap(({ verdict }, k) => (verdict === 'better' ? [k] : []));
  const fastest = Math.min(...better.map((k) => comparisons[k].ratio));
  const asFast = better.filter((k) => comparisons[k].ratio <= fastest * (1 + Math.max(noise, MAX_SLOWER)));
  return asFast.sort((a, b) => cost(a) - cost(b) || comparisons[a].ratio - comparisons[b].ratio)[0] ?? 0;
}

/** Each combination of the changes of a setting with defaults, fewest changes first, without the defaults. */
function combinations(setting: Setting): Setting[] {
  const changes = changesOf(setting);
  const subsets = Array.from({ length: 2 ** changes.length - 1 }, (_, k) =>
    changes.filter((_change, bit) => ((k + 1) & (1 << bit)) !== 0),
  );
  return subsets
    .sort((a, b) => a.length - b.length)
    .map((subset) => ({ ...DEFAULTS, ...Object.fromEntries(subset.map((option) => [option, setting[option]])) }));
}
