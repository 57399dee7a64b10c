/**
 * Addresses, in bytes, of what the walker in WebAssembly works with: read by both sides, so plain numbers only. The arrays of the tree
 * follow at `HEAP`.
 */

/** Addresses of the tree's arrays, one Int32 each: boxes, links, categories and runs of nodes; boxes and bodies of slots. */
export const FITTED = 0;
export const LINKS = 4;
export const NODE_CATEGORIES = 8;
export const RUN_START = 12;
export const RUN_END = 16;
export const ENTRIES = 20;
export const BODY = 24;

/** What the last walk has cost, one Int32 each. */
export const NODES_VISITED = 32;
export const NODES_WHOLE = 36;
export const BODIES_TESTED = 40;

/** What is asked for, Float32: each kernel tells its lanes. 30 planes are the most. */
export const SHAPE = 64;
/** Lane of the shape where those that note distances have the greatest one at which a box may hold an answer; it may become less meanwhile. */
export const MOST_LANE = 0;
/** Log2 of the bytes of a plane. */
export const PLANE_SHIFT = 5;

/** Sixteen shuffles of sixteen bytes: see assembly/compact.ts. */
export const SHUFFLES = 1280;

/** Nodes that wait for their visit, Int32, and what the kernel noted about each, Int32 or Float32: 512 of them. */
export const STACK = 2048;
export const STACK_LANES = 4096;
/** The slots of a node that passed the kernel, then the bodies in them, and its notes: as many as are filtered at a time. */
export const KEPT = 6144;
export const KEPT_LANES = 7680;
export const PIECE = 256;

/** A batch of answers, bodies: the last piece may begin when there are this many. */
export const ANSWERS = 9216;
export const BATCH = 1024;
/** How many of them are undecided, and which, two lanes each: the place in the batch, and the kernel's note. */
export const UNDECIDED_COUNT = 44;
export const UNDECIDED = 15360;

export const HEAP = 32768;

/** Kinds of questions. Those of the first four note whether a box lies inside, or what of the volume it crosses; the others note a distance. */
export const IN_PLANES = 0;
export const IN_BOX = 1;
export const IN_BALL = 2;
export const ON_RAY = 3;
export const NEAR_POINT = 4;
export const ALONG_RAY = 5;

/** Note of a node below one that lies wholly inside. */
export const BELOW_WHOLE = -1;
