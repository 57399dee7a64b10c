// Reads settings from the query string of a page. A missing or invalid value keeps its default; numbers are clamped to
// their range.

export interface Range {
  readonly low: number;
  readonly high: number;
  readonly start: number;
}

export class QueryReader {
  /** The user prefers pages that do not move by themselves. */
  readonly reducesMotion: boolean;
  private readonly query: URLSearchParams;

  constructor(query = location.search, reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches) {
    this.query = new URLSearchParams(query);
    this.reducesMotion = reducesMotion;
  }

  /** A first visit: the address has no settings. */
  get isEmpty(): boolean {
    return this.query.size === 0;
  }

  has(name: string): boolean {
    return this.query.has(name);
  }

  number(name: string, { low, high, start }: Range): number {
    const given = Number.parseFloat(this.query.get(name) ?? '');
    return Number.isFinite(given) ? Math.min(high, Math.max(low, given)) : start;
  }

  /** The nearest integer. */
  integer(name: string, range: Range): number {
    return Math.round(this.number(name, range));
  }

  /** @param counts The counts that the page offers, the maximum last. */
  count(name: string, counts: readonly number[], start: number): number {
    return this.integer(name, { low: 1, high: counts.at(-1)!, start });
  }

  /** On, unless the value is `off`. */
  isOn(name: string, otherwise: boolean): boolean {
    return this.query.has(name) ? this.query.get(name) !== 'off' : otherwise;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], start: Choice): Choice {
    return choices.find((choice) => choice === this.query.get(name)) ?? start;
  }

  /** A page that moves by itself starts paused if the user prefers that. */
  isPaused(): boolean {
    return this.isOn('pause', this.reducesMotion);
  }
}
