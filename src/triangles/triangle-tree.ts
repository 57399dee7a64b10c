/**
 * The tree over the triangles of a geometry: the nodes of a `MeshBVH` of three-mesh-bvh, as its public `serialize`
 * returns them. Nothing of three-mesh-bvh is imported: the class comes from the user, or from a tree that exists.
 *
 * A node has 32 bytes: its box as six floats, then for a leaf the first triangle (uint32), the number of triangles
 * (uint16) and the mark 0xFFFF; for another node the distance to its right child in nodes, and its split axis, which is
 * not read. The left child follows its parent.
 */

import type { BufferGeometry, TypedArray } from 'three';

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

  constructor(buffer: ArrayBufferLike) {
    this.boxes = new Float32Array(buffer);
    this.words = new Uint32Array(buffer);
  }

  isLeaf(node: number): boolean {
    return this.words[node + 7] >>> 16 === LEAF;
  }

  /** The first triangle of a leaf. */
  first(leaf: number): number {
    return this.words[leaf + 6];
  }

  /** Number of triangles of a leaf. */
  count(leaf: number): number {
    return this.words[leaf + 7] & LEAF;
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

/** In local space: coordinates at `stride * vertex`. */
interface Vertices {
  readonly positions: TypedArray;
  readonly stride: number;
  /** The vertices of the corners; null if corners are vertices. */
  readonly index: TypedArray | null;
}

/**
 * Views of two buffers take more memory than all else that is kept of a geometry. So they are made when a walk needs
 * them, and the last trees keep theirs.
 */
const RECENT_TREES = 64;
const recent: WeakRef<TriangleTree>[] = [];
let oldest = 0;

export class TriangleTree {
  /** The triangles in the order of the leaves; null if the index of the geometry is in that order. */
  readonly order: Uint32Array | Uint16Array | null;
  private readonly buffers: readonly ArrayBufferLike[];
  private views: readonly TreeRoot[] | null = null;

  constructor({ roots, indirectBuffer }: SerializedTree) {
    this.buffers = roots;
    this.order = indirectBuffer;
  }

  get roots(): readonly TreeRoot[] {
    if (this.views === null) {
      const last = recent[oldest]?.deref();
      if (last !== undefined) last.views = null;
      recent[oldest] = new WeakRef(this);
      oldest = (oldest + 1) % RECENT_TREES;
      this.views = this.buffers.map((buffer) => new TreeRoot(buffer));
    }
    return this.views;
  }

  /** Fits the boxes to vertices that have moved, all finite. Cost: 12 ns a triangle. */
  refit({ positions, stride, index }: Vertices): void {
    const { order } = this;
    for (const root of this.roots) {
      const { boxes } = root;
      // Children come after their parents.
      for (let node = boxes.length - NODE_STRIDE; node >= 0; node -= NODE_STRIDE) {
        if (!root.isLeaf(node)) {
          const left = node + NODE_STRIDE;
          const right = root.rightOf(node);
          for (let k = 0; k < 3; k++) {
            boxes[node + k] = Math.min(boxes[left + k], boxes[right + k]);
            boxes[node + k + 3] = Math.max(boxes[left + k + 3], boxes[right + k + 3]);
          }
          continue;
        }
        // Not in a loop over axes: V8 keeps the numbers in registers.
        let x = Infinity;
        let y = Infinity;
        let z = Infinity;
        let X = -Infinity;
        let Y = -Infinity;
        let Z = -Infinity;
        const end = root.first(node) + root.count(node);
        for (let k = root.first(node); k < end; k++) {
          const first = 3 * (order === null ? k : order[k]);
          for (let corner = first; corner < first + 3; corner++) {
            const at = stride * (index === null ? corner : index[corner]);
            const a = positions[at];
            const b = positions[at + 1];
            const c = positions[at + 2];
            if (a < x) x = a;
            if (b < y) y = b;
            if (c < z) z = c;
            if (a > X) X = a;
            if (b > Y) Y = b;
            if (c > Z) Z = c;
          }
        }
        boxes[node] = x;
        boxes[node + 1] = y;
        boxes[node + 2] = z;
        boxes[node + 3] = X;
        boxes[node + 4] = Y;
        boxes[node + 5] = Z;
      }
    }
  }
}

/** The nodes of a tree; null if three-mesh-bvh writes another format, or the tree does not hold all triangles. */
export function readTree(tree: MeshTree, triangleCount: number): TriangleTree | null {
  const treeClass = tree.constructor as unknown as MeshTreeClass;
  if (typeof treeClass.serialize !== 'function') return null;
  const serialized = treeClass.serialize(tree as never, { cloneBuffers: false }) as SerializedTree;
  if (serialized.version !== FORMAT) return null;
  const read = new TriangleTree(serialized);
  let count = 0;
  for (const root of read.roots)
    for (let node = 0; node < root.boxes.length; node += NODE_STRIDE) if (root.isLeaf(node)) count += root.count(node);
  return count === triangleCount ? read : null;
}

/** A worker of three-mesh-bvh that builds a tree: `new GenerateMeshBVHWorker()` of `three-mesh-bvh/worker`. */
export interface MeshTreeWorker {
  /** Returns the tree. Takes the memory of position and index meanwhile. */
  generate(geometry: BufferGeometry, options: object): Promise<MeshTree>;
}
