// Reads own bodies: the two files that `npm run bench -- --data` takes.

import type { BodiesFile } from './messages.ts';
import type { Bodies } from './scenes.ts';

/** More bodies are left out: nine octrees are alive at a time. */
const MAX_BODIES = 200_000;
/** Coordinates beyond this are refused by the octree. */
const LIMIT = 2 ** 50;

interface Header {
  readonly kind: 'box' | 'sphere';
  readonly count: number;
  readonly frames: number;
  readonly sections: ReadonlyMap<string, { readonly begin: number; readonly length: number }>;
}

/** @throws {Error} With a sentence for the user if the files are not what they should be. */
export function readBodies({ name, header: text, bytes }: BodiesFile): Bodies {
  const { kind, count: all, frames, sections } = readHeader(`${name}.json`, text);
  const section = (wanted: string, numbers: number): Float32Array => {
    const found = sections.get(wanted);
    if (found === undefined) throw new Error(`${name}.json has no section "${wanted}" of type f32.`);
    if (found.length < numbers * 4) throw new Error(`${name}.json: section "${wanted}" should have ${numbers * 4} bytes for ${all} bodies, but has ${found.length}.`);
    if (found.begin + found.length > bytes.byteLength) throw new Error(`${name}.bin is too short for section "${wanted}": it has ${bytes.byteLength} bytes. Are the two files of the same scene?`);
    // A copy, because a Float32Array must begin at a multiple of 4.
    return new Float32Array(bytes.slice(found.begin, found.begin + numbers * 4));
  };
  const order = spread(Math.min(all, MAX_BODIES));
  const stride = kind === 'box' ? 6 : 4;
  const given = section('bounds', all * stride);
  const bounds = new Float64Array(order.length * stride);
  for (const [k, body] of order.entries()) {
    for (let axis = 0; axis < 3; axis++) {
      const [centre, half] = [given[body * stride + axis], given[body * stride + 3 + (kind === 'box' ? axis : 0)]];
      if (!(Math.abs(centre) < LIMIT && half >= 0 && half < LIMIT)) {
        throw new Error(`${name}.bin: body ${body} has the bounds ${given.subarray(body * stride, (body + 1) * stride).join(', ')}. Centres must be finite, sizes finite and not negative.`);
      }
      bounds[k * stride + axis] = kind === 'box' ? centre - half : centre;
      bounds[k * stride + 3 + (kind === 'box' ? axis : 0)] = kind === 'box' ? centre + half : half;
    }
  }
  const centres = frames > 1 ? section('frames', frames * all * 3) : new Float32Array(0);
  if (!centres.every((number) => Math.abs(number) < LIMIT)) throw new Error(`${name}.bin: section "frames" has a number that is not finite.`);
  const frameAt = (frame: number): Float32Array => Float32Array.from({ length: order.length * 3 }, (_, at) => centres[(frame * all + order[Math.floor(at / 3)]) * 3 + (at % 3)]);
  return { kind, bounds, speed: speedFor(bounds, stride), frames: Array.from({ length: frames > 1 ? frames : 0 }, (_, frame) => frameAt(frame)) };
}

/** The numbers 0 to count - 1, every tenth first: the first bodies move, and files often hold neighbours side by side. */
function spread(count: number): Uint32Array {
  const order = new Uint32Array(count);
  let at = 0;
  for (let first = 0; first < 10; first++) for (let body = first; body < count; body += 10) order[at++] = body;
  return order;
}

function readHeader(file: string, text: string): Header {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
  if (typeof header !== 'object' || header === null) throw new Error(`${file} must hold an object with kind, count and sections.`);
  const { kind, count, sections, frames } = header as Record<string, unknown>;
  if (kind !== 'box' && kind !== 'sphere') throw new Error(`${file}: kind must be "box" or "sphere".`);
  if (!Number.isInteger(count) || Number(count) < 1) throw new Error(`${file}: count must be the number of bodies, at least 1.`);
  if (!Array.isArray(sections)) throw new Error(`${file}: sections must be an array.`);
  const found = new Map<string, { begin: number; length: number }>();
  for (const section of sections as unknown[]) {
    const { name, type, byteOffset, byteLength } = Object(section) as Record<string, unknown>;
    if (type === 'f32' && isSize(byteOffset) && isSize(byteLength)) found.set(String(name), { begin: byteOffset, length: byteLength });
  }
  const { count: frameCount } = Object(frames) as { count?: unknown };
  return { kind, count: count as number, frames: isSize(frameCount) ? frameCount : 0, sections: found };
}

const isSize = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Bodies without frames move by at most a tenth of the size of a typical body per tick. */
function speedFor(bounds: Float64Array, stride: number): [number, number, number] {
  const sizes = [];
  for (let at = 0; at < bounds.length; at += stride) sizes.push(stride === 6 ? (bounds[at + 3] - bounds[at] + bounds[at + 4] - bounds[at + 1] + bounds[at + 5] - bounds[at + 2]) / 3 : bounds[at + 3] * 2);
  const speed = sizes.sort((a, b) => a - b)[sizes.length >> 1] / 10;
  return [speed, speed, speed];
}
