#!/usr/bin/env node
/**
 * The command `scene-octree-tiles`: writes the tiles of a GLB into a folder. Needs three, and meshoptimizer if the tiles
 * are to be small.
 */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { solidBoxes } from 'scene-octree/core';
import { objectsOf, writeTiles } from 'scene-octree/tiles';
import { Texture } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const HELP = `scene-octree-tiles city.glb out/ [options]
  --max-vertices n   most vertices of a tile (16384)
  --no-meshopt       without compression: larger, and pages need no decoder
  --solid-boxes      boxes for occlusion culling in the tables
  --help             this text
Ids are extras.id of the nodes, else running numbers. Choose an empty folder: files of earlier runs stay.`;
/** Constants of WebGL in a glTF, and those of three. */
const CONSTANTS = {
  10497: 1000,
  33071: 1001,
  33648: 1002,
  9728: 1003,
  9984: 1004,
  9986: 1005,
  9729: 1006,
  9985: 1007,
  9987: 1008,
};
const BAR = 40;
const DRACO = 'KHR_draco_mesh_compression';
const HEADER_BYTES = 12;

/** Textures without pixels, which Node cannot decode: `objectsOf` takes the images from the file. */
function texturesByReference(parser) {
  const sources = new Map();
  return {
    // In place of the first plugin that loads textures, so that the others do not decode theirs.
    name: 'KHR_texture_basisu',
    async loadTexture(index) {
      const { source, extensions, sampler } = parser.json.textures[index];
      const image = Object.values(extensions ?? {}).find((one) => one.source !== undefined)?.source ?? source;
      if (!sources.has(image)) sources.set(image, new Texture().source);
      const {
        wrapS = 10497,
        wrapT = 10497,
        magFilter = 9729,
        minFilter = 9987,
      } = parser.json.samplers?.[sampler] ?? {};
      const texture = Object.assign(new Texture(), { source: sources.get(image), flipY: false });
      texture.wrapS = CONSTANTS[wrapS];
      texture.wrapT = CONSTANTS[wrapT];
      texture.magFilter = CONSTANTS[magFilter];
      texture.minFilter = CONSTANTS[minFilter];
      parser.associations.set(texture, { textures: index });
      return texture;
    },
  };
}

/** Reads a GLB. Errors name the file. */
async function load(input) {
  const bytes = await readFile(input);
  if (bytes.toString('latin1', 0, 4) !== 'glTF')
    throw new Error(`${input} must be a GLB, a binary glTF in one file; export the scene as such`);
  const length = bytes.length < HEADER_BYTES ? HEADER_BYTES : bytes.readUInt32LE(8);
  if (bytes.length < length)
    throw new Error(
      `${input} must have ${length} bytes, but is cut off after ${bytes.length}; copy or export it again`,
    );
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).register(texturesByReference);
  try {
    return await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  } catch (error) {
    if (!bytes.includes(`"${DRACO}"`))
      throw new Error(`${input} cannot be read: ${error.message ?? error}`, { cause: error });
    const remedy = `npx @gltf-transform/cli copy ${input} decoded.glb`;
    throw new Error(`${input} is compressed by Draco; decode it first: ${remedy}`, { cause: error });
  }
}

async function meshopt(isCompressed) {
  try {
    const { MeshoptEncoder, MeshoptSimplifier } = await import('meshoptimizer');
    return { ...(isCompressed && { encoder: MeshoptEncoder }), simplifier: MeshoptSimplifier };
  } catch {
    const size = isCompressed ? 'tiles are larger, and ' : '';
    console.error(`Without meshoptimizer ${size}coarse tiles lack objects: npm i meshoptimizer`);
    return {};
  }
}

function showProgress({ phase, done, total }) {
  const { stderr } = process;
  if (!stderr.isTTY && done !== total) return;
  const share = total ? done / total : 0;
  const filled = Math.round(BAR * share);
  const text =
    phase === 'read' ? `${done} objects read` : `${'#'.repeat(filled).padEnd(BAR, '.')} ${done} of ${total} cells`;
  stderr.write(stderr.isTTY ? `\r${text}` : `${text}\n`);
}

/** Makes a folder and those above it. The option `recursive` of Node never ends in a folder such as /proc. */
async function makeFolder(path) {
  try {
    await mkdir(path);
  } catch (error) {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

async function write(folder, action) {
  try {
    await action();
  } catch (error) {
    throw new Error(`${folder} cannot be written (${error.message}); name a folder in which files can be made`, {
      cause: error,
    });
  }
}

async function run(input, folder, { maxVertices, withBoxes, isCompressed }) {
  const gltf = await load(input);
  const options = {
    ...(await meshopt(isCompressed)),
    ...(withBoxes && { solidBoxes }),
    ...(maxVertices !== undefined && { maxVertices: Number(maxVertices) }),
    onProgress: showProgress,
  };
  const old = await readdir(folder).catch(() => []);
  if (old.length > 0) console.error(`${folder} is not empty: files of earlier runs that are not written again stay`);
  let sum = 0;
  let count = 0;
  const files = writeTiles(objectsOf(gltf), options);
  // Before tiles are made, which takes minutes.
  await write(folder, () => makeFolder(folder));
  for await (const { path, bytes: content } of files) {
    await write(folder, async () => {
      await makeFolder(dirname(join(folder, path)));
      await writeFile(join(folder, path), content);
    });
    sum += content.length;
    count++;
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(`${count} files, ${(sum / 1e6).toFixed(2)} MB: ${join(folder, 'tileset.json')}`);
  if (options.encoder)
    console.log(
      'Compressed by meshopt (--no-meshopt for plain tiles). A page needs the decoder:\n' +
        '  3d-tiles-renderer: new GLTFExtensionsPlugin({ meshoptDecoder: MeshoptDecoder })\n' +
        '  GLTFLoader: loader.setMeshoptDecoder(MeshoptDecoder)\n' +
        'See node_modules/scene-octree/docs/guides/larger-than-memory.md.',
    );
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'max-vertices': { type: 'string' },
      'no-meshopt': { type: 'boolean' },
      'solid-boxes': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const [input, folder, ...others] = positionals;
  if (values.help) console.log(HELP);
  else if (folder === undefined || others.length > 0) throw new Error(`a GLB and a folder must be named.\n${HELP}`);
  else
    await run(input, folder, {
      maxVertices: values['max-vertices'],
      withBoxes: values['solid-boxes'],
      isCompressed: !values['no-meshopt'],
    });
} catch ({ code, message }) {
  // Of what Node says about an option, the first sentence helps.
  const text = String(code).startsWith('ERR_PARSE_ARGS') ? `${message.split('. ')[0]}.\n${HELP}` : message;
  console.error(`scene-octree-tiles: ${text}`);
  process.exitCode = 1;
}
