/** What a material draws into a shadow map, as a list of values. */

import type { LineBasicMaterial, Material, MeshStandardMaterial, PointsMaterial, SpriteMaterial } from 'three';
import { NODE_MATERIAL, NODES, OWN_SHADER, traitsOf } from '../../three/bounds/material-traits.ts';
import { readTexture } from '../views/object-values.ts';

type OwnFields<Kind extends Material> = Partial<Omit<Kind, keyof Material>>;

/** The fields of all kinds of materials that decide which fragments are drawn, and at which depth. */
type CasterMaterial = Material & OwnFields<MeshStandardMaterial & LineBasicMaterial & PointsMaterial & SpriteMaterial>;

/** Traits of materials whose values do not show all changes of a shadow map. A shader node may depend on time. */
const UNKNOWN = OWN_SHADER | NODE_MATERIAL | NODES;

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
  let isUnknown = (traitsOf(material) & UNKNOWN) !== 0;
  if (displacementMap) isUnknown = readTexture(displacementMap, values) || isUnknown;
  if (material.alphaTest > 0 || material.alphaToCoverage || material.alphaHash)
    for (const texture of [map, alphaMap]) if (texture) isUnknown = readTexture(texture, values) || isUnknown;
  if (material.clipShadows && Array.isArray(material.clippingPlanes)) {
    values.push(material.clipIntersection);
    for (const { normal, constant } of material.clippingPlanes) values.push(...normal, constant);
  }
  return isUnknown;
}
