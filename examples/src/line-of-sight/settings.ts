// The settings of the page, and how its URL sets them.

export interface Settings {
  watchers: number;
  people: number;
  /** Rays of each watcher's field of view. */
  fan: number;
  /** Metres. */
  range: number;
  /** Casts all rays of a tick in one call, otherwise one by one. */
  batch: boolean;
  isPaused: boolean;
}

export const RANGES = {
  watchers: { low: 10, high: 400, step: 10, start: 150 },
  people: { low: 0, high: 5000, step: 100, start: 1500 },
  fan: { low: 8, high: 160, step: 8, start: 72 },
  range: { low: 20, high: 120, step: 5, start: 70 },
} as const;

/** Reads the settings from the page's query string, for instance `?watchers=50&batch=off`: watchers, people, fan, range, batch, pause (on, off). */
export function readSettings(query: URLSearchParams, prefersReducedMotion: boolean): Settings {
  const number = (name: keyof typeof RANGES): number => {
    const { low, high, start } = RANGES[name];
    const given = Number.parseFloat(query.get(name) ?? '');
    return Number.isFinite(given) ? Math.round(Math.min(high, Math.max(low, given))) : start;
  };
  const isOn = (name: string, otherwise: boolean): boolean => (query.has(name) ? query.get(name) !== 'off' : otherwise);
  return {
    watchers: number('watchers'),
    people: number('people'),
    fan: number('fan'),
    range: number('range'),
    batch: isOn('batch', true),
    isPaused: isOn('pause', prefersReducedMotion),
  };
}
