/**
 * The memory of a WASM traversal: addresses in bytes, shared by the assembly, wasm-traversal.ts and ray-stream-walk.ts.
 * Each region lies after the one before it, unless it says that it uses the memory of another. The walk of another
 * module may use the memory from RESULTS to HEAP as it likes. AssemblyScript compiles this file too: constants are
 * plain numbers.
 *
 *     0      addresses of the tree's arrays, costs, counts      one Int32 or Float32 each
 *     64     VOLUME          numbers of the query volume        Float32
 *            SHUFFLES        table for removing lanes           bytes
 *            STACK           nodes to visit, and their overlaps or distances
 *            KEPT            bodies of one scan, and their distances
 *            RESULTS         bodies of one batch, and their overlaps or distances
 *            CANDIDATES      results that need the exact test, and their overlaps
 *            RAYS            rays of a stream                   Float32
 *            TRANSPOSED_BOXES, RAY_LIST_LENGTHS, RAY_MASKS     working memory of a stream
 *            RAY_LISTS       which rays reach a node           bytes
 *     89920  HEAP            the tree's arrays
 */

import { STACK_SIZE } from '../tree/traverse/walk-numbers.ts';

/** Bytes of an Int32 or a Float32. */
export const NUMBER_BYTES = 4;
/**
 * Numbers of padding after a list: a store of four lanes may overwrite three numbers after its end. Four keep the
 * alignment.
 */
const PADDING = 4;

/**
 * Where the addresses of the tree's arrays are stored, Int32. Of nodes: fitted boxes, links, categories, runs. Of
 * slots: slot bounds, bodies.
 */
export const FITTED = 0;
export const LINKS = 4;
export const NODE_CATEGORIES = 8;
export const RUN_START = 12;
export const RUN_END = 16;
export const SLOT_BOUNDS = 20;
export const BODY = 24;

/** Always 0. */
export const ZERO = 28;

/** Costs of the walk since `begin`, Int32. */
export const NODES_VISITED = 32;
export const NODES_CONTAINED = 36;
export const BODIES_TESTED = 40;
/** Number of candidates in the last batch, Int32. */
export const CANDIDATE_COUNT = 44;
/**
 * Up to this squared distance of the slot bounds, Float32, the result of the last speculative search is complete: no
 * body within the maximum distance at `begin` is missing. Infinity if none is missing at any distance. Not valid if the
 * search has stopped early.
 */
export const COMPLETE_DISTANCE_SQ = 48;
/** Not 0 if the last speculative search has stopped early, so that `nextNearest` has to continue, Int32. */
export const STOPPED_EARLY = 52;
/** Where the address of the child masks is stored, as FITTED: a byte for each node. */
export const CHILD_MASK = 56;

/** Numbers of the query volume, Float32; their meaning depends on the kernel, see assembly/kernels.ts. */
export const VOLUME = 64;
/** Capacity of VOLUME in numbers: 30 planes of eight numbers. */
export const VOLUME_LENGTH = 240;
/**
 * Offset in the volumes of distance kernels: the maximum distance, or squared distance, of a box that is kept. May
 * shrink during a walk.
 */
export const MAX_DISTANCE_OFFSET = 0;
/** Offset in the volume of POINT_DISTANCE_SQ: the bound of the rounding error of a distance in Float32, world units. */
export const TOLERANCE_OFFSET = 4;

/** Sixteen shuffles of sixteen bytes, see assembly/compact.ts. */
export const SHUFFLES = VOLUME + VOLUME_LENGTH * NUMBER_BYTES;

/**
 * Nodes to visit, Int32, and what the kernel computed for each: an overlap, Int32, or a distance, Float32, in the same
 * memory.
 */
export const STACK = SHUFFLES + 256;
export const STACK_OVERLAPS = STACK + STACK_SIZE * NUMBER_BYTES;
export const STACK_DISTANCES = STACK_OVERLAPS;

/**
 * Maximum number of slots filtered at a time, in one scan. A batch is full above BATCH results, so RESULTS holds one
 * scan more than BATCH.
 */
export const SCAN_SLOTS = 256;
/** Bodies of one scan that `nextNearest` has kept, Int32, and their distances, Float32. */
export const KEPT = STACK_OVERLAPS + STACK_SIZE * NUMBER_BYTES;
export const KEPT_DISTANCES = KEPT + (SCAN_SLOTS + PADDING) * NUMBER_BYTES;

/** A batch with more results than this is full. */
export const BATCH = 1024;
/**
 * Bodies of one batch, Int32, and one number for each: the overlap, Int32, unless the body comes from a contained node,
 * or, after a speculative search, the squared distance, Float32, in the same memory.
 */
export const RESULTS = KEPT_DISTANCES + (SCAN_SLOTS + PADDING) * NUMBER_BYTES;
export const RESULT_OVERLAPS = RESULTS + (BATCH + SCAN_SLOTS + PADDING) * NUMBER_BYTES;
export const RESULT_DISTANCES = RESULT_OVERLAPS;
/** Results of one batch that need the exact test, as positions in the batch, Int32, and their overlaps, Int32. */
export const CANDIDATES = RESULT_OVERLAPS + (BATCH + SCAN_SLOTS + PADDING) * NUMBER_BYTES;
export const CANDIDATE_OVERLAPS = CANDIDATES + (BATCH + SCAN_SLOTS + PADDING) * NUMBER_BYTES;

/** Maximum number of rays in a stream: a list of rays has a byte for each. */
export const MAX_STREAM_RAYS = 128;
/** Numbers of one ray in a stream: those of the ray kernel in VOLUME, and two that are not used. */
export const STREAM_RAY_LENGTH = 12;
/** The rays of a stream, Float32. */
export const RAYS = CANDIDATE_OVERLAPS + (BATCH + SCAN_SLOTS + PADDING) * NUMBER_BYTES;
/** Rays of the results of a stream, as positions in RAYS, Int32. Uses the memory of CANDIDATES. */
export const RESULT_RAYS = CANDIDATES;
/**
 * Two groups of four boxes, transposed: six vectors per group, one for each face, with one lane for each box. Eight
 * children, or four slot bounds in the first group.
 */
export const TRANSPOSED_BOXES = RAYS + MAX_STREAM_RAYS * STREAM_RAY_LENGTH * NUMBER_BYTES;
/** Length of the list of each node on the stack, Int32. */
export const RAY_LIST_LENGTHS = TRANSPOSED_BOXES + 2 * 6 * 16;
/** First position of that list in RAY_LISTS, Int32. Uses the memory of STACK_OVERLAPS. */
export const RAY_LIST_STARTS = STACK_OVERLAPS;
/** Which of the eight children the rays of a list reach, a byte per ray. */
export const RAY_MASKS = RAY_LIST_LENGTHS + STACK_SIZE * NUMBER_BYTES;
/**
 * Lists of rays: those that reach one node of the stack. Each list lies after those of the nodes below it on the stack.
 */
export const RAY_LISTS = RAY_MASKS + MAX_STREAM_RAYS;
/**
 * Bytes of all lists: a ray is in the list of the root and, at each of 52 depths below it, in the lists of up to eight
 * nodes.
 */
export const RAY_LISTS_LENGTH = (1 + 52 * 8) * MAX_STREAM_RAYS;

/** The tree's arrays; each begins at a multiple of 64 bytes. */
export const HEAP = 89920;
