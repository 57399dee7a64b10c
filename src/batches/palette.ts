/**
 * Values of materials in textures, a texel for each material. three multiplies such a value by a texture, so a copy of
 * the materials in which the value is 1, or white, draws in place of them all: each vertex has the coordinates of the
 * texel of its material. Shaders compute the same numbers, so the pixels are the same.
 */

import { DataTexture, FloatType, RGBAFormat, type Color, type Material } from 'three';

/** The fields of all kinds of materials. */
type Fields = Readonly<Record<string, unknown>>;

/** A texture of a material, and the values that three multiplies by it: the texel is their product. */
export interface Slot {
  /** The field of the texture. */
  readonly map: string;
  readonly color?: string;
  readonly factor?: string;
  /** A number: unless it is above 0, the shader reads neither texture nor values. */
  readonly needed?: string;
  /** Shaders clamp the factor, those of WebGLRenderer before they multiply it. */
  readonly range?: readonly [min: number, max: number];
}

const SLOTS: readonly Slot[] = [
  { map: 'map', color: 'color' },
  { map: 'emissiveMap', color: 'emissive', factor: 'emissiveIntensity' },
  { map: 'roughnessMap', factor: 'roughness' },
  { map: 'metalnessMap', factor: 'metalness' },
  { map: 'clearcoatMap', factor: 'clearcoat', needed: 'clearcoat' },
  { map: 'clearcoatRoughnessMap', factor: 'clearcoatRoughness', needed: 'clearcoat' },
  { map: 'sheenColorMap', color: 'sheenColor', factor: 'sheen', needed: 'sheen' },
  { map: 'sheenRoughnessMap', factor: 'sheenRoughness', needed: 'sheen', range: [1e-4, 1] },
  { map: 'specularColorMap', color: 'specularColor' },
  { map: 'specularIntensityMap', factor: 'specularIntensity' },
];
/** The types whose shaders read the slots as above. Others have a colour too, for another use: ShadowMaterial. */
const TYPES = /^Mesh(Basic|Lambert|Phong|Standard|Physical|Toon|Matcap)(Node)?Material$/;
/** The channel of the texture coordinates that choose the texel: the attribute `uv3`. Test: palette.test. */
const PALETTE_CHANNEL = 3;
/**
 * Most textures of a material, with its own. A shader may read 16: this leaves 6 to environments, shadow maps and
 * lights. Test: palette.test.
 */
const MAX_TEXTURES = 10;
/** Texels in a row. Test of this and the next: palette.test. */
const WIDTH = 64;
/** Most rows: a changed value uploads its texture, 64 kB at most. */
const MAX_ROWS = 64;
/** Most materials of a palette. */
export const MAX_TEXELS = WIDTH * MAX_ROWS;

/**
 * The slots of a material that are free for a palette. None, if it has no free channel of texture coordinates, or if
 * its numbers are not precise enough to choose a texel.
 *
 * @param channels The channels that its own textures read.
 */
export function freeSlotsOf(material: Material, channels: readonly number[]): readonly Slot[] {
  const { precision, type } = material;
  if (!TYPES.test(type) || channels.includes(PALETTE_CHANNEL) || (precision !== null && precision !== 'highp'))
    return [];
  let left = MAX_TEXTURES;
  for (const value of Object.values(material)) if ((value as Partial<DataTexture> | null)?.isTexture) left--;
  return SLOTS.filter((slot) => isFree(slot, material)).slice(0, Math.max(left, 0));
}

/** Whether a texture of a palette may take a slot of a material. */
export function isFree({ map, color, factor, needed }: Slot, material: Material): boolean {
  const fields = material as unknown as Fields;
  return (
    fields[map] === null &&
    (color === undefined || (fields[color] as Partial<Color> | undefined)?.isColor === true) &&
    (factor === undefined || typeof fields[factor] === 'number') &&
    (needed === undefined || (fields[needed] as number) > 0)
  );
}

/** The fields of materials that differ where they have a palette. */
export function fieldsOf(slots: readonly Slot[]): string[] {
  return slots.flatMap(({ map, color = map, factor = map }) => [map, color, factor]);
}

/** The values of some materials. */
export class Palette {
  private readonly slots: readonly Slot[];
  private readonly texels = new Map<Material, number>();
  private readonly freeTexels: number[] = [];
  private rows = 0;
  private textures: DataTexture[] = [];

  constructor(slots: readonly Slot[]) {
    this.slots = slots;
  }

  /** Number of its materials. */
  get size(): number {
    return this.texels.size;
  }

  has(material: Material): boolean {
    return this.texels.has(material);
  }

  /** The number of the texel of a material. */
  texelOf(material: Material): number {
    return this.texels.get(material)!;
  }

  /** Adds a material. Returns whether the textures are other ones now. */
  add(material: Material): boolean {
    const texel = this.freeTexels.pop() ?? this.texels.size;
    const isLarger = texel >= WIDTH * this.rows;
    if (isLarger) this.grow();
    this.texels.set(material, texel);
    this.write(material);
    return isLarger;
  }

  remove(material: Material): void {
    this.freeTexels.push(this.texelOf(material));
    this.texels.delete(material);
  }

  /** Stores the values of a material. The next draw uploads those that have changed. */
  write(material: Material): void {
    const fields = material as unknown as Fields;
    const at = 4 * this.texelOf(material);
    for (const [k, { color, factor, range }] of this.slots.entries()) {
      const texture = this.textures[k];
      const data = texture.image.data as Float32Array;
      let scale = factor === undefined ? 1 : (fields[factor] as number);
      if (range !== undefined) scale = Math.min(Math.max(scale, range[0]), range[1]);
      const { r, g, b } = color === undefined ? WHITE : (fields[color] as Color);
      // Shaders read a factor from any of the four.
      const a = color === undefined ? scale : 1;
      TEXEL[0] = r * scale;
      TEXEL[1] = g * scale;
      TEXEL[2] = b * scale;
      TEXEL[3] = a;
      if (TEXEL.every((value, channel) => Object.is(value, data[at + channel]))) continue;
      data.set(TEXEL, at);
      texture.needsUpdate = true;
    }
  }

  /** Sets the values of a copy of the materials, and its textures. */
  prepare(copy: Material): void {
    for (const [k, { map, color, factor }] of this.slots.entries()) {
      if (color !== undefined) (Reflect.get(copy, color) as Color).setRGB(1, 1, 1);
      if (factor !== undefined) Reflect.set(copy, factor, 1);
      Reflect.set(copy, map, this.textures[k]);
    }
  }

  dispose(): void {
    for (const texture of this.textures) texture.dispose();
  }

  private grow(): void {
    const { textures } = this;
    const rows = Math.max(1, 2 * this.rows);
    this.textures = this.slots.map((_, k) => {
      const data = new Float32Array(4 * WIDTH * rows);
      if (k < textures.length) data.set(textures[k].image.data as Float32Array);
      const texture = new DataTexture(data, WIDTH, rows, RGBAFormat, FloatType);
      texture.channel = PALETTE_CHANNEL;
      // The coordinates of vertices count texels, so that they hold when the texture grows.
      texture.repeat.set(1 / WIDTH, 1 / rows);
      texture.needsUpdate = true;
      return texture;
    });
    this.rows = rows;
    for (const texture of textures) texture.dispose();
  }
}
const WHITE = { r: 1, g: 1, b: 1 };
const TEXEL = /* @__PURE__ */ new Float32Array(4);

/** Writes the coordinates of the middle of a texel, for some vertices or instances. */
export function writeTexel(texel: number, target: Float32Array, first: number, count: number): void {
  const u = (texel % WIDTH) + 0.5;
  const v = Math.floor(texel / WIDTH) + 0.5;
  for (let at = 2 * first; at < 2 * (first + count); at += 2) {
    target[at] = u;
    target[at + 1] = v;
  }
}
