/**
 * Materials that differ only in values which three multiplies by a texture are drawn as one: by a copy of the material,
 * and a palette of the values (palette.ts).
 */

import { MathUtils, NormalBlending, type Material } from 'three';
import { isMultiplied } from '../three/detector/material-record.ts';
import { fieldsOf, isFree, MAX_TEXELS, Palette, type Slot } from './palette.ts';

/** Fields that do not change what is drawn. `__r3f` is the record of react-three-fiber of a material in JSX. */
const IGNORED: readonly string[] = ['uuid', 'name', 'version', 'userData', '_listeners', '__r3f'];

/**
 * Draws in place of materials that are equal but for the values of a palette, by copies of the first of them. All own
 * fields are compared, so that no new field of three is forgotten. Colours, vectors and matrices are compared by value;
 * textures, clipping planes and other objects must be the same objects, so that the copies follow their changes.
 */
export class SharedMaterial {
  /** Place of the copies in the order of materials by their ids: behind the first material. */
  readonly id: number;
  /** Copies by the layout of what they draw: see `BatchKey.layout`. */
  readonly copies = new Map<number, Material>();
  /** The materials in whose place it may draw. Those that are not in the palette draw themselves. */
  readonly users = new Set<Material>();
  /** The values of those in whose place it draws; null as long as there are none. */
  palette: Palette | null = null;
  /** See `textOf`. */
  readonly text: string;
  private readonly slots: readonly Slot[];
  /** Its fields are copies, which keep their values. */
  private readonly sample: Material;
  /** The fields by which three multiplies a texture and that are in no palette, such as `color` beside a `map`. */
  private readonly fixedValues: readonly string[];

  constructor(material: Material, slots: readonly Slot[], text: string) {
    this.id = material.id + 0.5;
    this.text = text;
    this.slots = slots;
    this.sample = copyOf(material);
    this.fixedValues = namesOf(material, slots).filter(isMultiplied);
  }

  get isFull(): boolean {
    return this.users.size >= MAX_TEXELS;
  }

  /** Whether some of several materials draw themselves that could be drawn as one. */
  get isDue(): boolean {
    return this.users.size > Math.max(this.drawnCount, 1);
  }

  /** Adds a user. It draws itself until there is a palette. */
  add(material: Material): void {
    // First what may throw: without memory it is no user.
    if (this.palette !== null) this.open([material]);
    this.users.add(material);
  }

  /** Draws in place of some users from now on, which need new keys. */
  open(users: readonly Material[]): void {
    const palette = this.palette ?? new Palette(this.slots);
    for (const material of users)
      if (palette.add(material)) for (const copy of this.copies.values()) palette.prepare(copy);
    // Now: without memory nothing is drawn as one.
    this.palette = palette;
  }

  /** Removes a user. The last in the palette takes the copies with it. */
  remove(material: Material): void {
    const { palette, copies } = this;
    this.users.delete(material);
    if (!this.draws(material)) return;
    palette!.remove(material);
    if (palette!.size > 0) return;
    for (const copy of copies.values()) copy.dispose();
    copies.clear();
    palette!.dispose();
    this.palette = null;
  }

  /** Number of materials in whose place it draws. */
  get drawnCount(): number {
    return this.palette?.size ?? 0;
  }

  /** Whether it draws in place of a material. */
  draws(material: Material): boolean {
    return this.palette?.has(material) === true;
  }

  /**
   * What draws geometries with some attributes in place of the materials. three chooses one program for a material, by
   * the first geometry that it draws with it: so a copy draws geometries with the same attributes only.
   */
  copyFor(layout: number): Material {
    let copy = this.copies.get(layout);
    if (copy === undefined) {
      copy = copyOf(this.sample);
      this.palette!.prepare(copy);
      this.copies.set(layout, copy);
    }
    return copy;
  }

  /** The fields of the materials by type and name, as texts: `palette` for those that may differ. */
  get fields(): Map<string, string> {
    const { sample, slots } = this;
    // An accessor of three is stored with `_` before its name.
    const keyOf = (name: string): string => `${sample.type}.${name.slice(1) in sample ? name.slice(1) : name}`;
    const texts = new Map(fieldsOf(slots).map((name) => [keyOf(name), 'palette']));
    for (const name of namesOf(sample, slots)) texts.set(keyOf(name), textOfField(sample, name));
    return texts;
  }

  /**
   * Whether a material can still be drawn by the copies.
   *
   * @param isOfValues Whether only fields have changed by which three multiplies textures. All fields take about 20
   *   microseconds.
   */
  matches(material: Material, isOfValues: boolean): boolean {
    const { slots, sample, fixedValues } = this;
    if (!slots.every((slot) => isFree(slot, material))) return false;
    return isOfValues
      ? fixedValues.every((name) => textOfField(material, name) === textOfField(sample, name))
      : textOf(material, slots) === this.text;
  }
}

/** The shared materials of a group, by texts. */
export class SharedMaterials {
  /** Whether materials that differ in the values of a palette only are drawn as one. */
  readonly isOn: boolean;
  private readonly isNeighbour: (a: number, b: number) => boolean;
  private readonly byText = new Map<string, SharedMaterial[]>();

  /** @param isNeighbour Whether a material may be drawn at the place of another one in the order, by their ids. */
  constructor(isOn: boolean, isNeighbour: (a: number, b: number) => boolean) {
    this.isOn = isOn;
    this.isNeighbour = isNeighbour;
  }

  /**
   * What may draw in place of a material from now on; null if nothing can.
   *
   * @param slots Those that are free for a palette.
   */
  join(material: Material, slots: readonly Slot[]): SharedMaterial | null {
    if (!this.isOn || slots.length === 0) return null;
    const text = textOf(material, slots);
    let equal = this.byText.get(text);
    if (equal === undefined) this.byText.set(text, (equal = []));
    let shared = equal.find(({ id, isFull }) => !isFull && this.isNeighbour(id, material.id));
    if (shared === undefined) equal.push((shared = new SharedMaterial(material, slots, text)));
    shared.add(material);
    return shared;
  }

  /** Those that could draw in place of more materials than they do. */
  get due(): SharedMaterial[] {
    return Array.from(this.byText.values()).flatMap((all) => all.filter(({ isDue }) => isDue));
  }

  /** The fields in which materials differ that are not drawn as one, by type and name, with the numbers of values. */
  get fieldsApart(): Map<string, number> {
    const values = new Map<string, Set<string>>();
    for (const [{ fields }] of this.byText.values())
      for (const [key, text] of fields) values.set(key, (values.get(key) ?? new Set()).add(text));
    return new Map(Array.from(values, ([key, { size }]) => [key, size] as const).filter(([, size]) => size > 1));
  }

  /** A material is no longer drawn as one with others. */
  leave(shared: SharedMaterial, material: Material): void {
    shared.remove(material);
    if (shared.users.size > 0) return;
    const rest = this.byText.get(shared.text)!.filter((each) => each !== shared);
    if (rest.length > 0) this.byText.set(shared.text, rest);
    else this.byText.delete(shared.text);
  }
}

/** All that a `SharedMaterial` compares, and the class, as a text: materials with equal texts are drawn as one. */
function textOf(material: Material, slots: readonly Slot[]): string {
  const fields = namesOf(material, slots).map((name) => `${name}:${textOfField(material, name)}`);
  return `${material.type} ${numberOf(material.constructor)} ${slots.map(({ map }) => map).join()} ${fields.join()}`;
}

function textOfField(material: Material, name: string): string {
  return textOfValue(Reflect.get(material, name));
}

function textOfValue(value: unknown): string {
  // Quoted, so that different values have different texts.
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isObject(value)) return String(value);
  if (isValue(value)) return value.toArray().join(' ');
  return isList(value) ? Object.entries(value).map(textOfEntry).join(' ') : numberOf(value);
}

function textOfEntry([name, value]: [string, unknown]): string {
  return `${JSON.stringify(name)}=${isObject(value) ? numberOf(value) : textOfValue(value)}`;
}

/** The fields that a `SharedMaterial` compares. Fields with accessors are stored in those with `_` before the name. */
function namesOf(material: Material, slots: readonly Slot[]): string[] {
  const different = new Set([...IGNORED, ...fieldsOf(slots)]);
  // Opaque: WebGLRenderer and WebGPURenderer set alpha to 1.
  if (material.blending === NormalBlending && !(material.alphaTest > 0)) different.add('opacity');
  return Object.keys(material).filter((name) => !different.has(name) && !different.has(name.replace(/^_/, '')));
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

/** A colour, vector, matrix or angle of three. */
interface Value {
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
