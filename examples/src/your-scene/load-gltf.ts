// Loads a glTF from dropped files with three's GLTFLoader and the decoders for Draco, meshopt and KTX2 of the three
// package. Nothing comes from another host.

import dracoScript from 'three/addons/libs/draco/gltf/draco_wasm_wrapper.js?url';
import dracoModule from 'three/addons/libs/draco/gltf/draco_decoder.wasm?url';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { type GLTF, GLTFLoader, type GLTFLoaderPlugin } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { LoadingManager, type Mesh, type WebGLRenderer } from 'three';
import { disposeTree } from '../shared/dispose-tree.ts';
import { type FileSet, findFile, listOf, nameOf } from './dropped-files.ts';
import { checkGltf } from './gltf-check.ts';
import type { LoadedScene } from './load-scene.ts';
import { Pace } from './paced-loading.ts';
import { SceneError } from '../shared/scene-error.ts';
import { nextTurn } from '../shared/slices.ts';
import type { TaskContext } from '../shared/task.ts';

/** Relative addresses of the file become addresses below it. It is never fetched. */
const BASE = 'https://dropped.invalid/';
/** Stands for a texture that was not dropped: one white pixel. */
const WHITE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

/** Bytes of a file that are copied at a time. */
const PART = 4 << 20;

interface BufferView {
  readonly buffer: number;
  readonly byteOffset?: number;
  readonly byteLength: number;
  readonly extensions?: object;
}

/** Whether an address names content that is in memory. */
const isInside = (address: string): boolean => /^(blob|data):/.test(address);

let hasMeshoptWorker = false;

/** Decodes meshopt in a worker from now on, instead of in the page. */
function startMeshoptWorker(): void {
  if (!hasMeshoptWorker) MeshoptDecoder.useWorkers(1);
  hasMeshoptWorker = true;
}

export async function loadGltf(
  files: FileSet,
  path: string,
  file: Blob,
  renderer: WebGLRenderer,
  { signal, progress, unlessCancelled }: TaskContext,
): Promise<LoadedScene> {
  const name = nameOf(path);
  const { json, binary, missingTextures } = await unlessCancelled(checkGltf(path, file, files));
  await unlessCancelled(nextTurn());
  const content = binary && (await readInParts(binary, signal));
  if (json.extensionsUsed?.some((extension) => extension.includes('meshopt'))) startMeshoptWorker();
  const addresses: string[] = [];
  const keep = (content: Blob): string => {
    addresses.push(URL.createObjectURL(content));
    return addresses.at(-1)!;
  };
  const fileAt = (address: string): File | undefined =>
    findFile(files, path, address.startsWith(BASE) ? address.slice(BASE.length) : address);
  const addressOf = (address: string): string => {
    if (isInside(address)) return address;
    const file = fileAt(address);
    return file === undefined ? WHITE : keep(file);
  };
  const expected = (json.nodes?.length ?? 0) + (json.meshes?.length ?? 0);
  const pace = new Pace(signal, (begun) => progress(0.1 + 0.5 * Math.min(1, begun / expected)));
  const draco = new DRACOLoader().setDecoderPath({ js: dracoScript, wasm: dracoModule });
  const ktx2 = json.extensionsUsed?.includes('KHR_texture_basisu')
    ? await unlessCancelled(import('./ktx2-textures.ts'))
    : null;
  const ktx2Loader =
    ktx2 &&
    new ktx2.Ktx2Textures(renderer, addressOf, (address) => !isInside(address) && fileAt(address) === undefined);
  const loader = new GLTFLoader(new LoadingManager().setURLModifier(addressOf))
    .setDRACOLoader(draco)
    .setMeshoptDecoder(MeshoptDecoder)
    .setKTX2Loader(ktx2Loader);
  loader.register((parser) => pace.plugin(parser));
  // For meshopt, which reads the whole buffer.
  if (binary) Object.assign(json.buffers?.[0] ?? {}, { uri: keep(binary) });
  if (content) loader.register(({ json: { bufferViews } }) => sectionsOf(content, bufferViews as BufferView[]));
  // The loader also takes an object, which its declarations leave out. It would copy a whole .glb in one go.
  const loading: Promise<GLTF> = loader.parseAsync(json as string, BASE);
  try {
    const { scene, animations } = await unlessCancelled(loading);
    let meshes = 0;
    scene.traverse((object) => void (meshes += Number((object as Partial<Mesh>).isMesh === true)));
    if (meshes === 0) throw new SceneError(`${name} has no meshes in its scene, so there is nothing to draw.`);
    const faults = ktx2?.ktx2FaultsOf(scene) ?? [];
    if (faults.length > 0)
      throw new SceneError(
        `${name} has ${faults.length === 1 ? 'a texture' : `${faults.length} textures`} that could not be read: ${listOf(faults)}. Export again, or with textures as PNG, JPEG or WebP.`,
      );
    const notes =
      missingTextures.length === 0
        ? []
        : [
            `${missingTextures.length === 1 ? 'One texture was' : `${missingTextures.length} textures were`} not dropped: ${missingTextures.slice(0, 3).join(', ')}.`,
          ];
    return { name, root: scene, animations, notes, hasMetals: true };
  } catch (error) {
    // A result that arrives after the task was cancelled is disposed of.
    loading.then(
      ({ scene }) => disposeTree(scene),
      () => {},
    );
    if (error instanceof SceneError || signal.aborted) throw error;
    throw new SceneError(
      `${name} could not be read: ${(error instanceof Error ? error.message : String(error)).replace(/^THREE\.\w+: /, '')}`,
    );
  } finally {
    draco.dispose();
    ktx2Loader?.dispose();
    for (const address of addresses) URL.revokeObjectURL(address);
  }
}

/** The content of a file, read piece by piece: at once, a large one would block the page. */
async function readInParts(file: Blob, signal: AbortSignal): Promise<ArrayBuffer> {
  const content = new Uint8Array(file.size);
  for (let at = 0; at < file.size; at += PART) {
    content.set(new Uint8Array(await file.slice(at, at + PART).arrayBuffer()), at);
    signal.throwIfAborted();
  }
  return content.buffer;
}

/**
 * A plugin of GLTFLoader that reads buffer views from the content of a .glb. Those with an extension are left to the
 * plugin for it.
 */
const sectionsOf = (content: ArrayBuffer, views: readonly BufferView[]): GLTFLoaderPlugin => ({
  name: 'GLB_CONTENT',
  loadBufferView: (index) => {
    const { buffer, byteOffset = 0, byteLength, extensions } = views[index];
    return buffer === 0 && extensions === undefined
      ? Promise.resolve(content.slice(byteOffset, byteOffset + byteLength))
      : null;
  },
});
