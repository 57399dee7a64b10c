/** The number from `min` to `max` that is nearest to `value`. */
export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
