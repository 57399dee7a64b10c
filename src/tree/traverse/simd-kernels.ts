/**
 * Numbers of the kernels that an accelerator may have: they filter four boxes at a time, in Float32. A query chooses
 * its kernel by `simdKernel`, one of these numbers. AssemblyScript compiles this file too: constants are plain numbers.
 */

/** The query has no such kernel: its walks run in JavaScript. */
export const NO_SIMD_KERNEL = -1;

/** Kernels that compute the overlap of a box. */
export const PLANES_OVERLAP = 0;
export const BOX_OVERLAP = 1;
export const SPHERE_OVERLAP = 2;
export const RAY_OVERLAP = 3;

/** Kernels that compute the distance of a box. */
export const POINT_DISTANCE_SQ = 4;
export const RAY_DISTANCE = 5;
