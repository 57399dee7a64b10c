// The options of the octree that the page measures, their defaults, and the values that it tries.

export const OPTIONS = ['looseness', 'leafCapacity', 'minCellSize'] as const;
export type OptionName = (typeof OPTIONS)[number];

/** A value for each option. */
export type Setting = Readonly<Record<OptionName, number>>;

export const DEFAULTS: Setting = { looseness: 2, leafCapacity: 16, minCellSize: 1 };

/**
 * The defaults several times: the differences between these octrees are the noise. Each measurement begins with them.
 */
export const TWINS: readonly Setting[] = [DEFAULTS, DEFAULTS, DEFAULTS];

const LOOSENESS = [1, 1.25, 1.5, 2, 2.5, 3, 4];
const LEAF_CAPACITY = [4, 8, 16, 32, 64, 128];
/**
 * Largest number of cell sizes; the least number of cells of the largest size along the longest axis of the scene; and
 * the number of cells of the smallest size, unless that is 1.
 */
const CELL_SIZES = 7;
const MIN_CELLS = 8;
const MAX_CELLS = 512;

/**
 * The values that are tried, ascending, the default among them.
 *
 * @param extent World units: the longest axis of the scene. Cell sizes reach from 1, or less in a small scene, to an
 *   eighth of it, but at least to 4.
 */
export function valuesOf(option: OptionName, extent: number): readonly number[] {
  if (option !== 'minCellSize') return option === 'looseness' ? LOOSENESS : LEAF_CAPACITY;
  const last = Math.min(30, Math.max(2, Math.floor(Math.log2(extent / MIN_CELLS))));
  const first = Math.max(-30, Math.min(0, Math.floor(Math.log2(extent / MAX_CELLS))));
  const step = Math.ceil((last - first) / (CELL_SIZES - 1));
  const exponents = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  return exponents.filter((exponent) => exponent % step === 0).map((exponent) => 2 ** exponent);
}

/** The options that differ from their defaults. */
export const changesOf = (setting: Setting): OptionName[] =>
  OPTIONS.filter((option) => setting[option] !== DEFAULTS[option]);

/** For instance "looseness 1.5 and leafCapacity 32"; "the defaults" if nothing differs. */
export function describeSetting(setting: Setting): string {
  const changes = changesOf(setting).map((option) => `${option} ${setting[option]}`);
  if (changes.length === 0) return 'the defaults';
  return changes.length === 1 ? changes[0] : `${changes.slice(0, -1).join(', ')} and ${changes.at(-1)}`;
}

/** The setting as code. */
export function toCode(setting: Setting): string {
  const fields = changesOf(setting).map((option) => `${option}: ${setting[option]}`);
  return fields.length === 0 ? 'const octree = new Octree();' : `const octree = new Octree({ ${fields.join(', ')} });`;
}
