// Finds what is wrong with a glTF file before the loader reads it, so that the message names the fault and its remedy.

import { type FileSet, findFile, listOf, nameOf } from './dropped-files.ts';
import { SceneError } from '../shared/scene-error.ts';

/** The extensions that three's GLTFLoader reads with the decoders of this page. */
const READABLE = new Set([
  'KHR_draco_mesh_compression',
  'KHR_lights_punctual',
  'KHR_materials_clearcoat',
  'KHR_materials_diffuse_roughness',
  'KHR_materials_dispersion',
  'KHR_materials_ior',
  'KHR_materials_sheen',
  'KHR_materials_specular',
  'KHR_materials_transmission',
  'KHR_materials_iridescence',
  'KHR_materials_anisotropy',
  'KHR_materials_unlit',
  'KHR_materials_volume',
  'KHR_texture_basisu',
  'KHR_texture_transform',
  'KHR_mesh_quantization',
  'KHR_materials_emissive_strength',
  'EXT_materials_bump',
  'EXT_texture_webp',
  'EXT_texture_avif',
  'EXT_meshopt_compression',
  'KHR_meshopt_compression',
  'EXT_mesh_gpu_instancing',
]);

/** Sizes in bytes, and the codes of a GLB. */
const GLB_HEADER = 12;
const CHUNK_HEADER = 8;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

interface Named {
  readonly uri?: string;
}

/** The parts of a .glb. */
interface GlbParts {
  readonly text: string;
  /** Content of the buffer without an address, or null if there is none. */
  readonly binary: Blob | null;
}

/** The parts of a glTF that the page reads itself. */
export interface GltfJson {
  readonly asset?: { readonly version?: string };
  readonly scene?: number;
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[];
  readonly nodes?: readonly { readonly mesh?: number }[];
  readonly meshes?: readonly unknown[];
  readonly buffers?: readonly Named[];
  readonly images?: readonly Named[];
  readonly extensionsUsed?: readonly string[];
  readonly extensionsRequired?: readonly string[];
}

export interface CheckedGltf {
  readonly json: GltfJson;
  /** Of a .glb: content of its first buffer. It is not read, because it may be most of a large file. */
  readonly binary: Blob | null;
  /** Textures that the file names but the set does not contain. */
  readonly missingTextures: readonly string[];
}

/**
 * Reads and checks the JSON part of a .glb or .gltf.
 *
 * @param path Place of the file in the set, from where its addresses are relative.
 * @throws {SceneError} If it cannot be shown.
 */
export async function checkGltf(path: string, file: Blob, files: FileSet): Promise<CheckedGltf> {
  const name = nameOf(path);
  if (file.size === 0) throw new SceneError(`${name} is empty.`);
  const isGlb = (await file.slice(0, 4).text()) === 'glTF';
  const { text, binary } = isGlb ? await partsOfGlb(name, file) : { text: await textOf(name, file), binary: null };
  const json = parse(name, text);
  checkHeader(name, json);
  if (isGlb && binary === null && json.buffers?.[0] && json.buffers[0].uri === undefined)
    throw new SceneError(`${name} is damaged: it has no second chunk with the content of its buffer.`);
  const missing = missingOf(files, path, json.buffers);
  const missingTextures = missingOf(files, path, json.images);
  if (missing.length > 0)
    throw new SceneError(
      `${name} needs ${listOf([...missing, ...missingTextures])}, which ${missing.length + missingTextures.length === 1 ? 'was' : 'were'} not dropped with it. Drop the whole folder.`,
    );
  return { json, binary, missingTextures };
}

async function textOf(name: string, file: Blob): Promise<string> {
  if (/^\s*\{/.test(await file.slice(0, 100).text())) return file.text();
  throw new SceneError(
    `${name} is not a glTF file: it begins neither with "glTF", as a .glb does, nor with "{", as a .gltf does.`,
  );
}

async function partsOfGlb(name: string, file: Blob): Promise<GlbParts> {
  const length = file.size;
  if (length < GLB_HEADER + CHUNK_HEADER)
    throw new SceneError(`${name} is truncated: it has only ${count(length)} bytes.`);
  const view = new DataView(await file.slice(0, GLB_HEADER + CHUNK_HEADER).arrayBuffer());
  const version = view.getUint32(4, true);
  if (version !== 2) throw new SceneError(`${name} is a binary glTF of version ${version}. Convert it to version 2.`);
  const expected = view.getUint32(8, true);
  if (expected > length)
    throw new SceneError(
      `${name} is truncated: its header says ${count(expected)} bytes, but it has ${count(length)}. Copy or download it again.`,
    );
  const end = GLB_HEADER + CHUNK_HEADER + view.getUint32(GLB_HEADER, true);
  if (view.getUint32(GLB_HEADER + 4, true) !== JSON_CHUNK || end > length)
    throw new SceneError(`${name} is damaged: its first chunk is not JSON.`);
  const text = await file.slice(GLB_HEADER + CHUNK_HEADER, end).text();
  if (length < end + CHUNK_HEADER) return { text, binary: null };
  const header = new DataView(await file.slice(end, end + CHUNK_HEADER).arrayBuffer());
  const [from, to] = [end + CHUNK_HEADER, end + CHUNK_HEADER + header.getUint32(0, true)];
  if (header.getUint32(4, true) !== BINARY_CHUNK || to > length)
    throw new SceneError(`${name} is damaged: its second chunk is not the content of its buffer.`);
  return { text, binary: file.slice(from, to) };
}

function parse(name: string, text: string): GltfJson {
  try {
    return JSON.parse(text) as GltfJson;
  } catch (error) {
    throw new SceneError(`${name} is not valid JSON: ${(error as Error).message}.`);
  }
}

function checkHeader(name: string, { asset, scenes, nodes, meshes, extensionsRequired = [] }: GltfJson): void {
  const version = asset?.version;
  if (typeof version !== 'string')
    throw new SceneError(`${name} is not a glTF file: it has no "asset" with a version.`);
  if (Number.parseFloat(version) < 2)
    throw new SceneError(`${name} is a glTF of version ${version}. Convert it to version 2.`);
  const unreadable = extensionsRequired.filter((extension) => !READABLE.has(extension));
  if (unreadable.length > 0)
    throw new SceneError(`${name} requires ${listOf(unreadable)}, which this page does not read. Export it without.`);
  if ((scenes ?? []).length === 0 || (nodes ?? []).length === 0)
    throw new SceneError(`${name} is empty: it has no scene with a node.`);
  if ((meshes ?? []).length === 0 || !nodes!.some(({ mesh }) => mesh !== undefined))
    throw new SceneError(`${name} has no meshes, so there is nothing to draw.`);
}

const missingOf = (files: FileSet, path: string, list: readonly Named[] = []): string[] => [
  ...new Set(
    list.flatMap(({ uri }) =>
      uri === undefined || uri.startsWith('data:') || findFile(files, path, uri) !== undefined ? [] : [uri],
    ),
  ),
];

const count = (bytes: number): string => bytes.toLocaleString('en');
