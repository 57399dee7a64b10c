/** Whether a material may draw vertices elsewhere than the geometry says. Then no box around the vertices is a bound of what is drawn. */

import { Material } from 'three';

/** The fields that show it. Each kind of material has some of them. */
interface VertexMaterial extends Material {
  readonly isShaderMaterial?: boolean;
  readonly displacementMap?: unknown;
  /** Of node materials. */
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
