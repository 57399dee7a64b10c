import { existsSync, readFileSync } from 'node:fs';
import { BoxGeometry, Mesh } from 'three';
import { describe, expect, it } from 'vitest';
import { IndexList, nearest, Octree, type BulkOptions, type Region } from '../../src/core.ts';
import {
  decodeBodies,
  encodeBodies,
  readBodies,
  readBoxes,
  readMasks,
  SavedBodiesError,
  type BodyGroup,
  type DataCodec,
} from '../../src/save/index.ts';
import { OctreeGroup } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { errorOf, GAP } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, point, rayOf, shapeOf } from '../support/shapes.ts';

/** An octree of boxes and spheres, static and not, with masks and data; some were moved, some removed. */
function anyOctree(count: number, seed: number, round = (x: number): number => x): Octree<string> {
  const random = createRandom(seed);
  const octree = new Octree<string>();
  const bodies = uniform(count + 20, seed).map((shape, k) =>
    octree.insert(shapeOf(shape.map(round)), `body ${k}`, {
      isStatic: random.next() < 0.5,
      mask: 1 << random.below(3),
    }),
  );
  for (const body of bodies.slice(0, 20)) body.remove();
  octree.update();
  for (const body of bodies.slice(20, 30)) body.setCenter(point([random.next(), 1 / 3, 2].map(round)));
  return octree;
}

function fill<T>(groups: readonly BodyGroup<T>[]): Octree<T> {
  const octree = new Octree<T>();
  for (const { bounds, options } of groups) octree.insertMany(bounds, options);
  return octree;
}

/** What random queries find, by data if there are any, else by index: with every number of the records. */
function resultsOf(octree: Octree, { min, edge }: Region, seed: number, count: number): string[] {
  const random = createRandom(seed);
  const spot = (): number[] => [min.x, min.y, min.z].map((from) => random.between(from, from + edge));
  const nameOf = (index: number): string => JSON.stringify(octree.dataAt(index) ?? index);
  const list = new IndexList();
  return Array.from({ length: count }, () => {
    const [x, y, z] = spot();
    const half = random.between(0, edge / 20);
    octree.collectBox(boxOf([x - half, y - half, z - half, x + half, y + half, z + half]), list, { mask: 3 });
    const direction = [0, 1, 2].map(() => random.between(-1, 1));
    const hits = octree.intersectRay(rayOf([x, y, z], direction));
    const near = nearest(octree, point([x, y, z]), 5);
    return JSON.stringify([
      [...list].map(nameOf).sort(),
      [hits, near].map((records) =>
        records
          .map(({ body, distance, position, normal }) =>
            JSON.stringify([distance, body.data ?? body.index, position, normal]),
          )
          .sort(),
      ),
    ]);
  });
}

/** Bytes with a valid pair of checksums, computed as the comment of the layout says. */
function sealed(bytes: ArrayBuffer): ArrayBuffer {
  const words = new Uint32Array(bytes);
  let [first, second] = [0x811c9dc5, 0x01000193];
  words.forEach((word, k) => {
    if (k === 4 || k === 5) return;
    first = Math.imul(first ^ word, 0x01000193);
    second = Math.imul(second + word, 0x85ebca6b);
    second ^= second >>> 15;
  });
  words.set([first, second], 4);
  return bytes;
}

/** `bytes` with some words replaced, by place, and with valid checksums. */
function forged(bytes: ArrayBuffer, words: Readonly<Record<number, number>>): ArrayBuffer {
  const copy = bytes.slice(0);
  for (const [k, word] of Object.entries(words)) new Uint32Array(copy)[Number(k)] = word;
  return sealed(copy);
}

const codeOf = (bytes: ArrayBuffer | ArrayBufferView, codec?: DataCodec<unknown>): string => {
  const error = errorOf(() => decodeBodies(bytes, codec));
  return error instanceof SavedBodiesError ? error.code : `no SavedBodiesError, but ${String(error)}`;
};

const spheres = (bounds: Float64Array): BodyGroup<never> => ({ bounds, options: { kind: 'sphere' } });

/** An array whose memory was transferred. */
function moved(): Int32Array<ArrayBuffer> {
  const array = new Int32Array(8);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** A file of two bodies with this text as their data. */
const withData = (text: string): ArrayBuffer =>
  encodeBodies([{ bounds: new Float64Array(8), options: { kind: 'sphere', data: [0, 0] } }], {
    encode: () => new TextEncoder().encode(text),
    decode: () => [],
  });

describe('readBodies', () => {
  it('reads bounds, kinds, masks, static flags and data as last set, in groups that insertMany takes', () => {
    const octree = anyOctree(200, 1);
    const groups = readBodies(octree);
    expect(groups.map(({ options: { kind, isStatic } }) => `${kind} ${isStatic}`)).toEqual([
      'box false',
      'box true',
      'sphere false',
      'sphere true',
    ]);
    expect(groups.reduce((sum, { indices }) => sum + indices.length, 0)).toBe(octree.size);
    const copy = new Octree<string>();
    for (const { bounds, indices, options } of groups) {
      const added = copy.insertMany(bounds, options);
      for (const [k, index] of indices.entries()) {
        const [body, again] = [octree.bodyAt(index), copy.bodyAt(added[k])];
        expect([again.kind, again.isStatic, again.mask, again.data, again.getBox()]).toEqual([
          body.kind,
          body.isStatic,
          body.mask,
          body.data,
          body.getBox(),
        ]);
      }
      expect([...indices].sort((a, b) => a - b)).toEqual([...indices]);
    }
  });

  it('reads some bodies, in the order of their indices, and what a callback keeps of their data', () => {
    const octree = anyOctree(50, 2);
    const indices = [...octree]
      .filter(({ kind }) => kind === 'box')
      .map(({ index }) => index)
      .sort((a, b) => b - a);
    const groups = readBodies(octree, { indices, data: (data, index) => `${index}: ${data}` });
    const read = groups.flatMap((group) => [...group.indices]);
    expect(read.sort((a, b) => b - a)).toEqual(indices);
    for (const { indices: own, options } of groups) {
      expect([...own]).toEqual([...own].sort((a, b) => b - a));
      expect([...own].map((index) => `${index}: ${octree.dataAt(index)}`)).toEqual(options.data);
    }
  });

  it('gives one mask where all are equal, and no data where none has any', () => {
    const octree = new Octree();
    octree.insertMany(new Float64Array(12), { kind: 'box', mask: 5 });
    expect(readBodies(octree)[0].options).toEqual({ kind: 'box', isStatic: false, mask: 5 });
    expect(readBodies(new Octree())).toEqual([]);
    const some = new Octree<number | undefined>();
    some.insertMany(new Float64Array(12), { kind: 'box', data: [undefined, 3] });
    expect(readBodies(some)[0].options.data).toEqual([undefined, 3]);
  });

  it('sees writes that wait, also within a callback', () => {
    const octree = anyOctree(30, 3);
    const body = [...octree].find(({ kind }) => kind === 'box')!;
    const { index } = body;
    let read: number[] = [];
    octree.visitNodes(() => {
      body.setBox(boxOf([7, 7, 7, 8, 8, 8])).setMask(64);
      read = [...readBodies(octree, { indices: [index] })[0].bounds, ...readMasks(octree, [index])];
      expect([...readBoxes(octree, [index])]).toEqual([7, 7, 7, 8, 8, 8]);
    });
    expect(read).toEqual([7, 7, 7, 8, 8, 8, 64]);
  });
});

describe('readBoxes and readMasks', () => {
  it('read what getBoxAt and the mask of a body say, into a target if there is one', () => {
    const octree = anyOctree(60, 4);
    const indices = [...octree].map(({ index }) => index).sort((a, b) => b - a);
    const boxes = new Float64Array(6 * indices.length + 1);
    const masks = new Int32Array(indices.length);
    expect(readBoxes(octree, indices, boxes)).toBe(boxes);
    expect(readMasks(octree, new Uint32Array(indices), masks)).toBe(masks);
    for (const [k, index] of indices.entries()) {
      expect(boxOf([...boxes.subarray(6 * k, 6 * k + 6)])).toEqual(octree.getBoxAt(index));
      expect(masks[k]).toBe(octree.bodyAt(index).mask);
    }
    expect(readBoxes(octree, indices)).toEqual(boxes.subarray(0, -1));
    expect(readMasks(octree, indices)).toEqual(masks);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['an index of a removed body', () => readBoxes(anyOctree(3, 1), [0]), /readBoxes: indices\[0\] must be the index/],
    ['an index that is no number', () => readMasks(anyOctree(3, 1), ['5'] as never), /readMasks: indices\[0\]/],
    ['no octree', () => readBoxes({} as never, []), /readBoxes: octree must be an Octree/],
    ['no octree, for bodies', () => readBodies({} as never), /readBodies: octree must be an Octree/],
    ['a target without memory', () => readMasks(anyOctree(3, 1), [], moved()), /readMasks: target must have m/],
    ['bytes without memory', () => decodeBodies(moved()), /decodeBodies: bytes must have memory/],
    ['a short target', () => readBoxes(anyOctree(3, 1), [20], new Float64Array(5)), /must have room for 6 numbers/],
    ['a target of another class', () => readMasks(anyOctree(3, 1), [20], [] as never), /target must be a Int32Array/],
    ['an unknown option', () => readBodies(anyOctree(3, 1), { index: 1 } as never), /unknown option index/],
    ['data that is no function', () => readBodies(anyOctree(3, 1), { data: 1 as never }), /options.data must be a fun/],
    ['groups that are none', () => encodeBodies({} as never), /groups must be an array/],
    ['a group that is none', () => encodeBodies([null] as never), /group 0: it must have bounds and options/],
    [
      'bounds that are none',
      () => encodeBodies([{ bounds: [1], options: { kind: 'box' } }] as never),
      /group 0: bounds/,
    ],
    [
      'whole meshes as data',
      () => encodeBodies(readBodies(new OctreeGroup().add(new Mesh(new BoxGeometry())).octree)),
      /data must be JSON, but is a Mesh; keep a key: readBodies\(octree, \{ data: keyOf \}\)\.$/,
    ],
    ['NaN', () => encodeBodies([{ bounds: new Float32Array(4).fill(NaN), options: { kind: 'sphere' } }]), /NaN/],
    ['a codec that is none', () => encodeBodies([], {} as never), /codec must have encode and decode/],
    ['half a codec', () => encodeBodies([], { encode: () => new Uint8Array() } as never), /codec must have encode and/],
    ['the other half', () => encodeBodies([], { decode: () => [] } as never), /codec must have encode and decode/],
    ['a codec that is none, to read', () => decodeBodies(encodeBodies([]), 1 as never), /codec must have encode/],
    ['bytes that are none', () => decodeBodies('OCTB' as never), /bytes must be an ArrayBuffer or a view/],
    [
      'a codec that returns text',
      () =>
        encodeBodies([{ bounds: new Float32Array(4), options: { kind: 'sphere', data: [1] } }], {
          encode: () => 'text' as never,
          decode: () => [],
        }),
      /codec.encode must return a Uint8Array/,
    ],
  ])('refuse %s', (_, call, sentence) => {
    const error = errorOf(call);
    expect(String(error)).toMatch(sentence);
    expect(String(error)).not.toMatch(GAP);
    expect(error).not.toBeInstanceOf(SavedBodiesError);
  });
});

/** Two spheres with a mask each, or one mask. */
const masked = (mask: number | Int32Array): BodyGroup<unknown> => ({
  bounds: new Float64Array(8),
  options: { kind: 'sphere', mask },
});

describe('encodeBodies and decodeBodies', () => {
  it('give the same query results, to the last bit', () => {
    for (let seed = 0; seed < 5; seed++) {
      const octree = anyOctree(500, seed);
      const copy = fill(decodeBodies<string>(encodeBodies(readBodies(octree))));
      octree.update();
      const { region } = octree;
      expect(resultsOf(copy, region!, seed, 30)).toEqual(resultsOf(octree, region!, seed, 30));
    }
  });

  it('give the same bytes for the same bodies: those of this layout', () => {
    const octree = anyOctree(100, 7);
    const bytes = encodeBodies(readBodies(octree));
    expect(new Uint8Array(encodeBodies(decodeBodies(bytes)))).toEqual(new Uint8Array(bytes));
    const numbers = [0, 1, 0.5, 2, 4, -0, 0.25, 0];
    const options: BulkOptions<string> = { kind: 'sphere', data: ['a', 'ä'], mask: [1, 2] };
    const [narrow, wide] = [new Float32Array(numbers), new Float64Array(numbers)].map((bounds) =>
      encodeBodies([{ bounds, options }]),
    );
    expect(new Uint8Array(wide)).toEqual(new Uint8Array(narrow));
    expect(Buffer.from(narrow).toString('hex')).toBe(
      '4f435442010000000c00000001000000a36c2abd4c052235020000001d000000000000000a000000' +
        '000000000000803f0000003f0000004000008040000000800000803e00000000' +
        '0100000002000000' +
        '5b2261222c22c3a4225d000000000000',
    );
    expect(new Uint8Array(sealed(narrow.slice(0)))).toEqual(new Uint8Array(narrow));
  });

  it('write bounds with 32 bits where they are exact, -0 included, else with 64', () => {
    const [exact] = decodeBodies(encodeBodies([spheres(new Float64Array([-0, 0.5, 3, 1]))]));
    expect(exact.bounds).toEqual(new Float32Array([-0, 0.5, 3, 1]));
    const [wide] = decodeBodies(encodeBodies([spheres(new Float64Array([0.1, 0.5, 3, 1]))]));
    expect(wide.bounds).toEqual(new Float64Array([0.1, 0.5, 3, 1]));
  });

  it('read a view at any place, such as a Node Buffer', () => {
    const bytes = encodeBodies(readBodies(anyOctree(20, 8)));
    for (const at of [0, 1, 4, 8]) {
      const pool = Buffer.alloc(bytes.byteLength + 30, 7);
      pool.set(new Uint8Array(bytes), at);
      expect(decodeBodies(pool.subarray(at, at + bytes.byteLength))).toEqual(decodeBodies(bytes));
    }
  });

  it('keep one mask of all bodies without an array of masks, and groups without bodies', () => {
    for (const mask of [-1, 0, 4, -(2 ** 31)]) {
      const bytes = encodeBodies([masked(mask)]);
      expect(decodeBodies(bytes)[0].options.mask).toBe(mask);
      expect(new Uint8Array(encodeBodies([masked(Int32Array.of(mask, mask))]))).toEqual(new Uint8Array(bytes));
    }
    expect(decodeBodies(encodeBodies([masked(Int32Array.of(1, 2))]))[0].options.mask).toEqual(Int32Array.of(1, 2));
    expect(decodeBodies(encodeBodies([]))).toEqual([]);
    const empty = { bounds: new Float64Array(), options: { kind: 'box', mask: [] } } as const;
    expect(decodeBodies(encodeBodies([empty]))[0].bounds).toHaveLength(0);
  });

  it('are read in place where the bytes begin at a multiple of eight', () => {
    const bytes = encodeBodies(readBodies(anyOctree(20, 8)));
    for (const at of [0, 8]) {
      const { buffer } = new Uint8Array(bytes.byteLength + at);
      new Uint8Array(buffer).set(new Uint8Array(bytes), at);
      for (const { bounds } of decodeBodies(new Uint8Array(buffer, at))) expect(bounds.buffer).toBe(buffer);
    }
    // Memory that another thread may write to is copied.
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
    shared.set(new Uint8Array(bytes));
    for (const { bounds } of decodeBodies(shared)) expect(bounds.buffer).toBeInstanceOf(ArrayBuffer);
  });

  it('say which group and what is wrong', () => {
    const sphere = { bounds: new Float64Array(4), options: { kind: 'sphere', data: [1] } } as const;
    const noBytes = { encode: () => [] as never, decode: () => [] };
    for (const [call, sentence] of [
      [() => encodeBodies(5 as never), 'encodeBodies: groups must be an array'],
      [() => encodeBodies([sphere, null as never]), 'encodeBodies: group 1: it must have bounds and options'],
      [() => encodeBodies([sphere], noBytes), 'encodeBodies: group 0: codec.encode must return a Uint8Array'],
      [() => encodeBodies([], {} as never), 'encodeBodies: codec must have encode and decode'],
      [() => decodeBodies([] as never), 'decodeBodies: bytes must be an ArrayBuffer or a view of one'],
    ] as const)
      expect(String(errorOf(call))).toContain(sentence);
  });

  it('hand data to a codec of the caller', () => {
    const codec: DataCodec<number> = {
      encode: (data) => new Uint8Array(data),
      decode: (bytes, count) => Array.from({ length: count }, (_, k) => bytes[k]),
    };
    const group = { bounds: new Float64Array(12), options: { kind: 'sphere', data: [3, 1, 2] } } as const;
    expect(decodeBodies(encodeBodies([group], codec), codec)[0].options.data).toEqual([3, 1, 2]);
    const none: DataCodec<never> = { encode: () => expect.unreachable(), decode: () => expect.unreachable() };
    expect(decodeBodies(encodeBodies([spheres(new Float64Array(4))], none), none)[0].options).not.toHaveProperty(
      'data',
    );
  });
});

describe('decodeBodies refuses', () => {
  const octree = anyOctree(200, 9, Math.round);
  const bytes = encodeBodies(readBodies(octree));
  const words = new Uint32Array(bytes);

  it('every changed bit of a file of 200 bodies', () => {
    const copy = new Uint8Array(bytes.slice(0));
    const codes: Record<string, number> = {};
    for (let bit = 0; bit < 8 * copy.length; bit++) {
      copy[bit >> 3] ^= 1 << (bit & 7);
      const code = codeOf(copy);
      codes[code] = (codes[code] ?? 0) + 1;
      copy[bit >> 3] ^= 1 << (bit & 7);
    }
    expect(codes).toEqual({ format: 32, version: 32, length: 32, checksum: 8 * copy.length - 96 });
  });

  it.each<[string, ArrayBufferView]>([
    ['these bytes are not what encodeBodies has written', words.subarray(2)],
    ['the bytes end within the header', words.subarray(0, 5)],
    ['the bytes have version 2, and this code reads version 1', new Uint8Array(forged(bytes, { 1: 2 }))],
    [
      `the bytes must be ${bytes.byteLength}, but are ${bytes.byteLength - 1}`,
      new Uint8Array(bytes, 0, bytes.byteLength - 1),
    ],
    ['the bytes are not those that were written', words.map((word, k) => word + Number(k === 20))],
    ['the lengths of the groups are not that of the bytes', new Uint8Array(forged(bytes, { 3: 0 }))],
    [
      'group 0 cannot be read (RangeError: group 0: box 0 (bounds[0] to bounds[5]).min.x must be finite',
      new Uint8Array(forged(bytes, { [6 + 4 * words[3]]: 0x7fc00000 })),
    ],
  ])('in a sentence: %s', (sentence, given) => {
    const { name, message } = errorOf(() => decodeBodies(given)) as SavedBodiesError;
    expect(name).toBe('SavedBodiesError');
    expect(message).toContain(`decodeBodies: ${sentence}`);
    expect(message).toMatch(/; build the bodies from their source again\.$/);
  });

  it('every truncation, and bytes too many', () => {
    for (let length = 0; length < bytes.byteLength; length++)
      expect(codeOf(new Uint8Array(bytes, 0, length))).toBe(length < 4 ? 'format' : 'length');
    for (const more of [1, 7, 8]) {
      const longer = new Uint8Array(bytes.byteLength + more);
      longer.set(new Uint8Array(bytes));
      expect(codeOf(longer)).toBe('length');
    }
  });

  it('bytes of anything else', () => {
    const random = createRandom(10);
    // Of the longest one no page is touched.
    for (const length of [0, 2 ** 31]) expect(codeOf(new ArrayBuffer(length))).toBe('format');
    for (let k = 0; k < 500; k++)
      expect(codeOf(Uint8Array.from({ length: random.below(100) }, () => random.below(256)))).toBe('format');
  });

  it('numbers that are no bodies, huge counts and unknown flags, with checksums that are right', () => {
    const first = 6 + 4 * words[3];
    for (const [place, word] of [
      [3, 0],
      [3, 5],
      [3, 2 ** 32 - 1],
      [6, 0],
      [6, words[6] + 1],
      [6, 2 ** 32 - 1],
      [7, words[7] | 32],
      [7, words[7] ^ 4],
      [7, words[7] ^ 1],
      [7, words[7] ^ 8],
      [9, 0],
      [9, 2 ** 32 - 1],
      [9, words[9] + 64],
    ])
      expect([place, word, codeOf(forged(bytes, { [place]: word }))]).toEqual([place, word, 'content']);
    // The first number of the first box: NaN, infinities, above its max.
    for (const word of [0x7fc00000, 0x7f800000, 0xff800000, 0x45000000])
      expect(codeOf(forged(bytes, { [first]: word }))).toBe('content');
    expect(codeOf(forged(bytes, { 1: 2 }))).toBe('version');
  });

  it('random words in place of its own, by one kind of error', () => {
    const random = createRandom(11);
    for (let k = 0; k < 500; k++) {
      const word = random.pick([0, 1, 2 ** 31, 2 ** 32 - 1, random.below(2 ** 16), random.below(2 ** 32)]);
      const error = errorOf(() => fill(decodeBodies(forged(bytes, { [random.below(words.length)]: word }))));
      if (error !== undefined) expect(error).toBeInstanceOf(SavedBodiesError);
    }
  });

  it('data that is not that of the bodies', () => {
    for (const text of ['', '{', 'null', '5', '"ab', '[1]', '[1,2,3]', '{"length":3}'])
      expect([text, codeOf(withData(text))]).toEqual([text, 'content']);
    expect(decodeBodies(withData('[1,2]'))[0].options.data).toEqual([1, 2]);
    const cause = new Error('of the codec');
    const codec: DataCodec<unknown> = {
      encode: () => new Uint8Array(),
      decode: () => {
        throw cause;
      },
    };
    expect(errorOf(() => decodeBodies(bytes, codec))).toMatchObject({ code: 'content', cause });
    // Not UTF-8.
    const text = new TextEncoder().encode('["a"');
    expect(decodeBodies(withData('["a","b"]'))[0].options.data).toEqual(['a', 'b']);
    text[2] = 0xff;
    const [word] = new Uint32Array(text.buffer);
    expect(codeOf(forged(withData('["a","b"]'), { 18: word }))).toBe('content');
  });
});

const DATA = '../shared/data/';
/** A set of real data: the numbers of its sections. */
function openSet(name: string): { kind: 'box' | 'sphere'; read: (section: string) => Float32Array } {
  const { kind, sections } = JSON.parse(readFileSync(`${DATA}${name}.json`, 'utf8')) as {
    kind: 'box' | 'sphere';
    sections: { name: string; byteOffset: number; byteLength: number }[];
  };
  const file = new Uint8Array(readFileSync(`${DATA}${name}.bin`));
  return {
    kind,
    read(wanted) {
      const { byteOffset, byteLength } = sections.find((section) => section.name === wanted)!;
      return new Float32Array(file.slice(byteOffset, byteOffset + byteLength).buffer);
    },
  };
}

/** The bounds of a set of real data, in the order of the file: its first bodies. */
function boundsOfSet(name: string, count: number): BodyGroup<never> {
  const { kind, read } = openSet(name);
  const stride = kind === 'box' ? 6 : 4;
  const numbers = read('bounds').subarray(0, stride * count);
  if (kind === 'sphere') return { bounds: numbers, options: { kind } };
  // Centre and half extents: min and max do not fit into 32 bits.
  const bounds = Float64Array.from(numbers, (_, k) => {
    const at = k - (k % 6) + (k % 3);
    return k % 6 < 3 ? numbers[at] - numbers[at + 3] : numbers[at] + numbers[at + 3];
  });
  return { bounds, options: { kind, isStatic: true } };
}

describe('real data', () => {
  it.runIf(existsSync(DATA)).each([
    ['tokyo-buildings', 100],
    ['stars-hyg', 100],
    ['rotterdam-meshes', 100],
    ['satellites-2026-05-04', 8192],
  ])(
    '%s: read, written, decoded and inserted, gives the same results up to %i units from the centre',
    (name, reach) => {
      const octree = fill([boundsOfSet(name, 30_000)]);
      octree.update();
      // Satellites move on before they are read.
      const frames = name.startsWith('satellites') ? openSet(name).read('frames') : new Float32Array(0);
      for (let frame = 1; frame < 4 && frames.length > 0; frame++) {
        const { size } = octree;
        octree.moveMany([...Array(size).keys()], frames.subarray(3 * frame * size, 3 * (frame + 1) * size));
        octree.update();
      }
      const copy = fill(decodeBodies(encodeBodies(readBodies(octree))));
      expect(copy.size).toBe(octree.size);
      copy.update();
      const region = { min: { x: -reach, y: -reach, z: -reach }, edge: 2 * reach };
      const results = resultsOf(octree, region, 12, 40);
      // In the box, or hit by the ray.
      expect(results.filter((result) => !result.startsWith('[[],[[],')).length).toBeGreaterThan(3);
      expect(resultsOf(copy, region, 12, 40)).toEqual(results);
    },
  );
});
