// Reads a bodies file: JSON of boxes and spheres, the pair of a JSON header and a .bin that the benchmark reads, or one
// body per line (CSV).

import { SceneError } from './scene-error.ts';

/** Numbers per body. */
const BOX = 6;
const SPHERE = 4;
const CENTRE = 3;
const EXAMPLE = 'Write { "boxes": [minX, minY, minZ, maxX, maxY, maxZ, ...], "spheres": [x, y, z, radius, ...] }.';

export interface Bodies {
  /** Minimum x, y, z, then maximum x, y, z of each box. */
  readonly boxes: ArrayLike<number>;
  /** Centre x, y, z, then radius of each sphere. */
  readonly spheres: ArrayLike<number>;
  /** Number of bodies in the file. It may be greater than the number that was read. */
  readonly total: number;
  /** Centres of all boxes or spheres at successive moments, three numbers each; empty if the file holds none. */
  readonly frames: readonly Float32Array[];
}

/** The header of a binary file, as `npm run bench -- --data` reads it. */
interface Header {
  readonly kind: 'box' | 'sphere';
  readonly count: number;
  readonly bin?: string;
  readonly frames?: { readonly count: number };
  readonly sections: readonly {
    readonly name: string;
    readonly type: string;
    readonly byteOffset: number;
    readonly byteLength: number;
  }[];
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
 * @param max Bodies beyond this number are left out.
 * @param binary Content of the file that `binaryNameOf` names.
 * @throws {SceneError} Names the file, the body and the number.
 */
export function readBodies(name: string, text: string, max: number, binary?: ArrayBuffer): Bodies {
  const bodies = isJson(text) ? readJson(name, text, max, binary) : readLines(name, text, max);
  if (bodies.total === 0) throw new SceneError(`${name} holds no bodies. ${EXAMPLE}`);
  checkNumbers(name, 'box', bodies.boxes, BOX);
  checkNumbers(name, 'sphere', bodies.spheres, SPHERE);
  for (const frame of bodies.frames) checkNumbers(name, 'centre', frame, CENTRE);
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

function readJson(name: string, text: string, max: number, binary?: ArrayBuffer): Bodies {
  const content = parse(name, text);
  if (isHeader(content)) return readBinary(name, content, max, binary);
  const { boxes, spheres } = (Array.isArray(content) ? { boxes: content } : content) as {
    boxes?: unknown;
    spheres?: unknown;
  };
  if (boxes === undefined && spheres === undefined)
    throw new SceneError(`${name} has neither "boxes" nor "spheres". ${EXAMPLE}`);
  return limit(flatten(name, 'boxes', boxes ?? [], BOX), flatten(name, 'spheres', spheres ?? [], SPHERE), max);
}

function flatten(name: string, field: string, list: unknown, size: number): number[] {
  if (!Array.isArray(list)) throw new SceneError(`${name}: "${field}" must be an array of numbers.`);
  const numbers = list.flat() as number[];
  if (numbers.length % size !== 0)
    throw new SceneError(`${name}: "${field}" holds ${numbers.length} numbers, which is not a multiple of ${size}.`);
  return numbers;
}

/**
 * Section `bounds`: centre and half extents of each box, or centre and radius of each sphere. Section `frames`: the
 * centres of all bodies at one moment after the other.
 */
function readBinary(name: string, header: Header, max: number, binary: ArrayBuffer | undefined): Bodies {
  const { kind, count } = header;
  if (kind !== 'box' && kind !== 'sphere') throw new SceneError(`${name}: "kind" must be "box" or "sphere".`);
  if (!Number.isInteger(count) || count < 0) throw new SceneError(`${name}: "count" must be the number of bodies.`);
  const size = kind === 'sphere' ? SPHERE : BOX;
  const shown = Math.min(count, max);
  const numbers = readSection(name, header, 'bounds', binary, count * size).subarray(0, shown * size);
  const moments = header.frames?.count ?? 0;
  const centres =
    moments > 0 ? readSection(name, header, 'frames', binary, moments * count * CENTRE) : new Float32Array(0);
  const frames = Array.from({ length: moments }, (_, k) =>
    centres.subarray(k * count * CENTRE, (k * count + shown) * CENTRE),
  );
  if (size === SPHERE) return { boxes: [], spheres: numbers, total: count, frames };
  const boxes = new Float64Array(numbers.length);
  for (let at = 0; at < boxes.length; at += BOX) {
    for (let axis = at; axis < at + 3; axis++) {
      boxes[axis] = numbers[axis] - numbers[axis + 3];
      boxes[axis + 3] = numbers[axis] + numbers[axis + 3];
    }
  }
  return { boxes, spheres: [], total: count, frames };
}

/** The first numbers of a section. */
function readSection(
  name: string,
  { sections }: Header,
  wanted: string,
  binary: ArrayBuffer | undefined,
  length: number,
): Float32Array {
  const section = sections.find((one) => one?.name === wanted && one.type === 'f32');
  if (binary === undefined || section === undefined)
    throw new SceneError(`${name} is a header without a section "${wanted}" of type "f32".`);
  const end = section.byteOffset + length * 4;
  if (binary.byteLength < end)
    throw new SceneError(
      `The .bin of ${name} is truncated: its ${wanted} end at byte ${end}, but it has ${binary.byteLength}.`,
    );
  return new Float32Array(binary.slice(section.byteOffset, end));
}

function readLines(name: string, text: string, max: number): Bodies {
  const boxes: number[] = [];
  const spheres: number[] = [];
  for (const [k, line] of text.split(/\r?\n/).entries()) {
    const cells = line.split(/[,;\s]+/).filter((cell) => cell !== '');
    // Comments, and a line of headings.
    if (
      cells.length === 0 ||
      line.trim().startsWith('#') ||
      (k === 0 && cells.every((cell) => Number.isNaN(Number(cell))))
    )
      continue;
    if (cells.length !== BOX && cells.length !== SPHERE)
      throw new SceneError(`${name}, line ${k + 1}: ${cells.length} values, but a box has 6 numbers and a sphere 4.`);
    (cells.length === BOX ? boxes : spheres).push(...cells.map(Number));
  }
  return limit(boxes, spheres, max);
}

function limit(boxes: number[], spheres: number[], max: number): Bodies {
  const shownBoxes = boxes.slice(0, max * BOX);
  const shownSpheres = spheres.slice(0, (max - shownBoxes.length / BOX) * SPHERE);
  return { boxes: shownBoxes, spheres: shownSpheres, total: boxes.length / BOX + spheres.length / SPHERE, frames: [] };
}

function checkNumbers(name: string, what: string, numbers: ArrayLike<number>, size: number): void {
  for (let at = 0; at < numbers.length; at++) {
    const label = (): string => `${name}, ${what} ${Math.floor(at / size) + 1}`;
    if (!Number.isFinite(numbers[at]))
      throw new SceneError(`${label()}: ${String(numbers[at])} is not a finite number.`);
    if (size === BOX && at % BOX < 3 && numbers[at] > numbers[at + 3])
      throw new SceneError(`${label()}: its minimum is greater than its maximum.`);
    if (size === SPHERE && at % SPHERE === 3 && numbers[at] < 0)
      throw new SceneError(`${label()}: its radius is negative.`);
  }
}
