/**
 * Where in its memory the walker finds what it works with: addresses in bytes, each region behind the one before. AssemblyScript reads this file
 * too: constants are plain numbers.
 */

import { STACK_SIZE } from '../layout.ts';

/** Bytes of an Int32 and of a Float32. */
export const NUMBER_BYTES = 4;
/** Lanes that a store of four may write behind the last that counts. */
const SPARE = 4;

/** Addresses of the tree's arrays, one Int32 each: boxes, links, categories and runs of nodes; boxes and bodies of slots. */
export const FITTED = 0;
export const LINKS = 4;
export const NODE_CATEGORIES = 8;
export const RUN_START = 12;
export const RUN_END = 16;
export const SLOT_BOUNDS = 20;
export const BODY = 24;

/** Always 0. */
export const ZERO = 28;

/** What the last walk has cost, and how many answers of the last batch are undecided, one Int32 each. */
export const NODES_VISITED = 32;
export const NODES_CONTAINED = 36;
export const BODIES_TESTED = 40;
export const UNDECIDED_COUNT = 44;
/** What `guessNearest` has left out lies beyond this, a Float32 like those of MAX_DISTANCE_OFFSET; and whether it stopped early. */
export const BEYOND = 48;
export const HAS_MORE = 52;

/** What is asked for, Float32: each kernel tells its lanes. */
export const SHAPE = 64;
/** 30 planes of eight lanes are the most. */
export const SHAPE_LENGTH = 240;
/** The lane of shapes with a distance that holds the greatest at which a box may hold an answer; it may become less in the course of a walk. */
export const MAX_DISTANCE_OFFSET = 0;
/** The lane of a point that holds the tolerance. */
export const TOLERANCE_OFFSET = 4;

/** Sixteen shuffles of sixteen bytes: see assembly/compact.ts. */
export const SHUFFLES = SHAPE + SHAPE_LENGTH * NUMBER_BYTES;

/** Nodes that wait for their visit, Int32, and what the kernel noted about each, Int32 or Float32. */
export const STACK = SHUFFLES + 256;
export const STACK_NOTES = STACK + STACK_SIZE * NUMBER_BYTES;

/** Slots, or boxes of them, that are looked at in one go. */
export const PIECE = 256;
/** The bodies of a piece that passed the kernel, for `nextNearest`, and the kernel's notes. */
export const KEPT = STACK_NOTES + STACK_SIZE * NUMBER_BYTES;
export const KEPT_NOTES = KEPT + (PIECE + SPARE) * NUMBER_BYTES;

/** With more answers than this a batch is full; the last piece comes on top. */
export const BATCH = 1024;
/** The answers of a batch, bodies, and the kernel's notes; of guessed ones their distances, Float32. There are no notes for what was taken without a test. */
export const ANSWERS = KEPT_NOTES + (PIECE + SPARE) * NUMBER_BYTES;
export const NOTES = ANSWERS + (BATCH + PIECE + SPARE) * NUMBER_BYTES;
/** What of a batch is undecided: places in the batch, and the kernel's notes. */
export const UNDECIDED = NOTES + (BATCH + PIECE + SPARE) * NUMBER_BYTES;
export const UNDECIDED_NOTES = UNDECIDED + (BATCH + PIECE + SPARE) * NUMBER_BYTES;

/** The arrays of the tree, each from a multiple of 64 on. */
export const HEAP = 32768;
