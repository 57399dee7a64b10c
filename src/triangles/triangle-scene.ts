/**
 * `TriangleScene`: which meshes the bodies of an octree stand for. It copies nothing of them: matrices, visibility and
 * geometries are read by each query.
 */

import {
  BufferAttribute,
  BufferGeometry,
  Matrix4,
  type BatchedMesh,
  type InstancedMesh,
  type Material,
  type Mesh,
  type Object3D,
} from 'three';
import { isObject, throwType } from '../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../octree/input/known-options.ts';
import { attributeVersionOf } from '../three/bounds/vertex-bounds.ts';
import { warnOnce } from '../three/passes/warnings.ts';
import type { Body, Octree, ReadOnlyOctree } from '../three-math/octree.ts';
import { GeometryTriangles } from './geometry-triangles.ts';
import type { SceneMesh } from './scene-mesh.ts';
import { isPosed, PosedTriangles } from './posed-triangles.ts';
import type { MeshTreeClass } from './triangle-tree.ts';

/** What the callback of a `TriangleScene` over an `Octree` says of a body. All fields are reset before each call. */
export interface MeshTarget {
  /** Its triangles. Null: the body has none. */
  geometry: BufferGeometry | null;
  /** From the space of the geometry to the world: assign `mesh.matrixWorld`, or write to it. */
  matrix: Matrix4;
  /** For the option `side: 'material'`, and for geometries with groups. */
  material: Material | Material[] | null;
  /** Reported in results. */
  object: Object3D | null;
}

/** Says which geometry a body stands for, and where it is. */
export type MeshReader<T> = (body: Body<T>, target: MeshTarget) => void;

/** A container of scene-octree/three whose triangles are asked: an `OctreeGroup` or an `OctreeInstances`. */
export interface TriangleContainer<T> extends Object3D {
  /** In world units. The data of a body is an object, with all its descendants, or the id of an instance. */
  readonly octree: ReadOnlyOctree<T>;
  /** Objects of the container that are not in its octree. */
  readonly unculled?: readonly Object3D[];
}

/** The options of `new TriangleScene()`. */
export interface TriangleSceneOptions {
  /**
   * The class `MeshBVH` of three-mesh-bvh: trees are built with it, when a query first reaches a geometry. A tree in
   * `geometry.boundsTree` is used as it is. Without either, every triangle of a mesh that a query reaches is tested.
   */
  readonly MeshBVH?: MeshTreeClass;
}

const SCENE_OPTIONS: KnownOptions = ['MeshBVH'];
/** Without a tree, a geometry with more triangles than this causes a warning, once. Test: scene.test. */
const MANY_TRIANGLES = 20_000;

type ConsideredMesh = Pick<SceneMesh, 'object' | 'instanceId' | 'geometry' | 'material'>;

/** Gets each mesh of a body, valid during the call. The geometry is null for points, lines and sprites. */
export type MeshVisitor = (
  object: Object3D | null,
  instanceId: number,
  geometry: BufferGeometry | null,
  material: Material | Material[] | null,
  matrix: Matrix4,
) => void;

/**
 * The triangles of all meshes of a container or of an octree, for queries that are exact to the triangle. Create it
 * once; it is always up to date as its container is. Matrices are those of the last `updateMatrixWorld`, by a frame or
 * by the caller. Geometries are read again after `needsUpdate`.
 *
 * - An `OctreeGroup`: all its meshes, also instanced and batched ones, static or not, drawn by batches or hidden by
 *   occlusion or not, and those outside its octree. Points, lines and sprites have no triangles and are left out.
 *   Skinned meshes and morph targets have the triangles of their pose, as far as the bounds of the object hold it:
 *   `PoseBounds` keeps them right. Morph targets of single instances are not seen.
 * - An `OctreeInstances`: its visible instances, with the geometry of the first level.
 *   Inside of an `OctreeGroup`, each query that reaches the container visits all of them: give it a scene of its own.
 * - An `Octree`: what a callback says of each body. The bounds of the body must contain its triangles.
 *
 * What a scale of 0 along all axes hides is left out, and so are triangles with a NaN.
 *
 * @example
 * ```ts
 * import { Sphere, Vector3 } from 'three';
 * import { MeshBVH } from 'three-mesh-bvh';
 * import { OctreeGroup } from 'scene-octree/three';
 * import { intersectTriangles, TriangleScene } from 'scene-octree/triangles';
 *
 * const group = new OctreeGroup().add(...meshes);
 * const triangles = new TriangleScene(group, { MeshBVH });
 * for (const { object, depth } of intersectTriangles(triangles, new Sphere(new Vector3(0, 1, 0), 0.5)))
 *   console.log(object?.name, depth);
 * ```
 */
export class TriangleScene<T = unknown> {
  private readonly source: TriangleContainer<unknown> | Octree;
  private readonly readMesh: MeshReader<never> | null;
  /** @internal */
  readonly treeClass: MeshTreeClass | null;
  /** @internal Number of calls of `prepareTriangles` that run: meanwhile no query builds a tree. */
  preparations = 0;
  /** By geometry, for meshes with one material and for those with a material for each group. */
  private readonly whole = new WeakMap<BufferGeometry, GeometryTriangles>();
  private readonly grouped = new WeakMap<BufferGeometry, GeometryTriangles>();
  private readonly targets: OwnTarget[] = [];
  private readonly poses = new WeakMap<Mesh, PosedTriangles>();

  /**
   * @param container An `OctreeGroup` or an `OctreeInstances`.
   * @throws {TypeError} If it is neither, or an option is unknown.
   */
  constructor(container: TriangleContainer<T>, options?: TriangleSceneOptions);
  /**
   * @param octree Its bodies.
   * @param readMesh Sets geometry and matrix of a body. Called for each body that a query reaches.
   * @throws {TypeError} If an argument has a wrong type, or an option is unknown.
   */
  constructor(octree: Octree<T>, readMesh: MeshReader<T>, options?: TriangleSceneOptions);
  constructor(
    source: TriangleContainer<T> | Octree<T>,
    second?: MeshReader<T> | TriangleSceneOptions,
    third?: TriangleSceneOptions,
  ) {
    const where = 'TriangleScene';
    const isContainer = isObject(source) && 'isObject3D' in source && 'octree' in source;
    const what = 'be an OctreeGroup, an OctreeInstances or an Octree';
    if (!isContainer && typeof (source as Octree<T> | null)?.internals?.stateOf !== 'function')
      throwType(where, 'source', what, source, 'pass the container that holds the meshes');
    const options = ((isContainer ? second : third) ?? {}) as TriangleSceneOptions;
    const remedy = 'pass (body, target) => {...} that sets target.geometry and target.matrix';
    if (!isContainer && typeof second !== 'function') throwType(where, 'readMesh', 'be a function', second, remedy);
    requireOptions(where, options, SCENE_OPTIONS);
    const { MeshBVH = null } = options;
    if (MeshBVH !== null && typeof MeshBVH?.serialize !== 'function')
      throwType(where, 'options.MeshBVH', 'be the class MeshBVH', MeshBVH, "import { MeshBVH } from 'three-mesh-bvh'");
    this.source = source as never;
    this.readMesh = isContainer ? null : (second as MeshReader<never>);
    this.treeClass = MeshBVH;
  }

  /** The octree, up to date, in world units. */
  get octree(): Octree<T> {
    return ('isObject3D' in this.source ? this.source.octree : this.source) as never;
  }

  /** @internal Visits the meshes outside the octree. */
  visitUnculled(visitor: MeshVisitor): void {
    if (!('isObject3D' in this.source)) return;
    for (const object of this.source.unculled ?? []) visitMeshes(object, visitor);
  }

  /** @internal Visits the meshes of a body. */
  visitBody(octree: Octree, index: number, visitor: MeshVisitor): void {
    const { source, readMesh } = this;
    if (readMesh !== null) {
      // One for each call that runs: the callback may query.
      const target = this.targets.pop() ?? ({ own: new Matrix4() } as OwnTarget);
      target.geometry = target.material = target.object = null;
      target.matrix = target.own.identity();
      try {
        readMesh(octree.bodyAt(index) as never, target);
      } finally {
        this.targets.push(target);
      }
      const { geometry, matrix, material, object } = target;
      // A callback in JavaScript may leave undefined.
      if (geometry != null) visitor(object ?? null, -1, geometry, material, matrix);
      return;
    }
    const data = octree.dataAt(index) as Object3D | number;
    if (typeof data !== 'number') visitMeshes(data, visitor);
    else visitInstance(source as unknown as InstancedMesh, data, visitor);
  }

  /** @internal The triangles of a mesh, with their tree; null if it has none. */
  trianglesOf({ object, instanceId, geometry, material }: ConsideredMesh): GeometryTriangles | null {
    const triangles =
      instanceId < 0 && isPosed(object, geometry!) ? this.poseOf(object) : this.shapeOf(geometry!, material);
    if (!triangles.refresh(material)) return null;
    if (this.preparations > 0 && triangles.wantsTree) return triangles;
    if (triangles.refreshTree(this.treeClass) === null && triangles.count > MANY_TRIANGLES)
      warnOnce(
        this,
        'tree',
        `TriangleScene: the geometry ${geometry!.name || geometry!.uuid} has ${triangles.count} triangles and no tree, so each query that reaches it tests all of them; pass the class MeshBVH of three-mesh-bvh: new TriangleScene(group, { MeshBVH }).`,
      );
    return triangles;
  }

  private shapeOf(geometry: BufferGeometry, material: Material | Material[] | null): GeometryTriangles {
    const cache = Array.isArray(material) ? this.grouped : this.whole;
    let triangles = cache.get(geometry);
    if (triangles === undefined) cache.set(geometry, (triangles = new GeometryTriangles(geometry)));
    return triangles;
  }

  private poseOf(mesh: Mesh): GeometryTriangles {
    let pose = this.poses.get(mesh);
    if (pose === undefined) this.poses.set(mesh, (pose = new PosedTriangles(mesh)));
    pose.refresh();
    return pose.triangles;
  }
}

/** A target with a matrix of its own, for callbacks that write to it. */
type OwnTarget = MeshTarget & { readonly own: Matrix4 };

const instanceMatrix = /* @__PURE__ */ new Matrix4();

/** Visits an object and all below it. */
export function visitMeshes(root: Object3D, visitor: MeshVisitor): void {
  // Not by `children`: a test of the layers of a container, as in a filter, begins a pass, which has others.
  root.traverse((object) => visitMesh(object as Mesh, visitor));
}

function visitMesh(object: Mesh, visitor: MeshVisitor): void {
  if (!object.isMesh) {
    if ('geometry' in object) visitor(object, -1, null, null, instanceMatrix);
  } else if ('isBatchedMesh' in object) visitBatch(object as unknown as BatchedMesh, visitor);
  else if ('isInstancedMesh' in object) {
    const { count } = object as InstancedMesh;
    for (let id = 0; id < count; id++) visitInstance(object as InstancedMesh, id, visitor);
  } else visitor(object, -1, object.geometry, object.material, object.matrixWorld);
}

export function visitInstance(object: InstancedMesh, id: number, visitor: MeshVisitor): void {
  // An OctreeInstances: ids may be free, or hidden.
  const shown = object as { has?(id: number): boolean; getVisibleAt?(id: number): boolean };
  if (shown.has !== undefined && !(shown.has(id) && shown.getVisibleAt!(id))) return;
  object.getMatrixAt(id, instanceMatrix);
  instanceMatrix.premultiply(object.matrixWorld);
  visitor(object, id, object.geometry, object.material, instanceMatrix);
}

/** The geometries of a batch, each with the part of the index or of the vertices that is its own. */
interface BatchParts {
  /** What they were made of. */
  readonly state: readonly unknown[];
  readonly parts: BufferGeometry[];
}
const partsOfBatches = /* @__PURE__ */ new WeakMap<BatchedMesh, BatchParts>();

/** All are made anew after a change of the batch. */
function partsOf(batch: BatchedMesh, state: readonly unknown[]): BufferGeometry[] {
  let known = partsOfBatches.get(batch);
  if (known === undefined || state.some((one, k) => one !== known!.state[k]))
    partsOfBatches.set(batch, (known = { state, parts: [] }));
  return known.parts;
}

type GeometryRange = NonNullable<ReturnType<BatchedMesh['getGeometryRangeAt']>>;

function partOf(position: BufferAttribute, index: BufferAttribute | null, range: GeometryRange): BufferGeometry {
  const { vertexStart, vertexCount, indexStart, indexCount } = range;
  const { array, itemSize, normalized } = position;
  const vertices = array.subarray(itemSize * vertexStart, itemSize * (vertexStart + vertexCount));
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(vertices, itemSize, normalized));
  if (index === null) return geometry;
  const corners = Uint32Array.from({ length: indexCount }, (_, k) => index.array[indexStart + k] - vertexStart);
  return geometry.setIndex(new BufferAttribute(corners, 1));
}

function visitBatch(batch: BatchedMesh, visitor: MeshVisitor): void {
  const { index } = batch.geometry;
  const { position } = batch.geometry.attributes as Record<string, BufferAttribute>;
  // A batch without geometries has no attributes.
  const parts = partsOf(batch, [position, index, attributeVersionOf(position), index?.version]);
  for (let id = 0, left = batch.instanceCount; left > 0; id++) {
    try {
      const isVisible = batch.getVisibleAt(id);
      left--;
      if (!isVisible) continue;
    } catch {
      continue; // Deleted.
    }
    batch.getMatrixAt(id, instanceMatrix).premultiply(batch.matrixWorld);
    const number = batch.getGeometryIdAt(id);
    const part = (parts[number] ??= partOf(position, index, batch.getGeometryRangeAt(number)));
    visitor(batch, id, part, batch.material, instanceMatrix);
  }
}
