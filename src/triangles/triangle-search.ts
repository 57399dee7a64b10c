/**
 * What all queries of triangles share: they find bodies near a shape, ask which meshes these stand for, leave out what
 * the options exclude, and walk the trees of the rest. A search is borrowed for a call, because a filter may query.
 */

import { DoubleSide, FrontSide, type Object3D, type Side } from 'three';
import { readMask, throwType } from '../octree/input/input-checks.ts';
import type { KnownOptions } from '../octree/input/known-options.ts';
import type { Body, Octree } from '../three-math/octree.ts';
import { resized } from '../math/typed-arrays.ts';
import { isWithin } from '../three/bounds/object-kinds.ts';
import { isShown } from '../three/picking/pickable.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import { SceneMesh } from './scene-mesh.ts';
import {
  checkOptions,
  TRIANGLE_OPTIONS,
  type TriangleHit,
  type TriangleOptions,
  type TrianglePoint,
} from './triangle-options.ts';
import type { MeshVisitor, TriangleScene } from './triangle-scene.ts';
import { NODE_STRIDE } from './triangle-tree.ts';
import { errorOf, NOTHING, readNode, readTriangle, type Volume } from './triangle-walk.ts';

const NO_OPTIONS = {};

/**
 * Nodes that are still to be visited, each behind its bound. Walks do not nest: what is done with a triangle runs no
 * user code.
 */
let stack = /* @__PURE__ */ new Float64Array(256);

export abstract class TriangleSearch {
  readonly reference = new WeakRef(this);
  readonly mesh = new SceneMesh();
  /** The vertices of the triangle that is visited. */
  readonly triangle = new Float64Array(9);
  /** Triangles from this corner on no longer count. */
  protected cornerEnd = Infinity;
  nodesVisited = 0;
  trianglesTested = 0;
  meshesTested = 0;
  objectsSkipped = 0;
  protected scene!: TriangleScene;
  /** Name of the query. */
  protected where = '';
  options: TriangleOptions = NO_OPTIONS;
  protected readonly list = new IndexList();
  /** As octrees take them. */
  protected queryOptions = { mask: -1 };

  /** Visits the triangles of `mesh`. */
  protected abstract visitMesh(): void;
  /** What is done with a triangle, whose vertices are in `triangle`. */
  protected abstract visitTriangle(corner: number): void;

  /** Checks scene and options, and begins. */
  begin(where: string, scene: TriangleScene, options: TriangleOptions = NO_OPTIONS, known: KnownOptions): void {
    // Not by its class: the application may have loaded the library twice.
    if (typeof (scene as TriangleScene | null)?.visitUnculled !== 'function')
      throwType(where, 'scene', 'be a TriangleScene', scene, 'create one over the container: new TriangleScene(group)');
    if (options !== NO_OPTIONS) checkOptions(where, options, known);
    this.queryOptions.mask = readMask(where, 'options.mask', options.mask);
    this.where = where;
    this.scene = scene;
    this.mesh.octree = scene.octree;
    this.options = options;
    this.nodesVisited = this.trianglesTested = this.meshesTested = this.objectsSkipped = 0;
  }

  /** Writes the costs. */
  writeStats(): void {
    const { stats } = this.options;
    if (stats === undefined) return;
    const { meshesTested, nodesVisited, trianglesTested, objectsSkipped } = this;
    Object.assign(stats, { meshesTested, nodesVisited, trianglesTested, objectsSkipped });
  }

  /** The octree, as it was when the query began. */
  protected get octree(): Octree {
    return this.mesh.octree!;
  }

  protected visitUnculled(): void {
    this.mesh.bodyIndex = -1;
    // What has no index is in no set.
    if (typeof this.options.filter !== 'object') this.scene.visitUnculled(this.consider);
  }

  /** Visits the bodies of `list` by index. */
  protected visitList(): void {
    const { list } = this;
    list.array.subarray(0, list.length).sort();
    // A filter may query, but not with this list: each search has its own.
    for (let k = 0; k < list.length; k++) this.visitBody(list.array[k]);
  }

  protected visitBody(index: number): void {
    const { filter } = this.options;
    if (typeof filter === 'object' && !filter.has(index)) return;
    this.mesh.bodyIndex = index;
    this.scene.visitBody(this.octree, index, this.consider);
  }

  /** Visits the triangles of the mesh that are drawn, in the boxes of interest to a volume, from low bounds to high. */
  protected visitTriangles(volume: Volume): void {
    const { mesh } = this;
    const triangles = mesh.triangles!;
    const { tree } = triangles;
    this.cornerEnd = Infinity;
    if (tree === null) {
      triangles.visitDrawn((corner) => this.testTriangle(corner, volume));
      return;
    }
    const { matrix } = mesh;
    const isLocal = volume.enter !== undefined && mesh.invert();
    const { order } = tree;
    for (const root of tree.roots) {
      const error = isLocal ? 0 : errorOf(root, matrix);
      const boundOf = (node: number): number =>
        readNode(root, node, matrix, error, isLocal, volume) ? volume.bound[0] : NOTHING;
      if (isLocal) volume.enter!(mesh, root);
      stack[0] = boundOf(0);
      stack[1] = 0;
      for (let top = 2; top > 0;) {
        const node = stack[--top];
        const bound = stack[--top];
        if (bound < 0 || bound > volume.limit) continue;
        this.nodesVisited++;
        if (root.isLeaf(node)) {
          const end = root.first(node) + root.count(node);
          for (let k = root.first(node); k < end; k++) {
            const corner = 3 * (order === null ? k : order[k]);
            if (triangles.isDrawn(corner)) this.testTriangle(corner, volume);
          }
          continue;
        }
        if (top + 4 > stack.length) stack = resized(stack, 2 * stack.length);
        const left = node + NODE_STRIDE;
        const right = root.rightOf(node);
        const leftBound = boundOf(left);
        const rightBound = boundOf(right);
        const isLeftFirst = leftBound <= rightBound;
        stack[top++] = isLeftFirst ? rightBound : leftBound;
        stack[top++] = isLeftFirst ? right : left;
        stack[top++] = isLeftFirst ? leftBound : rightBound;
        stack[top++] = isLeftFirst ? left : right;
      }
    }
  }

  private testTriangle(corner: number, volume: Volume): void {
    if (corner >= this.cornerEnd) return;
    this.trianglesTested++;
    const { mesh, triangle } = this;
    if (readTriangle(mesh.triangles!, corner, mesh.matrix, triangle, volume)) this.visitTriangle(corner);
  }

  /** Visits a mesh, unless the options leave it out. */
  protected readonly consider: MeshVisitor = (object, instanceId, geometry, material, matrix) => {
    const { mesh, options } = this;
    if (geometry === null) {
      this.objectsSkipped++;
      return;
    }
    mesh.object = object;
    mesh.instanceId = instanceId;
    mesh.geometry = geometry;
    mesh.material = material;
    for (let k = 0; k < 16; k++) mesh.matrix[k] = matrix.elements[k];
    // A scale of 0, the usual way to hide an instance: nothing is left.
    if (mesh.isEmpty) return;
    if (object !== null && options.includesHidden !== true && !isShown(object)) return;
    if (options.except !== undefined && options.except !== null && this.isExcepted(options.except)) return;
    if (typeof options.filter === 'function' && !options.filter(mesh)) return;
    mesh.triangles = this.scene.trianglesOf(mesh);
    if (mesh.triangles === null) return;
    this.meshesTested++;
    this.visitMesh();
  };

  /** Whether only one side of a triangle counts. */
  protected get isOneSided(): boolean {
    const { side } = this.options;
    return side !== undefined && side !== DoubleSide;
  }

  /**
   * Whether the side of the triangle that counts is towards a direction, whose dot product with the normal has this
   * sign.
   */
  protected isSideRight(corner: number, sign: number): boolean {
    const { options, mesh } = this;
    if (options.side !== 'material') return this.isFacing(FrontSide, sign);
    const materials = mesh.triangles!.materialsOf(corner, mesh.material);
    return (materials.length > 0 ? materials : [{ side: FrontSide }]).some(({ side }) => this.isFacing(side, sign));
  }

  /** The same for the side of one material, which does not matter if the options name another. */
  protected isFacing(side: Side, sign: number): boolean {
    const own = this.options.side ?? DoubleSide;
    const one = own === 'material' ? side : own;
    return one === DoubleSide || sign * this.mesh.orientation * (one === FrontSide ? 1 : -1) >= 0;
  }

  /** Writes which triangle of a mesh it is, and a point: three numbers. */
  protected writePoint(
    point: TrianglePoint,
    { object, instanceId, bodyIndex }: Pick<SceneMesh, 'object' | 'instanceId' | 'bodyIndex'>,
    corner: number,
    numbers: ArrayLike<number>,
    at: number,
  ): void {
    point.object = object;
    point.instanceId = instanceId;
    point.body = bodyIndex < 0 ? null : this.octree.bodyAt(bodyIndex);
    point.face = Math.floor(corner / 3);
    point.position.fromArray(numbers, at);
  }

  /** Writes a triangle of the mesh, a point of it and a normal, and 0 to all else. */
  protected writeHit(hit: TriangleHit, corner: number, numbers: Float64Array, position: number, normal: number): void {
    this.writePoint(hit, this.mesh, corner, numbers, position);
    hit.normal.fromArray(numbers, normal);
    hit.distance = hit.depth = hit.time = 0;
    hit.inside = false;
  }

  private isExcepted(except: NonNullable<TriangleOptions['except']>): boolean {
    if (Array.isArray(except)) return except.some((one) => one !== null && one !== undefined && this.isExcepted(one));
    const one = except as Body<unknown> | Object3D;
    if (!('isObject3D' in one)) return one.index === this.mesh.bodyIndex && this.octree.has(one);
    return isWithin(this.mesh.object, one);
  }
}

/** Lends a search of a kind to each call. */
export class SearchPool<Search extends TriangleSearch> {
  private readonly make: new () => Search;
  private readonly known: KnownOptions;
  /** Weak, so that the scene and the meshes of the last query may be collected. */
  private readonly free: WeakRef<Search>[] = [];

  /** @param own Options of the query, beside `common`. */
  constructor(make: new () => Search, own: KnownOptions = [], common = TRIANGLE_OPTIONS) {
    this.make = make;
    this.known = [...common, ...own];
  }

  /** Checks scene and options, and answers a query by a search that no other call uses. */
  use<T, Result>(
    where: string,
    scene: TriangleScene<T>,
    options: TriangleOptions<T> | undefined,
    run: (search: Search) => Result,
  ): Result {
    const search = this.free.pop()?.deref() ?? new this.make();
    try {
      search.begin(where, scene, options as never, this.known);
      const result = run(search);
      search.writeStats();
      return result;
    } finally {
      this.free.push(search.reference);
    }
  }
}
