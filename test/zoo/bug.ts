/** One line for each bug of the zoo. */
import type { PlantedFault } from './planted-fault.ts';

/** The source of a fault of our own: planted by hand, or left over by mutation testing. */
export const OWN = 'own';

/** A bug in one file. */
export function bug(
  name: string,
  source: string,
  story: string,
  file: string,
  ...texts: readonly (readonly [find: string, plant: string])[]
): PlantedFault {
  return { name, source, story, edits: texts.map(([find, plant]) => ({ file, find, plant })) };
}

/** A fault of what is drawn. */
export interface BrowserBug extends PlantedFault {
  /** Names of tests in `test/browser`. */
  readonly tests: readonly string[];
}

/** A file of `src`, and its faults: name, story, tests, expression, faulty expression. */
export function faultsOf(
  file: string,
  ...rows: readonly (readonly [name: string, story: string, tests: string, find: string, plant: string])[]
): BrowserBug[] {
  return rows.map(([name, story, tests, find, plant]) => ({
    name,
    source: OWN,
    story,
    edits: [{ file, find, plant }],
    tests: tests.split(' '),
  }));
}
