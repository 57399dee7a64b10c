/** What is known of a material: all its own fields, what its colours, vectors and textures hold, and its traits. */

import type { Material, Plane, Texture } from 'three';
import * as trait from '../bounds/material-traits.ts';
import { BOX, CASTER, LOOK, MATERIAL, TRAITS, UNKNOWN, VALUES } from './change-bits.ts';
import type { ResourceRecord } from './shared-resources.ts';
import { TextureRecord, type Textures } from './texture-record.ts';
import { Values } from './values.ts';

/** Fields that change no picture. */
const UNSEEN = /^(uuid|name|userData|_listeners)$/;
/** Values by which three multiplies a texture. Those with accessors are stored in fields with `_`. */
const MULTIPLIED =
  /^_?(color|emissive(Intensity)?|roughness|metalness|clearcoat(Roughness)?|sheen(Color|Roughness)?|specular(Color|Intensity))$/;

/** Whether a change of a field alone is told as `VALUES`. */
export function isMultiplied(field: string): boolean {
  return MULTIPLIED.test(field);
}

/** How the names of fields begin that change no shadow map: those of colours and light, blending, depth, stencil. */
const UNSHADOWED =
  /^_?(ao|anisotropy|attenuation|blend|bump|clearcoat|color|combine|defines|depth[FTW]|dispersion|dither|emissive|env|flat|fog|gradient|ior|iridescence|lightMap|matcap|metalness|normal|premult|refl|refr|roughness|sheen|shininess|specular|stencil|thickness|tone|transmission|vertexColors)/;

/**
 * Whether another value of a field may change a shadow map. In doubt it may: a node, a field that three does not have.
 */
export function mayCast(field: string): boolean {
  return field.endsWith('Node') || !UNSHADOWED.test(field);
}

/** What an object holds that is the value of a field: a texture, an array, or the numbers of a colour or a matrix. */
class Content {
  /** Of a texture, which materials share. */
  readonly texture: TextureRecord | null;
  private readonly owner: Readonly<Record<string, unknown>>;
  private readonly values = new Values();

  /** @param textures Of an object that may be a texture. */
  constructor(owner: object, textures?: Textures) {
    this.owner = owner as Record<string, unknown>;
    this.texture = 'isTexture' in owner ? textures!.recordOf(owner as Texture) : null;
    this.takeChange();
  }

  /** Whether it has changed since the last call. */
  takeChange(): boolean {
    const { owner, texture, values } = this;
    if (texture !== null) values.next(texture.changes);
    else if (Array.isArray(owner))
      for (const item of owner as (Partial<Plane> | null)[]) {
        values.next(item);
        if (!item?.normal) continue;
        for (const value of item.normal) values.next(value);
        values.next(item.constant);
      }
    else for (const name in owner) values.next(owner[name]);
    // Of a matrix.
    if (owner.elements) for (const element of owner.elements as Iterable<number>) values.next(element);
    return values.end();
  }
}

/** Fields that only some kinds of materials have. */
type AnyMaterial = Material & { readonly map?: Texture | null } & Record<string, unknown>;

export class MaterialRecord implements ResourceRecord {
  /** Whether a picture, and whether a shadow map, may change without a change of a field. */
  isUnknown = false;
  isUnknownCaster = false;
  /** See material-traits.ts. */
  traits: number;
  private version: number;
  private readonly material: AnyMaterial;
  private readonly textures: Textures;
  /** By field, in the order of the fields: its name, its value, and what it holds; null of a number, a text, a node. */
  private readonly names: string[] = [];
  private readonly values: unknown[] = [];
  private readonly contents: (Content | null)[] = [];

  constructor(material: Material, textures: Textures) {
    this.material = material as AnyMaterial;
    this.textures = textures;
    this.traits = trait.traitsOf(material);
    this.version = material.version;
    this.takeChange(LOOK, true);
  }

  /** By index: this may run for all fields of all materials in each update. */
  takeChange(wants: number, isNew = false): number {
    const { material, names, values, contents } = this;
    if (
      (wants & (VALUES | LOOK | CASTER)) === 0 &&
      material.version === this.version &&
      trait.traitsOf(material) === this.traits
    )
      return 0;
    this.version = material.version;
    let bits = 0;
    let k = 0;
    for (const name in material) {
      const value = material[name];
      const content = contents[k];
      if (name !== names[k] || (value !== values[k] && !Object.is(value, values[k]))) {
        if (name !== names[k] && k < names.length) bits |= this.bitsOf(names[k], false);
        names[k] = name;
        values[k] = value;
        contents[k] = this.contentOf(value);
        bits |= isNew ? LOOK : this.bitsOf(name, false);
      } else if (content !== null && content.takeChange()) bits |= this.bitsOf(name, true);
      k++;
    }
    if (k < names.length) {
      names.length = values.length = contents.length = k;
      bits |= LOOK | CASTER;
    }
    return bits === 0 ? 0 : bits | this.takeTraits();
  }

  /** @param isInside Whether the field holds the same object as before. */
  private bitsOf(name: string, isInside: boolean): number {
    const { material } = this;
    if (isMultiplied(name)) return VALUES;
    if (UNSEEN.test(name)) return 0;
    let casts = mayCast(name);
    // The culling sphere of a sprite depends on it.
    if (name === 'sizeAttenuation') return LOOK | CASTER | BOX;
    if (name === 'clippingPlanes' || name === 'clipIntersection') casts = material.clipShadows;
    if (isInside && (name === 'map' || name === 'alphaMap')) casts = (trait.fieldTraitsOf(material) & trait.CUT) !== 0;
    return casts ? LOOK | CASTER : LOOK;
  }

  private takeTraits(): number {
    const { traits, isUnknown, isUnknownCaster, material, contents } = this;
    this.traits = trait.traitsOf(material);
    this.isUnknown = (this.traits & trait.UNKNOWN_LOOK) !== 0;
    this.isUnknownCaster = (this.traits & trait.UNKNOWN_CASTER) !== 0;
    for (const content of contents) {
      if (!content?.texture?.isUnknown) continue;
      this.isUnknown = true;
      const { texture } = content.texture;
      const cutting = (this.traits & trait.CUT) === 0 ? [] : [material.map, material.alphaMap];
      if ([material.displacementMap, ...cutting].includes(texture)) this.isUnknownCaster = true;
    }
    const differing = traits ^ this.traits;
    return (
      (differing === 0 ? 0 : TRAITS) |
      ((differing & trait.BEYOND_BOX) === 0 ? 0 : BOX) |
      (isUnknown === this.isUnknown ? 0 : UNKNOWN | LOOK) |
      (isUnknownCaster === this.isUnknownCaster ? 0 : UNKNOWN | CASTER)
    );
  }

  private contentOf(value: unknown): Content | null {
    // A shader node counts as unknown anyway.
    if (typeof value !== 'object' || value === null || 'isNode' in value) return null;
    const isRead = Array.isArray(value) || 'isTexture' in value || 'toArray' in value;
    return isRead ? new Content(value, this.textures) : null;
  }
}

/** Which materials an array of materials holds. Its elements have records of their own. */
export class MaterialArrayRecord implements ResourceRecord {
  private readonly content: Content;

  constructor(materials: readonly Material[]) {
    this.content = new Content(materials);
  }

  takeChange(): number {
    return this.content.takeChange() ? MATERIAL : 0;
  }
}
