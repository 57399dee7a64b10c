// Loads the scene of dropped files, in the page itself.

import type { AnimationClip, Object3D } from 'three';
import { binaryNameOf, readBodies } from '../shared/bodies-file.ts';
import { meshesOf } from './bodies-meshes.ts';
import { type FileSet, findFile, findScene, nameOf } from './dropped-files.ts';
import { SceneError } from '../shared/scene-error.ts';
import type { TaskContext } from './task.ts';

/** Greatest number of bodies that the page shows, because it draws each as a mesh. */
const MAX_BODIES = 50_000;

export interface LoadedScene {
  readonly name: string;
  readonly root: Object3D;
  readonly animations: readonly AnimationClip[];
  /** What the visitor should know: sentences. */
  readonly notes: readonly string[];
}

/** @throws {SceneError} Its message is for the visitor. */
export async function loadScene(files: FileSet, context: TaskContext): Promise<LoadedScene> {
  const { unlessCancelled, progress } = context;
  const { kind, path, file } = findScene(files);
  progress(0, `Reading ${nameOf(path)}`);
  if (kind === 'bodies') return loadBodies(files, path, await unlessCancelled(file.text()), context);
  const content = await unlessCancelled(file.arrayBuffer());
  const { loadGltf } = await unlessCancelled(import('./load-gltf.ts'));
  progress(0.1, `Loading ${nameOf(path)}`);
  return loadGltf(files, path, content, context);
}

async function loadBodies(files: FileSet, path: string, text: string, { unlessCancelled, slices }: TaskContext): Promise<LoadedScene> {
  const name = nameOf(path);
  const binaryName = binaryNameOf(name, text);
  const binary = binaryName === null ? undefined : findFile(files, path, binaryName);
  if (binaryName !== null && binary === undefined) throw new SceneError(`${name} needs ${binaryName}, which was not dropped with it. Drop both.`);
  const bodies = readBodies(name, text, MAX_BODIES, binary && (await unlessCancelled(binary.arrayBuffer())));
  const shown = bodies.boxes.length / 6 + bodies.spheres.length / 4;
  const notes = shown === bodies.total ? [] : [`The first ${shown.toLocaleString('en')} of ${bodies.total.toLocaleString('en')} bodies are shown, because this page draws each as a mesh.`];
  return { name, root: await slices(meshesOf(bodies), 0.1, 0.6), animations: [], notes };
}
