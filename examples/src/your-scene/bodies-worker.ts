// Reads a bodies file in a worker, so that a large one does not block the page.

import { type Bodies, binaryNameOf, readBodies } from '../shared/bodies-file.ts';
import { SceneError } from '../shared/scene-error.ts';
import { type FileSet, findFile, nameOf } from './dropped-files.ts';

/** Greatest number of bodies that the page shows, because it draws each as a mesh. */
const MAX_BODIES = 20_000;

export interface BodiesRequest {
  readonly files: FileSet;
  /** Path of the .json or .csv in the set. */
  readonly path: string;
}

export type BodiesReply = { readonly bodies: Bodies } | { readonly problem: string };

/** The bodies as they begin: the page does not move them. */
async function read({ files, path }: BodiesRequest): Promise<Bodies> {
  const name = nameOf(path);
  const text = await files.get(path)!.text();
  const binaryName = binaryNameOf(name, text);
  const binary = binaryName === null ? undefined : findFile(files, path, binaryName);
  if (binaryName !== null && binary === undefined)
    throw new SceneError(`${name} needs ${binaryName}, which was not dropped with it. Drop both.`);
  return { ...readBodies(name, text, MAX_BODIES, await binary?.arrayBuffer()), frames: [] };
}

const reply = (message: BodiesReply): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<BodiesRequest>) => {
  read(data).then(
    (bodies) => reply({ bodies }),
    (error: unknown) => reply({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
