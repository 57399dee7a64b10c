// The run that the page shows until the visitor makes one: the tables of docs/benchmark.md with 100,000 boxes.

import type { Entry, Row } from '../../../test/bench/result.ts';
import { OURS, PEER, REFERENCE, RIVALS } from './names.ts';

export interface StoredRun {
  /** Where and when it was made, a sentence. */
  readonly origin: string;
  readonly rows: readonly StoredRow[];
}

export interface StoredRow extends Row {
  /**
   * How many times as fast as brute force the octree is, as the table says; undefined if it does not. The times are
   * rounded, so their quotient may differ in the last digit.
   */
  readonly ratio: number | undefined;
}

/**
 * Reads the two tables with 100,000 uniform boxes. The second one has no times of the others, but ratios to them.
 *
 * @param text Of docs/benchmark.md.
 */
export function readStoredRun(text: string, scenarios: readonly string[]): StoredRun {
  const [all, others] = ['100,000 uniform boxes', 'casts, batches and other volumes'].map((title) =>
    tableIn(text, title),
  );
  const rows = scenarios.flatMap((scenario): StoredRow[] => {
    const timed = all.find((row) => row.scenario === scenario);
    const compared = others.find((row) => row.scenario === scenario);
    const entries = timed ? entriesOfTimes(timed) : compared ? entriesOfRatios(compared) : {};
    if (!entries[OURS]) return [];
    const ratio = Number.parseFloat((timed ?? compared)!['to brute force']);
    return [{ scenario, unit: 'ms', entries, ratio: Number.isNaN(ratio) ? undefined : ratio }];
  });
  const [, date, node, machine] = /(\d+ \w+ \d{4}), (Node [\d.]+), (.*?);/.exec(text)!;
  return { origin: `Stored run: 100,000 uniform boxes, ${node}, ${machine}, ${date}.`, rows };
}

/** The cells of a row by the titles of their columns. */
type Cells = Readonly<Record<string, string>>;

function tableIn(text: string, title: string): Cells[] {
  const section = text.split(`## Results: ${title}`)[1] ?? '';
  const [heads, , ...rows] = /(^\|.*\|\n)+/m
    .exec(section)![0]
    .trim()
    .split('\n')
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  // The first of several columns of one title counts: those of 100,000 boxes.
  return rows.map((row) =>
    Object.fromEntries(row.flatMap((cell, k) => (heads.indexOf(heads[k]) === k ? [[heads[k], cell] as const] : []))),
  );
}

function entriesOfTimes(cells: Cells): Record<string, Entry> {
  return Object.fromEntries(
    RIVALS.flatMap((rival) => {
      const value = timeIn(cells[rival]);
      return value === null ? [] : [[rival, entryOf(value)] as const];
    }),
  );
}

function entriesOfRatios(cells: Cells): Record<string, Entry> {
  const ours = timeIn(cells['100,000'])!;
  const entries: Record<string, Entry> = {
    [OURS]: entryOf(ours),
    [REFERENCE]: entryOf(ours * Number.parseFloat(cells['to brute force'])),
  };
  const best = cells['to the best exact peer'];
  if (best.endsWith(PEER)) entries[PEER] = entryOf(ours * Number.parseFloat(best));
  return entries;
}

/** Milliseconds in a text such as "19.6 us"; null if it is no time. */
function timeIn(cell: string): number | null {
  const [, amount, unit] = /^([\d.]+) (us|ms)/.exec(cell) ?? [];
  return amount === undefined ? null : Number(amount) * (unit === 'us' ? 0.001 : 1);
}

const entryOf = (value: number): Entry => ({ value, fastest: value, wrong: 0, checked: 0 });
