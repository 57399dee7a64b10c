/**
 * Bodies of a file: `PATH.json` tells the kind (`box` or `sphere`), the count and the sections of `PATH.bin`; section `bounds` holds
 * Float32 numbers, centre and half extents of a box (6) or centre and radius of a sphere (4).
 */

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fitScene, type Scene } from './scene.ts';

interface Header {
  readonly kind: 'box' | 'sphere';
  readonly count: number;
  readonly sections: readonly { readonly name: string; readonly type: string; readonly byteOffset: number; readonly byteLength: number }[];
}

export function dataScene(path: string, most: number): Scene {
  const header = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Header;
  const section = header.sections.find(({ name, type }) => name === 'bounds' && type === 'f32');
  if (!section) throw new Error(`${path}.json: no section "bounds" of type f32`);
  const bytes = readFileSync(`${path}.bin`);
  const bounds = new Float32Array(bytes.buffer.slice(bytes.byteOffset + section.byteOffset, bytes.byteOffset + section.byteOffset + section.byteLength));
  const lanes = header.kind === 'box' ? 6 : 4;
  const count = Math.min(most, header.count);
  const boxes = new Float64Array(count * 6);
  for (let k = 0; k < count; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const centre = bounds[k * lanes + axis];
      const half = bounds[k * lanes + (lanes === 6 ? 3 + axis : 3)];
      boxes[k * 6 + axis] = centre - half;
      boxes[k * 6 + axis + 3] = centre + half;
    }
  }
  return fitScene(basename(path), boxes);
}
