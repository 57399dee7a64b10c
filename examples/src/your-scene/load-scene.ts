// Loads the scene of dropped files, in the page itself.

import type { AnimationClip, Object3D, WebGLRenderer } from 'three';
import { meshesOf } from './bodies-meshes.ts';
import { replyTo, type BodiesReply, type BodiesRequest } from './bodies-reader.ts';
import { type FileSet, findScene, nameOf } from './dropped-files.ts';
import { SceneError } from '../shared/scene-error.ts';
import type { TaskContext } from '../shared/task.ts';

export interface LoadedScene {
  readonly name: string;
  readonly root: Object3D;
  readonly animations: readonly AnimationClip[];
  /** Sentences for the visitor. */
  readonly notes: readonly string[];
  /** Whether its materials need surroundings to reflect. */
  readonly hasMetals: boolean;
}

/** @throws {SceneError} Its message is for the visitor. */
export async function loadScene(files: FileSet, renderer: WebGLRenderer, context: TaskContext): Promise<LoadedScene> {
  const { unlessCancelled, progress } = context;
  const { kind, path, file } = findScene(files);
  progress(0, `Reading ${nameOf(path)}`);
  if (kind === 'bodies') return loadBodies({ files, path }, context);
  const { loadGltf } = await unlessCancelled(import('./load-gltf.ts'));
  progress(0.1, `Loading ${nameOf(path)}`);
  return loadGltf(files, path, file, renderer, context);
}

async function loadBodies(request: BodiesRequest, context: TaskContext): Promise<LoadedScene> {
  const reply = await readBodies(request, context);
  if ('problem' in reply) throw new SceneError(reply.problem);
  const { boxes, spheres, total } = reply.bodies;
  const shown = boxes.length / 6 + spheres.length / 4;
  const notes =
    shown === total
      ? []
      : [
          `The first ${shown.toLocaleString('en')} of ${total.toLocaleString('en')} bodies are shown, because this page draws each as a mesh.`,
        ];
  return {
    name: nameOf(request.path),
    root: await context.slices(meshesOf(reply.bodies), 0.1, 0.6),
    animations: [],
    notes,
    hasMetals: false,
  };
}

/** Reads in a worker, which a cancel ends at once; in the page where no worker starts. */
async function readBodies(request: BodiesRequest, { unlessCancelled, signal }: TaskContext): Promise<BodiesReply> {
  let worker: Worker | undefined;
  try {
    worker = new Worker(new URL('bodies-worker.ts', import.meta.url), { type: 'module' });
    const started = worker;
    return await unlessCancelled(
      new Promise<BodiesReply>((resolve, reject) => {
        started.addEventListener('message', ({ data }: MessageEvent<BodiesReply>) => resolve(data));
        started.addEventListener('error', ({ message }) => reject(new Error(message)));
        started.postMessage(request, []);
      }),
    );
  } catch {
    signal.throwIfAborted();
    return unlessCancelled(replyTo(request));
  } finally {
    worker?.terminate();
  }
}
