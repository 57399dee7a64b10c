/**
 * What a tile above the leaves shows: objects that are smaller than its error are left out, the others are simplified.
 * The error is measured: no object that is shown is further from its original, and none is left out that is larger.
 */

import { deviationOf } from './deviation.ts';
import { gridOf, powerOfTwo, storedPositions, type TileGrid } from './grid.ts';
import { isFlat, weld, type ObjectMesh } from './scene-object.ts';

/** The part of `MeshoptSimplifier` of the package meshoptimizer that `writeTiles` uses. */
export interface MeshSimplifierLike {
  /** Resolves when the simplifier can be used. */
  readonly ready: Promise<void>;
  /** Gives fewer triangles of the same vertices. */
  simplify(
    indices: Uint32Array,
    positions: Float32Array,
    stride: number,
    targetCount: number,
    targetError: number,
    flags: 'ErrorAbsolute'[],
  ): [Uint32Array, number];
}

/** The objects of a tile: by place in `places` their diagonals and counts, and how they are read. */
export interface CoarseSource {
  readonly diagonals: readonly number[];
  readonly counts: readonly number[];
  /** Reads an object. May wait, and throws if the work was aborted. */
  read(k: number): Promise<ObjectMesh>;
}

/** An object that a tile shows, by its place. */
export interface CoarseObject {
  readonly k: number;
  readonly mesh: ObjectMesh;
}

/** Shares of the error that the simplifier is asked for, one after the other. It reports too small errors. */
const SHARES = [1 / 2, 1 / 4, 1 / 16];
/**
 * Vertices of the smallest simplified object: no tile with more objects than this allows is tried. Test:
 * tile-limits.test.
 */
const LEAST_VERTICES = 4;
/**
 * Factors between errors that are tried: doubled until the objects fit, then back in two finer steps; and in finer
 * steps again while what was chosen does not fit.
 */
const STEPS = { up: 2, back: [0.71, 0.84], over: 1.2 };
/**
 * Largest number of grid steps in the error that is tried; at least half of that. Finer ones are bytes for what cannot
 * be seen: at 16 pixels of error a vertex moves by a quarter of a pixel, or up to two where the error that is measured
 * is an eighth of it.
 */
const STEPS_OF_ERROR = 64;

/**
 * Chooses the smallest error with which objects fit, of those tried. Returns what is shown, on which grid, and the
 * error. The grid is that of `bounds`, with steps of at least `step`.
 */
export async function coarsen(
  source: CoarseSource,
  bounds: readonly number[],
  step: number,
  maxVertices: number,
  least: number,
  simplifier: MeshSimplifierLike | undefined,
): Promise<{ objects: CoarseObject[]; grid: TileGrid; error: number }> {
  const { diagonals, counts } = source;
  const largestFirst = [...diagonals.keys()].sort((a, b) => diagonals[b] - diagonals[a]);
  // The error with which the objects cannot but fit: all that do not even fit as tetrahedra are left out.
  let sum = 0;
  const first = largestFirst.find((k) => (sum += simplifier === undefined ? counts[k] : LEAST_VERTICES) > maxVertices);
  let error = first === undefined ? least : Math.max(least, diagonals[first] * (1 + 2 ** -20));
  const tries = async (e: number): Promise<boolean> => {
    let vertices = 0;
    for (const k of largestFirst) {
      if (diagonals[k] < e) break;
      if (simplifier === undefined) vertices += counts[k];
      else {
        const [simplest] = simplestOf(await source.read(k), e, simplifier);
        vertices += vertexCount(simplest);
      }
      if (vertices > maxVertices) return false;
    }
    return true;
  };
  while (!(await tries(error))) error *= STEPS.up;
  for (const factor of STEPS.back) if (error * factor > least && (await tries(error * factor))) error *= factor;

  // Objects that are too far away in their simplest form take more vertices than those that were counted.
  for (; ; error *= STEPS.over) {
    const grid = gridOf(bounds, Math.max(step, powerOfTwo(error / STEPS_OF_ERROR)));
    const objects: CoarseObject[] = [];
    const shown = largestFirst.filter((k) => diagonals[k] >= error);
    const next = largestFirst.at(shown.length);
    let measured = Math.max(grid.step, error / 8, next === undefined ? 0 : diagonals[next]);
    let vertices = 0;
    for (const k of shown.sort((a, b) => a - b)) {
      const form = within(await source.read(k), grid, error, measured, simplifier);
      measured = Math.max(measured, form?.deviation ?? diagonals[k]);
      if (form === null) continue;
      objects.push({ k, mesh: form.mesh });
      vertices += vertexCount(form.mesh);
    }
    if (vertices <= maxVertices) return { objects, grid, error: measured };
  }
}

/**
 * The simplest form of an object that is no further from it than `error`, with its distance: the object itself if need
 * be, whatever its distance is. Null if nothing of it is left on the grid: no tile has triangles with two corners at
 * one place.
 */
function within(
  original: ObjectMesh,
  grid: TileGrid,
  error: number,
  floor: number,
  simplifier: MeshSimplifierLike | undefined,
): { mesh: ObjectMesh; deviation: number } | null {
  const { origin } = original;
  for (const mesh of simplestOf(original, error, simplifier)) {
    const stored = storedPositions(mesh, grid);
    const index = mesh.index.filter((_vertex, corner, all) => {
      const first = corner - (corner % 3);
      return !isFlat(stored, all[first], all[first + 1], all[first + 2]);
    });
    if (mesh === original && index.length === mesh.index.length) return { mesh, deviation: grid.step };
    if (index.length === 0) continue;
    const vertices = stored.map((value, at) => (value + grid.origin[at % 3]) * grid.step - origin[at % 3]);
    const limit = mesh === original ? Infinity : error;
    const deviation = deviationOf(original, { vertices, stride: 3, index }, Math.min(floor, limit), limit);
    if (deviation < Infinity) return { mesh, deviation };
  }
  return null;
}

const vertexCount = ({ vertices, stride }: ObjectMesh): number => vertices.length / stride;

/** Meshes with fewer triangles, the fewest first; last the same mesh. A simplifier may leave nothing of one. */
function* simplestOf(
  mesh: ObjectMesh,
  error: number,
  simplifier: MeshSimplifierLike | undefined,
): Generator<ObjectMesh> {
  const { vertices, stride, index } = mesh;
  for (const share of SHARES) {
    if (simplifier === undefined) break;
    const [fewer] = simplifier.simplify(index, vertices, stride, 0, error * share, ['ErrorAbsolute']);
    if (fewer.length >= index.length) break;
    if (fewer.length > 0) yield weld({ ...mesh, index: fewer }, null)!;
  }
  yield mesh;
}
