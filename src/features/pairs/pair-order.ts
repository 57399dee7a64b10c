/** Which body of a pair comes first, if a query has one mask for the first body and another one for the second. */

/** The two bodies, a and b, do not form a pair. */
export const NEITHER = 0;
/** Only a can come first. */
export const FORWARD = 1;
/** Only b can come first. */
export const BACKWARD = 2;
/** Both orders are possible. Then the smaller index comes first. */
export const EITHER = FORWARD | BACKWARD;

/**
 * The order of two bodies with the categories `a` and `b`, if the first body of a pair must have one of `categories`, and the second one of
 * `otherCategories`. For the categories of two nodes: NEITHER if no body of one forms a pair with a body of the other.
 */
export function pairOrder(a: number, b: number, categories: number, otherCategories: number): number {
  const isForward = (a & categories) !== 0 && (b & otherCategories) !== 0;
  const isBackward = (b & categories) !== 0 && (a & otherCategories) !== 0;
  return (isForward ? FORWARD : 0) | (isBackward ? BACKWARD : 0);
}
