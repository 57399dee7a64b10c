/**
 * Entry point scene-octree/debug-three: why an object is not drawn or not picked, and checks of containers; for
 * debugging and tests.
 *
 * @module scene-octree/debug-three
 */
export { explain } from './explain.ts';
export { validate } from './validate.ts';
export { verify } from './verify.ts';
export type { Difference, VerifiedRenderer, VerifyOptions } from './verify.ts';
export { statisticsOf } from './pass-statistics.ts';
export type { PassStatistics } from './pass-statistics.ts';
