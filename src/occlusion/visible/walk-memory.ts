/**
 * Memory of the walk in WebAssembly: addresses in bytes, in the part of the memory of a WASM traversal that is free for
 * walks, from RESULTS to HEAP. AssemblyScript compiles this file too: constants are plain numbers.
 */

import { NUMBER_BYTES, RESULTS } from '../../wasm/memory-map.ts';

/** Overlap and area of the last body, nodes tested, nodes hidden and bodies hidden: one Int32 each. */
export const BODY_OVERLAP = RESULTS;
export const BODY_AREA = BODY_OVERLAP + 4;
export const NODES_TESTED = BODY_AREA + 4;
export const NODES_HIDDEN = NODES_TESTED + 4;
export const BODIES_HIDDEN = NODES_HIDDEN + 4;
/** Depths of four tiles, Float32. */
export const NEW_DEPTHS = BODIES_HIDDEN + 16;
/** The eye, and the near depth and the square of the near radius of `CameraProjection`: five Float64. */
export const VIEW_EYE = NEW_DEPTHS + 16;
/** The frame of the view, and that of an oriented box: eighteen Float64 each, see `Frame`. */
export const VIEW_FRAME = VIEW_EYE + 40;
export const ORIENTED_FRAME = VIEW_FRAME + 144;
/** The box under work, relative to the eye: six Float64. */
export const RELATIVE_BOX = ORIENTED_FRAME + 144;
/**
 * Where the silhouette edges of an occluder meet the rows of cells: two Float64 each, up to six at which the cells
 * begin, and up to six at which they end.
 */
export const FIRST_LINES = RELATIVE_BOX + 48;
export const LAST_LINES = FIRST_LINES + 96;
/** Its front planes: three of three Float64. */
export const FACES = LAST_LINES + 96;
/** Squared distances of boxes that are sorted, Float64: MAX_INSERTION_SORT of them. */
export const SORTED_DISTANCES = FACES + 72;
/** Most tiles of the depth buffer. */
export const MAX_TILES = 6752;
/** The layers of the tiles: two of Float32, and a mask of 32 bits for each tile. */
export const REFERENCE = SORTED_DISTANCES + 520;
export const WORKING = REFERENCE + MAX_TILES * NUMBER_BYTES;
export const TILE_MASKS = WORKING + MAX_TILES * NUMBER_BYTES;
