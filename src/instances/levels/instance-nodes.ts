/**
 * Node materials that read `instanceIndex`, `range()` or an instanced attribute. In a view these values belong to the
 * draw slot, not to the instance. `overrideNodes` of TSL replaces them by nodes that read the id of the instance, or
 * the attribute by id. In any other mesh a replacement returns the same value as the original.
 *
 * This file imports no nodes, because they are a part of three that programs with WebGLRenderer do not load. It derives
 * its classes from those of the nodes that it finds. It is imported at once, because a material must be examined before
 * its first frame; with what calls it, it adds 1.1 kB (gzipped) to every bundle with OctreeInstances. The motion
 * vectors of matrix-history.ts add 0.5 kB.
 */

import type { BufferAttribute, InstancedBufferAttribute, InterleavedBufferAttribute, Material, Object3D } from 'three';
import { isInstanced, type InstancedAttribute } from '../store/attribute-columns.ts';

/** The members of three's nodes and of its node builder that are used here. */
export interface TslNode {
  readonly isNode: true;
  readonly isIndexNode?: boolean;
  readonly isOverrideContextNode?: boolean;
  /** Name of its class. */
  readonly type?: string;
  /** Of the nodes of this file. */
  readonly readsInstanceId?: boolean;
  /** Of an index node. */
  readonly scope?: string;
  /** Of a context node: `OverriddenNodes`. Of an attribute node: the attribute. */
  readonly value?: unknown;
  getChildren(): Iterable<TslNode>;
  /** Since r187. */
  overrideNodes?(overrides: readonly Override[]): TslNode;
}

/** A node and its replacement: another node, or a function that returns one when a shader is built. */
export type Override = [TslNode, Replacement];
type Replacement = TslNode | ((builder: TslBuilder) => TslNode);

interface OverriddenNodes {
  readonly overrideNodes?: ReadonlyMap<TslNode, unknown>;
}

interface IndexNode extends TslNode {
  generate(builder: TslBuilder): string;
}

/** `range()`: numbers at random, from a hash of `instanceIndex` that `setup` builds. */
interface RangeNode extends TslNode {
  setup(builder: TslBuilder): TslNode;
}

interface AttributeNode extends TslNode {
  readonly isBufferNode: true;
  readonly value: InstancedAttribute;
  readonly bufferType: string | null;
  readonly bufferStride: number;
  readonly usage: number;
  readonly instanced: boolean;
  attribute: BufferAttribute | InterleavedBufferAttribute | null;
  setup(builder: TslBuilder): void;
  getHash(builder: TslBuilder): string;
  setUsage(usage: number): this;
  setInstanced(instanced: boolean): this;
  getObjectAttribute(object: Object3D): BufferAttribute | InterleavedBufferAttribute | null;
}

interface TslBuilder {
  readonly object: Object3D | null;
  readonly shaderStage: string | null;
  /** Whether the shader is for this object only. */
  objectSpecific: boolean;
  getBufferAttributeFromNode(node: TslNode, type: string): unknown;
  getPropertyName(attribute: unknown): string;
}

/** What the nodes of a material read from the view that is drawn. */
export interface SlotSource {
  /** The items of an instanced attribute by draw slot. @param attribute Null for the ids of the instances. */
  slotItems(attribute: InstancedAttribute | null): InstancedBufferAttribute;
}

function isView(object: Object3D | null): object is Object3D & SlotSource {
  return object !== null && 'slotItems' in object;
}

/**
 * Gives each instanced mesh a shader of its own. The shaders of views and of other instanced meshes differ, but three
 * would share them, because the meshes look alike.
 */
function markSpecific(builder: TslBuilder): void {
  if (builder.object !== null && 'isInstancedMesh' in builder.object) builder.objectSpecific = true;
}

const idNodes = /* @__PURE__ */ new WeakMap<object, TslNode>();

/** The node of the instance id that replaces `instanceIndex`. One for each copy of three. */
export function instanceIdNodeFor(instanceIndex: TslNode): TslNode {
  const IndexNodeClass = instanceIndex.constructor as new (scope: string) => IndexNode;
  let node = idNodes.get(IndexNodeClass);
  if (node === undefined) idNodes.set(IndexNodeClass, (node = new (idClassFrom(IndexNodeClass))('instance')));
  return node;
}

function idClassFrom(IndexNodeClass: new (scope: string) => IndexNode): new (scope: string) => TslNode {
  return class InstanceIdNode extends IndexNodeClass {
    override readonly readsInstanceId = true;
    /** Renderers call `getObjectAttribute` only if there is one. */
    attribute: InstancedBufferAttribute | null = null;

    override generate(builder: TslBuilder): string {
      const { object } = builder;
      markSpecific(builder);
      // In a fragment shader the index is a varying, which three creates from the same node in the vertex shader.
      if (!isView(object) || builder.shaderStage !== 'vertex') return super.generate(builder);
      this.attribute = object.slotItems(null);
      return builder.getPropertyName(builder.getBufferAttributeFromNode(this, 'uint'));
    }

    getObjectAttribute(object: Object3D): InstancedBufferAttribute | null {
      return isView(object) ? object.slotItems(null) : null;
    }
  };
}

/** A node that reads the same instanced attribute as the original, by the id of the instance. */
function attributeNodeFor(original: AttributeNode, attribute: InstancedAttribute): TslNode {
  const AttributeNodeClass = original.constructor as new (value: unknown, type: string | null) => AttributeNode;
  class SlotAttributeNode extends AttributeNodeClass {
    override readonly readsInstanceId = true;

    override getHash(): string {
      return String((this as unknown as { id: number }).id);
    }

    override setup(builder: TslBuilder): void {
      markSpecific(builder);
      if (isView(builder.object)) this.attribute = this.getObjectAttribute(builder.object);
      else super.setup(builder);
    }

    override getObjectAttribute(object: Object3D): BufferAttribute | InterleavedBufferAttribute | null {
      if (!isView(object)) return original.attribute ?? super.getObjectAttribute(object);
      return object.slotItems(attribute);
    }
  }
  return new SlotAttributeNode(original.value, original.bufferType)
    .setUsage(original.usage)
    .setInstanced(original.instanced);
}

/** What `range()` builds, with the id in place of `instanceIndex`. */
function rangeOf(original: RangeNode): Replacement {
  return (builder) => {
    const numbers = original.setup(builder);
    return numbers.overrideNodes?.(overridesOf(readsBelow(numbers))) ?? numbers;
  };
}

/** The nodes of a material by the name of the property. */
export function nodesOf(material: Material): [string, TslNode][] {
  return Object.entries(material).filter(
    (entry): entry is [string, TslNode] => !entry[0].startsWith('_') && isNode(entry[1]),
  );
}

function isNode(value: unknown): value is TslNode {
  return typeof value === 'object' && value !== null && 'isNode' in value;
}

/** What the nodes of a material read from an instance. */
export interface NodeReads {
  /**
   * The nodes that depend on the draw slot, each with the node that replaces it; null for one that cannot be replaced.
   */
  readonly ofSlot: ReadonlyMap<TslNode, Replacement | null>;
  /** Whether a node reads the id: `instanceId`, or a replacement. */
  readonly ofId: boolean;
}

/** Examines a node and all nodes below it. Nodes that a `Fn` creates when a shader is built are not found. */
export function readsBelow(root: TslNode): NodeReads {
  const ofSlot = new Map<TslNode, Replacement | null>();
  const visited = new Set<TslNode>();
  let ofId = false;
  const visit = (node: TslNode): void => {
    if (visited.has(node)) return;
    visited.add(node);
    if (node.readsInstanceId === true) ofId = true;
    else if (dependsOnSlot(node)) ofSlot.set(node, replacementOf(node));
    else if (node.isOverrideContextNode === true) visitOverridden(node);
    else for (const child of node.getChildren()) visit(child);
  };
  const visitOverridden = (context: TslNode): void => {
    const overridden = [...((context.value as OverriddenNodes).overrideNodes?.keys() ?? [])];
    ofId ||= overridden.some(dependsOnSlot);
    for (const child of context.getChildren()) {
      const reads = readsBelow(child);
      ofId ||= reads.ofId;
      for (const [node, replacement] of reads.ofSlot) if (!overridden.includes(node)) ofSlot.set(node, replacement);
    }
  };
  visit(root);
  return { ofSlot, ofId };
}

/** The replacements of all nodes that can be replaced. */
export function overridesOf({ ofSlot }: NodeReads): Override[] {
  return [...ofSlot].filter((entry): entry is Override => entry[1] !== null);
}

function dependsOnSlot(node: TslNode): boolean {
  return isInstanceIndex(node) || isRange(node) || isInstancedAttributeNode(node);
}

function isInstanceIndex(node: TslNode): boolean {
  return node.isIndexNode === true && node.scope === 'instance';
}

function isRange(node: TslNode): node is RangeNode {
  return node.type === 'RangeNode';
}

/** A node with a stride is a part of an item. three r187 reads such parts by vertex, not by instance. */
function isInstancedAttributeNode(node: TslNode): node is AttributeNode {
  return 'isBufferNode' in node && 'bufferStride' in node && node.bufferStride === 0 && isInstancedValue(node.value);
}

function isInstancedValue(value: unknown): value is InstancedAttribute {
  return (
    typeof value === 'object' &&
    value !== null &&
    ('isBufferAttribute' in value || 'isInterleavedBufferAttribute' in value) &&
    isInstanced(value as BufferAttribute)
  );
}

function replacementOf(node: TslNode): Replacement | null {
  if (isRange(node)) return rangeOf(node);
  if (!isInstancedAttributeNode(node)) return instanceIdNodeFor(node);
  const { value } = node;
  // Storage is written by shaders: its values are not known here.
  return 'isStorageInstancedBufferAttribute' in value ? null : attributeNodeFor(node, value);
}
