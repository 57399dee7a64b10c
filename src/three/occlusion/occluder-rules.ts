/**
 * Which objects may hide others, and by which sides; and which may be hidden. In doubt an object is drawn, and hides
 * nothing. A fault is a text that gives the reason.
 */

import { BackSide, FrontSide, Material, NoBlending, NormalBlending, type BufferGeometry, type Object3D } from 'three';
import { EqualDepth, LessDepth, LessEqualDepth, NeverDepth } from 'three';
import type { SolidSide } from '../../features/solid-boxes/closed-mesh.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { hasDrawCallbacks, hasGeometry, isObject3D } from '../bounds/object-kinds.ts';
import { isPlainLeaf } from '../bounds/object-traits.ts';
import { displacesVertices } from '../bounds/vertex-displacement.ts';

/** Fields of some kinds of materials. */
interface AnyMaterial extends Material {
  readonly wireframe?: boolean;
  readonly alphaMap?: unknown;
  readonly transmission?: number;
}

/** A mesh, or its geometry and material. */
export interface SolidSource {
  /** Its morph targets and its triangles count. */
  readonly geometry: BufferGeometry;
  /** The material, or the materials of the groups of the geometry. */
  readonly material: Material | readonly Material[];
}

/** What of an object has no type in three, or only for some of its kinds. */
type AnyObject = Object3D & { readonly count?: number | undefined; readonly static?: boolean | undefined };

/**
 * Why a pixel of the object could be seen although all of its bounds are behind what is drawn, or why drawing it has
 * other effects; null if neither is so.
 */
export function hideableFault(object: AnyObject): string | null {
  if (!('isMesh' in object) || !hasGeometry(object)) return 'not a mesh: drawn beyond its bounds';
  if ('boundingSphere' in object || (object.count !== undefined && object.count !== 1))
    return 'a skinned, instanced or batched mesh: its bounds are not those of what is drawn';
  if (hasDrawCallbacks(object)) return 'draw callbacks';
  if (object.renderOrder !== 0) return 'a render order: it may be drawn after the depth was cleared';
  if (object.static) return 'static: WebGPURenderer may draw it where it was';
  const { geometry, material } = object;
  if (geometry.morphAttributes.position !== undefined || 'isInstancedBufferGeometry' in geometry)
    return 'morph targets, or an instanced geometry';
  return materialHideableFault(material);
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
  if (breaksDepth(material)) return BREAKS_DEPTH;
  const { depthTest, depthWrite, depthFunc, stencilWrite, polygonOffset, wireframe } = material as AnyMaterial;
  if (!depthTest && depthWrite) return BREAKS_WEBGPU_DEPTH;
  if (!depthTest || (depthFunc !== LessEqualDepth && depthFunc !== LessDepth))
    return 'drawn over what is nearer: no depth test, or another than "less"';
  if (stencilWrite) return 'reads or writes a stencil';
  if (polygonOffset) return 'a polygon offset';
  if (wireframe) return 'wireframe';
  if (displacesVertices(material)) return 'shader code, or vertices that it moves';
  if (Reflect.get(material, 'onBeforeRender') !== Reflect.get(Material.prototype, 'onBeforeRender'))
    return 'a callback of the material';
  return (material as { depthNode?: object | null }).depthNode ? 'a depth of its own' : null;
}

function breaksDepth(material: Material): boolean {
  const { depthWrite, depthTest, depthFunc, transparent, colorWrite } = material;
  if (!depthWrite || !depthTest) return false;
  // Transparent materials are drawn after all occluders.
  return !LOWERING.includes(depthFunc) || (!transparent && (!colorWrite || !hasOpaqueBlending(material)));
}

/** Why an object hides nothing in the passes that draw it; null if its solid parts do. */
export function occluderFault(object: AnyObject): string | null {
  if (!isPlainLeaf(object)) return 'not a plain mesh without children';
  const fault = hideableFault(object);
  if (fault !== null) return fault;
  const { geometry, material } = object as unknown as { geometry: BufferGeometry; material: Material | Material[] };
  if (geometry.drawRange.start !== 0 || geometry.drawRange.count !== Infinity) return 'a draw range';
  return materialOccluderFault(material);
}

/** As `occluderFault`, of materials, without what `materialHideableFault` tests. */
export function materialOccluderFault(material: Material | Material[]): string | null {
  if (Array.isArray(material)) return 'several materials';
  if (!material.visible) return 'an invisible material';
  if (!isOpaque(material)) return 'transparent';
  if (material.alphaTest > 0 || material.alphaHash || material.alphaToCoverage) return 'holes by an alpha test';
  if (!material.depthWrite || !material.colorWrite) return 'depth or colour is not written';
  if (material.clippingPlanes?.length) return 'clipping planes';
  if (hasShaderNodes(material)) return 'shader nodes';
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

/** By material: the version for which shader nodes were looked for, and whether there are any. */
const shaderNodes = /* @__PURE__ */ new WeakMap<Material, { version: number; hasNodes: boolean }>();

function hasShaderNodes(material: Material): boolean {
  if (!('isNodeMaterial' in material)) return false;
  let known = shaderNodes.get(material);
  if (known?.version !== material.version) {
    const hasNodes = Object.values(material).some((value) => (value as { isNode?: boolean } | null)?.isNode);
    shaderNodes.set(material, (known = { version: material.version, hasNodes }));
  }
  return known.hasNodes;
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
  if (!material.isMaterial || material.alphaMap || material.depthFunc !== LessEqualDepth) return null;
  const fault = materialHideableFault(material) ?? materialOccluderFault(material);
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
