/**
 * The numbers that walks in JavaScript and in WebAssembly share: overlaps, kernels and limits. AssemblyScript compiles
 * this file too: constants are plain numbers.
 */

// The overlap of a box with a query volume: the result of a kernel for a box that it does not reject. It is stored
// beside the node or slot, and passed to the tests of the boxes inside it. Kernels of frusta store a plane mask instead
// of INTERSECTING: bit k is set if plane k is undecided, that is, may cut the box. The mask 0 equals CONTAINED.

/** The box lies entirely inside the volume: nothing in it needs a test. */
export const CONTAINED = 0;
/**
 * A bit in the plane mask of a slot. An accelerator sets it if every box that rounds outward to these slot bounds
 * passes the exact test of the planes in the mask. So a box body with tight slot bounds needs no exact test.
 */
export const SURE_BIT = 30;
export const SURE = 1 << SURE_BIT;
/** The box may cross the surface of the volume. */
export const INTERSECTING = 1;

// The kernels that an accelerator may have: they filter four boxes at a time, in Float32. A query chooses its kernel by
// `simdKernel`, one of these numbers.

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

/**
 * Capacity of the stack of a depth-first walk, in nodes. A path has at most 53 nodes (edges 2^52 down to 1); each
 * leaves at most seven siblings on the stack, and the deepest adds eight.
 */
export const STACK_SIZE = 512;

/**
 * Largest number of bodies that a nearest-first walk sorts by distance. The insertion sort has quadratic cost: in
 * leaves of hundreds of bodies, the eight nearest take 1.3 times as long with 256, and 4 times without a limit. Without
 * a sort they take 1.02 to 1.05 times as long.
 */
export const MAX_INSERTION_SORT = 64;
