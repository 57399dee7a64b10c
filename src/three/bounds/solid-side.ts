/** Whether a mesh is drawn opaque where its vertices are, so that it hides what lies behind it. */

import { BackSide, FrontSide, LessEqualDepth, NoBlending, NormalBlending } from 'three';
import type { BufferGeometry, Material } from 'three';
import type { SolidSide } from '../../features/solid-boxes/closed-mesh.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { refusesBox } from './bounds-of.ts';
import { hasDrawCallbacks, isObject3D } from './object-kinds.ts';

/** A mesh, or its geometry and material. */
export interface SolidSource {
  /** Its morph targets and its triangles count. */
  readonly geometry: BufferGeometry;
  /** The material, or the materials of the groups of the geometry. */
  readonly material: Material | readonly Material[];
}

/** Fields that some kinds of materials have. */
interface AnyMaterial extends Material {
  readonly wireframe?: boolean;
  readonly alphaMap?: unknown;
  readonly transmission?: number;
  readonly isNodeMaterial?: boolean;
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
  if (!material.isMaterial || refusesBox(material)) return null;
  const hasNoHoles = material.alphaTest === 0 && !material.alphaHash && !material.alphaToCoverage && !material.alphaMap;
  const isPlain =
    material.visible &&
    material.colorWrite &&
    material.depthWrite &&
    material.depthTest &&
    material.depthFunc === LessEqualDepth &&
    !material.polygonOffset &&
    !material.stencilWrite &&
    material.wireframe !== true &&
    !((material.clippingPlanes?.length ?? 0) > 0);
  if (!isOpaque(material) || !hasNoHoles || !isPlain || hasNodes(material)) return null;
  return material.side === FrontSide ? 'front' : material.side === BackSide ? 'back' : 'double';
}

/** Whether a material covers the colours behind it wherever it is drawn: no transparency, transmission or blending. */
export function isOpaque(material: Material & { readonly transmission?: number }): boolean {
  return !material.transparent && !((material.transmission ?? 0) > 0) && hasOpaqueBlending(material);
}

/** Whether the blending of a material leaves nothing of the colours behind an opaque one. */
export function hasOpaqueBlending({ blending }: Material): boolean {
  return blending === NormalBlending || blending === NoBlending;
}

/** Whether a node material has a node of the user. Any of them may discard pixels. */
function hasNodes(material: AnyMaterial): boolean {
  if (material.isNodeMaterial !== true) return false;
  return Object.entries(material).some(
    ([name, value]) => name.endsWith('Node') && value !== null && value !== undefined,
  );
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
