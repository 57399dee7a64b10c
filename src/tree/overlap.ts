/**
 * The overlap of a box with a query volume: the result of a kernel for a box that it does not reject. It is stored
 * beside the node or slot, and passed to the tests of the boxes inside it. Kernels of frusta store a plane mask instead
 * of INTERSECTING: bit k is set if plane k is undecided, that is, may cut the box. The mask 0 equals CONTAINED.
 * AssemblyScript compiles this file too: constants are plain numbers.
 */

/** The box lies entirely inside the volume: nothing in it needs a test. */
export const CONTAINED = 0;
/**
 * A bit that an accelerator sets in the plane mask of slots: the exact test of the planes in the mask, except those of
 * the shared bit, accepts the slot bounds, and any box whose outward rounding they are.
 */
export const SURE_BIT = 30;
export const SURE = 1 << SURE_BIT;
/** The box may cross the surface of the volume. */
export const INTERSECTING = 1;
