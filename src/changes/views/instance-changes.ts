/**
 * Where the instances of an OctreeInstances have changed. Each instance has the time of its last change, so an update
 * without a change costs nothing, and any other looks through these times. The box of each instance in the last update
 * is kept, as its old place. All that the instances share is compared as a list of values: if it changes, everything
 * counts as changed.
 */

import { Matrix4, Vector4, type Camera, type Frustum, type Mesh, type Object3D } from 'three';
import { BOX_STRIDE } from '../../math/box.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { throwType } from '../../octree/input/input-checks.ts';
import { isObject3D } from '../../three/bounds/object-kinds.ts';
import type { InstanceContainer } from '../../three/instance-container.ts';
import { CALLS, OWN_DEPTH } from '../../three/detector/change-bits.ts';
import { wordOf } from '../../three/detector/object-words.ts';
import { Sources } from './sources.ts';
import { Values } from '../../three/detector/values.ts';
import { ContainerChanges, readCamera, type ChangeScope, type PlaneLike } from './container-changes.ts';
import { SUM_ERROR32 } from '../../math/tolerances.ts';

const IDENTITY = /* @__PURE__ */ new Matrix4();
/** minX of an instance without a place. */
const NOWHERE = Infinity;

/**
 * Tells `ShadowUpdates` and `ViewChanges` what changes in an `OctreeInstances`:
 *
 *     const shadows = new ShadowUpdates(scene, renderer, [city, new InstanceChanges(trees)]);
 *
 * A change of one instance counts only where its old or its new place is seen: its matrix, visibility and morph target
 * influences, its colour (for `ViewChanges` only), and when it is added or removed. A change of what all instances
 * share (geometry, material, levels of detail, `castShadow`, the place of the container, instanced attributes) counts
 * for all of them. Cost: nothing while the instances stand still; otherwise a step for each id, and 48 bytes per
 * instance.
 *
 * @example
 * ```ts
 * import { InstanceChanges, OctreeGroup, OctreeInstances, ShadowUpdates } from 'scene-octree/three';
 *
 * const city = new OctreeGroup();
 * const trees = new OctreeInstances(geometry, material, 10_000);
 * scene.add(city, trees);
 * const shadows = new ShadowUpdates(scene, renderer, [city, new InstanceChanges(trees)]);
 * console.log(shadows.due);
 * ```
 */
export class InstanceChanges {
  /** @internal */
  readonly container: InstanceContainer;

  /** @throws {TypeError} If the container is no OctreeInstances. */
  constructor(container: InstanceContainer) {
    if (!isObject3D(container) || !('trySync' in container))
      throwType('InstanceChanges', 'container', 'be an OctreeInstances', container, 'pass one');
    this.container = container;
  }

  /** @internal */
  follow(scope: ChangeScope): ContainerChanges {
    return new InstanceChangeFinder(this.container, scope);
  }
}

class InstanceChangeFinder extends ContainerChanges {
  private readonly container: InstanceContainer;
  private readonly snapshot = new Values();
  /** Of the container and of its levels of detail. */
  private readonly sources = new Sources();
  private readonly matrix = new Matrix4();
  /** By id, `BOX_STRIDE` numbers: the box in the space of the container, as of the last update. */
  private places = new Float64Array(0);
  private readonly box = new Float64Array(BOX_STRIDE);
  /** Time and number of changes of the store in the last update. */
  private time = -1;
  private bodyChanges = -1;
  /** Whether the instances counted in the last update. */
  private counted = false;
  /** Whether the instances cast shadows. */
  private castsShadows = false;

  constructor(container: InstanceContainer, scope: ChangeScope) {
    super(scope);
    this.container = container;
  }

  override dispose(): void {}

  override visitOthers(visitor: (object: Object3D, isNew: boolean) => void): void {
    for (const child of this.container.children) if (child.visible) visitor(child, false);
  }

  protected override planesOf({ planes }: Frustum): readonly PlaneLike[] {
    const { elements } = this.container.matrixWorld;
    const column = new Vector4();
    return planes.map(({ normal, constant }) => {
      const plane = new Vector4(normal.x, normal.y, normal.z, 0);
      const [x, y, z, offset] = [0, 4, 8, 12].map((at) => plane.dot(column.fromArray(elements, at)));
      const error = SUM_ERROR32 * (Math.abs(offset) + Math.abs(constant));
      return { normal: { x, y, z }, constant: offset + constant + error };
    });
  }

  protected override get boxesToWorld(): Matrix4 {
    return this.container.matrixWorld;
  }

  override update(camera: Camera | null, isShown: boolean): void {
    const { scope, container, counted } = this;
    container.trySync();
    const { bodies, store, matrixWorld } = container;
    const word = wordOf(container, true);
    this.castsShadows = (word & scope.casts) !== 0;
    const counts = isShown && (word & scope.shows) !== 0;
    const { levels } = container;
    const sources = [container as unknown as Mesh, ...levels.meshes];
    const hasNewSources = counts && (this.sources.takeChanges(sources) & scope.wants) !== 0;
    const hasNewValues = this.snapshot.take((values) => {
      values.push(counts, bodies.hasBounds);
      if (counts) this.read(camera, word, values);
      return counts && this.isUnknown(word) && !scope.isStill(container);
    });
    const isNew = hasNewSources || hasNewValues;
    const isMoved = !this.matrix.equals(matrixWorld);
    this.matrix.copy(matrixWorld);
    this.counted = counts;
    if ((counts || counted) && (isNew || isMoved || !bodies.hasBounds)) this.isAll = true;
    if (!counts || !bodies.hasBounds) return;
    const time = isNew ? -1 : this.time;
    this.time = store.takeTime();
    // Colours do not show in shadow maps.
    const hasMoved = isNew || store.bodyChanges !== this.bodyChanges;
    this.bodyChanges = store.bodyChanges;
    if (this.time > time && (hasMoved || !scope.isMaps || store.morph !== null)) this.findChanged(time);
    if (!this.snapshot.isUnknown) return;
    const { center, radius } = bodies.sortingSphere;
    const { x, y, z } = center;
    this.addBox(x - radius, y - radius, z - radius, x + radius, y + radius, z + radius, this.castsShadows);
  }

  /** Whether the shape of the instances may change without a change of a value. */
  private isUnknown(word: number): boolean {
    const { sources } = this;
    return (word & (CALLS | OWN_DEPTH)) !== 0 || (this.scope.isMaps ? sources.isUnknownCaster : sources.isUnknown);
  }

  /** Adds what all instances share, but for their geometries and materials. */
  private read(camera: Camera | null, word: number, values: Values): void {
    const { scope, container } = this;
    const { levels, store, minScreenSize, shadowLevel, cullingCamera, morphTargetInfluences = [] } = container;
    values.push(minScreenSize, shadowLevel, levels.meshes.length, container.frustumCulled, ...morphTargetInfluences);
    // Without morph target influences of their own all instances have those of the container.
    values.push(store.morph);
    if (!scope.isMaps) {
      const { sortObjects, drawsInOrder, renderOrder, providesInstanceId } = container;
      values.push(sortObjects, drawsInOrder, renderOrder, providesInstanceId, store.color);
    }
    // In maps it chooses what is too small, and the camera of the pass the levels of detail.
    const culls = minScreenSize > 0 || !scope.isMaps ? (cullingCamera ?? camera) : null;
    const chooses = levels.meshes.length > 1 && shadowLevel === null ? camera : null;
    for (const each of [culls, chooses]) if (each !== null) readCamera(each, values);
    values.push(word, container.layers.mask, container.customDepthMaterial, container.customDistanceMaterial);
    for (const mesh of levels.meshes) values.push(mesh, mesh.layers.mask);
  }

  /** Adds the old and the new places of what has changed since a time. */
  private findChanged(time: number): void {
    const { bodies, store } = this.container;
    const { changedAt, idEnd } = store;
    const { length } = this.places;
    this.places = withCapacity(this.places, idEnd * BOX_STRIDE);
    this.places.fill(NOWHERE, length);
    for (let k = 0, at = 0; k < idEnd; k++, at += BOX_STRIDE) {
      if (changedAt[k] <= time) continue;
      const { places } = this;
      if (places[at] !== NOWHERE) this.addPlace(places, at);
      places[at] = NOWHERE;
      if (!store.isVisible(k)) continue;
      bodies.writeBox(IDENTITY, k, this.box);
      places.set(this.box, at);
      this.addPlace(places, at);
    }
  }

  private addPlace(places: Float64Array, at: number): void {
    const [minX, minY, minZ, maxX, maxY, maxZ] = places.subarray(at, at + BOX_STRIDE);
    this.addBox(minX, minY, minZ, maxX, maxY, maxZ, this.castsShadows);
  }
}
