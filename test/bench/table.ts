/** A run as text: one line per scenario, one column per rival. */

import { bestPeer, ratioToBruteForce, type Entry, type Row, type Run } from './result.ts';

/** Characters per column. */
const SCENARIO_WIDTH = 40;
const WIDTH = 18;

function threeDigits(value: number): string {
  return value < 1000 ? value.toPrecision(3) : value.toFixed(0);
}

function formatEntry({ value, wrong, checked }: Entry, unit: Row['unit']): string {
  const text =
    unit === 'bytes'
      ? `${value.toFixed(0)} B`
      : value >= 0.1
        ? `${threeDigits(value)} ms`
        : `${threeDigits(value * 1000)} us`;
  return wrong > 0 ? `${text} !${wrong}/${checked}` : text;
}

function formatRatio(ratio: number | null): string {
  return ratio === null ? '-' : `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)}x`;
}

function cells(row: Row, rivals: readonly string[]): string[] {
  const peer = bestPeer(row);
  const values = rivals.map((name) => (row.entries[name] ? formatEntry(row.entries[name], row.unit) : '-'));
  return [...values, formatRatio(ratioToBruteForce(row)), peer ? `${formatRatio(peer.ratio)} ${peer.name}` : '-'];
}

export function formatHead(rivals: readonly string[]): string {
  const heads = [...rivals, 'to brute', 'to best exact peer'];
  return 'scenario'.padEnd(SCENARIO_WIDTH) + heads.map((head) => ` ${head}`.padStart(WIDTH)).join('');
}

export function formatRow(row: Row, rivals: readonly string[]): string {
  return (
    row.scenario.padEnd(SCENARIO_WIDTH) +
    cells(row, rivals)
      .map((cell) => ` ${cell}`.padStart(WIDTH))
      .join('')
  );
}

export const LEGEND =
  '- does not take part. !n/m: n of m checked results differ from brute force, so the rival is not an exact peer. Ratios above 1: the octree is better.';

/** Compares ratios, not times: times of two runs or two machines are not comparable. */
export function formatComparison(before: Run, now: Run): string {
  if (before.scene !== now.scene || before.bodies !== now.bodies) {
    return `The stored run has ${before.bodies} bodies, scene ${before.scene}: nothing to compare.`;
  }
  const lines = [`ratios, stored run of ${before.date} -> this run`];
  for (const row of now.rows) {
    const old = before.rows.find(({ scenario }) => scenario === row.scenario);
    if (!old) continue;
    const change = (a: number | null, b: number | null): string =>
      `${formatRatio(a)} -> ${formatRatio(b)}`.padStart(20);
    lines.push(
      row.scenario.padEnd(SCENARIO_WIDTH) +
        ` to brute ${change(ratioToBruteForce(old), ratioToBruteForce(row))}   to best exact peer ${change(bestPeer(old)?.ratio ?? null, bestPeer(row)?.ratio ?? null)}`,
    );
  }
  return lines.join('\n');
}

export function formatMarkdown(run: Run, rivals: readonly string[]): string {
  const heads = ['scenario', ...rivals, 'to brute force', 'to the best exact peer'];
  const lines = run.rows.map((row) => `| ${[row.scenario, ...cells(row, rivals)].join(' | ')} |`);
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...lines].join('\n');
}
