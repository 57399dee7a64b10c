// Reads a bodies file: JSON of boxes and spheres, the pair of a JSON header and a .bin that the benchmark reads, or one body per line (CSV).

import { SceneError } from './scene-error.ts';

/** Greatest number of bodies that the page shows, because it draws each as a mesh. */
export const MAX_BODIES = 50_000;
/** Numbers per body. */
const BOX = 6;
const SPHERE = 4;
const EXAMPLE = 'Write { "boxes": [minX, minY, minZ, maxX, maxY, maxZ, ...], "spheres": [x, y, z, radius, ...] }.';

export interface Bodies {
  /** Minimum x, y, z, then maximum x, y, z of each box. */
  readonly boxes: ArrayLike<number>;
  /** Centre x, y, z, then radius of each sphere. */
  readonly spheres: ArrayLike<number>;
  /** Bodies in the file, which may be more than the page shows. */
  readonly total: number;
}

/** The header of a binary file, as `npm run bench -- --data` reads it. */
interface Header {
  readonly kind: 'box' | 'sphere';
  readonly count: number;
  readonly bin?: string;
  readonly sections: readonly { readonly name: string; readonly type: string; readonly byteOffset: number; readonly byteLength: number }[];
}

/** Name of the binary file that belongs to a JSON header, or null for a text that holds the bodies itself. */
export function binaryNameOf(name: string, text: string): string | null {
  if (!isJson(text)) return null;
  const content = parse(name, text);
  return isHeader(content) ? (content.bin ?? name.replace(/\.json$/i, '.bin')) : null;
}

/**
 * Reads bodies.
 *
 * @param binary Content of the file that `binaryNameOf` names.
 * @throws {SceneError} Names the file, the body and the number.
 */
export function readBodies(name: string, text: string, binary?: ArrayBuffer): Bodies {
  const bodies = isJson(text) ? readJson(name, text, binary) : readLines(name, text);
  if (bodies.total === 0) throw new SceneError(`${name} holds no bodies. ${EXAMPLE}`);
  checkNumbers(name, 'box', bodies.boxes, BOX);
  checkNumbers(name, 'sphere', bodies.spheres, SPHERE);
  return bodies;
}

const isJson = (text: string): boolean => /^\s*[{[]/.test(text);

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SceneError(`${name} is not valid JSON: ${(error as Error).message}.`);
  }
}

const isHeader = (content: unknown): content is Header => Array.isArray((content as Partial<Header> | null)?.sections);

function readJson(name: string, text: string, binary?: ArrayBuffer): Bodies {
  const content = parse(name, text);
  if (isHeader(content)) return readBinary(name, content, binary);
  const { boxes, spheres } = (Array.isArray(content) ? { boxes: content } : content) as { boxes?: unknown; spheres?: unknown };
  if (boxes === undefined && spheres === undefined) throw new SceneError(`${name} has neither "boxes" nor "spheres". ${EXAMPLE}`);
  return limit(flatten(name, 'boxes', boxes ?? [], BOX), flatten(name, 'spheres', spheres ?? [], SPHERE));
}

function flatten(name: string, field: string, list: unknown, size: number): number[] {
  if (!Array.isArray(list)) throw new SceneError(`${name}: "${field}" must be an array of numbers.`);
  const numbers = list.flat() as number[];
  if (numbers.length % size !== 0) throw new SceneError(`${name}: "${field}" holds ${numbers.length} numbers, which is not a multiple of ${size}.`);
  return numbers;
}

/** Section `bounds`: centre and half extents of each box, or centre and radius of each sphere. */
function readBinary(name: string, { kind, count, sections }: Header, binary: ArrayBuffer | undefined): Bodies {
  const size = kind === 'sphere' ? SPHERE : BOX;
  const section = sections.find((one) => one.name === 'bounds' && one.type === 'f32');
  if (binary === undefined || section === undefined) throw new SceneError(`${name} is a header without a section "bounds" of type "f32".`);
  const needed = section.byteOffset + count * size * 4;
  if (binary.byteLength < needed) throw new SceneError(`The .bin of ${name} is truncated: its bounds end at byte ${needed}, but it has ${binary.byteLength}.`);
  const shown = Math.min(count, MAX_BODIES);
  const numbers = new Float32Array(binary.slice(section.byteOffset, section.byteOffset + shown * size * 4));
  if (size === SPHERE) return { boxes: [], spheres: numbers, total: count };
  const boxes = new Float64Array(numbers.length);
  for (let at = 0; at < boxes.length; at += BOX) {
    for (let axis = at; axis < at + 3; axis++) {
      boxes[axis] = numbers[axis] - numbers[axis + 3];
      boxes[axis + 3] = numbers[axis] + numbers[axis + 3];
    }
  }
  return { boxes, spheres: [], total: count };
}

function readLines(name: string, text: string): Bodies {
  const boxes: number[] = [];
  const spheres: number[] = [];
  for (const [k, line] of text.split(/\r?\n/).entries()) {
    const cells = line.split(/[,;\s]+/).filter((cell) => cell !== '');
    // Comments, and a line of headings.
    if (cells.length === 0 || line.trim().startsWith('#') || (k === 0 && cells.every((cell) => Number.isNaN(Number(cell))))) continue;
    if (cells.length !== BOX && cells.length !== SPHERE) throw new SceneError(`${name}, line ${k + 1}: ${cells.length} values, but a box has 6 numbers and a sphere 4.`);
    (cells.length === BOX ? boxes : spheres).push(...cells.map(Number));
  }
  return limit(boxes, spheres);
}

function limit(boxes: number[], spheres: number[]): Bodies {
  const shownBoxes = boxes.slice(0, MAX_BODIES * BOX);
  const shownSpheres = spheres.slice(0, (MAX_BODIES - shownBoxes.length / BOX) * SPHERE);
  return { boxes: shownBoxes, spheres: shownSpheres, total: boxes.length / BOX + spheres.length / SPHERE };
}

function checkNumbers(name: string, what: string, numbers: ArrayLike<number>, size: number): void {
  for (let at = 0; at < numbers.length; at++) {
    const label = `${name}, ${what} ${Math.floor(at / size) + 1}`;
    if (!Number.isFinite(numbers[at])) throw new SceneError(`${label}: ${JSON.stringify(numbers[at]) ?? 'NaN'} is not a finite number.`);
    if (size === BOX && at % BOX < 3 && numbers[at] > numbers[at + 3]) throw new SceneError(`${label}: its minimum is greater than its maximum.`);
    if (size === SPHERE && at % SPHERE === 3 && numbers[at] < 0) throw new SceneError(`${label}: its radius is negative.`);
  }
}
