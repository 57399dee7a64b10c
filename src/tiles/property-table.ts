/** The table of a tile's objects: EXT_structural_metadata with a row for each object, which feature ids point to. */

import { joined, type GlbBuilder, type Json } from './glb.ts';

/** A box that lies inside an object, as `solidBoxes` gives it. */
export interface SolidBoxLike {
  /** The middle of the box. */
  readonly center: { readonly x: number; readonly y: number; readonly z: number };
  /** Half the size along each axis of the box. */
  readonly halfSize: { readonly x: number; readonly y: number; readonly z: number };
  /** The axes of the box as columns, nine numbers. */
  readonly rotation: { readonly elements: ArrayLike<number> };
}

/** An object of a tile. */
export interface TableRow {
  readonly name: string;
  readonly id: string | number;
  /** Least and largest numbers of its positions, as they stand in the file. */
  readonly min: readonly number[];
  readonly max: readonly number[];
  /** Ten numbers for each box: centre, half size, quaternion. */
  readonly solidBoxes: readonly number[];
}

const METADATA = 'EXT_structural_metadata';
const ARRAYS = { UINT16: Uint16Array, UINT32: Uint32Array, FLOAT32: Float32Array, FLOAT64: Float64Array };
type NumberType = keyof typeof ARRAYS;
/** Shares by which boxes get smaller, so that they stay inside when their numbers are rounded to Float32. */
const SHRINKING = { ofSize: 2 ** -18, ofCenter: 2 ** -22 };

/**
 * Adds the table of a tile: ids are numbers if `hasNumbers`, positions fit 16 bits if `isSmall`. Columns without a
 * value are left out of its class: a buffer view may not be empty.
 */
export function addPropertyTable(
  glb: GlbBuilder,
  rows: readonly TableRow[],
  hasNumbers: boolean,
  isSmall: boolean,
): void {
  const schema: Json = {};
  const columns: Json = {};
  const add = (name: string, property: Json, column: Json): void => {
    schema[name] = property;
    columns[name] = column;
  };
  /** @param size How many numbers a row has. */
  const numbersOf = (values: readonly number[], type: NumberType, size = 1): number => {
    const { buffer, BYTES_PER_ELEMENT } = new ARRAYS[type](values);
    return glb.addRows(new Uint8Array(buffer), size * BYTES_PER_ELEMENT);
  };
  const addTexts = (name: string, texts: readonly string[]): void => {
    const encoder = new TextEncoder();
    const parts = texts.map((text) => encoder.encode(text));
    const offsets = offsetsOf(parts.map(({ length }) => length));
    const bytes = joined(parts, offsets[parts.length]);
    if (bytes.length === 0) return;
    const stringOffsetType = wholeTypeOf(offsets);
    const stringOffsets = numbersOf(offsets, stringOffsetType);
    add(name, { type: 'STRING' }, { values: glb.addRows(bytes, 1), stringOffsets, stringOffsetType });
  };
  addTexts(
    'name',
    rows.map(({ name }) => name),
  );
  const ids = rows.map(({ id }) => id);
  if (!hasNumbers) addTexts('id', ids.map(String));
  else {
    const componentType = wholeTypeOf(ids as number[]);
    add('id', { type: 'SCALAR', componentType }, { values: numbersOf(ids as number[], componentType) });
  }
  // Side by side: rows of whole words can be compressed.
  const componentType = isSmall ? 'UINT16' : 'FLOAT32';
  const bounds = rows.flatMap(({ min, max }) => [...min, ...max]);
  add(
    'bounds',
    { type: 'VEC3', componentType, array: true, count: 2 },
    { values: numbersOf(bounds, componentType, 6) },
  );
  const boxes = rows.flatMap(({ solidBoxes }) => solidBoxes);
  if (boxes.length > 0) {
    const offsets = offsetsOf(rows.map(({ solidBoxes }) => solidBoxes.length));
    const arrayOffsetType = wholeTypeOf(offsets);
    const arrayOffsets = numbersOf(offsets, arrayOffsetType);
    const values = numbersOf(boxes, 'FLOAT32', 10);
    add(
      'solidBoxes',
      { type: 'SCALAR', componentType: 'FLOAT32', array: true },
      { values, arrayOffsets, arrayOffsetType },
    );
  }
  glb.use(METADATA);
  glb.json.extensions = {
    [METADATA]: {
      schema: { id: 'sceneOctree', classes: { object: { properties: schema } } },
      propertyTables: [{ class: 'object', count: rows.length, properties: columns }],
    },
  };
}

/** The smallest type of the numbers. */
function wholeTypeOf(numbers: readonly number[]): NumberType {
  if (!numbers.every((value) => value >>> 0 === value)) return 'FLOAT64';
  return numbers.every((value) => value <= 0xffff) ? 'UINT16' : 'UINT32';
}

/** Where each part begins, and where the last one ends. */
function offsetsOf(lengths: readonly number[]): number[] {
  const offsets = [0];
  for (const length of lengths) offsets.push(offsets[offsets.length - 1] + length);
  return offsets;
}

/** The ten numbers of a box; none if it is too thin to be stored. */
export function numbersOfBox({ center, halfSize, rotation: { elements } }: SolidBoxLike): number[] {
  const middle = [center.x, center.y, center.z];
  const rounding = Math.max(...middle.map(Math.abs)) * SHRINKING.ofCenter;
  const half = [halfSize.x, halfSize.y, halfSize.z].map((size) => size * (1 - SHRINKING.ofSize) - rounding);
  return Math.min(...half) > 0 ? [...middle, ...half, ...quaternionOf(elements)] : [];
}

/** The quaternion x, y, z, w of a rotation. */
function quaternionOf(m: ArrayLike<number>): number[] {
  // Four times the square of each part. The largest one is the divisor, so that it is not near 0.
  const squares = [m[0] - m[4] - m[8], m[4] - m[0] - m[8], m[8] - m[0] - m[4], m[0] + m[4] + m[8]].map(
    (sum) => 1 + sum,
  );
  const largest = squares.indexOf(Math.max(...squares));
  const [yz, zx, xy] = [m[5] + m[7], m[6] + m[2], m[1] + m[3]];
  const [x, y, z] = [m[5] - m[7], m[6] - m[2], m[1] - m[3]];
  const row = [
    [squares[0], xy, zx, x],
    [xy, squares[1], yz, y],
    [zx, yz, squares[2], z],
    [x, y, z, squares[3]],
  ][largest];
  return row.map((part) => part / (2 * Math.sqrt(squares[largest])));
}
