// The scene of own files: JSON, CSV, or a header with its .bin.

import { binaryNameOf, readBodies } from '../shared/bodies-file.ts';
import { SceneError } from '../shared/scene-error.ts';
import type { OwnFiles } from './messages.ts';
import type { Bodies } from './scenes.ts';

/** Greatest number of bodies that are measured, because up to ten octrees with all of them are in memory at a time. */
const MAX_BODIES = 200_000;
/** Coordinates beyond this are refused by the octree. */
const LIMIT = 2 ** 50;

/** @throws {SceneError} With a sentence for the user. */
export async function readOwnScene({ text: file, binary }: OwnFiles): Promise<Bodies> {
  const text = await file.text();
  const binaryName = binaryNameOf(file.name, text);
  if (binaryName !== null && binary === null)
    throw new SceneError(`${file.name} needs ${binaryName}: choose both together.`);
  const { boxes, spheres, frames } = readBodies(file.name, text, MAX_BODIES, await binary?.arrayBuffer());
  // Boxes and spheres together are measured as boxes.
  const kind = boxes.length === 0 ? 'sphere' : 'box';
  const stride = kind === 'box' ? 6 : 4;
  const given = kind === 'sphere' ? spheres : [...Array.from(boxes), ...boxesOf(spheres)];
  const order = spread(given.length / stride);
  const bounds = Float64Array.from(
    { length: given.length },
    (_, at) => given[order[Math.floor(at / stride)] * stride + (at % stride)],
  );
  if (!bounds.every((number) => Math.abs(number) < LIMIT))
    throw new SceneError(`${file.name} has a number beyond 2^50.`);
  const inOrder = (frame: Float32Array): Float32Array =>
    frame.map((_, at) => frame[order[Math.floor(at / 3)] * 3 + (at % 3)]);
  return { kind, bounds, speed: speedFor(bounds, stride), frames: frames.map(inOrder) };
}

function boxesOf(spheres: ArrayLike<number>): number[] {
  const boxes: number[] = [];
  for (let at = 0; at < spheres.length; at += 4) {
    const [x, y, z, radius] = [spheres[at], spheres[at + 1], spheres[at + 2], spheres[at + 3]];
    boxes.push(x - radius, y - radius, z - radius, x + radius, y + radius, z + radius);
  }
  return boxes;
}

/**
 * The numbers 0 to count - 1, every tenth first: the first bodies move, and files often hold neighbours side by side.
 */
function spread(count: number): Uint32Array {
  const order = new Uint32Array(count);
  let at = 0;
  for (let first = 0; first < 10; first++) for (let body = first; body < count; body += 10) order[at++] = body;
  return order;
}

/** Bodies without frames move by at most a tenth of the size of a typical body per tick. */
function speedFor(bounds: Float64Array, stride: number): [number, number, number] {
  const sizes = Float64Array.from({ length: bounds.length / stride }, (_, k) => {
    const at = k * stride;
    return stride === 4
      ? bounds[at + 3] * 2
      : (bounds[at + 3] - bounds[at] + bounds[at + 4] - bounds[at + 1] + bounds[at + 5] - bounds[at + 2]) / 3;
  });
  const speed = sizes.sort()[sizes.length >> 1] / 10;
  return [speed, speed, speed];
}
