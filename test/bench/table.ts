/** The run as text: one line a scenario, one column a rival. */

import { bestPeer, ratioToBruteForce, type Entry, type Row, type Run } from './result.ts';

const SCENARIO_WIDTH = 40;
const WIDTH = 18;

function digits(value: number): string {
  return value < 1000 ? value.toPrecision(3) : value.toFixed(0);
}

function amount({ value, wrong, asked }: Entry, unit: Row['unit']): string {
  const told = unit === 'bytes' ? `${value.toFixed(0)} B` : value >= 0.1 ? `${digits(value)} ms` : `${digits(value * 1000)} us`;
  return wrong > 0 ? `${told} !${wrong}/${asked}` : told;
}

function times(ratio: number | null): string {
  return ratio === null ? '-' : `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)}x`;
}

function cells(row: Row, rivals: readonly string[]): string[] {
  const peer = bestPeer(row);
  const values = rivals.map((name) => (row.entries[name] ? amount(row.entries[name], row.unit) : '-'));
  return [...values, times(ratioToBruteForce(row)), peer ? `${times(peer.ratio)} ${peer.name}` : '-'];
}

export function tellHead(rivals: readonly string[]): string {
  const heads = [...rivals, 'to brute', 'to best exact peer'];
  return 'scenario'.padEnd(SCENARIO_WIDTH) + heads.map((head) => ` ${head}`.padStart(WIDTH)).join('');
}

export function tellRow(row: Row, rivals: readonly string[]): string {
  return row.scenario.padEnd(SCENARIO_WIDTH) + cells(row, rivals).map((cell) => ` ${cell}`.padStart(WIDTH)).join('');
}

export const LEGEND = '- takes no part. !n/m: n of m answers were not those of brute force, so no exact peer. Ratios above 1: the octree is better.';

/** Only ratios can be compared between runs and machines. */
export function tellChanges(before: Run, now: Run): string {
  if (before.scene !== now.scene || before.bodies !== now.bodies) {
    return `The stored run has ${before.bodies} bodies, scene ${before.scene}: nothing to compare.`;
  }
  const lines = [`ratios, stored run of ${before.date} -> this run`];
  for (const row of now.rows) {
    const old = before.rows.find(({ scenario }) => scenario === row.scenario);
    if (!old) continue;
    const change = (a: number | null, b: number | null): string => `${times(a)} -> ${times(b)}`.padStart(20);
    lines.push(
      row.scenario.padEnd(SCENARIO_WIDTH)
        + ` to brute ${change(ratioToBruteForce(old), ratioToBruteForce(row))}   to best exact peer ${change(bestPeer(old)?.ratio ?? null, bestPeer(row)?.ratio ?? null)}`,
    );
  }
  return lines.join('\n');
}

export function tellMarkdown(run: Run, rivals: readonly string[]): string {
  const heads = ['scenario', ...rivals, 'to brute force', 'to the best exact peer'];
  const lines = run.rows.map((row) => `| ${[row.scenario, ...cells(row, rivals)].join(' | ')} |`);
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...lines].join('\n');
}
