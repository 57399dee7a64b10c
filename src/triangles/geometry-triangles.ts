/**
 * The triangles of one geometry, by draw range and groups as in three's raycast; their vertices; and their tree. Read
 * again after `needsUpdate`, or when an attribute was exchanged.
 *
 * A triangle is named by its first *corner*, an index into the index of the geometry, or into its vertices without one:
 * three times its face.
 */

import {
  BufferAttribute,
  BufferGeometry,
  Float16BufferAttribute,
  type InterleavedBufferAttribute,
  type Material,
  type TypedArray,
} from 'three';
import { attributeVersionOf, GETTERS } from '../three/bounds/vertex-bounds.ts';
import {
  readTree,
  type TriangleTree,
  type MeshTree,
  type MeshTreeClass,
  type MeshTreeWorker,
} from './triangle-tree.ts';

type Positions = BufferAttribute | InterleavedBufferAttribute;

const NO_NUMBERS = /* @__PURE__ */ new Float32Array(0);

export class GeometryTriangles {
  /** In local space: coordinates at `stride * vertex`. */
  positions: TypedArray = NO_NUMBERS;
  stride = 3;
  /** The vertices of the corners; null if corners are vertices. */
  index: TypedArray | null = null;
  private currentTree: TriangleTree | null = null;
  /** First corner and end of each part that is drawn; null for all triangles. */
  private parts: readonly number[] | null = null;

  private readonly geometry: BufferGeometry;
  private attribute: Positions | null = null;
  private version = -1;
  private indexVersion: number | undefined = undefined;
  private indexSource: BufferAttribute | null = null;
  /** The tree that the user had set when `tree` was read. */
  private source: MeshTree | null = null;
  private isTreeCurrent = false;
  /** How often vertices or index have changed. */
  private changes = 0;

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
  }

  /** Reads what has changed. Returns whether there are triangles. */
  refresh(material: Material | Material[] | null): boolean {
    const { geometry } = this;
    const attribute = geometry.attributes.position as Positions | undefined;
    const { index } = geometry;
    if (attribute === undefined || typeof attribute.getX !== 'function') return false;
    const version = attributeVersionOf(attribute);
    const isSame = attribute === this.attribute && index === this.indexSource && index?.version === this.indexVersion;
    if (!isSame || version !== this.version) {
      this.attribute = attribute;
      this.version = version;
      this.indexSource = index;
      this.indexVersion = index?.version;
      this.readArrays(attribute, index, isSame);
    }
    return this.readParts(Array.isArray(material));
  }

  /**
   * Brings the tree up to date: that of the user, else one that is built by the class. Without either there is none,
   * and every triangle is visited.
   *
   * Cost: of a build 0.2 to 0.4 us a triangle, of a refit a twentieth.
   */
  refreshTree(treeClass: MeshTreeClass | null): TriangleTree | null {
    const { count, given } = this;
    if (given !== this.source) {
      this.source = given;
      this.isTreeCurrent = false;
      this.currentTree = null;
    }
    if (this.isTreeCurrent) return this.tree;
    this.isTreeCurrent = true;
    const ofUser = given === null ? null : readTree(given, count);
    const maker = treeClass ?? (given?.constructor as MeshTreeClass | undefined);
    if (ofUser !== null) this.currentTree = ofUser;
    else if (maker === undefined || count <= MIN_TREE || !this.isFinite()) this.currentTree = null;
    else if (this.currentTree !== null) this.currentTree.refit(this);
    else this.currentTree = readTree(new maker(this.treeGeometry(), { indirect: true }), count);
    return this.tree;
  }

  /**
   * Builds the tree in a worker, from a copy of the vertices. Nothing is changed if these change meanwhile: then the
   * next query builds it.
   */
  async buildTreeIn(worker: MeshTreeWorker, treeClass: MeshTreeClass): Promise<void> {
    if (this.given !== null || !this.isFinite()) {
      this.refreshTree(treeClass);
      return;
    }
    const { changes } = this;
    const tree = await worker.generate(this.treeGeometry().clone(), { indirect: true });
    if (this.isTreeCurrent || changes !== this.changes) return;
    this.currentTree = readTree(tree, this.count);
    this.isTreeCurrent = true;
  }

  /** Number of triangles, whether drawn or not. */
  get count(): number {
    return Math.floor((this.indexSource?.count ?? this.attribute?.count ?? 0) / 3);
  }

  /** Whether a query would have to build the tree, or to read the vertices of it again. */
  get wantsTree(): boolean {
    return !this.isTreeCurrent && this.count > MIN_TREE;
  }

  /**
   * Null without a tree that is current, and where a part begins between two triangles of it: then `visitDrawn`
   * visits every triangle.
   */
  get tree(): TriangleTree | null {
    const { parts } = this;
    return this.isTreeCurrent && (parts === null || parts.every((corner) => corner % 3 === 0))
      ? this.currentTree
      : null;
  }

  /** Visits the first corner of each triangle in a part that is drawn. */
  visitDrawn(visitor: (corner: number) => void): void {
    const ranges = this.parts ?? [0, 3 * this.count];
    for (let k = 0; k < ranges.length; k += 2)
      for (let corner = ranges[k]; corner < ranges[k + 1]; corner += 3) visitor(corner);
  }

  /** Whether a triangle is in a part that is drawn. */
  isDrawn(corner: number): boolean {
    const { parts } = this;
    if (parts === null) return true;
    for (let k = 0; k < parts.length; k += 2)
      if (corner >= parts[k] && corner + 3 <= parts[k + 1] && (corner - parts[k]) % 3 === 0) return true;
    return false;
  }

  /** Writes the vertices of a triangle in local space. */
  readTriangle(corner: number, triangle: Float64Array): void {
    const { index, positions, stride } = this;
    for (let k = 0; k < 3; k++) {
      const at = stride * (index === null ? corner + k : index[corner + k]);
      triangle[3 * k] = positions[at];
      triangle[3 * k + 1] = positions[at + 1];
      triangle[3 * k + 2] = positions[at + 2];
    }
  }

  /** The materials of a triangle: one for each group that holds it. */
  materialsOf(corner: number, material: Material | Material[] | null): readonly Material[] {
    if (!Array.isArray(material)) return material === null ? [] : [material];
    const groups = this.geometry.groups.filter(({ start, count }) => corner >= start && corner < start + count);
    return groups.flatMap(({ materialIndex }) => material[materialIndex!] ?? []);
  }

  /** The tree that the user has set for the geometry. */
  private get given(): MeshTree | null {
    return (this.geometry as BufferGeometry & { readonly boundsTree?: MeshTree | null }).boundsTree ?? null;
  }

  /**
   * Positions that are not plain numbers, normalized ones for example, are read once and kept. `mayRefit`: only
   * positions have changed, so the tree needs new boxes only.
   */
  private readArrays(attribute: Positions, index: BufferAttribute | null, mayRefit: boolean): void {
    this.changes++;
    this.index = index?.array ?? null;
    this.isTreeCurrent = false;
    const isInterleaved = 'data' in attribute && isPlain(attribute);
    this.stride = isInterleaved ? attribute.data.stride : 3;
    this.positions = isInterleaved ? attribute.array.subarray(attribute.offset) : numbersOf(attribute, 3);
    if (!mayRefit) this.currentTree = null;
  }

  /** The same triangles without draw range and groups, by which three-mesh-bvh would leave some out. */
  private treeGeometry(): BufferGeometry {
    const { attribute, positions, stride } = this;
    const isOwn = stride === 3 && positions !== attribute!.array;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', isOwn ? new BufferAttribute(positions, 3) : attribute!);
    if (this.indexSource !== null) geometry.setIndex(this.indexSource);
    return geometry;
  }

  /** Whether no vertex holds a NaN or an infinity, which boxes of a tree would not show. */
  private isFinite(): boolean {
    const { attribute, positions, stride } = this;
    for (let k = 0; k < attribute!.count; k++) {
      const at = stride * k;
      const sum = positions[at] + positions[at + 1] + positions[at + 2];
      if (sum - sum !== 0) return false;
    }
    return true;
  }

  /** Returns whether a triangle is drawn. */
  private readParts(hasGroups: boolean): boolean {
    const { geometry } = this;
    const { start, count } = geometry.drawRange;
    const end = Math.min(this.index?.length ?? this.attribute!.count, start + count);
    ranges.length = 0;
    if (!hasGroups) addRange(ranges, Math.max(0, start), end);
    else
      for (const group of [...geometry.groups].sort((a, b) => a.start - b.start))
        addRange(ranges, Math.max(group.start, start), Math.min(end, group.start + group.count));
    const isWhole = ranges.length === 2 && ranges[0] === 0 && ranges[1] >= 3 * this.count;
    this.parts = isWhole ? null : ranges.slice();
    return ranges.length > 0;
  }
}

/** Whether the numbers of an array are those of the vertices. */
function isPlain(attribute: Positions): boolean {
  return !attribute.normalized && !(attribute instanceof Float16BufferAttribute);
}

/** The first `size` numbers of each vertex of an attribute: its own array, where that holds nothing else. */
export function numbersOf(attribute: Positions, size: number): TypedArray {
  if (isPlain(attribute) && !('data' in attribute) && attribute.itemSize === size) return attribute.array;
  const numbers = new Float64Array(size * attribute.count);
  for (let k = 0; k < numbers.length; k++) numbers[k] = attribute[GETTERS[k % size]](Math.floor(k / size));
  return numbers;
}

/** Those that are being read. */
const ranges: number[] = [];
/** This many triangles and fewer are visited in turn: a tree would be one leaf. Test: scene.test. */
const MIN_TREE = 12;

/** Adds a part with at least one triangle. If it meets one that begins at the same place of a triangle, that grows. */
function addRange(ranges: number[], start: number, end: number): void {
  const length = end - start - ((end - start) % 3);
  if (length < 3) return;
  let k = ranges.length - 2;
  // Parts are sorted: the last one that begins at the same place of a triangle ends last.
  while (k >= 0 && (start - ranges[k]) % 3 !== 0) k -= 2;
  if (k >= 0 && start <= ranges[k + 1]) ranges[k + 1] = Math.max(ranges[k + 1], start + length);
  else ranges.push(start, start + length);
}
