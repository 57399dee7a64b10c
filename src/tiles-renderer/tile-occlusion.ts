/**
 * Occlusion culling by objects, drawn by tiles: a mesh of a tile is left out when each object in it is hidden. The
 * solid boxes of objects come from the property tables of the tiles.
 */

import { Matrix3, Matrix4, Quaternion, Vector3, type Camera, type Object3D } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
import { requireOptions } from '../octree/input/known-options.ts';
import type { FrustumLike } from '../octree/input/query-shapes.ts';
import type { OcclusionOptions } from '../occlusion/culling/occlusion-culling.ts';
import { OccluderBodies } from '../occlusion/culling/occluder-bodies.ts';
import {
  BREAKS_DEPTH,
  BREAKS_WEBGPU_DEPTH,
  hideableFault,
  materialHideableFault,
  materialOccluderFault,
  occluderFault,
} from '../occlusion/culling/occluder-rules.ts';
import { NamedShapes } from '../occlusion/culling/named-shapes.ts';
import { OcclusionPass, requireCamera } from '../occlusion/culling/occlusion-pass.ts';
import { setOccluder, type SolidBoxLike } from '../occlusion/visible/occluders.ts';
import { readWalkOptions, type WalkOptions } from '../occlusion/visible/visible.ts';
import type { Octree } from '../three-math/octree.ts';
import { BodySpace } from '../three/bounds/body-space.ts';
import { refuseProxy } from '../three/bounds/object-kinds.ts';
import type { OctreeGroup } from '../three/group/octree-group.ts';
import type { PassOcclusion, SizeOptions } from '../three/passes/pass-occlusion.ts';
import { materialsOf } from '../three/picking/clipping.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import type { FeatureMesh } from './feature-mesh.ts';
import { OctreeTiles } from './octree-tiles.ts';
import type { TileObject, TileObjects } from './tile-objects.ts';

/** As those of `OcclusionCulling`: `bufferWidth`, `minOccluderArea`, `minRemoved`. */
export type TileOcclusionOptions = Omit<OcclusionOptions, 'auto'>;

const WHERE = 'TileOcclusion';
const OPTIONS = ['bufferWidth', 'minOccluderArea', 'minRemoved'] satisfies (keyof WalkOptions)[];
/** Numbers of a solid box in a table: centre, half size, quaternion. */
const BOX_NUMBERS = 10;

/**
 * Occlusion culling for the tiles of an `OctreeTiles`: leaves out of the passes of a camera the meshes of tiles in
 * which no object can be seen, because others are in front of it. Pixels are those without it.
 *
 * What hides are the solid boxes in the tables of the tiles: write them with the option `solidBoxes` of `writeTiles`.
 * Without them nothing is hidden. Objects are tested, not meshes: a mesh has hundreds of them, and its own box stands
 * out above all others. Passes, materials and limits are those of `OcclusionCulling`; the group of the plugin can have
 * one or the other.
 *
 * Cost: the walk of `collectVisible` over the objects in shown tiles. The boxes of a tile that enters are set in slices
 * of 4 ms.
 *
 * @example
 * ```ts
 * import { OctreeGroup, OctreeTiles, TileOcclusion } from 'scene-octree/three';
 *
 * const plugin = new OctreeTiles(new OctreeGroup());
 * const occlusion = new TileOcclusion(plugin, camera);
 * // After a frame:
 * console.log(occlusion.hiddenMeshes, occlusion.reason);
 * ```
 */
export class TileOcclusion {
  private readonly pass: TilePass;

  /**
   * @param plugin Its group must not have an OcclusionCulling.
   * @param camera The camera that renders the picture.
   * @throws {TypeError} If an argument is of another type, or an option is unknown.
   * @throws {RangeError} If an option is out of its range.
   * @throws {Error} If the group has an occlusion culling already.
   */
  constructor(plugin: OctreeTiles, camera: Camera, options: TileOcclusionOptions = {}) {
    if (!(plugin instanceof OctreeTiles))
      throwType(WHERE, 'plugin', 'be an OctreeTiles', plugin, 'pass the plugin of the renderer of tiles');
    refuseProxy(WHERE, 'plugin', plugin.group);
    requireCamera(WHERE, camera);
    requireOptions(WHERE, options, OPTIONS);
    readWalkOptions(WHERE, options);
    const { bodies } = plugin.group.groupChildren;
    if (bodies.culling)
      throw new Error(`${WHERE}: the group of plugin has an occlusion culling already; dispose it first.`);
    bodies.culling = this.pass = new TilePass(plugin, camera, options);
  }

  /** Why the last pass of the camera left nothing out, in words; empty if it could. */
  get reason(): string {
    return this.pass.reason;
  }

  /** How many meshes the last pass of the camera left out. */
  get hiddenMeshes(): number {
    return this.pass.hidden;
  }

  /** Sets the solid boxes of all objects now, and not in slices. Call it behind a loading screen. */
  finish(): this {
    const { pass } = this;
    if (pass.group.groupChildren.bodies.culling !== pass) return this;
    pass.occluders.follow();
    pass.occluders.run(Infinity);
    return this;
  }

  /** From now on all passes draw what is in their frustum, and `finish` does nothing. */
  dispose(): void {
    const { pass } = this;
    const { bodies } = pass.group.groupChildren;
    if (bodies.culling !== pass) return;
    bodies.culling = undefined;
    pass.occluders.dispose();
    pass.hidden = 0;
    pass.reason = 'dispose was called';
  }
}

/** What a pass of the camera draws of the group. */
class TilePass implements PassOcclusion {
  readonly group: OctreeGroup;
  readonly occluders: TileOccluders;
  /** Which objects it may see. */
  readonly objects: OcclusionPass;
  reason = 'no pass yet';
  hidden = 0;
  private readonly seen = new IndexList();

  constructor(plugin: OctreeTiles, camera: Camera, options: WalkOptions) {
    this.group = plugin.group;
    this.occluders = new TileOccluders(plugin);
    this.objects = new OcclusionPass(this.occluders, camera, options);
  }

  collectFrustum(frustum: FrustumLike, list: IndexList, options?: SizeOptions): number {
    const { group, occluders, objects, seen } = this;
    const { bodies } = group.groupChildren;
    bodies.octree.collectFrustum(frustum, list, options);
    const { isShadow, camera } = group.screenSize;
    if (isShadow || camera !== objects.camera) return list.length;
    this.hidden = 0;
    const isPlaced = occluders.follow();
    const drawn: (Object3D | undefined)[] = Array.from(list, (body) => bodies.ordered.memberAt(body)?.object);
    occluders.drawn = new Set(drawn);
    const isCulled = isPlaced && objects.collectVisible(frustum, seen, undefined);
    this.reason = isPlaced ? objects.reason : 'the tiles have moved since the last update of their renderer';
    if (!isCulled || this.reason !== '') return list.length;
    const shown = occluders.meshesOf(seen);
    let length = 0;
    drawn.forEach((mesh, k) => {
      if (occluders.canHide(mesh) && !shown.has(mesh!)) return;
      list.array[length++] = list.array[k];
    });
    this.hidden = list.length - length;
    return (list.length = length);
  }
}

/** An object with solid boxes. */
interface Occluder {
  readonly boxes: readonly SolidBoxLike[];
  readonly mesh: Object3D;
  isSet: boolean;
}

/** The objects of the tiles that are shown, as bodies that may hide others. */
class TileOccluders extends OccluderBodies<OctreeGroup, number> {
  /** The objects that the pass draws. */
  drawn: ReadonlySet<unknown> = new Set();
  readonly alwaysDrawn: ReadonlySet<number> = new Set();
  readonly hasAll = true;
  private readonly plugin: OctreeTiles;
  /** By body: its solid boxes, undefined for none, and the meshes that draw it. */
  private readonly occluders: (Occluder | undefined)[] = [];
  private readonly drawnBy: (readonly FeatureMesh[])[] = [];
  /** The tiles that were read, with the bodies that they had then. */
  private readonly known = new Map<TileObjects, Uint32Array>();
  /** The world matrix of the group then. */
  private readonly matrix = new Matrix4();
  /** By mesh of these tiles whether all that it draws has a body. */
  private readonly complete = new Map<Object3D, boolean>();
  /** By mesh whether it hides anything in this pass. */
  private readonly counts = new Map<Object3D, boolean>();
  private readsNodes = true;

  constructor(plugin: OctreeTiles) {
    const octree = plugin.octree as unknown as Octree;
    super(plugin.group, { octree, space: new BodySpace() }, new NamedShapes(null));
    this.plugin = plugin;
  }

  /** Reads tiles that have come, and forgets those that have left. Returns whether all are in their places. */
  follow(): boolean {
    const { known, matrix, container } = this;
    const { placed, shown, entering } = this.plugin;
    if (!placed.equals(container.matrixWorld)) return false;
    const hasMoved = !matrix.equals(container.matrixWorld);
    matrix.copy(container.matrixWorld);
    for (const [tile, bodies] of known) {
      const isThere = shown.get(tile.scene) === tile && tile.bodies === bodies && !entering.has(tile);
      if (hasMoved || !isThere) this.forget(tile, bodies, isThere);
    }
    for (const tile of shown.values()) if (tile.isLoaded && !entering.has(tile) && !known.has(tile)) this.read(tile);
    return true;
  }

  /** Whether a mesh may be left out if none of its objects is seen. */
  canHide(mesh: Object3D | undefined): boolean {
    return mesh !== undefined && this.complete.get(mesh) === true && hideableFault(mesh) === null;
  }

  /** The meshes that draw some bodies. */
  meshesOf(bodies: IndexList): Set<Object3D> {
    const meshes = new Set<Object3D>();
    for (const body of bodies) for (const { mesh } of this.drawnBy[body] ?? []) meshes.add(mesh);
    return meshes;
  }

  faultOn(isWebGPU: boolean): string | null {
    let fault: string | null = null;
    this.container.traverse((object) => {
      for (const material of materialsOf(object)) {
        const one = materialHideableFault(material);
        if (one === BREAKS_DEPTH || (isWebGPU && one === BREAKS_WEBGPU_DEPTH)) fault = one;
      }
    });
    return fault;
  }

  itemAt(): undefined {
    return undefined;
  }

  isOccluderAt(body: number): boolean {
    return this.occluders[body]?.isSet === true;
  }

  restart(): void {}

  beginPass(readsNodes: boolean): void {
    this.readsNodes = readsNodes;
    this.counts.clear();
  }

  refreshOccluder(body: number, camera: Camera): boolean {
    const occluder = this.occluders[body];
    if (occluder === undefined || this.due.has(body)) return true;
    if (this.hides(occluder.mesh, camera) === occluder.isSet) return true;
    this.set(body, occluder, !occluder.isSet);
    return false;
  }

  addFaults(): number {
    return 0;
  }

  dispose(): void {
    this.follow();
    for (const [tile, bodies] of this.known) this.forget(tile, bodies, true);
  }

  protected prepare(body: number): void {
    this.set(body, this.occluders[body]!, true);
  }

  private read(tile: TileObjects): void {
    const { occluders, drawnBy, due } = this;
    const { bodies, inBoxes } = tile;
    this.known.set(tile, bodies);
    const withBody = new Set(inBoxes);
    for (const { meshes, objects } of tile.parts)
      for (const mesh of meshes) {
        const isComplete = objects.every((object) => withBody.has(object) || !mesh.has(object.feature));
        this.complete.set(mesh.mesh, isComplete);
      }
    inBoxes.forEach((object, k) => {
      const body = bodies[k];
      const { part, feature } = object;
      const meshes = part.meshes.filter((mesh) => mesh.has(feature));
      // One by one: a gap may turn the array into a dictionary.
      while (occluders.length <= body) {
        occluders.push(undefined);
        drawnBy.push([]);
      }
      drawnBy[body] = meshes;
      const boxes = meshes.length === 1 ? boxesOf(object, meshes[0].mesh) : [];
      if (boxes.length === 0) return;
      occluders[body] = { boxes, mesh: meshes[0].mesh, isSet: false };
      due.add(body);
    });
  }

  /** @param isThere Whether its bodies are in the octree. */
  private forget(tile: TileObjects, bodies: Uint32Array, isThere: boolean): void {
    const { occluders, drawnBy, due } = this;
    for (const body of bodies) {
      const occluder = occluders[body];
      drawnBy[body] = [];
      due.delete(body);
      if (isThere && occluder?.isSet === true) this.set(body, occluder, false);
      occluders[body] = undefined;
    }
    this.known.delete(tile);
    for (const { meshes } of tile.parts) for (const { mesh } of meshes) this.complete.delete(mesh);
  }

  private set(body: number, occluder: Occluder, isSet: boolean): void {
    try {
      setOccluder(this.octree, this.octree.bodyAt(body), isSet ? occluder.boxes : null);
      occluder.isSet = isSet;
    } catch (error) {
      // Boxes that leave the object, or under a matrix that changes right angles. Engines throw one for memory, too.
      if (!(error instanceof RangeError && error.message.startsWith('setOccluder:'))) throw error;
      this.occluders[body] = undefined;
    }
  }

  private hides(mesh: Object3D, camera: Camera): boolean {
    let hides = this.counts.get(mesh);
    if (hides === undefined) {
      hides =
        this.drawn.has(mesh) &&
        mesh.visible &&
        mesh.layers.test(camera.layers) &&
        occluderFault(mesh, (material) => materialOccluderFault(material, this.readsNodes)) === null;
      this.counts.set(mesh, hides);
    }
    return hides;
  }
}

/** The solid boxes of an object in the table of its tile, in world space. */
function boxesOf({ part, feature }: TileObject, { matrixWorld }: Object3D): SolidBoxLike[] {
  const { type, values, offsets = null } = part.table?.columns.get('solidBoxes') ?? {};
  if (type?.array !== true || offsets === null) return [];
  const first = Number(offsets[feature]);
  const numbers = Array.from((values as Float32Array).subarray(first, Number(offsets[feature + 1])));
  return Array.from({ length: Math.floor(numbers.length / BOX_NUMBERS) }, (_, k) => {
    const [x, y, z, halfX, halfY, halfZ, ...rotation] = numbers.slice(BOX_NUMBERS * k);
    const matrix = new Matrix4()
      .makeRotationFromQuaternion(new Quaternion().fromArray(rotation).normalize())
      .setPosition(x, y, z)
      .premultiply(matrixWorld);
    return {
      center: new Vector3().setFromMatrixPosition(matrix),
      halfSize: new Vector3().setFromMatrixScale(matrix).multiply(new Vector3(halfX, halfY, halfZ)),
      rotation: new Matrix3().setFromMatrix4(new Matrix4().extractRotation(matrix)),
    };
  });
}
