// Reads a bodies file for the page: in a worker, so that a large one does not block it, or where no worker starts in
// the page itself.

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

/** With arrays that can be transferred. */
interface FlatBodies extends Bodies {
  readonly boxes: Float64Array<ArrayBuffer>;
  readonly spheres: Float64Array<ArrayBuffer>;
}

export type BodiesReply = { readonly bodies: FlatBodies } | { readonly problem: string };

export async function replyTo(request: BodiesRequest): Promise<BodiesReply> {
  try {
    return { bodies: await read(request) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The bodies as they begin: the page does not move them. */
async function read({ files, path }: BodiesRequest): Promise<FlatBodies> {
  const name = nameOf(path);
  const text = await files.get(path)!.text();
  const binaryName = binaryNameOf(name, text);
  const binary = binaryName === null ? undefined : findFile(files, path, binaryName);
  if (binaryName !== null && binary === undefined)
    throw new SceneError(`${name} needs ${binaryName}, which was not dropped with it. Drop both.`);
  const { boxes, spheres, total } = readBodies(name, text, MAX_BODIES, await binary?.arrayBuffer());
  return { boxes: Float64Array.from(boxes), spheres: Float64Array.from(spheres), total, frames: [] };
}
