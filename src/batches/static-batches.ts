/**
 * Draws the children of an OctreeGroup that stand still in few draw calls: meshes with the same material are written
 * into one geometry, in the order of the octree, and each pass draws the ranges that it sees. The children stay what
 * they are.
 */

import type { Material, Object3D } from 'three';
import { clock } from '../math/clock.ts';
import { requireBoolean, throwType } from '../octree/input/input-checks.ts';
import { requireOptions } from '../octree/input/known-options.ts';
import type { GroupChildren } from '../three/group/group-children.ts';
import type { MemberDrawing } from '../three/group/member-drawing.ts';
import { requireGroup, type OctreeGroup } from '../three/group/octree-group.ts';
import { BatchBuilder } from './batch-builder.ts';
import { BatchMembers } from './batch-members.ts';
import { BatchPass } from './batch-pass.ts';
import type { BatchRange } from './batch-range.ts';
import { InstancedChunk } from './instanced-chunk.ts';
import { isFlat, type MergeableMesh } from './mergeable.ts';

/**
 * Time after which an update stops building, in milliseconds. The last step may take up to 1 ms more, for the buffers
 * of a chunk or a growing map.
 */
const SLICE_MS = 3;

/** The reason of all that is drawn one by one after `dispose`. */
const DISPOSED = 'dispose was called';

/** How batches are made. */
export interface StaticBatchesOptions {
  /**
   * Whether materials that differ only in values which three multiplies by a texture are drawn as one: `color`,
   * `emissive`, `emissiveIntensity`, `roughness`, `metalness`; of a MeshPhysicalMaterial also `clearcoat`,
   * `clearcoatRoughness`, `sheen`, `sheenColor`, `sheenRoughness`, `specularColor` and `specularIntensity`. A material
   * has no such value where it has a texture of its own for it. Default true. Costs 8 bytes per vertex, or per mesh
   * that is drawn instanced. A changed value shows in the next frame, and uploads 64 kB at most.
   *
   *     // One draw call for each material, as WebGLRenderer needs it for the eleventh shadow map.
   *     const batches = new StaticBatches(group, { mergesMaterials: false });
   */
  readonly mergesMaterials?: boolean;
  /**
   * Whether watched meshes that move are drawn in few calls too, from 50 on: each group of up to 1,024 as the bones of
   * one skinned mesh, repeated geometry as instances. Default false: each is drawn on its own. They turn, move and
   * scale evenly; one that is stretched or sheared otherwise, or has more than 4,096 vertices, is drawn on its own, and
   * all are in passes with motion vectors. Costs 12 bytes per vertex more than a mesh at rest, and an upload of 64
   * bytes per member and frame.
   *
   *     const traffic = new OctreeGroup().add(...cars);
   *     const batches = new StaticBatches(traffic, { posesMovers: true });
   */
  readonly posesMovers?: boolean;
}

const OPTIONS: readonly string[] = ['mergesMaterials', 'posesMovers'] satisfies (keyof StaticBatchesOptions)[];

/** What `StaticBatches.report` returns. */
export interface BatchReport {
  /** Meshes that are drawn from batches. */
  batched: number;
  /** How many of these are drawn instanced, because many have the same geometry. */
  instanced: number;
  /** How many of these move: see `posesMovers`. */
  posed: number;
  /** Meshes that are drawn one by one until a build takes them: soon, or once four of their kind wait. */
  waiting: number;
  /** Meshes that no batch draws for now: they are hidden, move or are left out. */
  out: number;
  /** How many of these have moved, or have got other vertices, a short time ago. */
  moving: number;
  /**
   * Number of baked geometries, and of repeated ones. Each is at least one draw call in a pass that sees some of it.
   */
  chunks: number;
  /** Vertices of all baked geometries. */
  vertices: number;
  /** Bytes of their buffers and of the matrices of instanced meshes, on the GPU and once more in memory. */
  bytes: number;
  /** Materials of the meshes that are drawn from batches. */
  materials: number;
  /** Materials with which these are drawn: one for all that differ only in values, see `mergesMaterials`. */
  drawnMaterials: number;
  /**
   * Fields in which materials of one type differ, so that they are not drawn as one, such as
   * `MeshStandardMaterial.map`, with the number of their values. Also of meshes that wait. Empty with
   * `{ mergesMaterials: false }`.
   */
  materialFields: Map<string, number>;
  /** Children, and parts of added trees, that are not drawn from batches: their number, by the reason in words. */
  unmerged: Map<string, number>;
}

/**
 * Draws the children of an `OctreeGroup` that stand still in few draw calls, whether they are static in the group
 * (hence the name) or watched. Meshes with the same material, or with materials that differ in colour, roughness and
 * the like, and with the same shadow, layer and order settings, are written once into one geometry, in the order of the
 * octree. Then a frustum sees a few contiguous ranges of it, and each range is one draw call: tens in place of
 * thousands.
 *
 *     const group = new OctreeGroup().addTree(gltf.scene);
 *     const batches = new StaticBatches(group);
 *
 * The children stay what they are: rays hit them, `traverse` and `toJSON` find them, and they can be moved, hidden,
 * removed and given other materials and geometries at any time. The pixels are those of a plain group, but for some
 * edges of triangles, whose vertices are transformed once on the CPU.
 *
 * - **What is merged.** Meshes without children, with one opaque material without shader code of the user, and a
 *   geometry without morph targets, draw range and groups of several materials. All else is drawn one by one, as
 *   without batches; `report` gives the reasons.
 * - **Materials of their own.** Materials that differ only in values such as `color` and `roughness` are drawn as one,
 *   by a copy that reads the values from textures: see `mergesMaterials`. A changed value shows in the next frame.
 * - **Building** goes on in the first update of the group in each task, which is once per frame, about 4 ms at a
 *   time; until its batch is ready, a mesh is drawn on its own. `finish` builds at once.
 * - **Repeated geometry.** From 256 meshes of a kind with the same geometry on, these are drawn instanced: one draw
 *   call in each pass that sees any, and one more for mirrored ones. Sheared meshes, and those with tangents, are
 *   merged all the same.
 * - **Watched children.** A child that moves leaves its batch in the update that finds it: the same frame. A new one is
 *   built once it has stood still for 30 updates, or by `finish`. While most of the group moves, passes draw all
 *   children one by one, as without batches.
 * - **Changes.** Report changes of static children by `group.reportMove`, as without batches. A mesh that has moved, or
 *   has other vertices, is drawn on its own until it has rested for 30 updates, or up to 240 if it moves again soon;
 *   then its part of the buffers is written again. A report without a change has no effect. A change of `visible`, also
 *   that of a parent, of material, geometry, layers, `castShadow`, `receiveShadow` or `renderOrder` that is not
 *   reported is found too: by the next pass, if a pass sees no more than 4,096 batched meshes or many of them have
 *   changed; otherwise some passes later. The group finds all other changes that were not reported in turn, after 256
 *   updates at most: moves, draw callbacks and the like. Changed vertices and draw ranges are found in turn too, of 64
 *   geometries of static meshes in each update, of more if there are more than 16,384. A hidden mesh keeps its place in
 *   the buffers.
 * - **Passes that look at objects.** A pass draws all members one by one while code in WebGPURenderer may ask for each
 *   object: `setRenderObjectFunction` (`OutlineNode`, `RetroPassNode`), outputs of an MRT but for what materials
 *   compute, normals and motion vectors, a `contextNode` with `getOutput` or `getUV`. `reason` says so. Functions of
 *   `setOpaqueSort` get the meshes of batches, which have no parent, and the `userData` of one of their members.
 * - **Memory.** Merged: 4 bytes per index and, per vertex, 12 for the position, 12 for a normal, 8 for each pair of
 *   texture coordinates and 16 for a tangent that the material reads; on the GPU, and once more on the CPU. The
 *   geometries of merged meshes are disposed of, so that the GPU holds the copy only; they are uploaded again when one
 *   of them is drawn on its own. Instanced: 64 bytes per mesh, and up to 128 more for each camera and each shadow map
 *   that sees it.
 * - **Meshes that move** are drawn in few calls too with `posesMovers`, from 50 on.
 * - **Costs more than it gives** where few meshes share a material, or where most of the scene moves.
 *
 * @example
 * ```ts
 * import { OctreeGroup, StaticBatches } from 'scene-octree/three';
 *
 * const city = new OctreeGroup().addTree(gltf.scene, { isStatic: true });
 * scene.add(city);
 * const batches = new StaticBatches(city);
 * renderer.setAnimationLoop(() => renderer.render(scene, camera)); // merges some meshes in each frame
 * console.log(batches.report());
 * ```
 */
export class StaticBatches {
  private readonly children: GroupChildren;
  private readonly group: OctreeGroup;
  /** @internal */
  readonly members: BatchMembers;
  /** @internal */
  readonly builder: BatchBuilder;
  private readonly drawing: MemberDrawing;
  /** Whether there was an update since the last microtask. */
  private isUpdated = false;
  private isDisposed = false;
  /** @internal */
  readonly pass: BatchPass;

  /**
   * @param group Its children are drawn from batches from now on, also those that are added later. A group has
   *   one `StaticBatches` at most; a clone of the group has none.
   * @throws {TypeError} If the group is not an OctreeGroup, the options are no object, one is unknown, or
   *   `mergesMaterials` is no boolean.
   * @throws {Error} If the group has a StaticBatches already.
   */
  constructor(group: OctreeGroup, options: StaticBatchesOptions = {}) {
    requireGroup('StaticBatches', group, 'pass new OctreeGroup().addTree(root)');
    requireOptions('StaticBatches', options, OPTIONS);
    const { mergesMaterials = true, posesMovers = false } = options;
    for (const [name, value] of Object.entries({ mergesMaterials, posesMovers }))
      requireBoolean('StaticBatches', `options.${name}`, value);
    this.group = group;
    this.children = group.groupChildren;
    if (this.children.bodies.drawing !== null)
      throw new Error('StaticBatches: group has a StaticBatches already; dispose it first.');
    const members = (this.members = new BatchMembers(group, mergesMaterials, posesMovers));
    const pass = (this.pass = new BatchPass(group, members));
    this.builder = new BatchBuilder(members);
    this.children.bodies.drawing = this.drawing = {
      source: this,
      get count() {
        return members.drawnCount;
      },
      updated: () => {
        pass.restart();
        members.endChanges(group.matrixWorld);
        if (!this.isUpdated && this.children.followRule.isFollowing) this.updateOnce();
      },
      take: (bodies, count) => pass.take(bodies, count),
      end: (objects, frustum, camera) => pass.end(objects, group.matrixWorld, frustum, camera),
    };
  }

  /** Whether meshes are being built into batches, a slice in each update. */
  get isBuilding(): boolean {
    return !this.isDisposed && this.builder.isBuilding;
  }

  /**
   * What the last pass draws from batches, a range for each draw call, in their order: for an overlay that shows it. Of
   * a frame with shadow maps, the ranges of the camera.
   */
  get ranges(): readonly BatchRange[] {
    return this.pass.ranges;
  }

  /**
   * Why the last pass draws no batches, in words; empty if it can. Of a frame with shadow maps, the pass of the camera.
   */
  get reason(): string {
    return this.pass.reason;
  }

  /** Builds all that waits now, and not in slices. Call it behind a loading screen, before the first frame. */
  finish(): this {
    this.children.followRule.follow();
    do {
      // Tells of what has changed meanwhile.
      this.group.updateWorldMatrix(true, true);
      this.update(Infinity);
    } while (this.isBuilding && !isFlat(this.group));
    // Frees the chunks that were replaced.
    this.update(Infinity);
    return this;
  }

  /**
   * Draws a mesh, or all meshes below an object, on its own until it is called again with false: for another mesh at
   * the same place, such as a highlight. Both are then transformed alike, so neither flickers. It counts as `out`
   * meanwhile.
   *
   * @throws {TypeError} If the object is neither a child of the group nor below one, or `isOut` is no boolean.
   */
  leaveOut(object: Object3D, isOut = true): this {
    let above = object?.parent;
    while (above && above !== this.group) above = above.parent;
    if (!above)
      throwType('StaticBatches.leaveOut', 'object', 'be below the group', object, 'pass a mesh that was added to it');
    requireBoolean('StaticBatches.leaveOut', 'isOut', isOut);
    object.traverse((each) => this.members.leaveOut(each, isOut));
    return this;
  }

  /** What is drawn from batches, and what is not, with the reasons. Cost: visits all children and their parts. */
  report(): BatchReport {
    const { chunks, states, slots } = this.members;
    const report: BatchReport = {
      batched: 0,
      instanced: 0,
      posed: 0,
      waiting: 0,
      out: 0,
      moving: 0,
      chunks: 0,
      vertices: 0,
      bytes: 0,
      materials: 0,
      drawnMaterials: 0,
      materialFields: new Map(),
      unmerged: new Map(),
    };
    for (const chunk of chunks) {
      if (chunk === null) continue;
      report.chunks++;
      report.vertices += chunk.vertexCount;
      report.bytes += chunk.bytes;
    }
    const { fault } = this.pass;
    const materials = new Set<Material>();
    const drawn = new Set<Material>();
    for (const member of this.children.allMembers) {
      const address = states.placedAt(member);
      const isPlaced = address >= 0;
      const resting = states.resting.get(member);
      if (states.of(member) === 'waiting') report.waiting++;
      else if (isPlaced && !slots.draws(member)) report.out++;
      else if (resting !== undefined && (resting.address >= 0 || this.members.faultOf(member) === null)) {
        // A new one may move by itself: it is built once it has stood still for a while.
        if (resting.address < 0 && !resting.isMoved) report.waiting++;
        else report.out++;
        if (resting.isMoved) report.moving++;
      } else if (isPlaced && fault === null) {
        const chunk = slots.chunkAt(address);
        report.batched++;
        if (chunk instanceof InstancedChunk) report.instanced++;
        if (chunk.isPosed) report.posed++;
        materials.add((member.object as MergeableMesh).material);
        drawn.add(chunk.key.material);
      } else {
        const reason = this.isDisposed ? DISPOSED : isPlaced ? fault : this.members.faultOf(member);
        if (reason === null) report.waiting++;
        else report.unmerged.set(reason, (report.unmerged.get(reason) ?? 0) + 1);
      }
    }
    report.materials = materials.size;
    report.drawnMaterials = drawn.size;
    report.materialFields = this.members.keys.shared.fieldsApart;
    return report;
  }

  /** Gives all children back to the renderer, which draws them one by one from now on, and frees all buffers. */
  dispose(): void {
    this.isDisposed = true;
    if (this.children.bodies.drawing === this.drawing) this.children.bodies.drawing = null;
    this.members.dispose();
    this.pass.ranges = [];
    this.pass.reason = DISPOSED;
  }

  /**
   * Renders may nest: a mirror renders the scene while a pass over it draws. An update in between must not write or
   * free the buffers that this pass has yet to draw. So the first update of a task does that, and the others only find
   * changes: a render runs to its end before the next microtask.
   */
  private updateOnce(): void {
    this.isUpdated = true;
    void Promise.resolve().then(() => (this.isUpdated = false));
    this.update(clock.now() + SLICE_MS);
  }

  private update(deadline: number): void {
    // A group without an inverse has no space of its own.
    if (this.isDisposed || isFlat(this.group)) return;
    this.members.update(deadline);
    this.builder.run(deadline);
    if (!this.isBuilding) this.members.replaced.update(this.group, deadline);
  }
}
