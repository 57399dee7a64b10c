// The report of a measurement: what it says in words, and the Markdown text to copy.

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

/** What to do next. @param animated Number of objects that animations move. */
export function adviceOf(measurement: Measurement, { meshes }: SceneCounts, animated: number): string {
  const many = meshes === 1 ? 'mesh needs' : 'meshes need';
  if (headlineOf(measurement, animated).isFaster !== true)
    return `Your ${count(meshes)} ${many} no octree: stay with three alone.`;
  if (animated > 0) return `${count(animated)} animated: use OctreeGroup, watched: group.addTree(root).`;
  return 'Use OctreeGroup, static: group.addTree(root, { isStatic: true }).';
}

/** The comparison that the page shows first: inside the scene, static unless something is animated. */
export const headlineOf = ({ watched, still }: Measurement, animated: number): Verdict =>
  verdictOf((animated > 0 || still === null ? watched : still).inside);

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

/** Milliseconds of three alone, from the samples beside both. */
export const plainMsOf = (watched: FrameFigures, still: FrameFigures = watched): number =>
  (watched.plainMs + still.plainMs) / 2;

const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`;

function frameRows(where: string, watched: FrameFigures, still: FrameFigures | undefined): string[] {
  const cells = (cellOf: (figures: FrameFigures) => string): string[] => [
    cellOf(watched),
    still === undefined ? '-' : cellOf(still),
  ];
  return [
    row(
      `CPU time a frame, ${where}`,
      ms(plainMsOf(watched, still)),
      ...cells((figures) => `${ms(figures.octreeMs)} (${verdictOf(figures).ratio})`),
    ),
    row(
      `draw calls a frame, ${where}`,
      count(watched.plainDrawCalls),
      ...cells(({ octreeDrawCalls }) => count(octreeDrawCalls)),
    ),
  ];
}

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
  const { watched, still, picks } = measurement;
  const { ratio, text } = headlineOf(measurement, animated);
  return [
    `### ${name.replaceAll('|', '\\|')}`,
    '',
    `Inside the scene: ${ratio} ${text}.`,
    '',
    `**${adviceOf(measurement, counts, animated)}**`,
    '',
    '| | three alone | OctreeGroup, watched | OctreeGroup, static |',
    '|---|--:|--:|--:|',
    ...frameRows('inside the scene', watched.inside, still?.inside),
    ...frameRows('all in view', watched.outside, still?.outside),
    ...frameRows('none in view', watched.away, still?.away),
    row('picks a second', perSecond(picks.plainPerSecond), perSecond(picks.octreePerSecond), 'as watched'),
    '',
    `- ${count(counts.meshes)} meshes, ${count(counts.triangles)} triangles, ${count(counts.objects)} objects, ${count(counts.lights)} lights.`,
    `- Octree: ${count(bodies)} bodies, ${count(nodes)} nodes, depth ${depth}; ${count(unculled)} objects that every pass draws.`,
    '- Watched (`addTree(root)`): each frame finds what has moved. Static (`addTree(root, { isStatic: true })`): nothing moves by itself, so it costs nothing per frame.',
    `- ${count(animated)} objects animated; animation ${still === null ? 'playing' : 'off'}. Medians of samples, both drawn in turns with the same camera; a sample is as many frames as the clock needs.`,
    `- ${picks.equal} of ${picks.rays} picks equal, ${picks.hits} of them hits.`,
    `- ${where}${device === '' ? '' : `, ${device}`}.`,
    ...(isSoftware ? ['- Software rendering (no GPU): drawing times are not representative.'] : []),
  ].join('\n');
}
