/** What a run found, as it is stored, and the two ratios that matter. */

import { JUDGE, OURS } from './rivals/rivals.ts';

export interface Entry {
  /** Median of the rounds: milliseconds a question or a tick, or bytes a body. */
  readonly value: number;
  readonly fastest: number;
  /** Answers that were not those of brute force. */
  readonly wrong: number;
  readonly asked: number;
}

export interface Row {
  readonly scenario: string;
  readonly unit: 'ms' | 'bytes';
  /** By rival; one that lacks the scenario is absent. */
  readonly entries: Readonly<Record<string, Entry>>;
}

export interface Run {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly scene: string;
  readonly bodies: number;
  readonly rounds: number;
  readonly rows: readonly Row[];
}

/** How many times better than brute force; null if one of the two took no part. */
export function ratioToBruteForce({ entries }: Row): number | null {
  const ours = entries[OURS];
  const judge = entries[JUDGE];
  return ours && judge ? judge.value / ours.value : null;
}

export function bestPeer({ entries }: Row): { name: string; ratio: number } | null {
  const ours = entries[OURS];
  let best: { name: string; ratio: number } | null = null;
  for (const [name, { value, wrong }] of Object.entries(entries)) {
    if (!ours || name === OURS || name === JUDGE || wrong > 0) continue;
    const ratio = value / ours.value;
    if (!best || ratio < best.ratio) best = { name, ratio };
  }
  return best;
}
