// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

/** Which cells are drawn: all, only those in another phase than `used`, or none. */
export const CELL_CHOICES = ['all', 'changing', 'off'] as const;
export type CellChoice = (typeof CELL_CHOICES)[number];

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
 * Reads the settings from the page's query string, for instance `?rate=5000&lifespan=off`: rate, speed, spread,
 * looseness, pace, ticks (10, 20, 30, 60), cells (all, changing, off), and casts, lifespan, patrol, pause (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    /** Bullets per second. */
    rate: query.integer('rate', RANGES.rate),
    /** Metres per second. */
    speed: query.number('speed', RANGES.speed),
    /** Maximum angle between the barrel and a bullet, in degrees. */
    spread: query.number('spread', RANGES.spread),
    /** Simulated ticks per second: each moves every body once. */
    ticks: query.choice<number>('ticks', TICK_RATES, FIRST_TICK_RATE),
    /**
     * Bullets hit what a shape cast along their way touches. Otherwise they hit what they overlap at the end of a tick.
     */
    casts: query.isOn('casts', true),
    looseness: query.number('looseness', RANGES.looseness),
    /** Simulated seconds per second. */
    pace: query.number('pace', RANGES.pace),
    /** Draws the cells of the octree with lifespans, not of the octree without them. */
    lifespan: query.isOn('lifespan', true),
    cells: query.choice('cells', CELL_CHOICES, 'all'),
    /** The gun aims automatically while the user does not aim. */
    patrol: query.isOn('patrol', true),
    isPaused: query.isPaused(),
  });

export type Settings = ReturnType<typeof readSettings>;
/** Settings of the gun, and of a step. */
export type Shooting = Pick<Settings, 'rate' | 'speed' | 'spread'>;
export type Stepping = Pick<Settings, 'ticks' | 'casts'>;
