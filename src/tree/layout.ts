/**
 * What the lanes of the tree's arrays mean, and how octants are numbered: bit 0 of a node's number is its side along x, and so on.
 *
 * The children of a node are one block of eight nodes: [firstChild, firstChild + 8), those in use named by the child mask.
 * The root is node 0, alone in block 0, so that 0 can mean "no children".
 *
 *         2----3      y       octant = x | y << 1 | z << 2,
 *        /|   /|      |       each bit set on the + side;
 *       6----7 |      o-- x   a centre exactly on a plane
 *       | 0--|-1     /        belongs to the + side
 *       4----5      z
 *
 * AssemblyScript reads this file too: constants are plain numbers.
 */

export const ROOT = 0;
export const BLOCK = 8;

/** Links of a node, Int32: what a walk needs to know of it, in one 16-byte record. */
export const LINK_STRIDE = 4;
/** First of the eight children, 0 for a leaf. */
export const FIRST_CHILD = 0;
/** First slot of the node's own bodies. */
export const PAGE = 1;
/** Number of own bodies: slots [page, page + count). */
export const COUNT = 2;
/** Slots the page has room for, a multiple of `GRAIN`. */
export const CAPACITY = 3;

/** Cell of a block, Float64: the point where its eight cells meet, and the edge of each. */
export const CELL_STRIDE = 4;
export const CELL_EDGE = 3;

/** What the slots of a run hold behind the bodies of a node. */
export const NO_BODY = -1;
/** End of the run of slots of a subtree whose slots are not one run. */
export const NO_RUN = 0;

/** Pages begin and end at a multiple of two slots, so that one lane per grain of two tells whose slots they are. */
export const GRAIN = 2;
export const GRAIN_SHIFT = 1;

/** Node flags. */
export const NODE_USED = 1;
/** Holds, somewhere below, a body that may move. */
export const NODE_HAS_MOVABLE = 2;
/** Waits in a list of the tree: to be refitted, to be watched for expiry, to be merged. */
export const NODE_REFIT_LISTED = 4;
export const NODE_WATCH_LISTED = 8;
export const NODE_MERGE_LISTED = 16;
/** Has lost a body or a category below, so that its categories may be too many. */
export const NODE_LOST_BODY = 32;

/** Body flags. */
export const BODY_SPHERE = 1;
export const BODY_STATIC = 2;
/** Waits in the list of moved bodies. */
export const BODY_MOVED = 4;
/** Removed by the user; its index is free again after the next flush. */
export const BODY_DEAD = 8;
/** Its bounds may move anywhere inside its fat bounds without work in the tree. */
export const BODY_HAS_MARGIN = 16;
/** Each face of its bounds may move inside its fat bounds by at most its face margin: see update/face-margin.ts. */
export const BODY_HAS_FACE_MARGIN = 32;
/** First of two bits that choose the face margin. */
export const BODY_FACE_MARGIN_SHIFT = 6;
/** All of the above: without them every move of the body is looked at. */
export const BODY_MARGIN_FLAGS = BODY_HAS_MARGIN | BODY_HAS_FACE_MARGIN | (3 << BODY_FACE_MARGIN_SHIFT);

/** Lifespans in updates: what a new node has, and the most that doubling can reach. */
export const LIFESPAN = 8;
export const MAX_LIFESPAN = 64;
/** Countdown of a node that is not about to expire. */
export const NO_COUNTDOWN = -1;

export const ALL_CATEGORIES = -1;

/**
 * Stack slotBounds enough for any depth-first walk: each of at most 54 levels (edges 2^53 down to 1) leaves at most seven siblings
 * waiting, and the deepest adds eight.
 */
export const STACK_SIZE = 512;

/** An insertion sort of more than so many takes too long. */
export const MAX_INSERTION_SORT = 64;

export function octantOf(x: number, y: number, z: number, middleX: number, middleY: number, middleZ: number): number {
  return (x >= middleX ? 1 : 0) | (y >= middleY ? 2 : 0) | (z >= middleZ ? 4 : 0);
}
