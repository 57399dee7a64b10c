/** Whether a material may draw vertices elsewhere than the geometry says: then only the sphere that three culls by can be relied on. */

import { Material } from 'three';

/** What of materials of all kinds tells; each kind has some of these. */
interface VertexMaterial extends Material {
  readonly isShaderMaterial?: boolean;
  readonly displacementMap?: unknown;
  /** Node materials. */
  readonly positionNode?: unknown;
  readonly vertexNode?: unknown;
}

export function displacesVertices(material: VertexMaterial | VertexMaterial[] | null | undefined): boolean {
  if (material === null || material === undefined) return false;
  if (Array.isArray(material)) return material.some(displacesVertices);
  if (material.isShaderMaterial === true || material.onBeforeCompile !== Material.prototype.onBeforeCompile) return true;
  return isSet(material.displacementMap) || isSet(material.positionNode) || isSet(material.vertexNode);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
