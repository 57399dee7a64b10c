/**
 * The distance of two meshes: a walk of both trees against each other, from near pairs of nodes to far ones. Boxes and
 * triangles are compared in the world, which holds for every pair of matrices: a box around a transformed box is never
 * too small. A mesh without a tree is one leaf.
 */

import type { GeometryTriangles } from './geometry-triangles.ts';
import { CLOSEST_STRIDE, closestTriangles } from './kernels/closest.ts';
import type { QueriedMesh } from './triangle-options.ts';
import { NODE_STRIDE, type TreeRoot } from './triangle-tree.ts';
import { errorOf, readNode, readTriangle, SQUARES_LOWERED, WORLD_ERROR, type BoxReader } from './triangle-walk.ts';

/** Offset of the box of a triangle, behind its nine numbers. */
const BOUNDS = 9;
const TRIANGLE_STRIDE = 15;

const NO_MATRIX = /* @__PURE__ */ new Float64Array(16);

/** A mesh, or an instance of one, of a pair. */
export interface PairedMesh extends QueriedMesh {
  /** -1 for an object outside the octree. */
  readonly bodyIndex: number;
  readonly matrix: Float64Array;
  readonly triangles: GeometryTriangles;
}

/** What is computed of one of the two meshes, when it is needed. */
export class MeshSide implements BoxReader {
  private matrix: Float64Array = NO_MATRIX;
  private triangles!: GeometryTriangles;

  /** World boxes of the nodes of the current root, of those with the current stamp. */
  boxes = new Float64Array(6);
  private stamps = new Int32Array(1);
  private stamp = 0;
  /** The triangles of the current leaf, with their boxes, in world units; and their corners. */
  readonly list: Float64Array[] = [];
  readonly corners: number[] = [];
  count = 0;
  private root: TreeRoot | null = null;
  private leaf = -1;
  /** Bound of the errors of boxes and triangles, world units. */
  private error = 0;
  /** Where the box that is read goes to. */
  private target: Float64Array = this.boxes;
  private at = 0;

  set({ matrix, triangles }: PairedMesh): void {
    this.matrix = matrix;
    this.triangles = triangles;
    this.root = null;
  }

  accepts(k: number, low: number, high: number): boolean {
    this.target[this.at + k] = low;
    this.target[this.at + k + 3] = high;
    return true;
  }

  get roots(): readonly (TreeRoot | null)[] {
    return this.triangles.tree?.roots ?? [null];
  }

  /** Begins with a root; null for all triangles as one leaf. */
  use(root: TreeRoot | null): void {
    if (root !== null && root === this.root) return;
    this.root = root;
    this.leaf = -1;
    this.stamp++;
    const nodes = root === null ? 1 : root.boxes.length / NODE_STRIDE;
    if (this.stamps.length < nodes) {
      this.boxes = new Float64Array(6 * nodes);
      this.stamps = new Int32Array(nodes);
      this.stamp = 1;
    }
    if (root === null) this.loadAll();
    else this.error = errorOf(root, this.matrix);
  }

  isLeaf(node: number): boolean {
    return this.root === null || this.root.isLeaf(node);
  }

  rightOf(node: number): number {
    return this.root!.rightOf(node);
  }

  /** The offset in `boxes` of the world box of a node. */
  boxOf(node: number): number {
    const number = node / NODE_STRIDE;
    const at = 6 * number;
    if (this.root === null || this.stamps[number] === this.stamp) return at;
    this.stamps[number] = this.stamp;
    this.target = this.boxes;
    this.at = at;
    readNode(this.root, node, this.matrix, this.error, false, this);
    return at;
  }

  /** Transforms the triangles of a leaf. */
  load(leaf: number): void {
    if (leaf === this.leaf || this.root === null) return;
    this.leaf = leaf;
    this.count = 0;
    const { root, triangles } = this;
    const { order } = triangles.tree!;
    const end = root.first(leaf) + root.count(leaf);
    for (let k = root.first(leaf); k < end; k++) {
      const corner = 3 * (order === null ? k : order[k]);
      if (triangles.isDrawn(corner)) this.add(corner);
    }
  }

  private loadAll(): void {
    const { boxes } = this;
    this.count = 0;
    this.triangles.visitDrawn((corner) => this.add(corner));
    for (let k = 0; k < 3; k++) {
      boxes[k] = Infinity;
      boxes[k + 3] = -Infinity;
      for (let i = 0; i < this.count; i++) {
        boxes[k] = Math.min(boxes[k], this.list[i][BOUNDS + k]);
        boxes[k + 3] = Math.max(boxes[k + 3], this.list[i][BOUNDS + k + 3]);
      }
    }
  }

  private add(corner: number): void {
    const t = (this.list[this.count] ??= new Float64Array(TRIANGLE_STRIDE));
    this.target = t;
    this.at = BOUNDS;
    if (readTriangle(this.triangles, corner, this.matrix, t, this)) this.corners[this.count++] = corner;
  }
}

/** Half of the circumference of a box. */
function sizeOf(boxes: Float64Array, at: number): number {
  return boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2]);
}

/** Squared distance of two boxes, a little less because of rounding. */
function gapSq(as: Float64Array, a: number, bs: Float64Array, b: number): number {
  const x = Math.max(as[a] - bs[b + 3], bs[b] - as[a + 3], 0);
  const y = Math.max(as[a + 1] - bs[b + 4], bs[b + 1] - as[a + 4], 0);
  const z = Math.max(as[a + 2] - bs[b + 5], bs[b + 2] - as[a + 5], 0);
  return (x * x + y * y + z * z) * SQUARES_LOWERED;
}

/** Finds the closest triangles of pairs of meshes: of equal distances the first pair of faces. */
export class PairWalk {
  nodesVisited = 0;
  trianglesTested = 0;
  /** The largest distance of interest, closed; then the smallest one found. */
  readonly best = new Float64Array(1);
  /** Whether any pair of triangles within the distance will do. */
  isAnyEnough = false;
  isFound = false;
  corner = -1;
  otherCorner = -1;
  /** The closest points of the closest triangles. */
  readonly closest = new Float64Array(CLOSEST_STRIDE);
  private readonly out = new Float64Array(CLOSEST_STRIDE);
  /** Squared, with errors. */
  private readonly reachSq = new Float64Array(1);
  /** Size of coordinates. */
  private magnitude = 0;
  private isLater = false;
  /** Whether a pair of the present meshes is the closest so far. */
  private isNearer = false;

  begin(limit: number, isAnyEnough: boolean): void {
    this.best[0] = limit;
    this.isAnyEnough = isAnyEnough;
    this.isFound = false;
  }

  /** Compares two meshes. Returns whether a pair of theirs is the closest so far: the first one of equal ones. */
  compare(a: MeshSide, b: MeshSide): boolean {
    this.isNearer = false;
    this.isLater = this.isFound;
    for (const rootA of a.roots)
      for (const rootB of b.roots) {
        if (this.isFound && this.isAnyEnough) return this.isNearer;
        a.use(rootA);
        b.use(rootB);
        this.magnitude = 0;
        for (let k = 0; k < 6; k++)
          this.magnitude += Math.abs(a.boxes[a.boxOf(0) + k]) + Math.abs(b.boxes[b.boxOf(0) + k]);
        this.setReach();
        if (this.wants(gapSq(a.boxes, 0, b.boxes, 0))) this.visit(a, 0, b, 0);
      }
    return this.isNearer;
  }

  /** Visits a pair of nodes, and what is below them, the nearer pairs first. */
  private visit(a: MeshSide, nodeA: number, b: MeshSide, nodeB: number): void {
    this.nodesVisited++;
    const isLeaf = a.isLeaf(nodeA);
    const isOtherLeaf = b.isLeaf(nodeB);
    if (isLeaf && isOtherLeaf) {
      this.compareLeaves(a, nodeA, b, nodeB);
      return;
    }
    const splitsA = isOtherLeaf || (!isLeaf && sizeOf(a.boxes, a.boxOf(nodeA)) > sizeOf(b.boxes, b.boxOf(nodeB)));
    const firstA = splitsA ? nodeA + NODE_STRIDE : nodeA;
    const firstB = splitsA ? nodeB : nodeB + NODE_STRIDE;
    const secondA = splitsA ? a.rightOf(nodeA) : nodeA;
    const secondB = splitsA ? nodeB : b.rightOf(nodeB);
    const first = gapSq(a.boxes, a.boxOf(firstA), b.boxes, b.boxOf(firstB));
    const second = gapSq(a.boxes, a.boxOf(secondA), b.boxes, b.boxOf(secondB));
    const isFirstNearer = first <= second;
    if (isFirstNearer && this.wants(first)) this.visit(a, firstA, b, firstB);
    if (this.wants(second)) this.visit(a, secondA, b, secondB);
    if (!isFirstNearer && this.wants(first)) this.visit(a, firstA, b, firstB);
  }

  /** Whether nodes with this squared distance may hold a result. */
  private wants(distanceSq: number): boolean {
    return distanceSq <= this.reachSq[0] && !(this.isFound && this.isAnyEnough);
  }

  private compareLeaves(a: MeshSide, nodeA: number, b: MeshSide, nodeB: number): void {
    const { reachSq, best, out } = this;
    a.load(nodeA);
    b.load(nodeB);
    for (let i = 0; i < a.count; i++) {
      const t = a.list[i];
      if (gapSq(t, BOUNDS, b.boxes, b.boxOf(nodeB)) > reachSq[0]) continue;
      for (let j = 0; j < b.count; j++) {
        const u = b.list[j];
        if (gapSq(t, BOUNDS, u, BOUNDS) > reachSq[0]) continue;
        // Nothing is nearer than 0.
        if (best[0] === 0 && this.isFound && !this.isFirst(a.corners[i], b.corners[j])) continue;
        this.trianglesTested++;
        out[6] = best[0];
        if (!closestTriangles(t, u, out)) continue;
        if (out[6] === best[0] && this.isFound && !this.isFirst(a.corners[i], b.corners[j])) continue;
        this.isNearer = this.isFound = true;
        this.isLater = false;
        best[0] = out[6];
        this.closest.set(out);
        this.corner = a.corners[i];
        this.otherCorner = b.corners[j];
        if (this.isAnyEnough) return;
        this.setReach();
      }
    }
  }

  /** Whether a pair comes before the one that was found, at the same distance. */
  private isFirst(corner: number, otherCorner: number): boolean {
    if (this.isLater) return false;
    return corner < this.corner || (corner === this.corner && otherCorner < this.otherCorner);
  }

  private setReach(): void {
    const reach = this.best[0] + 4 * WORLD_ERROR * this.magnitude;
    this.reachSq[0] = reach * reach;
  }
}
