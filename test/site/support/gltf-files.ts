// Makes glTF files by hand for the tests of the page that loads them: plain, with Draco, with meshopt, with a KTX2
// texture, with a skin and an animation.

import { BoxGeometry } from 'three';

/** As Playwright takes a chosen file. */
export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

interface BufferView {
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly [option: string]: unknown;
}

const FLOAT = 5126;
const UINT16 = 5123;

const cube = new BoxGeometry();
export const CUBE_POSITIONS = new Float32Array(cube.getAttribute('position').array);
export const CUBE_INDICES = new Uint16Array(cube.getIndex()!.array);
const CUBE_BOUNDS = { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };

export const fileOf = (name: string, content: string | Uint8Array): TestFile => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content as Uint8Array),
});

/** The binary part of a glTF: sections that begin at a multiple of four. */
export class Sections {
  readonly views: BufferView[] = [];
  private readonly parts: Buffer[] = [];
  private length = 0;

  /** Returns the index of its buffer view. */
  add(content: ArrayBufferView, options: object = {}): number {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    this.views.push({ buffer: 0, byteOffset: this.length, byteLength: bytes.length, ...options });
    this.parts.push(bytes, Buffer.alloc(-bytes.length & 3));
    this.length += bytes.length + (-bytes.length & 3);
    return this.views.length - 1;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }
}

/** A glTF of cubes that share one mesh, in a square grid at distance two; the nodes are in groups of ten. */
export function cubeGrid(count: number, sections: Sections): Record<string, unknown> {
  const positions = sections.add(CUBE_POSITIONS);
  const indices = sections.add(CUBE_INDICES);
  const across = Math.ceil(Math.sqrt(count));
  const cubes = Array.from({ length: count }, (_, k) => ({
    name: `cube ${k}`,
    mesh: 0,
    translation: [(k % across) * 2, 0, Math.floor(k / across) * 2],
  }));
  const groups = Array.from({ length: Math.ceil(count / 10) }, (_, k) => ({
    name: `group ${k}`,
    children: cubes.map((_, at) => at).slice(k * 10, k * 10 + 10),
  }));
  return {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: groups.map((_, k) => count + k) }],
    nodes: [...cubes, ...groups],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.9, 0.5, 0.2, 1], metallicFactor: 0 } }],
    accessors: [
      { bufferView: positions, componentType: FLOAT, count: CUBE_POSITIONS.length / 3, type: 'VEC3', ...CUBE_BOUNDS },
      { bufferView: indices, componentType: UINT16, count: CUBE_INDICES.length, type: 'SCALAR' },
    ],
  };
}

function chunk(kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(content.length, 0);
  head.writeUInt32LE(kind, 4);
  return Buffer.concat([head, content]);
}

/** A binary glTF of a JSON part and sections. */
export function glbOf(json: object, sections: Sections): Buffer {
  const body = sections.bytes;
  const full = { ...json, bufferViews: sections.views, buffers: body.length > 0 ? [{ byteLength: body.length }] : [] };
  const text = Buffer.from(JSON.stringify(full));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, ' ')]);
  const chunks = [chunk(0x4e4f534a, padded), ...(body.length > 0 ? [chunk(0x004e4942, body)] : [])];
  const header = Buffer.alloc(12);
  header.write('glTF');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + chunks.reduce((sum, { length }) => sum + length, 0), 8);
  return Buffer.concat([header, ...chunks]);
}

export function cubesGlb(count: number): Buffer {
  const sections = new Sections();
  const json = cubeGrid(count, sections);
  return glbOf(json, sections);
}

/** The grid, of which the last cubes are transparent. */
export function cubesAndGlassGlb(opaque: number, transparent: number): Buffer {
  const sections = new Sections();
  const json = cubeGrid(opaque + transparent, sections) as Record<'nodes' | 'meshes' | 'materials', object[]>;
  for (const node of json.nodes.slice(opaque, opaque + transparent)) Object.assign(node, { mesh: 1 });
  json.meshes.push({ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 1 }] });
  json.materials.push({ alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: [0.5, 0.8, 1, 0.4] } });
  return glbOf(json, sections);
}

/**
 * The same grid with its cube in Draco: a sequential mesh without prediction, the simplest stream of its bitstream
 * specification.
 */
export function dracoGlb(count: number): Buffer {
  const sections = new Sections();
  const json = cubeGrid(count, new Sections()) as {
    meshes: { primitives: object[] }[];
    accessors: Record<string, unknown>[];
  };
  const view = sections.add(dracoOf(CUBE_POSITIONS, CUBE_INDICES));
  for (const accessor of json.accessors) delete accessor.bufferView;
  Object.assign(json.meshes[0].primitives[0], {
    extensions: { KHR_draco_mesh_compression: { bufferView: view, attributes: { POSITION: 0 } } },
  });
  return glbOf(
    { ...json, extensionsUsed: ['KHR_draco_mesh_compression'], extensionsRequired: ['KHR_draco_mesh_compression'] },
    sections,
  );
}

/** Positions and triangles as a Draco stream of version 2.2. */
function dracoOf(positions: Float32Array, indices: Uint16Array): Uint8Array {
  const [SEQUENTIAL_MESH, PLAIN_INDICES, POSITION, FLOAT32, PLAIN_VALUES] = [0, 1, 0, 9, 0];
  const points = positions.length / 3;
  return Buffer.concat([
    Buffer.from('DRACO'),
    Buffer.from([2, 2, 1, SEQUENTIAL_MESH, 0, 0]),
    // Faces and points; both are less than 128, so one byte each.
    Buffer.from([indices.length / 3, points, PLAIN_INDICES, ...indices]),
    // One decoder of attributes, with one attribute: kind, type of its numbers, their count, not normalized, id.
    Buffer.from([1, 1, POSITION, FLOAT32, 3, 0, 0, PLAIN_VALUES]),
    Buffer.from(positions.buffer, positions.byteOffset, positions.byteLength),
  ]);
}

/** The same grid with the vertices of its cube in meshopt. */
export function meshoptGlb(count: number): Buffer {
  const sections = new Sections();
  const json = cubeGrid(count, new Sections()) as { accessors: Record<string, unknown>[] };
  const vertices = CUBE_POSITIONS.length / 3;
  const data = sections.add(meshoptOf(CUBE_POSITIONS));
  const { byteOffset, byteLength } = sections.views[data];
  const stride = 12;
  // Buffer 1 stands for uncompressed data, which is not in the file.
  sections.views[data] = {
    buffer: 1,
    byteOffset: 0,
    byteLength: vertices * stride,
    byteStride: stride,
    extensions: {
      EXT_meshopt_compression: {
        buffer: 0,
        byteOffset,
        byteLength,
        byteStride: stride,
        count: vertices,
        mode: 'ATTRIBUTES',
      },
    },
  };
  json.accessors[0].bufferView = data;
  json.accessors[1].bufferView = sections.add(CUBE_INDICES);
  return glbOf(
    { ...json, extensionsUsed: ['EXT_meshopt_compression'], extensionsRequired: ['EXT_meshopt_compression'] },
    sections,
  );
}

/**
 * Vertices as a meshopt stream of version 0, in one block: the differences of each byte from vertex to vertex, stored
 * without packing.
 */
function meshoptOf(positions: Float32Array): Uint8Array {
  const stride = 12;
  const GROUP = 16;
  const bytes = Buffer.from(positions.buffer, positions.byteOffset, positions.byteLength);
  const count = bytes.length / stride;
  const groups = Math.ceil(count / GROUP);
  const output = [0xa0];
  for (let k = 0; k < stride; k++) {
    // Two bits for each group; 3 means sixteen plain bytes.
    for (let first = 0; first < groups; first += 4) output.push(0b11111111 >> (2 * Math.max(0, first + 4 - groups)));
    for (let vertex = 0; vertex < groups * GROUP; vertex++) {
      const at = vertex * stride + k;
      const before = vertex === 0 ? at : at - stride;
      const step = vertex < count ? (bytes[at] - bytes[before]) & 255 : 0;
      // Zigzag: 0, -1, 1, -2, ...
      output.push((step & 128 ? ~(step << 1) : step << 1) & 255);
    }
  }
  // The tail: padding to 32 bytes, then the first vertex.
  return Uint8Array.from([...output, ...new Uint8Array(32 - stride), ...bytes.subarray(0, stride)]);
}

/** The same grid with a texture in KTX2, without lights. */
export function ktx2Glb(count: number, texture: Uint8Array): Buffer {
  const sections = new Sections();
  const extensions = ['KHR_texture_basisu', 'KHR_materials_unlit'];
  return glbOf(
    {
      ...cubeGrid(count, sections),
      materials: [
        { pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extensions: { KHR_materials_unlit: {} } },
      ],
      textures: [{ extensions: { KHR_texture_basisu: { source: 0 } } }],
      images: [{ name: 'wood', mimeType: 'image/ktx2', bufferView: sections.add(texture) }],
      extensionsUsed: extensions,
      extensionsRequired: extensions,
    },
    sections,
  );
}

/** A KTX2 file of one block of 4 x 4 pixels of one colour, in the Basis Universal format UASTC. */
export function ktx2Of(red: number, green: number, blue: number): Buffer {
  const UASTC = 166;
  const [BT709, SRGB, LAST_BIT] = [1, 2, 127];
  const [HEADER, DESCRIPTION, BLOCK] = [104, 44, 16];
  const file = Buffer.alloc(HEADER + DESCRIPTION + 12 + BLOCK);
  file.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
  // No vkFormat, one byte per number, 4 x 4 pixels, no depth, no layers, one face, one level, no supercompression; then
  // the place of the description.
  [0, 1, 4, 4, 0, 0, 1, 1, 0, HEADER, DESCRIPTION].forEach((value, at) => file.writeUInt32LE(value, 12 + at * 4));
  // The level: place, length, length without supercompression; each has 8 bytes.
  [file.length - BLOCK, BLOCK, BLOCK].forEach((value, at) => file.writeUInt32LE(value, 80 + at * 8));
  file.writeUInt32LE(DESCRIPTION, HEADER);
  // Version and length, the colours, the last pixel of a block, the bytes of a block, the last bit and the greatest
  // value of its one sample.
  file.set([2, 0, DESCRIPTION - 4, 0, UASTC, BT709, SRGB, 0, 3, 3, 0, 0, BLOCK], HEADER + 8);
  file.set([LAST_BIT], HEADER + 30);
  file.fill(255, HEADER + 40, HEADER + 44);
  file.set(solidBlock(red, green, blue), file.length - BLOCK);
  return file;
}

/**
 * A UASTC block of mode 8: its code in 5 bits, the colour and alpha in 8 bits each; what follows is only for the
 * transcoding to ETC1.
 */
function solidBlock(red: number, green: number, blue: number): Buffer {
  const block = Buffer.alloc(16);
  block.writeBigUInt64LE(
    ([blue + 255 * 256, green, red].reduce((bits, value) => (bits << 8n) | BigInt(value), 0n) << 5n) | 0b10111n,
  );
  return block;
}

/**
 * A bar of two bones that bends in an animation of one second; its joints have no names. Beside it stands a cube that
 * grows by a morph target.
 */
export function animatedGlb(): Buffer {
  const sections = new Sections();
  const vertices = CUBE_POSITIONS.length / 3;
  const joints = Uint8Array.from({ length: vertices * 4 }, (_, at) =>
    at % 4 === 0 && CUBE_POSITIONS[(at / 4) * 3 + 1] > 0 ? 1 : 0,
  );
  const weights = Float32Array.from({ length: vertices * 4 }, (_, at) => (at % 4 === 0 ? 1 : 0));
  const inverse = Float32Array.from([...identity(0), ...identity(-0.5)]);
  const half = Math.sqrt(0.5);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 1, 3] }],
    nodes: [
      { name: 'bar', mesh: 0, skin: 0 },
      { children: [2] },
      { translation: [0, 0.5, 0] },
      { name: 'growing', mesh: 1, translation: [4, 0, 0] },
    ],
    skins: [{ joints: [1, 2], inverseBindMatrices: 4 }],
    meshes: [
      { primitives: [{ attributes: { POSITION: 0, JOINTS_0: 2, WEIGHTS_0: 3 }, indices: 1 }] },
      { primitives: [{ attributes: { POSITION: 0 }, indices: 1, targets: [{ POSITION: 7 }] }], weights: [0] },
    ],
    animations: [
      {
        channels: [
          { sampler: 0, target: { node: 2, path: 'rotation' } },
          { sampler: 1, target: { node: 3, path: 'weights' } },
        ],
        samplers: [
          { input: 5, output: 6 },
          { input: 5, output: 8 },
        ],
      },
    ],
    accessors: [
      { bufferView: sections.add(CUBE_POSITIONS), componentType: FLOAT, count: vertices, type: 'VEC3', ...CUBE_BOUNDS },
      { bufferView: sections.add(CUBE_INDICES), componentType: UINT16, count: CUBE_INDICES.length, type: 'SCALAR' },
      { bufferView: sections.add(joints), componentType: 5121, count: vertices, type: 'VEC4' },
      { bufferView: sections.add(weights), componentType: FLOAT, count: vertices, type: 'VEC4' },
      { bufferView: sections.add(inverse), componentType: FLOAT, count: 2, type: 'MAT4' },
      {
        bufferView: sections.add(Float32Array.of(0, 1)),
        componentType: FLOAT,
        count: 2,
        type: 'SCALAR',
        min: [0],
        max: [1],
      },
      {
        bufferView: sections.add(Float32Array.of(0, 0, 0, 1, 0, 0, half, half)),
        componentType: FLOAT,
        count: 2,
        type: 'VEC4',
      },
      { bufferView: sections.add(CUBE_POSITIONS), componentType: FLOAT, count: vertices, type: 'VEC3', ...CUBE_BOUNDS },
      { bufferView: sections.add(Float32Array.of(0, 1)), componentType: FLOAT, count: 2, type: 'SCALAR' },
    ],
  };
  return glbOf(json, sections);
}

const identity = (y: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1];
