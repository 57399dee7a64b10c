// The report of a measurement: what it says in words, and the Markdown text to copy.

import type { FrameFigures, Measurement } from './measure.ts';
import type { SceneCounts } from './scene-pair.ts';

/**
 * Both count as equal below this ratio of medians, or if neither took less time in this share of the pairs: repeated
 * measurements differ by as much.
 */
const NOISE = 1.05;
const CLEAR_SHARE = 0.7;

export interface ReportFacts {
  readonly name: string;
  readonly counts: SceneCounts;
  readonly measurement: Measurement;
  readonly bodies: number;
  readonly unculled: number;
  readonly nodes: number;
  readonly depth: number;
  readonly isStatic: boolean;
  readonly isPlaying: boolean;
  /** Browser, machine and date. */
  readonly where: string;
  /** Name of the graphics device, or an empty text. */
  readonly device: string;
  readonly isSoftware: boolean;
}

/** The ratio of two costs as a number with an x, and what it says of the OctreeGroup. */
export function verdictOf({ plainMs, octreeMs, frames, octreeWins }: FrameFigures): {
  readonly ratio: string;
  readonly text: string;
  readonly isFaster: boolean | null;
} {
  if (!(plainMs > 0 && octreeMs > 0)) return { ratio: '-', text: 'not measured yet', isFaster: null };
  const gain = plainMs / octreeMs;
  if (gain >= NOISE && octreeWins >= frames * CLEAR_SHARE)
    return { ratio: `${format(gain)}x`, text: 'less CPU time a frame with OctreeGroup', isFaster: true };
  if (gain <= 1 / NOISE && octreeWins <= frames * (1 - CLEAR_SHARE))
    return {
      ratio: `${format(1 / gain)}x`,
      text: 'more CPU time with OctreeGroup: three alone is faster here',
      isFaster: false,
    };
  return { ratio: '1x', text: 'about the same CPU time: no clear gain here', isFaster: null };
}

const format = (ratio: number): string =>
  ratio < 10 ? ratio.toFixed(ratio < 1.1 ? 2 : 1) : Math.round(ratio).toLocaleString('en');
const ms = (time: number): string => `${time.toFixed(time < 1 ? 3 : 2)} ms`;
const count = (number: number): string => number.toLocaleString('en');
/** Two significant digits at least: a rate is not known better. */
export const perSecond = (rate: number): string =>
  Number.isFinite(rate) ? count(rate < 100 ? Math.round(rate) : Number(rate.toPrecision(2))) : '-';

const row = (what: string, plain: string, octree: string, ratio: string): string =>
  `| ${what} | ${plain} | ${octree} | ${ratio} |`;

const frameRows = (where: string, { plainMs, octreeMs, plainDrawCalls, octreeDrawCalls }: FrameFigures): string[] => [
  row(`CPU time a frame, ${where}`, ms(plainMs), ms(octreeMs), `${(plainMs / octreeMs).toFixed(2)}x`),
  row(`draw calls a frame, ${where}`, count(plainDrawCalls), count(octreeDrawCalls), ''),
];

export function toMarkdown({
  name,
  counts,
  measurement,
  bodies,
  unculled,
  nodes,
  depth,
  isStatic,
  isPlaying,
  where,
  device,
  isSoftware,
}: ReportFacts): string {
  const { inside, outside, away, picks } = measurement;
  const { ratio, text } = verdictOf(inside);
  return [
    `### ${name.replaceAll('|', '\\|')}`,
    '',
    `Inside the scene: ${ratio} ${text}.`,
    '',
    '| | three alone | OctreeGroup | ratio |',
    '|---|--:|--:|--:|',
    ...frameRows('inside the scene', inside),
    ...frameRows('all in view', outside),
    ...frameRows('none in view', away),
    row(
      'picks a second',
      perSecond(picks.plainPerSecond),
      perSecond(picks.octreePerSecond),
      `${(picks.octreePerSecond / picks.plainPerSecond).toFixed(1)}x`,
    ),
    '',
    `- ${count(counts.meshes)} meshes, ${count(counts.triangles)} triangles, ${count(counts.objects)} objects, ${count(counts.lights)} lights.`,
    `- Octree: ${count(bodies)} bodies, ${count(nodes)} nodes, depth ${depth}; ${count(unculled)} objects that every pass draws.`,
    `- Children of the OctreeGroup ${isStatic ? 'static (`hasStaticChildren: true`)' : 'compared in every frame to find moves (the default)'}; animation ${isPlaying ? 'playing' : 'off'}.`,
    `- Medians of pairs of frames, both drawn in turns with the same camera; OctreeGroup took less time in ${inside.octreeWins} of ${inside.frames} inside, ${outside.octreeWins} of ${outside.frames} with all in view, ${away.octreeWins} of ${away.frames} with none.`,
    `- ${picks.equal} of ${picks.rays} picks equal, ${picks.hits} of them hits.`,
    `- ${where}${device === '' ? '' : `, ${device}`}.`,
    ...(isSoftware ? ['- Software rendering (no GPU): drawing times are not representative.'] : []),
  ].join('\n');
}
