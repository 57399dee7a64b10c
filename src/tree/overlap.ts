/**
 * The overlap of a box with a query volume: what a kernel found out about a box that it did not reject. It is stored beside the
 * node or slot and handed on to whatever lies in the box. Frusta store the plane mask instead of INTERSECTING: the planes that
 * may cut the box, 0 for none. AssemblyScript compiles this file too: constants are plain numbers.
 */

/** The box lies entirely inside the volume: nothing in it needs a test. */
export const CONTAINED = 0;
/** The box may cross the surface of the volume. */
export const INTERSECTING = 1;
