// The settings of the page, and how its URL sets them.

export interface Settings {
  people: number;
  /** Metres from the middle of a zone to its border. */
  zone: number;
  isPaused: boolean;
  /** The player walks by itself, until the user sends it somewhere. */
  patrol: boolean;
}

export const COUNTS = [1000, 5000, 20_000] as const;

export const RANGES = { zone: { low: 2, high: 16, step: 1, start: 7 } } as const;

/** Reads the settings from the page's query string, for instance `?people=1000&zone=10`: people, zone, patrol, pause (on, off). */
export function readSettings(query: URLSearchParams, prefersReducedMotion: boolean): Settings {
  const number = (name: string, low: number, high: number, start: number): number => {
    const given = Number.parseFloat(query.get(name) ?? '');
    return Number.isFinite(given) ? Math.round(Math.min(high, Math.max(low, given))) : start;
  };
  const { low, high, start } = RANGES.zone;
  return {
    people: number('people', 1, COUNTS.at(-1)!, 5000),
    zone: number('zone', low, high, start),
    patrol: query.get('patrol') !== 'off',
    isPaused: query.has('pause') ? query.get('pause') !== 'off' : prefersReducedMotion,
  };
}
