/**
 * A property table of a tile (EXT_structural_metadata): texts and numbers by row. A value is decoded when it is read:
 * most are never.
 */

import { warnOnce } from '../three/passes/warnings.ts';
import type { GltfParser, PropertyJson } from './tiles-renderer.ts';

/** The array class of each component type. A function: some bundlers keep a constant that names globals. */
const arrays = () => ({
  INT8: Int8Array,
  UINT8: Uint8Array,
  INT16: Int16Array,
  UINT16: Uint16Array,
  INT32: Int32Array,
  UINT32: Uint32Array,
  INT64: BigInt64Array,
  UINT64: BigUint64Array,
  FLOAT32: Float32Array,
  FLOAT64: Float64Array,
});
type Arrays = ReturnType<typeof arrays>;
type Values = InstanceType<Arrays[keyof Arrays]>;

/** A column: numbers, or the bytes of texts or the numbers of lists and where each begins. */
interface Column {
  readonly type: PropertyJson;
  readonly values: Values;
  readonly offsets: Values | null;
  /** What numbers are multiplied by, and what is added to them. */
  readonly scale: number;
  readonly offset: number;
}

export class PropertyTable {
  /** By the name of the property. Empty until `load` has ended. */
  readonly columns = new Map<string, Column>();
  private readonly parser: GltfParser;
  private readonly index: number;

  constructor(parser: GltfParser, index: number) {
    this.parser = parser;
    this.index = index;
  }

  /**
   * Reads texts, numbers and lists of numbers. Other properties are left out, and those of a schema in another file. A
   * property whose bytes do not arrive is left out, too, with a warning.
   *
   * Ends within the same task if the buffer of the file is loaded, as in a GLB, unless workers of MeshoptDecoder decode
   * it.
   */
  async load(): Promise<void> {
    const { schema, propertyTables } = this.parser.json.extensions?.EXT_structural_metadata ?? {};
    const table = propertyTables?.[this.index];
    const types = schema?.classes?.[table?.class ?? '']?.properties ?? {};
    const columns = Object.entries(table?.properties ?? {}).map(async ([name, json]) => {
      const type = types[name];
      const kind = type && kindOf(type);
      if (kind === undefined) return;
      const { values, stringOffsets, stringOffsetType, arrayOffsets, arrayOffsetType } = json;
      const { scale = 1, offset = 0 } = { ...type, ...json };
      const [at, of] = type!.array ? [arrayOffsets, arrayOffsetType] : [stringOffsets, stringOffsetType];
      try {
        const offsets = at === undefined ? null : await this.read(at, of ?? 'UINT32');
        if ((offsets === null) === (type!.type === 'STRING' || type!.array === true)) return;
        this.columns.set(name, { type: type!, values: await this.read(values, kind), offsets, scale, offset });
      } catch (error) {
        const what = `OctreeTiles: the property "${name}" of a tile cannot be read (${String(error)})`;
        warnOnce(this, name, `${what}; check the buffer of its table. It counts as missing.`);
      }
    });
    await Promise.all(columns);
  }

  /** The value of a property, by its name or by its semantic, in a row. Null if there is none. */
  get(property: string, row: number): string | number | null {
    const column = this.columns.get(property) ?? this.columnOf(property.toUpperCase());
    if (column === undefined) return null;
    const { type, values, offsets } = column;
    if (type.array) return null;
    if (offsets === null) return row < values.length ? numberOf(column, Number(values[row])) : null;
    if (!(row + 1 < offsets.length)) return null;
    const bytes = (values as Uint8Array).subarray(Number(offsets[row]), Number(offsets[row + 1]));
    const text = new TextDecoder().decode(bytes);
    return text === type.noData ? (type.default ?? null) : text;
  }

  private columnOf(semantic: string): Column | undefined {
    for (const column of this.columns.values()) if (column.type.semantic === semantic) return column;
    return undefined;
  }

  private async read(bufferView: number, kind: string): Promise<Values> {
    const bytes = await this.parser.getDependency('bufferView', bufferView);
    const Kind = arrays()[kind as keyof Arrays];
    // Buffer views may be padded.
    return new Kind(bytes, 0, Math.floor(bytes.byteLength / Kind.BYTES_PER_ELEMENT));
  }
}

/** What a number in a column stands for, by its schema. */
function numberOf({ type, values, scale, offset }: Column, stored: number): string | number | null {
  const { componentType = '', noData, normalized = false } = type;
  // A Float32 is compared with the number of the schema as a Float32; Math.fround makes NaN of what is no number.
  if (stored === (values instanceof Float32Array ? Math.fround(Number(noData)) : noData)) return type.default ?? null;
  // From 0 to 1, or from -1 to 1 if it is signed.
  const max = Number(1n << BigInt(8 * values.BYTES_PER_ELEMENT)) / (componentType.startsWith('INT') ? 2 : 1) - 1;
  return (normalized ? Math.max(stored / max, -1) : stored) * scale + offset;
}

/** The component type of the numbers of a column; undefined for what is not read. */
function kindOf({ type, componentType = '', array = false }: PropertyJson): string | undefined {
  if (type === 'STRING') return array ? undefined : 'UINT8';
  return type === 'SCALAR' && componentType in arrays() ? componentType : undefined;
}
