/**
 * Which objects may hide others, and by which sides; and which may be hidden. In doubt an object is drawn, and hides
 * nothing. A fault is a text that gives the reason.
 */

import { BackSide, FrontSide, Material, NoBlending, NormalBlending, type BufferGeometry, type Object3D } from 'three';
import { EqualDepth, LessDepth, LessEqualDepth, NeverDepth, type Group, type Mesh } from 'three';
import type { SolidSide } from '../solid-boxes/closed-mesh.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { hasDrawCallbacks, hasGeometry, isNodeMaterialOfThree, isObject3D } from '../../three/bounds/object-kinds.ts';
import { isPlainLeaf } from '../../three/bounds/object-traits.ts';
import { displacesVertices } from '../../three/bounds/vertex-displacement.ts';

/** Fields of some kinds of materials. */
interface AnyMaterial extends Material {
  readonly wireframe?: boolean;
  readonly alphaMap?: unknown;
  readonly transmission?: number;
  readonly depthNode?: object | null;
  readonly isNodeMaterial?: boolean;
}

/** A mesh, or its geometry and material. */
export interface SolidSource {
  /** Its morph targets and its triangles count. */
  readonly geometry: BufferGeometry;
  /** The material, or the materials of the groups of the geometry. */
  readonly material: Material | readonly Material[];
}

/** What of an object has no type in three, or only for some of its kinds. */
type AnyObject = Object3D & {
  readonly count?: number | undefined;
  readonly static?: boolean | undefined;
  readonly occlusionTest?: boolean | undefined;
};

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
  if ('boundingSphere' in object || (object.count !== undefined && object.count !== 1))
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

/** Whether an object is drawn before or after others by its own render order, or by that of the nearest Group above. */
export function hasRenderOrder(object: Object3D): boolean {
  let group = object.parent;
  while (group !== null && !(group as Group).isGroup) group = group.parent;
  return object.renderOrder !== 0 || (group !== null && group.renderOrder !== 0);
}

/**
 * Fault of a material that makes all hiding unsafe: it overwrites nearer depths, or writes depth without opaque colour.
 */
export const BREAKS_DEPTH = 'a material that writes farther depths, or depths without opaque colours';
/** As `BREAKS_DEPTH`, on WebGPU only: WebGL writes no depths where it does not test them. */
export const BREAKS_WEBGPU_DEPTH = 'a material without a depth test that writes depths, which WebGPU does';
/** Depth tests that never write farther depths. */
const LOWERING: readonly number[] = [NeverDepth, EqualDepth, LessDepth, LessEqualDepth];

/** As `hideableFault`, of materials. An array may have gaps, for groups that are not drawn. */
export function materialHideableFault(material: Material | Material[] | null | undefined): string | null {
  if (material === null || material === undefined) return null;
  if (Array.isArray(material)) return material.map(materialHideableFault).find((fault) => fault !== null) ?? null;
  const { depthTest, depthFunc, stencilWrite, polygonOffset, wireframe } = material as AnyMaterial;
  if (breaksDepth(material)) return depthTest ? BREAKS_DEPTH : BREAKS_WEBGPU_DEPTH;
  if (!depthTest || (depthFunc !== LessEqualDepth && depthFunc !== LessDepth))
    return 'drawn over what is nearer: no depth test, or another than "less"';
  if (stencilWrite) return 'reads or writes a stencil';
  if (polygonOffset) return 'a polygon offset';
  if (wireframe) return 'wireframe';
  if (displacesVertices(material) || isOfUnknownClass(material)) return 'shader code, or vertices that it moves';
  if (Reflect.get(material, 'onBeforeRender') !== Reflect.get(Material.prototype, 'onBeforeRender'))
    return 'a callback of the material';
  return (material as AnyMaterial).depthNode ? 'a depth of its own' : null;
}

function breaksDepth(material: Material): boolean {
  const { depthWrite, depthTest, depthFunc, transparent, colorWrite } = material;
  if (!depthWrite || !material.visible) return false;
  if (!depthTest) return true;
  // Transparent materials are drawn after all occluders.
  return !LOWERING.includes(depthFunc) || (!transparent && (!colorWrite || !hasOpaqueBlending(material)));
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
 * @param readsNodes Whether the renderer reads shader nodes of classic materials too, as WebGPURenderer does. Then it
 *   takes about 2 us.
 */
export function materialOccluderFault(material: Material | Material[], readsNodes = true): string | null {
  if (Array.isArray(material)) return 'several materials';
  const fault = materialHideableFault(material);
  if (fault !== null) return fault;
  if (!material.visible) return 'an invisible material';
  if (!isOpaque(material)) return 'transparent';
  if (material.alphaTest > 0 || material.alphaHash || material.alphaToCoverage) return 'holes by an alpha test';
  if (!material.depthWrite || !material.colorWrite) return 'depth or colour is not written';
  if (material.clippingPlanes?.length) return 'clipping planes';
  if ((readsNodes || (material as AnyMaterial).isNodeMaterial) && hasNodes(material))
    return 'shader nodes, or methods of its own';
  return material.side === BackSide ? BACK_ONLY : null;
}
const BACK_ONLY = 'only back faces are drawn';

/** Whether a material covers the colours behind it wherever it is drawn: no transparency, transmission or blending. */
function isOpaque(material: AnyMaterial): boolean {
  return !material.transparent && !((material.transmission ?? 0) > 0) && hasOpaqueBlending(material);
}

/** Whether the blending of a material leaves nothing of the colours behind an opaque one. */
function hasOpaqueBlending({ blending }: Material): boolean {
  return blending === NormalBlending || blending === NoBlending;
}

/**
 * Whether a field of a material is a shader node, which may discard fragments, or a method of the user. Nodes that are
 * set before a shader is built need no new version, so nothing is kept from pass to pass.
 */
function hasNodes(material: Material): boolean {
  for (const name in material) {
    const value: unknown = material[name as keyof Material];
    if (typeof value === 'function' || (value as { isNode?: boolean } | null | undefined)?.isNode) return true;
  }
  return false;
}

/**
 * Whether a node material is of another class than those of three for meshes. Such a class may discard fragments, or
 * write other depths.
 */
function isOfUnknownClass({ isNodeMaterial, constructor }: AnyMaterial): boolean {
  return isNodeMaterial === true && !isNodeMaterialOfThree(constructor);
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
 * @throws {TypeError} If the mesh is no object with a geometry and a material.
 */
export function solidSideOf(mesh: SolidSource): SolidSide | null {
  const { geometry, material } = mesh ?? {};
  if (!geometry?.attributes || !material)
    throwType('solidSideOf', 'mesh', 'have a geometry and a material', mesh, 'pass a Mesh');
  if (isObject3D(mesh) && (!('isMesh' in mesh) || 'isSkinnedMesh' in mesh || hasDrawCallbacks(mesh))) return null;
  if (geometry.morphAttributes.position !== undefined) return null;
  if (!Array.isArray(material)) return sideOf(material as AnyMaterial);
  if (!coversAll(geometry, material.length)) return null;
  let side: SolidSide | null = 'double';
  for (const one of material as readonly AnyMaterial[]) {
    const next = sideOf(one);
    if (next === null || (side !== 'double' && next !== 'double' && next !== side)) return null;
    if (side === 'double') side = next;
  }
  return side;
}

function sideOf(material: AnyMaterial): SolidSide | null {
  if (!material.isMaterial || material.alphaMap) return null;
  const fault = materialOccluderFault(material);
  if (fault === BACK_ONLY) return 'back';
  if (fault !== null) return null;
  return material.side === FrontSide ? 'front' : 'double';
}

/** Whether the groups of a geometry draw all its triangles, with materials that there are. */
function coversAll({ index, attributes, groups }: BufferGeometry, materials: number): boolean {
  const count = index?.count ?? attributes.position?.count ?? 0;
  let end = 0;
  for (const group of [...groups].sort((a, b) => a.start - b.start)) {
    if (group.start > end || !((group.materialIndex ?? 0) < materials)) return false;
    end = Math.max(end, group.start + group.count);
  }
  return end >= count;
}
