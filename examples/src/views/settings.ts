// The settings of the page, and how its URL sets them.

import { MAX_CASCADES } from './cascades.ts';

export interface Settings {
  /** Shadow cascades of the sun. */
  cascades: number;
  /** Far plane of the camera, in metres. */
  far: number;
  buildings: number;
  isPaused: boolean;
}

export const COUNTS = [1000, 5000, 10_000, 30_000] as const;

export const RANGES = {
  cascades: { low: 1, high: MAX_CASCADES, step: 1, start: MAX_CASCADES },
  far: { low: 100, high: 1000, step: 10, start: 600 },
} as const;

/** Reads the settings from the page's query string, for instance `?cascades=2&far=300`: cascades, far, buildings, pause (on, off). */
export function readSettings(query: URLSearchParams, prefersReducedMotion: boolean): Settings {
  const number = (name: string, low: number, high: number, start: number): number => {
    const given = Number.parseFloat(query.get(name) ?? '');
    return Number.isFinite(given) ? Math.round(Math.min(high, Math.max(low, given))) : start;
  };
  const inRange = (name: keyof typeof RANGES): number => number(name, RANGES[name].low, RANGES[name].high, RANGES[name].start);
  return {
    cascades: inRange('cascades'),
    far: inRange('far'),
    buildings: number('buildings', 1, COUNTS.at(-1)!, 5000),
    isPaused: query.has('pause') ? query.get('pause') !== 'off' : prefersReducedMotion,
  };
}
