/**
 * Which data of an instance a material reads: its id, which a view provides as an attribute, or its draw slot, which differs from pass to
 * pass. Node materials that read the slot are changed so that they read the id.
 */

import { Material } from 'three';
import { nodesOf, overridesOf, readsBelow } from './instance-nodes.ts';

/** Properties of a node material whose nodes three uses for more than their value. Such a node cannot be replaced by an overriding node. */
const FIXED_PROPERTIES: readonly string[] = ['contextNode', 'mrtNode', 'lightsNode'];

export interface ShaderReads {
  /** Whether the vertex shader mentions the attribute `instanceId`. */
  readonly needsIdAttribute: boolean;
  /** Whether nodes read the id. Drawing pipelines that merge meshes would give them wrong ids. */
  readonly hasIdNodes: boolean;
  /** What it reads of the slot, with the remedy; null if nothing. */
  readonly slotRead: string | null;
}

interface Examined {
  readonly version: number;
  readonly onBeforeCompile: unknown;
  readonly reads: ShaderReads;
}

const examined = /* @__PURE__ */ new WeakMap<Material, Examined>();

/** Examines a material, once for each version. */
export function readsOf(material: Material): ShaderReads {
  const onBeforeCompile = hookOf(material);
  const before = examined.get(material);
  if (before !== undefined && before.version === material.version && before.onBeforeCompile === onBeforeCompile) return before.reads;
  const reads = 'isNodeMaterial' in material ? readsOfNodes(material) : readsOfText(material);
  examined.set(material, { version: material.version, onBeforeCompile, reads });
  return reads;
}

/** `onBeforeCompile`, as a value. */
function hookOf(material: Material): unknown {
  return Reflect.get(material, 'onBeforeCompile');
}

function readsOfText(material: Material & { vertexShader?: string }): ShaderReads {
  const addedCode = hookOf(material) === hookOf(Material.prototype) ? '' : String(hookOf(material));
  const text = `${material.vertexShader ?? ''}${addedCode}`;
  const needsIdAttribute = /\binstanceId\b/.test(text);
  const isFaulty = !needsIdAttribute && /\bgl_InstanceID\b/.test(text);
  return { needsIdAttribute, hasIdNodes: false, slotRead: isFaulty ? 'gl_InstanceID; declare "attribute uint instanceId;" in the vertex shader, and read that' : null };
}

/** Replaces nodes that read the slot. three builds the shaders of the material again. */
function readsOfNodes(material: Material): ShaderReads {
  let slotRead: string | null = null;
  let hasIdNodes = false;
  for (const [property, node] of nodesOf(material)) {
    const reads = readsBelow(node);
    const { ofSlot, ofId } = reads;
    hasIdNodes ||= ofId || ofSlot.size > 0;
    if (ofSlot.size === 0) continue;
    const overrides = overridesOf(reads);
    if (FIXED_PROPERTIES.includes(property)) slotRead = `instanceIndex or an instanced attribute in its ${property}; read instanceId of scene-octree/tsl`;
    else if (node.overrideNodes === undefined) slotRead = `instanceIndex or an instanced attribute in its ${property}; update three to r187 or newer, where it can be replaced`;
    else {
      if (overrides.length < ofSlot.size) slotRead = `a storage buffer as an attribute in its ${property}; read the buffer by element(instanceIndex)`;
      Reflect.set(material, property, node.overrideNodes(overrides));
      material.needsUpdate = true;
    }
  }
  return { needsIdAttribute: false, hasIdNodes, slotRead };
}
