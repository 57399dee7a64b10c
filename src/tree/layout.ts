/**
 * The layout of the tree's arrays: offsets in a record, flags and special values.
 *
 * The children of a node are one block of eight nodes: [firstChild, firstChild + 8). Bit k of the child mask is set if
 * child k is in use. The root is node 0, alone in block 0, so that 0 can mean "no children". The lowest three bits of a
 * node number are its octant:
 *
 *         2----3      y       octant = x | y << 1 | z << 2,
 *        /|   /|      |       each bit set on the + side;
 *       6----7 |      o-- x   a centre exactly on a plane
 *       | 0--|-1     /        belongs to the + side
 *       4----5      z
 *
 * AssemblyScript compiles this file too: constants are plain numbers.
 */

export const ROOT = 0;
/** Nodes of one block. */
export const BLOCK = 8;

/** Links of a node, Int32: the numbers that a walk reads of each node, in one record of 16 bytes. */
export const LINK_STRIDE = 4;
/** First of the eight children, or 0 for a leaf. */
export const FIRST_CHILD = 0;
/** First slot of the node's own bodies. */
export const PAGE = 1;
/** Number of the node's own bodies: they lie in slots [page, page + count). */
export const COUNT = 2;
/** Number of slots of the page, a multiple of `GRAIN`. */
export const CAPACITY = 3;

/** Cells of a block, Float64: x, y and z of the point where its eight cells meet, and their edge. */
export const CELL_STRIDE = 4;
/** Offset of the edge. */
export const CELL_EDGE = 3;

/** Content of a slot without a body. Only the unused slots of a run are sure to hold it. */
export const NO_BODY = -1;
/** Value of `runEnd` for a node whose subtree has no contiguous run of slots. */
export const NO_RUN = 0;

/** Slots of a grain. Pages consist of whole grains, so that one number per grain stores the owner node. */
export const GRAIN = 2;
export const GRAIN_SHIFT = 1;

/** Node flags. */
export const NODE_USED = 1;
/** At least one body in or below the node is not static. */
export const NODE_HAS_MOVABLE = 2;
/** The node is in a list of the tree: to be refitted, to expire, to be merged. */
export const NODE_REFIT_LISTED = 4;
export const NODE_EXPIRY_LISTED = 8;
export const NODE_MERGE_LISTED = 16;
/** A body in or below the node, or a category of it, is gone: the node's categories need a refit. */
export const NODE_LOST_BODY = 32;

/** Body flags. */
export const BODY_SPHERE = 1;
export const BODY_STATIC = 2;
/** Is in the list of moved bodies. */
export const BODY_MOVED = 4;
/**
 * Not a living body: set by its removal, and kept until its index is used again. The next flush takes the body out of
 * the tree, and frees or holds its index.
 */
export const BODY_DEAD = 8;
/**
 * Has fat bounds, inside which it may move without work in the tree. A body without a margin escapes with every move.
 */
export const BODY_HAS_MARGIN = 16;
/**
 * Only with BODY_HAS_MARGIN. A move inside the fat bounds then needs no work in the tree only if the body keeps its
 * size, see `hasKeptSize`, because a smaller body could sink. Set if the node is not a stable leaf and the longest edge
 * of the body is at least half the longest edge of its fat bounds.
 */
export const BODY_MUST_KEEP_SIZE = 32;
export const BODY_MARGIN_FLAGS = BODY_HAS_MARGIN | BODY_MUST_KEEP_SIZE;
/** Is a box whose half size is stored: it was moved by its centre, or rounded by a translation. */
export const BODY_HAS_HALF_SIZE = 64;
/** Its slot bounds are its exact box, rounded outward to Float32. Never with BODY_HAS_MARGIN. */
export const BODY_HAS_TIGHT_SLOT = 128;

/** Lifespan of a new node, and the maximum that doubling reaches. In updates. */
export const LIFESPAN = 8;
export const MAX_LIFESPAN = 64;
/** Countdown of a node that is not expiring. */
export const NO_COUNTDOWN = -1;

export const ALL_CATEGORIES = -1;

/**
 * Bodies of a batch: those that each of a row of loops handles together. A plain choice: their copied data, 13 kB, fit
 * into the first-level cache.
 */
export const BATCH_SIZE = 128;
