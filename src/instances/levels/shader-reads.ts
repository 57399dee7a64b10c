/**
 * Which data of an instance a material reads: its id, which a view provides as an attribute, or its draw slot, which
 * differs from pass to pass. Node materials that read the slot are changed so that they read the id.
 */

import { Material, type Object3D } from 'three';
import { nameOf } from '../../three/bounds/object-kinds.ts';
import { warnOnce } from '../../three/passes/warnings.ts';
import { nodesOf, overridesOf, readsBelow } from './instance-nodes.ts';

/** Properties of a node material from whose nodes three reads more than a value. Such a node cannot be replaced. */
const FIXED_PROPERTIES: readonly string[] = ['contextNode', 'mrtNode', 'lightsNode'];

export interface ShaderReads {
  /** Whether the geometry must have the attribute `instanceId`: the vertex shader mentions it. */
  readonly needsIdAttribute: boolean;
  /**
   * Whether nodes read the id. In the batches of three's drawing pipelines they would read wrong ids; see
   * `copyCallback`.
   */
  readonly hasIdNodes: boolean;
  /** What it reads of the slot, with the remedy; null if nothing. */
  readonly slotRead: string | null;
}

const examined = /* @__PURE__ */ new WeakMap<
  Material,
  { readonly version: number; readonly onBeforeCompile: unknown; readonly reads: ShaderReads }
>();

/** What several materials read together. @param needsIdAttribute Whether they need `instanceId` in any case. */
export function readsOfAll(
  materials: readonly (Material | null | undefined)[],
  needsIdAttribute: boolean,
): ShaderReads {
  const all = materials.filter((material) => material !== undefined && material !== null).map(readsOf);
  return {
    needsIdAttribute: needsIdAttribute || all.some((reads) => reads.needsIdAttribute),
    hasIdNodes: all.some(({ hasIdNodes }) => hasIdNodes),
    slotRead: all.find(({ slotRead }) => slotRead !== null)?.slotRead ?? null,
  };
}

/** Warns once if a material of a container reads the draw slot. @param levels What the materials of each level read. */
export function warnOfSlotReads(container: Object3D, levels: readonly { readonly reads: ShaderReads }[]): void {
  for (const { reads } of levels) {
    if (reads.slotRead === null) continue;
    const what = `OctreeInstances: a material of ${nameOf(container)} must not read the draw slot of an instance, because the slot differs from pass to pass`;
    warnOnce(container, 'slotRead', `${what}, but reads ${reads.slotRead}.`);
  }
}

/** Examines a material, once for each version. */
function readsOf(material: Material): ShaderReads {
  const onBeforeCompile = hookOf(material);
  const before = examined.get(material);
  if (before?.version === material.version && before.onBeforeCompile === onBeforeCompile) return before.reads;
  // WebGPURenderer converts other materials to node materials, with the nodes that are set as their fields.
  const reads = readsOfNodes(material, readsOfText(material));
  examined.set(material, { version: material.version, onBeforeCompile, reads });
  return reads;
}

/** `onBeforeCompile`, to be compared, not called. */
function hookOf(material: Material): unknown {
  return Reflect.get(material, 'onBeforeCompile');
}

function readsOfText(material: Material & { vertexShader?: string }): ShaderReads {
  const text = [material.vertexShader, hookOf(material)].join(' ');
  const needsIdAttribute = /\binstanceId\b/.test(text);
  const isFaulty = !needsIdAttribute && /\bgl_InstanceID\b/.test(text);
  return {
    needsIdAttribute,
    hasIdNodes: false,
    slotRead: isFaulty
      ? 'gl_InstanceID; declare "attribute uint instanceId;" in the vertex shader, and read that'
      : null,
  };
}

/**
 * Adds what the nodes of a material read, and replaces nodes that read the slot. Then three builds the shaders of the
 * material again.
 */
function readsOfNodes(material: Material, { needsIdAttribute, slotRead }: ShaderReads): ShaderReads {
  let hasIdNodes = false;
  for (const [property, node] of nodesOf(material)) {
    const reads = readsBelow(node);
    const { ofSlot, ofId } = reads;
    hasIdNodes ||= ofId || ofSlot.size > 0;
    if (ofSlot.size === 0) continue;
    const overrides = overridesOf(reads);
    if (FIXED_PROPERTIES.includes(property))
      slotRead = `instanceIndex or an instanced attribute in its ${property}; read instanceId of scene-octree/tsl`;
    else if (node.overrideNodes === undefined)
      slotRead = `instanceIndex or an instanced attribute in its ${property}; update three to r187 or newer, where it can be replaced`;
    else {
      if (overrides.length < ofSlot.size)
        slotRead = `a storage buffer as an attribute in its ${property}; read the buffer by element(instanceIndex)`;
      Reflect.set(material, property, node.overrideNodes(overrides));
      material.needsUpdate = true;
    }
  }
  if (hasIdNodes && !('isNodeMaterial' in material)) separateShader(material);
  return { needsIdAttribute, hasIdNodes, slotRead };
}

/**
 * three gives a shader to all materials of a class that have nodes in the same fields, whatever the nodes are, unless
 * they are node materials. An InstancedMesh with such a material must not share the shader of a view.
 */
function separateShader(material: Material): void {
  if (material.customProgramCacheKey === Material.prototype.customProgramCacheKey)
    material.customProgramCacheKey = () => material.uuid;
}
