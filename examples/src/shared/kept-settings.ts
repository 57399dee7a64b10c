// Keeps the settings of a page in its address, so that a link to it, and a reload, show the same.

import { QueryReader } from './query-reader.ts';
import { saySmallStart } from './small-start.ts';

/** Keys, buttons and the panel change settings; Safari allows a hundred changes of an address in 30 s. */
const WRITE_EVERY_MS = 400;

/**
 * Reads the settings of a page from its address, and writes those that differ from their defaults whenever one has
 * changed.
 *
 * @param read Returns what `QueryReader.settings` does.
 */
export function keptSettings<Settings extends object>(
  query: QueryReader,
  read: (query: QueryReader) => Settings,
): Settings {
  const settings = read(query);
  saySmallStart(query);
  let written = JSON.stringify(settings);
  setInterval(() => {
    const now = JSON.stringify(settings);
    if (now === written) return;
    written = now;
    history.replaceState(history.state, '', `${location.pathname}${queryOf(settings, read, query)}${location.hash}`);
  }, WRITE_EVERY_MS);
  return settings;
}

/**
 * The shortest query string that settings are read from, with its question mark; '' if all have their defaults. A
 * default may depend on other settings. Keeps what else the query string of the page has.
 */
export function queryOf<Settings extends object>(
  settings: Settings,
  read: (query: QueryReader) => Settings,
  of: QueryReader,
): string {
  const query = of.withoutSettings();
  for (;;) {
    const reader = new QueryReader(query, of.reducesMotion);
    const now = read(reader);
    const name = (Object.keys(now) as (keyof Settings & string)[]).find(
      (each) =>
        !query.has(reader.names[each]) &&
        // Otherwise the next visit would begin with the small count.
        (now[each] !== settings[each] || reader.names[each] === of.smallStart?.name),
    );
    if (name === undefined) return query.size === 0 ? '' : `?${query.toString()}`;
    query.set(reader.names[name], textOf(settings[name]));
  }
}

const textOf = (value: unknown): string => (typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value));
