#!/usr/bin/env node
/**
 * The command `scene-octree-tiles`: writes the tiles of a GLB into a folder. Needs three, and meshoptimizer if the tiles
 * are to be small.
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { solidBoxes } from 'scene-octree/core';
import { objectsOf, writeTiles } from 'scene-octree/tiles';
import { Texture } from 'three';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const HELP = `scene-octree-tiles city.glb out/ [options]
  --max-vertices n   most vertices of a tile (16384)
  --solid-boxes      boxes for occlusion culling in the tables
  --help             this text`;
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

async function meshopt() {
  try {
    const { MeshoptEncoder, MeshoptSimplifier } = await import('meshoptimizer');
    return { encoder: MeshoptEncoder, simplifier: MeshoptSimplifier };
  } catch {
    console.error('Without meshoptimizer tiles are larger, and coarse ones lack objects: npm i meshoptimizer');
    return {};
  }
}

function showProgress({ phase, done, total }) {
  const { stderr } = process;
  if (!stderr.isTTY && done !== total) return;
  const share = total ? done / total : 0;
  const filled = Math.round(BAR * share);
  const text =
    phase === 'read' ? `${done} objects read` : `${'#'.repeat(filled).padEnd(BAR, '.')} ${done} of ${total} tiles`;
  stderr.write(stderr.isTTY ? `\r${text}` : `${text}\n`);
}

async function run(input, folder, { maxVertices, withBoxes }) {
  const bytes = await readFile(input);
  if (bytes.toString('latin1', 0, 4) !== 'glTF')
    throw new Error(`${input} must be a GLB, a binary glTF in one file; export the scene as such`);
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).register(texturesByReference);
  const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
  const options = {
    ...(await meshopt()),
    ...(withBoxes && { solidBoxes }),
    ...(maxVertices !== undefined && { maxVertices: Number(maxVertices) }),
    onProgress: showProgress,
  };
  let sum = 0;
  let count = 0;
  for await (const { path, bytes: content } of writeTiles(objectsOf(gltf), options)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
    sum += content.length;
    count++;
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(`${count} files, ${(sum / 1e6).toFixed(2)} MB: ${join(folder, 'tileset.json')}`);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'max-vertices': { type: 'string' }, 'solid-boxes': { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const [input, folder, ...others] = positionals;
  if (values.help) console.log(HELP);
  else if (folder === undefined || others.length > 0) throw new Error(`a GLB and a folder must be named.\n${HELP}`);
  else await run(input, folder, { maxVertices: values['max-vertices'], withBoxes: values['solid-boxes'] });
} catch (error) {
  console.error(`scene-octree-tiles: ${error.message}`);
  process.exitCode = 1;
}
