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
