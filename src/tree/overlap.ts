/**
 * The overlap of a box with a query volume: the result of a kernel for a box that it does not reject. It is stored
 * beside the node or slot, and passed to the tests of the boxes inside it. Kernels of frusta store a plane mask instead
 * of INTERSECTING: bit k is set if plane k is undecided, that is, may cut the box. The mask 0 equals CONTAINED.
 * AssemblyScript compiles this file too: constants are plain numbers.
 */

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
