// The report of a measurement: what it says in words, and the Markdown text to copy.

import type { BatchFigures } from './batching.ts';
import type { FrameFigures, Measurement } from './measure.ts';
import type { SceneCounts } from './scene-pair.ts';

/**
 * Both count as equal below this ratio of medians, or below this difference in milliseconds, or if neither took less
 * time in this share of the pairs: repeated measurements differ by as much.
 */
const NOISE = 1.05;
const NOISE_MS = 0.02;
const CLEAR_SHARE = 0.7;

export interface ReportFacts {
  readonly name: string;
  readonly counts: SceneCounts;
  readonly measurement: Measurement;
  readonly bodies: number;
  readonly unculled: number;
  readonly nodes: number;
  readonly depth: number;
  /** Number of objects that animations move. */
  readonly animated: number;
  /** Browser, machine and date. */
  readonly where: string;
  /** Name of the graphics device, or an empty text. */
  readonly device: string;
  readonly isSoftware: boolean;
}

/** Two costs compared: their ratio as a number with an x, or "same". */
export interface Verdict {
  readonly ratio: string;
  readonly text: string;
  /** Whether the OctreeGroup is faster; null if there is no clear difference. */
  readonly isFaster: boolean | null;
}

export function verdictOf({ plainMs, octreeMs, samples, octreeWins }: FrameFigures): Verdict {
  if (!(plainMs >= 0 && octreeMs >= 0)) return { ratio: '-', text: 'not measured yet', isFaster: null };
  const isReal = Math.abs(plainMs - octreeMs) >= NOISE_MS;
  if (isReal && plainMs >= NOISE * octreeMs && octreeWins >= samples * CLEAR_SHARE)
    return { ratio: ratioOf(plainMs, octreeMs), text: 'less CPU time a frame with OctreeGroup', isFaster: true };
  if (isReal && octreeMs >= NOISE * plainMs && octreeWins <= samples * (1 - CLEAR_SHARE))
    return {
      ratio: ratioOf(octreeMs, plainMs),
      text: 'more CPU time with OctreeGroup: three alone is faster here',
      isFaster: false,
    };
  return { ratio: 'same', text: 'CPU time with OctreeGroup as with three alone', isFaster: null };
}

/** What a scene is drawn with. */
export type Way = 'plain' | 'watched' | 'static' | 'batched';

/** The way that takes the least CPU time, and its comparison with three alone, which the page shows first. */
export interface Best {
  readonly way: Way;
  readonly verdict: Verdict;
}

/**
 * Compares inside the scene: static unless something is animated, and with batches where they take less than without.
 * Batches that do not help inside may help where all is in view.
 *
 * @param animated Number of objects that animations move.
 */
export function bestOf({ watched, still, batched }: Measurement, animated: number): Best {
  if (animated > 0 || still === null || batched === null) return bestWay('watched', verdictOf(watched.inside));
  const { inside, outside } = batched.frames;
  if (isBetter(inside, still.inside)) return bestWay('batched', withBatches(verdictOf(inside), ''));
  if (!isBetter(still.inside, inside) && isBetter(outside, still.outside))
    return bestWay('batched', withBatches(verdictOf(outside), ', with all in view'));
  return bestWay('static', verdictOf(still.inside));
}

const bestWay = (way: Way, verdict: Verdict): Best => ({ way: verdict.isFaster === true ? way : 'plain', verdict });

const withBatches = (verdict: Verdict, where: string): Verdict => ({
  ...verdict,
  text: verdict.text.replace('OctreeGroup', 'OctreeGroup and batches') + where,
});

/** Whether the first takes clearly less CPU time. Both are measured beside three alone, at different times. */
function isBetter(one: FrameFigures, other: FrameFigures): boolean {
  const time = (one.octreeMs / one.plainMs) * other.plainMs;
  return other.octreeMs - time >= NOISE_MS && other.octreeMs >= NOISE * time;
}

/** What to do next. @param animated Number of objects that animations move. */
export function adviceOf(measurement: Measurement, { meshes }: SceneCounts, animated: number): string {
  const many = meshes === 1 ? 'mesh needs' : 'meshes need';
  const { way } = bestOf(measurement, animated);
  if (way === 'plain') return `Your ${count(meshes)} ${many} no octree: stay with three alone.`;
  if (way === 'watched') return `${animated > 0 ? `${count(animated)} animated: use` : 'Use'} OctreeGroup, watched.`;
  return way === 'static' ? 'Use OctreeGroup, static.' : 'Use OctreeGroup, static, with StaticBatches.';
}

/** The lines of code for the advice; an empty text for three alone. */
export function codeOf(measurement: Measurement, animated: number): string {
  const { way } = bestOf(measurement, animated);
  if (way === 'plain') return '';
  const lines = [
    'const group = new OctreeGroup();',
    `group.addTree(gltf.scene${way === 'watched' ? '' : ', { isStatic: true }'});`,
  ];
  if (way === 'batched') lines.push('new StaticBatches(group).finish();');
  return [...lines, 'scene.add(group);'].join('\n');
}

const MAX_REASONS = 4;

/** What is drawn in batches, and why the rest is not: a line each. */
export function batchLinesOf({ batched, batches, unmerged }: BatchFigures, meshes: number): string[] {
  const first = `${count(batched)} of ${count(meshes)} meshes in ${count(batches)} ${batches === 1 ? 'batch' : 'batches'}`;
  const rest = unmerged.slice(MAX_REASONS).reduce((sum, [, number]) => sum + number, 0);
  const lines = unmerged.slice(0, MAX_REASONS).map(([reason, number]) => `${count(number)} not: ${reason}`);
  return [first, ...lines, ...(rest > 0 ? [`${count(rest)} not: other reasons`] : [])];
}

/** Bytes in a unit that needs few digits. */
export const memoryOf = (bytes: number): string =>
  bytes < 1e6 ? `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB` : `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;

function ratioOf(slow: number, fast: number): string {
  const ratio = slow / fast;
  if (ratio > 1000) return '>1,000x';
  return `${ratio < 10 ? ratio.toFixed(ratio < 1.1 ? 2 : 1) : Math.round(ratio).toLocaleString('en')}x`;
}

const ms = (time: number): string => `${time.toFixed(time < 1 ? 3 : 2)} ms`;
const count = (number: number): string => number.toLocaleString('en');
/** Two significant digits at least: a rate is not known better. */
export const perSecond = (rate: number): string =>
  Number.isFinite(rate) ? count(rate < 100 ? Math.round(rate) : Number(rate.toPrecision(2))) : '-';

/** Milliseconds of three alone, from the samples beside all others. */
export function plainMsOf(...figures: (FrameFigures | undefined)[]): number {
  const times = figures.flatMap((one) => (one === undefined ? [] : [one.plainMs]));
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

function frameRows(where: string, watched: FrameFigures, ...others: (FrameFigures | undefined)[]): string[] {
  const cells = (cellOf: (figures: FrameFigures) => string): string[] =>
    [watched, ...others].map((figures) => (figures === undefined ? '-' : cellOf(figures)));
  return [
    row(
      `CPU time a frame, ${where}`,
      ms(plainMsOf(watched, ...others)),
      ...cells((figures) => `${ms(figures.octreeMs)} (${verdictOf(figures).ratio})`),
    ),
    row(
      `draw calls a frame, ${where}`,
      count(watched.plainDrawCalls),
      ...cells(({ octreeDrawCalls }) => count(octreeDrawCalls)),
    ),
  ];
}

const memoryRow = ({ bytes, geometryBytes }: BatchFigures): string =>
  row('geometry', memoryOf(geometryBytes), memoryOf(geometryBytes), memoryOf(geometryBytes), memoryOf(bytes));

export function toMarkdown({
  name,
  counts,
  measurement,
  bodies,
  unculled,
  nodes,
  depth,
  animated,
  where,
  device,
  isSoftware,
}: ReportFacts): string {
  const { watched, still, batched, picks } = measurement;
  const { ratio, text } = bestOf(measurement, animated).verdict;
  const frames = batched?.frames;
  const batches = batched?.batches;
  const code = codeOf(measurement, animated);
  return [
    `### ${name.replaceAll('|', '\\|')}`,
    '',
    `Inside the scene: ${ratio} ${text}.`,
    '',
    `**${adviceOf(measurement, counts, animated)}**`,
    ...(code === '' ? [] : ['', '```js', code, '```']),
    '',
    '| | three alone | OctreeGroup, watched | OctreeGroup, static | static, StaticBatches |',
    '|---|--:|--:|--:|--:|',
    ...frameRows('inside the scene', watched.inside, still?.inside, frames?.inside),
    ...frameRows('all in view', watched.outside, still?.outside, frames?.outside),
    ...frameRows('none in view', watched.away, still?.away, frames?.away),
    row(
      'picks a second',
      perSecond(picks.plainPerSecond),
      perSecond(picks.octreePerSecond),
      'as watched',
      'as watched',
    ),
    ...(batches === undefined ? [] : [memoryRow(batches)]),
    '',
    `- ${count(counts.meshes)} meshes, ${count(counts.triangles)} triangles, ${count(counts.objects)} objects, ${count(counts.lights)} lights.`,
    `- Octree: ${count(bodies)} bodies, ${count(nodes)} nodes, depth ${depth}; ${count(unculled)} objects that every pass draws.`,
    '- Watched (`addTree(root)`): each frame finds what has moved. Static (`addTree(root, { isStatic: true })`): nothing moves by itself, so it costs nothing per frame.',
    ...(batches === undefined
      ? []
      : [
          `- Batches (\`StaticBatches\`): ${batchLinesOf(batches, counts.meshes).join('; ')}. They are on the GPU in place of the geometries of their meshes, and once more in memory.`,
        ]),
    `- ${count(animated)} objects animated; animation ${still === null ? 'playing' : 'off'}. Medians of samples, both drawn in turns with the same camera; a sample is as many frames as the clock needs.`,
    `- ${picks.equal} of ${picks.rays} picks equal, ${picks.hits} of them hits.`,
    `- ${where}${device === '' ? '' : `, ${device}`}.`,
    ...(isSoftware ? ['- Software rendering (no GPU): drawing times are not representative.'] : []),
  ].join('\n');
}
