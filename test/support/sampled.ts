/** How much of a test that tries all is tried: in `npm test` a sample, in `npm run test:long` all. */

/** npm sets this variable to the name of the script. A mode of Vitest does not reach the tests of a project. */
export const IS_LONG = ['test:long', 'histories'].includes(process.env.npm_lifecycle_event ?? '');

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
