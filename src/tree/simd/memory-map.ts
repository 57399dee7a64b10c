/**
 * The memory of a WASM traversal: addresses, in bytes, that the assembly and wasm-traversal.ts share. Each region lies behind the
 * one before it. AssemblyScript compiles this file too: constants are plain numbers.
 *
 *     0      addresses of the tree's arrays, costs, counts      one Int32 or Float32 each
 *     64     VOLUME          numbers of the query volume        Float32
 *            SHUFFLES        table for removing lanes           bytes
 *            STACK           nodes to visit, and their overlaps or distances
 *            KEPT            bodies of one chunk, and their distances
 *            RESULTS         bodies of one batch, and their overlaps or distances
 *            CANDIDATES      results that need the exact test, and their overlaps
 *     32768  HEAP            the tree's arrays
 */

import { STACK_SIZE } from '../layout.ts';

/** Bytes of an Int32 or a Float32. */
export const NUMBER_BYTES = 4;
/** Numbers behind the end of a list that the store of four lanes may overwrite: three, rounded up to keep the alignment. */
const SPARE = 4;

/**
 * Where the addresses of the tree's arrays are stored, Int32. Of nodes: fitted boxes, links, categories, runs. Of slots: slot
 * bounds, bodies.
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
 * The last speculative search has reported every body whose slot bounds lie within this squared distance, Float32; Infinity if it
 * left out none.
 */
export const COMPLETE_DISTANCE_SQ = 48;
/** Not 0 if the last speculative search has left bodies to `nextNearest`, Int32. */
export const STOPPED_EARLY = 52;

/** Numbers of the query volume, Float32; their meaning depends on the kernel, see assembly/kernels.ts. */
export const VOLUME = 64;
/** Numbers: at most 30 planes of eight. */
export const VOLUME_LENGTH = 240;
/**
 * Offset in the volumes of distance kernels: the greatest distance, or squared distance, of a box that is kept. May shrink during
 * a walk.
 */
export const MAX_DISTANCE_OFFSET = 0;
/** Offset in the volume of POINT_DISTANCE_SQ: how much nearer a box may lie than Float32 shows, in world units. */
export const TOLERANCE_OFFSET = 4;

/** Sixteen shuffles of sixteen bytes, see assembly/compact.ts. */
export const SHUFFLES = VOLUME + VOLUME_LENGTH * NUMBER_BYTES;

/** Nodes to visit, Int32, and what the kernel computed for each: an overlap, Int32, or a distance, Float32, in the same memory. */
export const STACK = SHUFFLES + 256;
export const STACK_OVERLAPS = STACK + STACK_SIZE * NUMBER_BYTES;
export const STACK_DISTANCES = STACK_OVERLAPS;

/** Slots that are filtered at a time: the batch has room for one chunk more than BATCH. */
export const CHUNK = 256;
/** Bodies of one chunk that `nextNearest` has kept, Int32, and their distances, Float32. */
export const KEPT = STACK_OVERLAPS + STACK_SIZE * NUMBER_BYTES;
export const KEPT_DISTANCES = KEPT + (CHUNK + SPARE) * NUMBER_BYTES;

/** A batch with more results than this is full. */
export const BATCH = 1024;
/**
 * Bodies of one batch, Int32. Beside those that a kernel has kept, its overlaps, Int32; beside those of a speculative search
 * their squared distances, Float32, in the same memory.
 */
export const RESULTS = KEPT_DISTANCES + (CHUNK + SPARE) * NUMBER_BYTES;
export const RESULT_OVERLAPS = RESULTS + (BATCH + CHUNK + SPARE) * NUMBER_BYTES;
export const RESULT_DISTANCES = RESULT_OVERLAPS;
/** Results of one batch that need the exact test, as positions in the batch, Int32, and their overlaps, Int32. */
export const CANDIDATES = RESULT_OVERLAPS + (BATCH + CHUNK + SPARE) * NUMBER_BYTES;
export const CANDIDATE_OVERLAPS = CANDIDATES + (BATCH + CHUNK + SPARE) * NUMBER_BYTES;

/** The tree's arrays, each from a multiple of 64 bytes on. */
export const HEAP = 32768;
