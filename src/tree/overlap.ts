/**
 * What is noted about a box that was not rejected, and read where its node or body is met again. AssemblyScript reads this file too: constants
 * are plain numbers.
 */

/** It lies wholly inside the queried volume: nothing below it needs a test. */
export const CONTAINED = 0;
/** It may cross the surface; there is nothing finer to say. */
export const INTERSECTING = 1;
