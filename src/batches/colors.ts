/**
 * Materials that differ in colour only are drawn as one: by a white copy of the material, and the colours in the
 * vertices. A shader multiplies both, so the pixels are the same.
 */

import { Color, MathUtils, type BufferAttribute, type InterleavedBufferAttribute, type Material } from 'three';

/** A material with a colour that its shader multiplies by the vertex colours. */
export type ColoredMaterial = Material & { color: Color };

/** The types whose shaders do so. Others have a colour too, for another use: ShadowMaterial. */
const COLORED = /^Mesh(Basic|Lambert|Phong|Standard|Physical|Toon|Matcap)(Node)?Material$/;
/** Fields that do not change what is drawn. `color` is what may differ; `vertexColors` is compared by itself. */
const IGNORED: readonly string[] = ['uuid', 'name', 'version', 'userData', '_listeners', 'color', 'vertexColors'];

export function hasColor(material: Material): material is ColoredMaterial {
  return COLORED.test(material.type) && (material as Partial<ColoredMaterial>).color?.isColor === true;
}

/**
 * Draws in place of materials that are equal but for their colour, by white copies of the first of them. All own fields
 * are compared, so that no new field of three is forgotten. Colours, vectors and matrices are compared by value;
 * textures, clipping planes and other objects must be the same objects, so that the copies follow their changes.
 */
export class SharedMaterial {
  /** Place of the copies in the order of materials by their ids: behind the first material. */
  readonly id: number;
  /** Copies with vertex colours, by the layout of what they draw: see `BatchKey.layout`. */
  readonly whites = new Map<number, Material>();
  /** Number of materials in whose place it draws. */
  users = 0;
  /** See `textOf`. */
  readonly text: string;
  /** Its fields are copies, which keep their values. */
  private readonly sample: Material;
  private readonly names: readonly string[];
  private readonly values: readonly unknown[];

  constructor(material: ColoredMaterial, text: string) {
    this.id = material.id + 0.5;
    this.text = text;
    const sample = copyOf(material);
    this.sample = sample;
    this.names = namesOf(material);
    this.values = this.names.map((name) => Reflect.get(sample, name));
  }

  /**
   * What draws geometries with some attributes in place of the materials. three chooses one program for a material, by
   * the first geometry that it draws with it: so a copy draws geometries with the same attributes only.
   */
  whiteFor(layout: number): Material {
    let white = this.whites.get(layout);
    if (white === undefined) {
      white = copyOf(this.sample);
      (white as ColoredMaterial).color = new Color(1, 1, 1);
      white.vertexColors = true;
      this.whites.set(layout, white);
    }
    return white;
  }

  /** Whether all fields of a material are still as in the copies, its colour excepted. About 2 microseconds. */
  matches(material: Material): boolean {
    const { names, values } = this;
    // Half of the time of `Reflect.get`.
    const fields = material as unknown as Readonly<Record<string, unknown>>;
    for (let k = 0; k < names.length; k++) {
      const value = fields[names[k]];
      if (value !== values[k] && !isSame(value, values[k])) return false;
    }
    return true;
  }
}

/** The shared materials of a group, by texts. */
export class SharedMaterials {
  private readonly byText = new Map<string, SharedMaterial[]>();

  /**
   * What draws in place of a material, until `leave` is called for it.
   *
   * @param isNeighbour Whether a material may be drawn at the place of another one in the order of drawing, by their
   *   ids.
   */
  of(material: ColoredMaterial, isNeighbour: (a: number, b: number) => boolean): SharedMaterial {
    const text = textOf(material);
    let equal = this.byText.get(text);
    if (equal === undefined) this.byText.set(text, (equal = []));
    let shared = equal.find(({ id }) => isNeighbour(id, material.id));
    if (shared === undefined) equal.push((shared = new SharedMaterial(material, text)));
    shared.users++;
    return shared;
  }

  /** A material is no longer drawn as one with others. The last of them takes the copies with it. */
  leave(shared: SharedMaterial): void {
    if (--shared.users > 0) return;
    for (const white of shared.whites.values()) white.dispose();
    const rest = this.byText.get(shared.text)!.filter((each) => each !== shared);
    if (rest.length > 0) this.byText.set(shared.text, rest);
    else this.byText.delete(shared.text);
  }
}

/** All that a `SharedMaterial` compares, and the class, as a text: materials with equal texts are drawn as one. */
export function textOf(material: Material): string {
  const fields = namesOf(material).map((name) => `${name}:${textOfValue(Reflect.get(material, name))}`);
  return `${material.type} ${numberOf(material.constructor)} ${fields.join()}`;
}

/** As `textOf`, with the colour. */
export function fullTextOf(material: Material): string {
  const { color, vertexColors } = material as Partial<ColoredMaterial>;
  return `${textOf(material)} ${textOfValue(color)} ${vertexColors}`;
}

function textOfValue(value: unknown): string {
  if (!isObject(value)) return String(value);
  if (isValue(value)) return value.toArray().join(' ');
  return isList(value) ? Object.entries(value).map(textOfEntry).join(' ') : numberOf(value);
}

function textOfEntry([name, value]: [string, unknown]): string {
  return `${name}=${isObject(value) ? numberOf(value) : String(value)}`;
}

/** The fields that a `SharedMaterial` compares. */
function namesOf(material: Material): string[] {
  return Object.keys(material).filter((name) => !IGNORED.includes(name));
}

/**
 * A copy of a material, with a place of its own next to it in the order in which WebGLRenderer draws materials. It is
 * made without the constructor and without `clone`, which may be code of the user.
 */
function copyOf<M extends Material>(material: M): M {
  const { _listeners, ...fields } = Object.getOwnPropertyDescriptors(material) as PropertyDescriptorMap;
  for (const [name, value] of Object.entries(material))
    if (name !== '_listeners')
      fields[name] = { value: copyOfValue(value), writable: true, enumerable: true, configurable: true };
  fields.uuid.value = MathUtils.generateUUID();
  fields.id = { value: Math.floor(material.id) + (++copies % MAX_COPIES) / MAX_COPIES };
  return Object.create(Object.getPrototypeOf(material) as object, fields) as M;
}
let copies = 0;
/** Copies of one material that have different ids. */
const MAX_COPIES = 2 ** 30;

function copyOfValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (isValue(value)) return value.clone();
  if (!isList(value)) return value;
  return Array.isArray(value) ? value.slice() : { ...value };
}

function isSame(value: unknown, kept: unknown): boolean {
  if (!isObject(value) || !isObject(kept) || value.constructor !== kept.constructor) return Object.is(value, kept);
  if (isValue(kept)) return kept.equals(value);
  if (!isList(kept)) return value === kept;
  const names = Object.keys(kept);
  return (
    names.length === Object.keys(value).length &&
    names.every((name) => Object.is(Reflect.get(value, name), Reflect.get(kept, name)))
  );
}

/** A colour, vector, matrix or angle of three. */
interface Value {
  equals(other: object): boolean;
  clone(): object;
  toArray(): unknown[];
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function isValue(value: object): value is Value {
  return 'equals' in value && 'toArray' in value;
}

/** Whether an object is an array or a plain object, whose entries are compared. */
function isList(value: object): boolean {
  return value.constructor === Array || value.constructor === Object;
}

/** A number for each object. */
function numberOf(object: object): string {
  let number = numbers.get(object);
  if (number === undefined) numbers.set(object, (number = `#${++numbered}`));
  return number;
}
const numbers = /* @__PURE__ */ new WeakMap<object, string>();
let numbered = 0;

/**
 * Writes the colours of a mesh: that of its material, multiplied by those of its vertices.
 *
 * @param source The numbers of the vertices, `size` each; null: white.
 */
export function bakeColors(
  { r, g, b }: Color,
  source: BufferAttribute | InterleavedBufferAttribute | null,
  size: number,
  count: number,
  target: Float32Array,
  first: number,
): void {
  for (let k = 0, at = first * size; k < count; k++, at += size) {
    target[at] = r * (source?.getX(k) ?? 1);
    target[at + 1] = g * (source?.getY(k) ?? 1);
    target[at + 2] = b * (source?.getZ(k) ?? 1);
    if (size === 4) target[at + 3] = source?.getW(k) ?? 1;
  }
}
