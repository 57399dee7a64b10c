// What the measured times say: medians, ratios to the defaults in the same round, and which differences count.

import { median } from '../../../test/bench/measure.ts';
import type { Measurement } from './messages.ts';

/** What a frame of the user's application does, beside one tick. */
export interface FrameLoad {
  readonly culls: number;
  readonly rays: number;
}

export const METRICS = ['frame', 'cull', 'ray', 'tick', 'memory'] as const;
export type Metric = (typeof METRICS)[number];

/** A smaller difference never counts, even if the two octrees with the defaults agree better than this. */
export const MIN_NOISE = 0.05;
/** Share of the rounds in which a setting must be faster, or slower. */
const MIN_ROUNDS = 0.7;

export interface Comparison {
  /** Median: milliseconds, or bytes per body. */
  readonly value: number;
  /** Median of the ratios to the defaults of the same round; below 1 is better. */
  readonly ratio: number;
  /** The ratios between which half of the rounds lie. */
  readonly low: number;
  readonly high: number;
  readonly verdict: 'better' | 'worse' | 'equal';
  /** Rounds with a ratio below 1. */
  readonly fasterRounds: number;
  readonly rounds: number;
}

/** What was measured of a metric in each round. */
export function seriesOf(measurement: Measurement, metric: Metric, { culls, rays }: FrameLoad): readonly number[] {
  if (metric === 'memory') return [measurement.bytes];
  if (metric !== 'frame') return measurement[metric];
  return measurement.cull.map((cull, round) => (measurement.tick[round] ?? 0) + culls * cull + rays * measurement.ray[round]);
}

/**
 * Compares a metric of each measurement with that of the first one.
 *
 * @param measurements The first two are of the defaults.
 */
export function compare(measurements: readonly Measurement[], metric: Metric, load: FrameLoad): { readonly noise: number; readonly comparisons: readonly Comparison[] } {
  const series = measurements.map((measurement) => seriesOf(measurement, metric, load));
  const ratios = series.map((times) => times.map((time, round) => (series[0][round] > 0 ? time / series[0][round] : 1)));
  const noise = ratios[1].length === 0 ? MIN_NOISE : Math.max(MIN_NOISE, Math.abs(median(ratios[1]) - 1));
  return { noise, comparisons: series.map((times, k) => comparisonOf(times, ratios[k], noise)) };
}

function comparisonOf(times: readonly number[], ratios: readonly number[], noise: number): Comparison {
  const rounds = ratios.length;
  if (rounds === 0) return { value: NaN, ratio: NaN, low: NaN, high: NaN, verdict: 'equal', fasterRounds: 0, rounds };
  const sorted = [...ratios].sort((a, b) => a - b);
  const ratio = median(ratios);
  const fasterRounds = ratios.filter((one) => one < 1).length;
  const slowerRounds = ratios.filter((one) => one > 1).length;
  const verdict = ratio < 1 - noise && fasterRounds >= rounds * MIN_ROUNDS ? 'better' : ratio > 1 + noise && slowerRounds >= rounds * MIN_ROUNDS ? 'worse' : 'equal';
  return { value: median(times), ratio, low: sorted[Math.floor((rounds - 1) / 4)], high: sorted[Math.ceil(((rounds - 1) * 3) / 4)], verdict, fasterRounds, rounds };
}
