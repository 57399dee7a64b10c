/**
 * Which objects may hide others, and by which sides; and which may be hidden. In doubt an object is drawn, and hides
 * nothing. A fault is a text that gives the reason.
 */

import type { BufferGeometry, Group, Material, Mesh, Object3D } from 'three';
import type { SolidSide } from '../solid-boxes/closed-mesh.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { hasGeometry, isObject3D } from '../../three/bounds/object-kinds.ts';
import * as trait from '../../three/bounds/material-traits.ts';
import { hasDrawCallbacks, isPlainLeaf } from '../../three/bounds/object-traits.ts';
import { isRepeated, type AnyObject } from '../../three/detector/object-words.ts';

/** A mesh, or its geometry and material. */
export interface SolidSource {
  /** Its morph targets and its triangles count. */
  readonly geometry: BufferGeometry;
  /** The material, or the materials of the groups of the geometry. */
  readonly material: Material | readonly Material[];
}

/**
 * Why a pixel of the object could be seen although all of its bounds are behind what is drawn, or why drawing it has
 * other effects; null if neither is so.
 */
export function hideableFault(object: AnyObject): string | null {
  return objectFault(object) ?? materialHideableFault((object as Partial<Mesh>).material);
}

/** As `hideableFault`, of all but the materials. */
function objectFault(object: AnyObject): string | null {
  if (!('isMesh' in object) || !hasGeometry(object)) return 'not a mesh: drawn beyond its bounds';
  if ('boundingSphere' in object || isRepeated(object))
    return 'a skinned, instanced or batched mesh: its bounds are not those of what is drawn';
  if (hasDrawCallbacks(object)) return 'draw callbacks';
  if (hasRenderOrder(object)) return 'a render order: it may be drawn after the depth was cleared';
  if (object.static) return 'static: WebGPURenderer may draw it where it was';
  if (object.occlusionTest) return 'an occlusionTest: the renderer is asked whether it is hidden';
  const { geometry } = object;
  return geometry.morphAttributes.position !== undefined || 'isInstancedBufferGeometry' in geometry
    ? 'morph targets, or an instanced geometry'
    : null;
}

/** Whether an object may be drawn before or after others, by its own render order or by that of a Group above. */
export function hasRenderOrder({ renderOrder, layers, parent }: Object3D): boolean {
  if (renderOrder !== 0) return true;
  for (let node = parent; node !== null; node = node.parent) {
    if (!(node as Group).isGroup) continue;
    if (node.renderOrder !== 0) return true;
    // Each camera that sees the object sees this Group, whose order replaces those above.
    if ((layers.mask & ~node.layers.mask) === 0) return false;
  }
  return false;
}

/**
 * Fault of a material that makes all hiding unsafe: it overwrites nearer depths, or writes depth without opaque colour.
 */
export const BREAKS_DEPTH = 'a material that writes farther depths, or depths without opaque colours';
/** As `BREAKS_DEPTH`, on WebGPU only: WebGL writes no depths where it does not test them. */
export const BREAKS_WEBGPU_DEPTH = 'a material without a depth test that writes depths, which WebGPU does';

/** As `hideableFault`, of materials. An array may have gaps, for groups that are not drawn. */
export function materialHideableFault(material: Material | Material[] | null | undefined): string | null {
  if (Array.isArray(material)) return material.map(materialHideableFault).find((fault) => fault !== null) ?? null;
  const word = trait.traitsOf(material);
  return depthFaultOf(word) ?? trait.reasonOf(word & trait.NOT_HIDEABLE);
}

/** `BREAKS_DEPTH` or `BREAKS_WEBGPU_DEPTH` for the traits of one material; null if it breaks no depth. */
function depthFaultOf(word: number): string | null {
  if ((word & (trait.NO_DEPTH_WRITE | trait.INVISIBLE)) !== 0) return null;
  if ((word & trait.NO_DEPTH_TEST) !== 0) return BREAKS_WEBGPU_DEPTH;
  // Transparent materials are drawn after all occluders.
  const overlays = (word & trait.TRANSPARENT) === 0 && (word & (trait.NO_COLOR | trait.BLENDS)) !== 0;
  return overlays || (word & trait.TESTS_FARTHER) !== 0 ? BREAKS_DEPTH : null;
}

/**
 * Why an object hides nothing in the passes that draw it; null if its solid parts do.
 *
 * @param ofMaterial `materialOccluderFault`, or the same with what it has returned in this pass.
 */
export function occluderFault(
  object: AnyObject,
  ofMaterial: (material: Material | Material[]) => string | null = materialOccluderFault,
): string | null {
  if (!isPlainLeaf(object)) return 'not a plain mesh without children';
  const fault = objectFault(object);
  if (fault !== null) return fault;
  const { geometry, material } = object as unknown as { geometry: BufferGeometry; material: Material | Material[] };
  if (geometry.drawRange.start !== 0 || geometry.drawRange.count !== Infinity) return 'a draw range';
  return ofMaterial(material);
}

/**
 * As `occluderFault`, of materials.
 *
 * @param readsNodes Whether the renderer reads shader nodes of classic materials too, as WebGPURenderer does.
 */
export function materialOccluderFault(material: Material | Material[], readsNodes = true): string | null {
  if (Array.isArray(material)) return 'several materials';
  const word = trait.traitsOf(material);
  const ignored = readsNodes || (word & trait.NODE_MATERIAL) !== 0 ? 0 : trait.NODES | trait.FUNCTIONS;
  return depthFaultOf(word) ?? trait.reasonOf(word & (trait.NOT_SOLID | trait.BACK) & ~ignored);
}

/**
 * Which sides of a mesh hide what lies behind them: the option `side` of `solidBoxes`. Null if the mesh may be drawn
 * with holes, or elsewhere than its vertices are: transparent, tested for alpha, clipped, as a wireframe, without
 * depth, with shader code of the user, with nodes, with draw callbacks, with bones or morph targets, or with several
 * materials that show different sides or do not cover all triangles. What cannot be told counts as that, too.
 *
 *     const side = solidSideOf(mesh);
 *     const boxes = side === null ? [] : solidBoxes(mesh.geometry, { side });
 *
 * Not considered: `visible`, layers, clipping planes of the renderer, `scene.overrideMaterial`, and changes that come
 * later.
 *
 * @param mesh A mesh, or anything with a geometry and a material.
 * @throws {TypeError} If the mesh is no object with a geometry and a material.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh, MeshBasicMaterial } from 'three';
 * import { solidBoxes } from 'scene-octree';
 * import { solidSideOf } from 'scene-octree/three';
 *
 * const house = new Mesh(new BoxGeometry(12, 9, 10), new MeshBasicMaterial());
 * const side = solidSideOf(house);
 * console.log(side !== null && solidBoxes(house.geometry, { side }).length); // prints: 1
 * house.material.transparent = true;
 * console.log(solidSideOf(house)); // prints: null
 * ```
 */
export function solidSideOf(mesh: SolidSource): SolidSide | null {
  const { geometry, material } = mesh ?? {};
  if (!geometry?.isBufferGeometry || !material)
    throwType('solidSideOf', 'mesh', 'have a geometry and a material', mesh, 'pass a Mesh');
  if (isObject3D(mesh) && (!('isMesh' in mesh) || 'isSkinnedMesh' in mesh || hasDrawCallbacks(mesh))) return null;
  if (geometry.morphAttributes.position !== undefined) return null;
  if (!Array.isArray(material)) return solidSide(material as Material);
  if (!coversAll(geometry, material.length)) return null;
  let side: SolidSide | null = 'double';
  for (const one of material as readonly Material[]) {
    const next = solidSide(one);
    if (next === null || (side !== 'double' && next !== 'double' && next !== side)) return null;
    if (side === 'double') side = next;
  }
  return side;
}

function solidSide(material: Material): SolidSide | null {
  if (!material?.isMaterial) return null;
  const word = trait.traitsOf(material);
  if ((word & (trait.NOT_SOLID | trait.ALPHA_MAP)) !== 0) return null;
  if ((word & trait.DOUBLE) !== 0) return 'double';
  return (word & trait.BACK) !== 0 ? 'back' : 'front';
}

/** Whether the groups of a geometry draw all its triangles, with materials that there are. */
function coversAll({ index, attributes, groups }: BufferGeometry, materials: number): boolean {
  const count = index?.count ?? attributes.position?.count ?? 0;
  let end = 0;
  for (const group of [...groups].sort((a, b) => a.start - b.start)) {
    if (group.start > end || !(group.materialIndex! < materials)) return false;
    end = Math.max(end, group.start + group.count);
  }
  return end >= count;
}
