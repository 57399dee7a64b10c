/** The stored form of a run, and the ratios to brute force and to the best peer. */

import { OURS, REFERENCE } from './rivals/rivals.ts';

export interface Entry {
  /** Median of the rounds: milliseconds per query or tick, or bytes per body. */
  readonly value: number;
  readonly fastest: number;
  /** Checked results that differ from brute force. */
  readonly wrong: number;
  readonly checked: number;
}

export interface Row {
  readonly scenario: string;
  readonly unit: 'ms' | 'bytes';
  /** By rival. A rival that does not take part in the scenario has no entry. */
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

/**
 * Value of brute force divided by that of the octree: above 1 the octree is better. Null if one of the two has no
 * entry.
 */
export function ratioToBruteForce({ entries }: Row): number | null {
  const ours = entries[OURS];
  const reference = entries[REFERENCE];
  return ours && reference ? reference.value / ours.value : null;
}

/**
 * The peer with the smallest ratio to the octree. Peers are all rivals except the octree and brute force; a peer with
 * wrong results does not count.
 */
export function bestPeer({ entries }: Row): { name: string; ratio: number } | null {
  const ours = entries[OURS];
  let best: { name: string; ratio: number } | null = null;
  for (const [name, { value, wrong }] of Object.entries(entries)) {
    if (!ours || name === OURS || name === REFERENCE || wrong > 0) continue;
    const ratio = value / ours.value;
    if (!best || ratio < best.ratio) best = { name, ratio };
  }
  return best;
}
