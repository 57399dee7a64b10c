/**
 * Whether a material may draw vertices elsewhere than the geometry says. Then no box around the vertices is a bound of
 * what is drawn.
 */

import { Material } from 'three';

/** The methods of a node material that build its vertex stage. A subclass may override them. */
const VERTEX_STAGE = ['setupVertex', 'setupPosition', 'setupPositionView', 'setupModelViewProjection'] as const;

/** Fields that move vertices if they are set. All but the first are of node materials, the last for shadow maps. */
type Displacement = 'displacementMap' | 'positionNode' | 'vertexNode' | 'geometryNode' | 'castShadowPositionNode';

/** The fields that show whether a material moves vertices. Each kind of material has some of them. */
interface VertexMaterial extends Material, Partial<Record<(typeof VERTEX_STAGE)[number] | Displacement, unknown>> {
  readonly isShaderMaterial?: boolean;
  /**
   * May replace nodes that place vertices. The one that WebGPURenderer gives to its own material for shadow maps
   * replaces none.
   */
  readonly contextNode?: unknown;
  readonly isShadowPassMaterial?: boolean;
  readonly isNodeMaterial?: boolean;
}

/** By prototype: whether a class of node materials has its own vertex stage. */
const ownVertexStages = /* @__PURE__ */ new WeakMap<object, boolean>();

export function displacesVertices(material: VertexMaterial | VertexMaterial[] | null | undefined): boolean {
  if (material === null || material === undefined) return false;
  if (Array.isArray(material)) return material.some(displacesVertices);
  const { displacementMap, positionNode, vertexNode, geometryNode, castShadowPositionNode } = material;
  return (
    material.isShaderMaterial === true ||
    material.onBeforeCompile !== Material.prototype.onBeforeCompile ||
    isSet(displacementMap ?? positionNode ?? vertexNode ?? geometryNode ?? castShadowPositionNode) ||
    (isSet(material.contextNode) && material.isShadowPassMaterial !== true) ||
    (material.isNodeMaterial === true && hasOwnVertexStage(material))
  );
}

/**
 * Whether the class of a node material overrides a method of NodeMaterial, the class right below Material. NodeMaterial
 * is found by that place, because an import would add all of WebGPURenderer to every bundle.
 */
function hasOwnVertexStage(material: VertexMaterial): boolean {
  const prototype = Object.getPrototypeOf(material) as object;
  let isOwn = ownVertexStages.get(prototype);
  if (isOwn === undefined) {
    let base = prototype;
    for (let next = base; next !== Material.prototype && next !== null; next = Object.getPrototypeOf(next) as object)
      base = next;
    isOwn = VERTEX_STAGE.some((name) => (prototype as VertexMaterial)[name] !== (base as VertexMaterial)[name]);
    ownVertexStages.set(prototype, isOwn);
  }
  return isOwn;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
