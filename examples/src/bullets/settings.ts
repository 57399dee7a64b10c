// The settings of the page, and how its URL sets them.

/** Settings of the gun. */
export interface Shooting {
  /** Bullets per second. */
  rate: number;
  /** Metres per second. */
  speed: number;
  /** Maximum angle between the barrel and a bullet, in degrees. */
  spread: number;
}

export interface Stepping {
  /** Simulated ticks per second: each moves every body once. */
  ticks: number;
  /** Bullets hit what a shape cast along their way touches. Otherwise they hit what they overlap at the end of a tick. */
  casts: boolean;
}

/** Which cells are drawn: all, only those in another phase than `used`, or none. */
export type CellChoice = 'all' | 'changing' | 'off';

export interface Settings extends Shooting, Stepping {
  /** Draws the cells of the octree with lifespans instead of the one without. */
  lifespan: boolean;
  looseness: number;
  cells: CellChoice;
  /** The gun aims automatically while the user does not aim. */
  patrol: boolean;
  isPaused: boolean;
  /** Simulated seconds per second. */
  pace: number;
}

export const TICK_RATES = [10, 20, 30, 60] as const;
const FIRST_TICK_RATE = 30;

export const RANGES = {
  rate: { low: 0, high: 5000, step: 100, start: 1200 },
  speed: { low: 40, high: 800, step: 10, start: 150 },
  spread: { low: 0, high: 15, step: 0.5, start: 6 },
  looseness: { low: 1, high: 4, step: 0.25, start: 2 },
  pace: { low: 0.05, high: 1, step: 0.05, start: 1 },
} as const;

/**
 * Reads the settings from the page's query string, for instance `?rate=5000&lifespan=off`: rate, speed, spread, looseness, pace,
 * ticks (10, 20, 30, 60), cells (all, changing, off), and casts, lifespan, patrol, pause (on, off). A missing or invalid value keeps its default.
 */
export function readSettings(query: URLSearchParams, prefersReducedMotion: boolean): Settings {
  const number = (name: keyof typeof RANGES): number => {
    const { low, high, start } = RANGES[name];
    const given = Number.parseFloat(query.get(name) ?? '');
    return Number.isFinite(given) ? Math.min(high, Math.max(low, given)) : start;
  };
  const isOn = (name: string, otherwise: boolean): boolean => (query.has(name) ? query.get(name) !== 'off' : otherwise);
  const cells = query.get('cells');
  return {
    rate: Math.round(number('rate')),
    speed: number('speed'),
    spread: number('spread'),
    ticks: TICK_RATES.find((rate) => String(rate) === query.get('ticks')) ?? FIRST_TICK_RATE,
    casts: isOn('casts', true),
    looseness: number('looseness'),
    pace: number('pace'),
    lifespan: isOn('lifespan', true),
    cells: cells === 'off' || cells === 'changing' ? cells : 'all',
    patrol: isOn('patrol', true),
    isPaused: isOn('pause', prefersReducedMotion),
  };
}
