/**
 * Which meshes can be drawn from one geometry, and which of them together. Two meshes can share a batch if they have
 * the same material, the same attributes that the material reads, and the same draw state. Pixels stay equal, because
 * every value that a shader of three reads is either the same for both, or baked into the vertices.
 */

import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Material, Mesh, Object3D } from 'three';
import * as trait from '../three/bounds/material-traits.ts';
import { hasDrawCallbacks, isPlainLeaf } from '../three/bounds/object-traits.ts';
import { vertexCountOf } from '../three/bounds/vertex-bounds.ts';
import { isRepeated, type AnyObject } from '../three/detector/object-words.ts';
import type { Member } from '../three/group/member.ts';
import { freeSlotsOf } from './palette.ts';
import type { SharedMaterial, SharedMaterials } from './shared-materials.ts';

export type VertexAttribute = BufferAttribute | InterleavedBufferAttribute;

/** A mesh that a batch can hold: a single material, and a geometry with vertices. */
export type MergeableMesh = Mesh<BufferGeometry, Material>;

/** The geometry of a member whose object is such a mesh. */
export function geometryOf({ object }: Member): BufferGeometry {
  return (object as MergeableMesh).geometry;
}

/**
 * Largest number of vertices of a mesh in a batch. A larger mesh is drawn on its own: baking it would take longer than
 * a slice, and its draw call is a small part of what it costs.
 */
const MAX_VERTICES = 65_536;

/** Largest determinant that may come from rounding, as a share of the largest scale cubed. Test: mergeable.test. */
const FLAT = 1e-12;
/** Textures that no vertex attribute places. */
const UNPLACED_TEXTURES: readonly string[] = ['envMap', 'gradientMap', 'matcap'];
/** The attributes of batches, with their numbers per vertex. The place in the list is the bit in `BatchKey.layout`. */
const ATTRIBUTES: readonly (readonly [name: string, size: number])[] = [
  ['position', 3],
  ['normal', 3],
  ['tangent', 4],
  ['uv', 2],
  ['uv1', 2],
  ['uv2', 2],
  ['uv3', 2],
  ['color', 4],
  ['color', 3],
];
/** The attribute that chooses a texel of a palette, and its bit in `BatchKey.layout`: that of `uv3`. */
export const PALETTE_ATTRIBUTE = 'uv3';
const PALETTE = 0x40;

/** What the meshes of a batch have in common. */
export interface BatchKey {
  /** Equal for keys that are alike. */
  readonly id: string;
  /** What draws the batch: the material of its meshes, or a copy of them all (see shared-materials.ts). */
  readonly material: Material;
  /** Whether it is a copy, which reads the values of the materials from a palette. */
  readonly hasPalette: boolean;
  /** The attributes as bits of `ATTRIBUTES`. */
  readonly layout: number;
  /** Names of the attributes, `position` first, with the numbers per vertex. */
  readonly attributes: ReadonlyMap<string, number>;
  readonly castShadow: boolean;
  readonly receiveShadow: boolean;
  readonly layerMask: number;
  readonly renderOrder: number;
}

/** Prepares a mesh to draw members with a key. Its matrices are set in each pass. */
export function setDrawState(mesh: Mesh, { castShadow, receiveShadow, renderOrder, layerMask }: BatchKey): void {
  mesh.castShadow = castShadow;
  mesh.receiveShadow = receiveShadow;
  mesh.renderOrder = renderOrder;
  mesh.layers.mask = layerMask;
  mesh.frustumCulled = mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
}

/**
 * The key of a member, or the reason why it cannot be merged, in words.
 *
 * @param traitsOf The traits of a material: many meshes share one.
 */
export function keyOf(member: Member, traitsOf: (material: Material) => MaterialTraits): BatchKey | string {
  const object = member.object as MergeableMesh;
  const { material, geometry } = object;
  const fault = memberFault(member) ?? (Array.isArray(material) ? 'several materials' : null);
  if (fault !== null) return fault;
  const traits = traitsOf(material);
  if (traits.fault !== null) return traits.fault;
  const layout = layoutOf(geometry, traits) + (traits.hasPalette ? PALETTE : 0);
  if (Number.isNaN(layout))
    return 'an attribute that is missing, of another size or length than the positions, or not in memory';
  const { castShadow, receiveShadow, renderOrder } = object;
  const layerMask = object.layers.mask;
  const { hasPalette, lastKey } = traits;
  const drawing = hasPalette ? traits.shared!.copyFor(layout) : material;
  const id = [drawing.id, layout, castShadow, receiveShadow, layerMask, renderOrder].join();
  if (lastKey?.id === id) return lastKey;
  const attributes = new Map<string, number>(ATTRIBUTES.filter((_, bit) => (layout & (1 << bit)) !== 0));
  const state = { castShadow, receiveShadow, layerMask, renderOrder };
  return (traits.lastKey = { id, layout, material: drawing, hasPalette, attributes, ...state });
}

/** Why a member cannot be merged, whatever its material is, in words; null if that does not hinder. */
export function memberFault(member: Member): string | null {
  const object = member.object as MergeableMesh & AnyObject;
  if (member.body === null) return 'without bounds, or not culled';
  if ('isGroup' in object && !member.isDescendant) return 'a group: add it by addTree, not by add';
  if (!isPlainLeaf(object) || !object.isMesh || isRepeated(object)) return 'not a plain mesh';
  if (hasDrawCallbacks(object)) return 'draw callbacks';
  if (object.customDepthMaterial !== undefined || object.customDistanceMaterial !== undefined)
    return 'a material of its own for shadows';
  if (object.occlusionTest) return 'an occlusion test of the renderer';
  if (object.static && !member.isStatic) return 'Object3D.static: make it static in the group, too';
  if (!member.followsGroup) return 'placed by other code';
  if (isFlat(object)) return 'a scale of 0';
  return geometryFault(object.geometry);
}

/**
 * Whether the world matrix of an object flattens, or holds a NaN. By the sign of its determinant, which is that of
 * rounding errors then, three chooses which sides of faces it draws.
 */
export function isFlat({ matrixWorld }: Object3D): boolean {
  const longest = matrixWorld.getMaxScaleOnAxis();
  return !(Math.abs(matrixWorld.determinant()) > FLAT * longest * longest * longest);
}

/** Whether a batch can draw its meshes in place of their own materials with an override material of the scene. */
export function canOverride(material: Material): boolean {
  const word = trait.traitsOf(material);
  return (word & trait.DECIDES_MERGING) === 0 && uvChannelsOf(material).length === 0;
}

/** What a material means for merging. It holds until the material changes: see `takeChange`. */
export class MaterialTraits {
  readonly material: Material;
  /**
   * What may draw in place of materials that differ in the values of a palette only; null if it cannot for this one.
   */
  shared: SharedMaterial | null = null;
  /** Why meshes with the material cannot be merged, in words; null if they can. */
  readonly fault: string | null;
  /** The channels of texture coordinates that it may read, in order. */
  readonly uvChannels: readonly number[];
  /** The key of the last mesh with the material: most of the others have it too. */
  lastKey: BatchKey | null = null;
  private version: number;
  private readonly traits: number;
  private readonly sharing: SharedMaterials;

  constructor(material: Material, sharing: SharedMaterials) {
    this.sharing = sharing;
    this.material = material;
    this.version = material.version;
    this.traits = trait.traitsOf(material) & trait.DECIDES_MERGING;
    this.fault = trait.reasonOf(this.traits & trait.NOT_MERGEABLE);
    this.uvChannels = uvChannelsOf(material);
    if (this.fault === null) this.shared = sharing.join(material, freeSlotsOf(material, this.uvChannels));
  }

  /** Whether a copy with a palette draws in place of the material. */
  get hasPalette(): boolean {
    return this.shared?.draws(this.material) === true;
  }

  /**
   * Call it after a change. Returns whether meshes with the material are merged as before: then new values are written
   * to the palette, and a new version of it needs a new program only.
   *
   * @param isOfValues Whether only values have changed by which three multiplies textures.
   */
  takeChange(isOfValues: boolean): boolean {
    const { material, shared, sharing } = this;
    if (
      !isOfValues &&
      ((trait.traitsOf(material) & trait.DECIDES_MERGING) !== this.traits ||
        uvChannelsOf(material).join() !== this.uvChannels.join())
    )
      return false;
    if (shared?.matches(material, isOfValues) === false) {
      if (this.hasPalette) return false;
      sharing.leave(shared, material);
      this.shared = sharing.join(material, freeSlotsOf(material, this.uvChannels));
      if (this.hasPalette) return false;
    }
    if (material.version !== this.version)
      for (const copy of this.shared?.copies.values() ?? []) copy.needsUpdate = true;
    this.version = material.version;
    if (this.hasPalette) this.shared!.palette!.write(material);
    return true;
  }
}

/**
 * Whether faces in one plane look alike that are drawn with a key and one material: no attribute but position, normal
 * and tangent differs.
 */
export function looksEven({ layout, hasPalette }: BatchKey): boolean {
  return (layout & ~(hasPalette ? PALETTE : 0)) < 8;
}

/** Whether a material shows which opaque materials are drawn before it, and which after it. */
export function showsOrder(material: Material): boolean {
  const word = trait.traitsOf(material);
  return (word & trait.SHOWS_OPAQUE_ORDER) !== 0 && (word & trait.NOT_OPAQUE) === 0;
}

/** Why meshes with a geometry cannot be merged, in words; null if they can, as far as its attributes allow. */
export function geometryFault(geometry: BufferGeometry): string | null {
  const { index, drawRange } = geometry;
  const count = vertexCountOf(geometry);
  if (count === 0) return 'no vertices';
  if (count > MAX_VERTICES) return `more than ${MAX_VERTICES} vertices`;
  if ('isInstancedBufferGeometry' in geometry) return 'an instanced geometry';
  if (drawRange.start !== 0 || drawRange.count !== Infinity) return 'a draw range';
  if (hasMorphTargets(geometry)) return 'morph targets';
  if ((geometry as { indirect?: unknown }).indirect) return 'an indirect draw';
  if (index !== null && !hasNumbers(index)) return 'an index that is not in memory';
  return null;
}

export function hasMorphTargets({ morphAttributes }: BufferGeometry): boolean {
  for (const name in morphAttributes) if ((morphAttributes[name as 'position']?.length ?? 0) > 0) return true;
  return false;
}

/** The attributes that a material reads of a geometry, as bits of `ATTRIBUTES`. NaN if one cannot be merged. */
function layoutOf(geometry: BufferGeometry, { material, uvChannels }: MaterialTraits): number {
  let layout = bitOf(geometry, 'position') + bitOf(geometry, 'normal');
  // A shader reads tangents for the directions of maps and of anisotropy only.
  if (uvChannels.length > 0) layout += bitOf(geometry, 'tangent');
  for (const channel of uvChannels) layout += bitOf(geometry, `uv${channel || ''}`);
  layout += material.vertexColors ? bitOf(geometry, 'color') : 0;
  return layout;
}

/** The bit of an attribute; 0 if there is none. NaN if it cannot be merged. */
function bitOf({ attributes }: BufferGeometry, name: string): number {
  const attribute = attributes[name] as VertexAttribute | undefined;
  if (attribute === undefined) return 0;
  const isUsual =
    attribute.count >= attributes.position.count &&
    hasNumbers(attribute) &&
    !('isInstancedBufferAttribute' in attribute);
  if (!isUsual) return NaN;
  for (let bit = 0; bit < ATTRIBUTES.length; bit++)
    if (ATTRIBUTES[bit][0] === name && ATTRIBUTES[bit][1] === attribute.itemSize) return 1 << bit;
  return NaN;
}

/**
 * The channels of texture coordinates that a material may read, in order: of each texture, and the first channel beside
 * any texture and for anisotropy. WebGPURenderer takes the directions of a map from it, whatever the channel of the
 * map.
 */
function uvChannelsOf(material: Material & { readonly anisotropy?: number }): number[] {
  const channels = new Set<number>();
  for (const [name, value] of Object.entries(material) as [string, { isTexture?: boolean; channel: number } | null][])
    if (value?.isTexture && !UNPLACED_TEXTURES.includes(name)) channels.add(value.channel);
  if (channels.size > 0 || material.anisotropy! > 0) channels.add(0);
  return Array.from(channels).sort((a, b) => a - b);
}

/**
 * Whether what is drawn are the numbers in memory: code may drop them after the upload, and a compute shader may write
 * others on the GPU.
 */
export function hasNumbers(attribute: VertexAttribute): boolean {
  const { array } = attribute as { array?: ArrayLike<number> | null };
  return !('isStorageBufferAttribute' in attribute) && (array?.length ?? 0) > 0;
}
