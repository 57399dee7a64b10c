/** What counts as a bulk move. */

/** Minimum part of the capacity that a batch must have. Smaller ones would seldom save what it costs to copy the arrays of all bodies. */
const MIN_PART = 1 / 32;

/** Whether a batch of `count` moves counts as a bulk move, if the arrays have room for `capacity` bodies. */
export function isBulkMove(count: number, capacity: number): boolean {
  return count >= capacity * MIN_PART;
}
