/**
 * Kinds of questions. Those of the first four note whether a box lies inside, or what of the volume it crosses; the others note a distance.
 * AssemblyScript reads this file too: constants are plain numbers.
 */

export const IN_PLANES = 0;
export const IN_BOX = 1;
export const IN_SPHERE = 2;
export const ON_RAY = 3;
export const NEAR_POINT = 4;
export const ALONG_RAY = 5;
