/** What a material draws into a shadow map, as a list of values. */

import { Material } from 'three';
import type { LineBasicMaterial, MeshStandardMaterial, PointsMaterial, ShaderMaterial, SpriteMaterial } from 'three';
import { readTexture } from '../views/object-values.ts';

/** What WebGPURenderer reads for shadow maps, from classic materials too. A shader node may depend on time. */
const NODES = [
  'castShadowNode',
  'castShadowPositionNode',
  'colorNode',
  'depthNode',
  'maskNode',
  'maskShadowNode',
  'positionNode',
] as const;

type OwnFields<Kind extends Material> = Partial<Omit<Kind, keyof Material>>;

/** The fields of all kinds of materials that decide which fragments are drawn, and at which depth. */
type CasterMaterial = Material &
  OwnFields<MeshStandardMaterial & LineBasicMaterial & PointsMaterial & SpriteMaterial & ShaderMaterial> &
  Partial<Record<(typeof NODES)[number] | 'isNodeMaterial', unknown>>;

/** Adds the values of a material. Returns whether they do not show all changes. */
export function readCasterMaterial(material: CasterMaterial, values: unknown[]): boolean {
  const { map, alphaMap, displacementMap } = material;
  values.push(
    material,
    material.version,
    material.visible,
    material.side,
    material.shadowSide,
    material.wireframe,
    material.wireframeLinewidth,
    material.linewidth,
    material.size,
    material.sizeAttenuation,
    material.rotation,
    material.opacity,
    material.transparent,
    material.alphaTest,
    material.alphaToCoverage,
    material.alphaHash,
    material.displacementScale,
    material.displacementBias,
    material.polygonOffset,
    material.polygonOffsetFactor,
    material.polygonOffsetUnits,
    map,
    alphaMap,
    displacementMap,
  );
  let isUnknown =
    material.isShaderMaterial === true ||
    material.isNodeMaterial === true ||
    NODES.some((name) => material[name]) ||
    material.onBeforeCompile !== Material.prototype.onBeforeCompile;
  if (displacementMap) isUnknown = readTexture(displacementMap, values) || isUnknown;
  if (material.alphaTest > 0 || material.alphaToCoverage || material.alphaHash)
    for (const texture of [map, alphaMap]) if (texture) isUnknown = readTexture(texture, values) || isUnknown;
  if (material.clipShadows && Array.isArray(material.clippingPlanes)) {
    values.push(material.clipIntersection);
    for (const { normal, constant } of material.clippingPlanes) values.push(...normal, constant);
  }
  return isUnknown;
}
