// The sentences of the page about what was measured.

import { duration } from '../shared/amounts.ts';
import type { Comparison, Metric } from './comparison.ts';
import type { SceneReport } from './messages.ts';
import { changesOf, describeSetting } from './options.ts';
import type { Recommendation } from './recommend.ts';

export const METRIC_NAMES: Readonly<Record<Metric, string>> = {
  frame: 'Frame',
  cull: 'Cull',
  ray: 'Ray',
  tick: 'Tick',
  memory: 'Memory',
};

/** For instance "12 % less time". */
export function difference(ratio: number, metric: Metric = 'frame'): string {
  const what = metric === 'memory' ? 'memory' : 'time';
  if (ratio >= 2) return `${ratio.toFixed(1)} times the ${what}`;
  const percent = Math.round(Math.abs(ratio - 1) * 100);
  return percent === 0 ? `the same ${what}` : `${percent} % ${ratio < 1 ? 'less' : 'more'} ${what}`;
}

/** A measured value with its unit. */
export const amount = (value: number, metric: Metric): string =>
  metric === 'memory' ? `${Math.round(value)} bytes` : duration(value);

/** What a plot shows, in a sentence. */
export function plotSummary(
  metric: Metric,
  values: readonly number[],
  comparisons: readonly Comparison[],
  byDefault: number,
): string {
  const defaultAt = values.indexOf(byDefault);
  if (comparisons.length === 0) return '';
  if (comparisons.every(({ rounds }) => rounds === 0)) return 'No body moves.';
  const better = comparisons.flatMap(({ verdict }, k) => (verdict === 'better' ? [k] : []));
  const atDefault = `${amount(comparisons[defaultAt].value, metric)} by default`;
  if (better.length === 0) return `${atDefault}; no value is better`;
  const best = better.sort((a, b) => comparisons[a].ratio - comparisons[b].ratio)[0];
  return `${atDefault}; best ${values[best]}: ${difference(comparisons[best].ratio, metric)}`;
}

export function describeScene({ bodies, moving, size }: SceneReport): string {
  const extents = size
    .map((extent) => (extent < 10 ? Number(extent.toPrecision(2)) : Math.round(extent)).toLocaleString('en'))
    .join(' x ');
  return `${bodies.toLocaleString('en')} bodies in ${extents} units, from above; ${moving === 0 ? 'none' : moving === bodies ? 'all' : moving.toLocaleString('en')}`;
}

/**
 * Milliseconds on two cores of a server: of each round without moves, of each round where all move, and of the rest.
 */
const ROUND_MS = 300;
const MOVES_MS = 1000;
const REST_MS = 3000;
/** From this number of bodies on a round takes longer. */
const MANY = 50_000;
const MANY_TIMES = 1.5;

/** How long all measurements take, rounded up. */
export function expectedTime({ bodies, moving }: SceneReport, rounds: number): string {
  const round = (ROUND_MS + (MOVES_MS * moving) / bodies) * (bodies > MANY ? MANY_TIMES : 1);
  const seconds = Math.ceil((REST_MS + rounds * round) / 5000) * 5;
  return `Takes about ${seconds} s on two cores of a server, and shows how many are left. No data is sent.`;
}

/** Fewer cells of the default size than this along the longest axis: the tree cannot divide the scene. */
const MIN_CELLS = 16;

/** '' if the unit of the scene suits the octree. */
export function unitWarning({ size, bodies }: SceneReport): string {
  const extent = Math.max(...size);
  if (extent >= MIN_CELLS || bodies < 100) return '';
  return `This scene is only ${Number(extent.toPrecision(2))} units wide, and with the defaults no cell is smaller than 1: see what a smaller minCellSize gives.`;
}

/** Noise above which the machine does other work. */
const BUSY = 0.15;

export interface RecommendationText {
  readonly verdict: string;
  readonly evidence: string;
}

/** @param noise Widest band of the first measurements. @param memory Memory divided by the memory with the defaults. */
export function recommendationText(
  { setting, candidate, frame, noise: confirmedNoise }: Recommendation,
  noise: number,
  memory: number,
): RecommendationText {
  if (frame !== null) {
    const tests = `Measured a second time: ${frame.fasterRounds} of ${frame.rounds} rounds were faster, ${duration(frame.value)} in the median. Octrees with the defaults differed by ${percent(confirmedNoise)} or less.`;
    return {
      verdict: `${sentenceCase(describeSetting(setting))}: a frame takes ${difference(frame.ratio)}.`,
      evidence: Math.abs(memory - 1) < 0.02 ? tests : `${tests} The octree takes ${difference(memory, 'memory')}.`,
    };
  }
  const verdict = 'Keep the defaults.';
  if (noise > BUSY)
    return {
      verdict,
      evidence: `Octrees with the defaults differed by ${percent(noise)} from each other, so smaller differences are not significant: close other programs and measure again.`,
    };
  if (changesOf(candidate).length === 0)
    return {
      verdict,
      evidence: `No value of an option makes a frame shorter by more than the noise of ${percent(noise)}.`,
    };
  return {
    verdict,
    evidence: `In the first measurement ${describeSetting(candidate)} took less time, in the second the difference was within the noise of ${percent(confirmedNoise)}.`,
  };
}

const percent = (share: number): string => `${Math.ceil(share * 100)} %`;
const sentenceCase = (text: string): string => text.replace(/^(the )/, 'The ');
