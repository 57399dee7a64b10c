// What the measured times say: medians, ratios to the defaults in the same round, and which differences count.

import { median } from '../../../test/bench/measure.ts';
import type { Measurement } from './messages.ts';
import { OPTIONS } from './options.ts';

/** What a frame of the user's application does, beside one tick. */
export interface FrameLoad {
  readonly culls: number;
  readonly rays: number;
}

export const METRICS = ['frame', 'cull', 'ray', 'tick', 'memory'] as const;
export type Metric = (typeof METRICS)[number];

/** A smaller difference never counts, even if the octrees with the defaults agree better than this. */
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
  return measurement.cull.map(
    (cull, round) => (measurement.tick[round] ?? 0) + culls * cull + rays * measurement.ray[round],
  );
}

/**
 * Whether a measurement is of the same tree as the first one: it has the same options, or differs only in a
 * `minCellSize` that no cell of the tree reaches. Then each difference between their times is noise.
 */
export function isTwin({ setting, nodes, bytes, depths }: Measurement, first: Measurement): boolean {
  const hasSameTree = nodes === first.nodes && bytes === first.bytes && depths.join() === first.depths.join();
  return (
    hasSameTree && OPTIONS.every((option) => option === 'minCellSize' || setting[option] === first.setting[option])
  );
}

/**
 * The noise of a metric: the greatest difference between the defaults and their twins, at least `MIN_NOISE`, over all
 * measurements.
 */
export function noiseOf(all: Iterable<readonly Measurement[]>, metric: Metric, load: FrameLoad): number {
  let noise = MIN_NOISE;
  for (const measurements of all) {
    const ratios = ratiosOf(measurements, metric, load);
    for (const [k, measurement] of measurements.entries()) {
      if (isTwin(measurement, measurements[0]) && ratios[k].length > 0)
        noise = Math.max(noise, Math.abs(median(ratios[k]) - 1));
    }
  }
  return noise;
}

/**
 * Compares a metric of each measurement with the first measurement, which is of the defaults.
 *
 * @param noise Differences up to it do not count.
 */
export function compare(
  measurements: readonly Measurement[],
  metric: Metric,
  load: FrameLoad,
  noise: number,
): readonly Comparison[] {
  const ratios = ratiosOf(measurements, metric, load);
  return measurements.map((measurement, k) => {
    const comparison = comparisonOf(seriesOf(measurement, metric, load), ratios[k], noise);
    return isTwin(measurement, measurements[0]) ? { ...comparison, verdict: 'equal' } : comparison;
  });
}

/** For each measurement and round, the ratio to the first measurement in the same round. */
function ratiosOf(
  measurements: readonly Measurement[],
  metric: Metric,
  load: FrameLoad,
): readonly (readonly number[])[] {
  const series = measurements.map((measurement) => seriesOf(measurement, metric, load));
  return series.map((times) => times.map((time, round) => (series[0][round] > 0 ? time / series[0][round] : 1)));
}

function comparisonOf(times: readonly number[], ratios: readonly number[], noise: number): Comparison {
  const rounds = ratios.length;
  if (rounds === 0) return { value: NaN, ratio: NaN, low: NaN, high: NaN, verdict: 'equal', fasterRounds: 0, rounds };
  const sorted = [...ratios].sort((a, b) => a - b);
  const ratio = median(ratios);
  const fasterRounds = ratios.filter((one) => one < 1).length;
  const slowerRounds = ratios.filter((one) => one > 1).length;
  const verdict =
    ratio < 1 - noise && fasterRounds >= rounds * MIN_ROUNDS
      ? 'better'
      : ratio > 1 + noise && slowerRounds >= rounds * MIN_ROUNDS
        ? 'worse'
        : 'equal';
  return {
    value: median(times),
    ratio,
    low: sorted[Math.floor((rounds - 1) / 4)],
    high: sorted[Math.ceil(((rounds - 1) * 3) / 4)],
    verdict,
    fasterRounds,
    rounds,
  };
}
