/**
 * Materials that differ in colour only are drawn as one: by a white copy of the material, and the colours in the
 * vertices. A shader multiplies both, so the pixels are the same.
 */

import { Color, type BufferAttribute, type InterleavedBufferAttribute, type Material } from 'three';

/** A material with a colour that its shader multiplies by the vertex colours: nearly all of three. */
export type ColoredMaterial = Material & { color: Color };

/** Fields that do not change what is drawn. `color` is what may differ. */
const IGNORED: readonly string[] = ['uuid', 'name', 'id', 'version', 'userData', '_listeners', 'color', 'vertexColors'];

export function hasColor(material: Material): material is ColoredMaterial {
  return (material as Partial<ColoredMaterial>).color?.isColor === true;
}

/**
 * All that a shader reads of a material, its colour excepted: equal texts mean that one material can draw for the
 * other. Compared are the class, and the values of all its own fields, so that no new field of three is forgotten.
 */
export function textOf(material: Material): string {
  const fields = Object.entries(material).filter(([name]) => !IGNORED.includes(name));
  return `${material.type} ${fields.map(([name, value]) => `${name}:${textOfValue(value)}`).join()}`;
}

function textOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if ('isTexture' in value) return (value as unknown as { uuid: string }).uuid;
  if ('toArray' in value) return (value as { toArray: () => unknown[] }).toArray().join(' ');
  return JSON.stringify(value);
}

/** The materials that draw for others, by their texts, and the attributes of the geometries. */
export class WhiteMaterials {
  private readonly byText = new Map<string, Material>();

  /** The material that draws for all materials with the text of this one. */
  of(material: ColoredMaterial, text: string): Material {
    let white = this.byText.get(text);
    if (white === undefined) {
      white = material.clone();
      (white as ColoredMaterial).color.set(1, 1, 1);
      white.vertexColors = true;
      this.byText.set(text, white);
    }
    return white;
  }

  get size(): number {
    return this.byText.size;
  }

  /** Disposes of the others. */
  keepOnly(isUsed: (material: Material) => boolean): void {
    for (const [text, material] of this.byText) {
      if (isUsed(material)) continue;
      material.dispose();
      this.byText.delete(text);
    }
  }
}

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
