/**
 * How much of a test that tries all is tried: in `npm run test:long` all, else a sample. One rule for tests in Node, in
 * Chromium and of pages: what is generated (seeds, rows, kinds) is sampled by `sampleOf` or `sampleFrom`; a test that
 * has a shorter one of its kind beside it begins with `it.runIf(IS_LONG)`.
 */

/** npm sets this variable to the name of the script. To a page it comes from Vite (`envPrefix` in vite.config.ts). */
const { npm_lifecycle_event: script = '' } = (import.meta.env ?? process.env) as Record<string, string | undefined>;

export const IS_LONG = ['test:long', 'histories', 'engines', 'zoo'].includes(script);

/**
 * Numbers from 1 to `count`: in `npm run test:long` all. Else each `step`-th one, from a first one that goes on with
 * `row`, so that rows which are alike try different ones; at least one, unless there is none.
 */
export function sampleOf(count: number, step: number, row: number): number[] {
  const every = IS_LONG ? 1 : Math.min(step, count);
  const sample: number[] = [];
  for (let n = 1 + (row % every); n <= count; n += every) sample.push(n);
  return sample;
}

/** The same of rows. */
export const sampleFrom = <Row>(rows: readonly Row[], step: number, row = 0): Row[] =>
  sampleOf(rows.length, step, row).map((n) => rows[n - 1]);
