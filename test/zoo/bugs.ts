/**
 * Historical bugs of spatial libraries, each as an edit of this code. `npm run zoo` plants one at a time; the random
 * histories must catch all that change results. test/project/zoo.test.ts checks that each edit still fits.
 */
import type { PlantedFault } from './planted-fault.ts';
import { QUERY_BUGS } from './query-bugs.ts';
import { WRITE_BUGS } from './write-bugs.ts';

export const BUGS: readonly PlantedFault[] = [...QUERY_BUGS, ...WRITE_BUGS];
