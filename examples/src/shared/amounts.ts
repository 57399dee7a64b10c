// Formats durations and ratios with about three significant digits.

export function duration(ms: number): string {
  const [amount, unit] = ms >= 0.1 ? [ms, 'ms'] : [ms * 1000, 'us'];
  return `${amount < 1000 ? amount.toPrecision(3) : amount.toFixed(0)} ${unit}`;
}

export const ratio = (times: number): string => `${times.toFixed(times >= 10 ? 0 : times >= 1 ? 1 : 2)}x`;
