// What `PropertyTable` makes of tables of other writers.

import { expect, it, vi } from 'vitest';
import { PropertyTable } from '../../src/tiles-renderer/property-table.ts';
import type { ColumnJson, GltfParser, PropertyJson } from '../../src/tiles-renderer/tiles-renderer.ts';

/** A table with one column of each schema, in the buffer views of the same numbers. */
async function tableOf(
  views: readonly (ArrayBuffer | Error)[],
  properties: Record<string, readonly [PropertyJson, ColumnJson]>,
): Promise<PropertyTable> {
  const [schemas, columns] = [0, 1].map((k) =>
    Object.fromEntries(Object.entries(properties).map(([name, pair]) => [name, pair[k]])),
  );
  const json = {
    extensions: {
      EXT_structural_metadata: {
        schema: { classes: { house: { properties: schemas } } },
        propertyTables: [{ class: 'house', count: 3, properties: columns }],
      },
    },
  };
  const getDependency = async (_: 'bufferView', index: number): Promise<ArrayBuffer> => {
    const view = views[index];
    if (view instanceof Error) throw view;
    return view;
  };
  const table = new PropertyTable({ json, associations: new Map(), getDependency } as unknown as GltfParser, 0);
  await table.load();
  return table;
}

function scalar(componentType: string, more: Partial<PropertyJson>): PropertyJson {
  return { type: 'SCALAR', componentType, ...more };
}

const rowsOf = (table: PropertyTable, name: string): unknown[] => [0, 1, 2].map((row) => table.get(name, row));

it('numbers are normalized, scaled and replaced by defaults as the schema says', async () => {
  const bytes = Uint8Array.of(0, 51, 255).buffer;
  const signed = Int16Array.of(-32768, 0, 32767).buffer;
  const table = await tableOf([bytes, signed], {
    plain: [scalar('UINT8', {}), { values: 0 }],
    share: [scalar('UINT8', { normalized: true }), { values: 0 }],
    tilt: [scalar('INT16', { normalized: true }), { values: 1 }],
    height: [scalar('UINT8', { normalized: true, scale: 10, offset: 1 }), { values: 0 }],
    own: [scalar('UINT8', { scale: 10, offset: 1 }), { values: 0, scale: 2, offset: 0 }],
    missing: [scalar('UINT8', { noData: 255 }), { values: 0 }],
    floors: [scalar('UINT8', { noData: 0, default: 3, scale: 2 }), { values: 0 }],
  });
  expect(rowsOf(table, 'plain')).toEqual([0, 51, 255]);
  expect(rowsOf(table, 'share')).toEqual([0, 0.2, 1]);
  expect(rowsOf(table, 'tilt')).toEqual([-1, 0, 1]);
  expect(rowsOf(table, 'height')).toEqual([1, 3, 11]);
  expect(rowsOf(table, 'own')).toEqual([0, 102, 510]);
  expect(rowsOf(table, 'missing')).toEqual([0, 51, null]);
  expect(rowsOf(table, 'floors')).toEqual([3, 102, 510]);
});

it('numbers of 32 bits are missing if they are noData as such', async () => {
  const missing = [-9999.9, 3.40282347e38, -3.4028235e38];
  const table = await tableOf([Float32Array.from(missing).buffer, Float64Array.from(missing).buffer], {
    narrow: [scalar('FLOAT32', { noData: -9999.9 }), { values: 0 }],
    most: [scalar('FLOAT32', { noData: 3.40282347e38 }), { values: 0 }],
    wide: [scalar('FLOAT64', { noData: -9999.9 }), { values: 1 }],
    none: [scalar('FLOAT32', {}), { values: 0 }],
  });
  expect(rowsOf(table, 'narrow').map((value) => value === null)).toEqual([true, false, false]);
  expect(rowsOf(table, 'most').map((value) => value === null)).toEqual([false, true, false]);
  expect(rowsOf(table, 'wide').map((value) => value === null)).toEqual([true, false, false]);
  expect(rowsOf(table, 'none')).toEqual(missing.map(Math.fround));
});

it('texts have defaults', async () => {
  const text = new TextEncoder().encode('-oak-').buffer;
  const table = await tableOf([text, Uint32Array.of(0, 1, 4, 5).buffer], {
    kind: [
      { type: 'STRING', noData: '-', default: 'tree' },
      { values: 0, stringOffsets: 1 },
    ],
    none: [
      { type: 'STRING', noData: '-' },
      { values: 0, stringOffsets: 1 },
    ],
  });
  expect(rowsOf(table, 'kind')).toEqual(['tree', 'oak', 'tree']);
  expect(rowsOf(table, 'none')).toEqual([null, 'oak', null]);
});

it('a column whose bytes do not arrive is left out, with a warning, and the others are read', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  try {
    const table = await tableOf([new Error('offline'), Uint8Array.of(1, 2, 3).buffer], {
      lost: [{ type: 'SCALAR', componentType: 'UINT8' }, { values: 0 }],
      there: [{ type: 'SCALAR', componentType: 'UINT8' }, { values: 1 }],
    });
    expect([rowsOf(table, 'lost'), rowsOf(table, 'there')]).toEqual([
      [null, null, null],
      [1, 2, 3],
    ]);
    expect(warn.mock.calls).toEqual([
      [
        'OctreeTiles: the property "lost" of a tile cannot be read (Error: offline); check the buffer of its table. It counts as missing.',
      ],
    ]);
  } finally {
    warn.mockRestore();
  }
});

it('rows beyond the table, lists, and columns of other types or without offsets have no value', async () => {
  const bytes = Uint8Array.of(1, 2, 3).buffer;
  const text = new TextEncoder().encode('-oak-').buffer;
  const offsets = Uint32Array.of(0, 1, 4, 5).buffer;
  const list = { type: 'SCALAR', componentType: 'UINT8', array: true };
  const table = await tableOf([bytes, text, offsets], {
    number: [scalar('UINT8', {}), { values: 0 }],
    text: [{ type: 'STRING' }, { values: 1, stringOffsets: 2 }],
    list: [list, { values: 0, arrayOffsets: 2 }],
    listWithout: [list, { values: 0 }],
    listOfOthers: [list, { values: 0, stringOffsets: 2 }],
    textWithout: [{ type: 'STRING' }, { values: 1 }],
    texts: [
      { type: 'STRING', array: true },
      { values: 1, arrayOffsets: 2 },
    ],
    numberWith: [scalar('UINT8', {}), { values: 0, stringOffsets: 2 }],
    vector: [{ type: 'VEC3', componentType: 'UINT8' }, { values: 0 }],
    flag: [{ type: 'BOOLEAN' }, { values: 0 }],
    unknown: [scalar('FLOAT16', {}), { values: 0 }],
    none: [{ type: 'SCALAR' }, { values: 0 }],
  });
  expect([...table.columns.keys()].sort()).toEqual(['list', 'number', 'text']);
  expect([0, 1, 2, 3, 4].map((row) => table.get('number', row))).toEqual([1, 2, 3, null, null]);
  expect([0, 1, 2, 3, 4].map((row) => table.get('text', row))).toEqual(['-', 'oak', '-', null, null]);
  expect(rowsOf(table, 'list')).toEqual([null, null, null]);
});

it.each<[string, object]>([
  ['extensions', {}],
  ['metadata', { extensions: {} }],
  ['tables', { extensions: { EXT_structural_metadata: { schema: { classes: {} } } } }],
  ['this table', { extensions: { EXT_structural_metadata: { schema: {}, propertyTables: [] } } }],
  [
    'a schema',
    { extensions: { EXT_structural_metadata: { propertyTables: [{ class: 'a', properties: { a: {} } }] } } },
  ],
  [
    'classes',
    {
      extensions: { EXT_structural_metadata: { schema: {}, propertyTables: [{ class: 'a', properties: { a: {} } }] } },
    },
  ],
  [
    'its class',
    { extensions: { EXT_structural_metadata: { schema: { classes: {} }, propertyTables: [{ class: 'a' }] } } },
  ],
  [
    'properties',
    {
      extensions: {
        EXT_structural_metadata: {
          schema: { classes: { a: {} } },
          propertyTables: [{ class: 'a', properties: { a: {} } }],
        },
      },
    },
  ],
])('a file without %s has a table without values', async (_, json) => {
  const table = new PropertyTable({ json, associations: new Map() } as unknown as GltfParser, 0);
  await table.load();
  expect([table.columns.size, table.get('a', 0)]).toEqual([0, null]);
});
