// Reads settings from the query string of a page. A missing or invalid value keeps its default; numbers are clamped to
// their range.

export interface Range {
  readonly low: number;
  readonly high: number;
  readonly start: number;
}

/** A value that the query string may set. */
export interface Parameter<Value> {
  /** In the query string. */
  readonly name: string;
  readonly value: Value;
}

export class QueryReader {
  /** The user prefers pages that do not move by themselves. */
  readonly reducesMotion: boolean;
  /** The names in the query string of the settings that were read, by their own names. */
  names: Readonly<Record<string, string>> = {};
  /** The count that is smaller than its default, because the machine draws slowly; null if there is none. */
  smallStart: { readonly name: string; readonly value: number; readonly start: number } | null = null;
  private readonly query: URLSearchParams;
  private readonly isSlow: boolean;

  constructor(
    query: string | URLSearchParams = location.search,
    reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches,
    isSlow = false,
  ) {
    this.isSlow = isSlow;
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

  /** The settings of a page: the values of parameters. */
  settings<Settings extends object>(parameters: {
    readonly [Name in keyof Settings]: Parameter<Settings[Name]>;
  }): Settings {
    const all = Object.entries<Parameter<unknown>>(parameters);
    this.names = Object.fromEntries(all.map(([name, parameter]) => [name, parameter.name]));
    return Object.fromEntries(all.map(([name, { value }]) => [name, value])) as Settings;
  }

  number(name: string, { low, high, start }: Range): Parameter<number> {
    const given = Number.parseFloat(this.query.get(name) ?? '');
    return { name, value: Number.isFinite(given) ? Math.min(high, Math.max(low, given)) : start };
  }

  /** The nearest integer. */
  integer(name: string, range: Range): Parameter<number> {
    return { name, value: Math.round(this.number(name, range).value) };
  }

  /**
   * @param counts The counts that the page offers, the maximum last.
   * @param small The default of a machine that draws slowly, on a first visit.
   */
  count(name: string, counts: readonly number[], start: number, small = start): Parameter<number> {
    if (this.isSlow && small < start) {
      this.smallStart = { name, value: small, start };
      return { name, value: small };
    }
    return this.integer(name, { low: 1, high: counts.at(-1)!, start });
  }

  /** On, unless the value is `off`. */
  isOn(name: string, otherwise: boolean): Parameter<boolean> {
    return { name, value: this.query.has(name) ? this.query.get(name) !== 'off' : otherwise };
  }

  choice<Choice extends string | number>(name: string, choices: readonly Choice[], start: Choice): Parameter<Choice> {
    return { name, value: choices.find((choice) => String(choice) === this.query.get(name)) ?? start };
  }

  /** A page that moves by itself starts paused if the user prefers that. */
  isPaused(): Parameter<boolean> {
    return this.isOn('pause', this.reducesMotion);
  }

  /** The query string without settings. */
  withoutSettings(): URLSearchParams {
    const query = new URLSearchParams(this.query);
    for (const name of Object.values(this.names)) query.delete(name);
    return query;
  }
}
