/**
 * The tree over the triangles of a geometry: the nodes of a `MeshBVH` of three-mesh-bvh, as its public `serialize`
 * returns them. Nothing of three-mesh-bvh is imported: the class comes from the user, or from a tree that exists.
 *
 * A node has 32 bytes: its box as six floats, then for a leaf the first triangle (uint32), the number of triangles
 * (uint16) and the mark 0xFFFF; for another node the distance to its right child in nodes, and its split axis, which is
 * not read. The left child follows its parent.
 */

import type { BufferGeometry } from 'three';

/** A tree of three-mesh-bvh, such as `geometry.boundsTree`. */
export interface MeshTree {
  /** Reads the vertices again, after they have moved. */
  refit(): void;
}

/** The class `MeshBVH` of three-mesh-bvh, version 0.9 or later. */
export interface MeshTreeClass {
  new (geometry: BufferGeometry, options: { readonly indirect: boolean }): MeshTree;
  /** Returns the nodes of a tree. */
  serialize(tree: never, options: { readonly cloneBuffers: boolean }): object;
  /** Makes a tree of its nodes. */
  deserialize(nodes: never, geometry: BufferGeometry, options: { readonly setIndex: boolean }): MeshTree;
}

/** What `MeshBVH.serialize` returns. */
interface SerializedTree {
  /** The format; 1 is the one above. */
  readonly version?: number;
  readonly roots: readonly ArrayBufferLike[];
  readonly indirectBuffer: Uint32Array | Uint16Array | null;
}

/** Numbers of 32 bits in a node. */
export const NODE_STRIDE = 8;
const LEAF = 0xffff;
const FORMAT = 1;

export class TreeRoot {
  readonly boxes: Float32Array;
  private readonly words: Uint32Array;
  private readonly halfWords: Uint16Array;

  constructor(buffer: ArrayBufferLike) {
    this.boxes = new Float32Array(buffer);
    this.words = new Uint32Array(buffer);
    this.halfWords = new Uint16Array(buffer);
  }

  isLeaf(node: number): boolean {
    return this.halfWords[2 * node + 15] === LEAF;
  }

  /** The first triangle of a leaf. */
  first(leaf: number): number {
    return this.words[leaf + 6];
  }

  /** Number of triangles of a leaf. */
  count(leaf: number): number {
    return this.halfWords[2 * leaf + 14];
  }

  rightOf(node: number): number {
    return node + this.words[node + 6] * NODE_STRIDE;
  }

  /** The largest coordinate. */
  get magnitude(): number {
    let magnitude = 0;
    for (let k = 0; k < 6; k++) magnitude = Math.max(magnitude, Math.abs(this.boxes[k]));
    return magnitude;
  }
}

export interface TriangleTree {
  readonly roots: readonly TreeRoot[];
  /** The triangles in the order of the leaves; null if the index of the geometry is in that order. */
  readonly order: Uint32Array | Uint16Array | null;
}

/** The nodes of a tree; null if three-mesh-bvh writes another format, or the tree does not hold all triangles. */
export function readTree(tree: MeshTree, triangleCount: number): TriangleTree | null {
  const treeClass = tree.constructor as unknown as MeshTreeClass;
  if (typeof treeClass.serialize !== 'function') return null;
  const serialized = treeClass.serialize(tree as never, { cloneBuffers: false }) as SerializedTree;
  if (serialized.version !== FORMAT) return null;
  const roots = serialized.roots.map((buffer) => new TreeRoot(buffer));
  let count = 0;
  for (const root of roots)
    for (let node = 0; node < root.boxes.length; node += NODE_STRIDE) if (root.isLeaf(node)) count += root.count(node);
  return count === triangleCount ? { roots, order: serialized.indirectBuffer } : null;
}

/** A worker of three-mesh-bvh that builds a tree: `new GenerateMeshBVHWorker()` of `three-mesh-bvh/worker`. */
export interface MeshTreeWorker {
  /** Returns the tree. Takes the memory of position and index meanwhile. */
  generate(geometry: BufferGeometry, options: object): Promise<MeshTree>;
}
