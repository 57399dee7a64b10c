/**
 * The fields of materials that programs change most, in one array: a row of numbers for each material. Each update
 * compares all of them. Most of this time is cache misses: with an array for each material it takes a quarter more.
 */

import type { Color, Material, MeshPhysicalMaterial } from 'three';
import { withCapacity } from '../../math/typed-arrays.ts';

/** Most kinds have only some of its fields. */
type AnyMaterial = Material & Partial<MeshPhysicalMaterial>;

/** Numbers of a row: the 22 of a MeshPhysicalMaterial, which has most, and whole cache lines of 8. */
const STRIDE = 24;

export class UsualRows {
  private rows = new Float64Array(0);

  /**
   * Whether a usual field of a material differs from its row: the version, how pixels are drawn, and the values by
   * which three multiplies textures. Then they are stored.
   *
   * @param row One for each material.
   */
  take(material: Material, row: number): boolean {
    this.rows = withCapacity(this.rows, STRIDE * (row + 1));
    const { rows } = this;
    const count = readUsual(material as AnyMaterial, take_fields);
    let isChanged = false;
    for (let k = 0, at = STRIDE * row; k < count; k++, at++) {
      if (rows[at] === take_fields[k]) continue;
      rows[at] = take_fields[k];
      isChanged = true;
    }
    return isChanged;
  }
}
const take_fields = /* @__PURE__ */ new Float64Array(STRIDE);

/** Returns how many numbers were written. */
function readUsual(material: AnyMaterial, target: Float64Array): number {
  const { color, emissive, roughness, metalness } = material;
  target[0] = material.version;
  target[1] = flagsOf(material);
  let count = 2;
  if (roughness !== undefined) target[count++] = roughness;
  if (metalness !== undefined) target[count++] = metalness;
  if (color !== undefined) count = readColor(color, target, count);
  if (emissive !== undefined) {
    target[count++] = material.emissiveIntensity!;
    count = readColor(emissive, target, count);
  }
  return material.isMeshPhysicalMaterial ? readPhysical(material as MeshPhysicalMaterial, target, count) : count;
}

/** How pixels are drawn, in one number. */
function flagsOf(material: AnyMaterial): number {
  return (
    Number(material.visible) |
    (Number(material.transparent) << 1) |
    (Number(material.depthTest) << 2) |
    (Number(material.depthWrite) << 3) |
    (Number(material.colorWrite) << 4) |
    (Number(material.polygonOffset) << 5) |
    (Number(material.wireframe === true) << 6) |
    (material.side << 7) |
    (material.blending << 9)
  );
}

function readColor({ r, g, b }: Color, target: Float64Array, at: number): number {
  target[at] = r;
  target[at + 1] = g;
  target[at + 2] = b;
  return at + 3;
}

function readPhysical(material: MeshPhysicalMaterial, target: Float64Array, at: number): number {
  target[at] = material.clearcoat;
  target[at + 1] = material.clearcoatRoughness;
  target[at + 2] = material.sheen;
  target[at + 3] = material.sheenRoughness;
  target[at + 4] = material.specularIntensity;
  return readColor(material.specularColor, target, readColor(material.sheenColor, target, at + 5));
}
