/**
 * Bodies from two files. `PATH.json` holds the kind (`box` or `sphere`), the count, and the sections of `PATH.bin`.
 * Section `bounds` holds Float32 numbers: centre and half extents of a box (6 per body), or centre and radius of a
 * sphere (4 per body). If the bodies move, section `frames` holds their centres (3 per body), one frame after the
 * other.
 */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fitScene, type Scene } from './scene.ts';

interface Header {
  readonly frames?: { readonly count: number };
  readonly kind: 'box' | 'sphere';
  readonly count: number;
  readonly sections: readonly {
    readonly name: string;
    readonly type: string;
    readonly byteOffset: number;
    readonly byteLength: number;
  }[];
}

export function dataScene(path: string, maxBodies: number): Scene {
  const header = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Header;
  const bytes = readFileSync(`${path}.bin`);
  const read = (sectionName: string): Float32Array => {
    const section = header.sections.find(({ name, type }) => name === sectionName && type === 'f32');
    if (!section) throw new Error(`${path}.json: no section "${sectionName}" of type f32`);
    const begin = bytes.byteOffset + section.byteOffset;
    return new Float32Array(bytes.buffer.slice(begin, begin + section.byteLength));
  };
  const bounds = read('bounds');
  const stride = header.kind === 'box' ? 6 : 4;
  const count = Math.min(maxBodies, header.count);
  const boxes = new Float64Array(count * 6);
  for (let k = 0; k < count; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const centre = bounds[k * stride + axis];
      const half = bounds[k * stride + (stride === 6 ? 3 + axis : 3)];
      boxes[k * 6 + axis] = centre - half;
      boxes[k * 6 + axis + 3] = centre + half;
    }
  }
  const centres = header.frames ? read('frames') : new Float32Array(0);
  const frames = Array.from({ length: header.frames?.count ?? 0 }, (_, k) =>
    centres.subarray(k * header.count * 3, (k * header.count + count) * 3),
  );
  return fitScene(basename(path), boxes, frames);
}
