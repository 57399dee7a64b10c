// Loads a glTF from dropped files with three's GLTFLoader and the decoders for Draco and meshopt of the three package. Nothing comes from a network.

import dracoScript from 'three/addons/libs/draco/gltf/draco_wasm_wrapper.js?url';
import dracoModule from 'three/addons/libs/draco/gltf/draco_decoder.wasm?url';
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { LoadingManager, type Mesh } from 'three';
import { disposeScene } from './dispose-scene.ts';
import { type FileSet, findFile, nameOf } from './dropped-files.ts';
import { checkGltf, isGlb } from './gltf-check.ts';
import type { LoadedScene } from './load-scene.ts';
import { Pace } from './paced-loading.ts';
import { SceneError } from '../shared/scene-error.ts';
import type { TaskContext } from './task.ts';

/** Relative addresses of the file become addresses below it. It is never fetched. */
const BASE = 'https://dropped.invalid/';
/** Stands for a texture that was not dropped: one white pixel. */
const WHITE = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

let hasMeshoptWorker = false;

/** Decodes meshopt in a worker from now on, instead of in the page. */
function startMeshoptWorker(): void {
  if (!hasMeshoptWorker) MeshoptDecoder.useWorkers(1);
  hasMeshoptWorker = true;
}

export async function loadGltf(files: FileSet, path: string, content: ArrayBuffer, { signal, progress, unlessCancelled }: TaskContext): Promise<LoadedScene> {
  const name = nameOf(path);
  const { json, missingTextures } = checkGltf(path, content, files);
  if (json.extensionsUsed?.some((extension) => extension.includes('meshopt'))) startMeshoptWorker();
  const addresses: string[] = [];
  const manager = new LoadingManager().setURLModifier((address) => {
    if (/^(blob|data):/.test(address)) return address;
    const file = findFile(files, path, address.startsWith(BASE) ? address.slice(BASE.length) : address);
    if (file === undefined) return WHITE;
    addresses.push(URL.createObjectURL(file));
    return addresses.at(-1)!;
  });
  const expected = (json.nodes?.length ?? 0) + (json.meshes?.length ?? 0);
  const pace = new Pace(signal, (begun) => progress(0.1 + 0.5 * Math.min(1, begun / expected)));
  const draco = new DRACOLoader().setDecoderPath({ js: dracoScript, wasm: dracoModule });
  const loader = new GLTFLoader(manager).setDRACOLoader(draco).setMeshoptDecoder(MeshoptDecoder);
  loader.register((parser) => pace.plugin(parser));
  const loading: Promise<GLTF> = loader.parseAsync(isGlb(content) ? content : new TextDecoder().decode(content), BASE);
  try {
    const { scene, animations } = await unlessCancelled(loading);
    let meshes = 0;
    scene.traverse((object) => void (meshes += Number((object as Partial<Mesh>).isMesh === true)));
    if (meshes === 0) throw new SceneError(`${name} has no meshes in its scene, so there is nothing to draw.`);
    const notes = missingTextures.length === 0 ? [] : [`${missingTextures.length === 1 ? 'One texture was' : `${missingTextures.length} textures were`} not dropped: ${missingTextures.slice(0, 3).join(', ')}.`];
    return { name, root: scene, animations, notes, hasMetals: true };
  } catch (error) {
    // What arrives after the task was cancelled is of no use.
    loading.then(({ scene }) => disposeScene(scene), () => {});
    if (error instanceof SceneError || signal.aborted) throw error;
    throw new SceneError(`${name} could not be read: ${(error instanceof Error ? error.message : String(error)).replace(/^THREE\.\w+: /, '')}`);
  } finally {
    draco.dispose();
    for (const address of addresses) URL.revokeObjectURL(address);
  }
}
