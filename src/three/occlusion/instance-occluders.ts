/** The occluders of an OctreeInstances: all instances, if their geometry has solid parts, or none. */

import { Matrix4, type BufferGeometry, type Camera, type Object3D } from 'three';
import { setOccluder } from '../../features/occlusion/occluders.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { Octree } from '../../three-math/octree.ts';
import { hasDrawCallbacks } from '../bounds/object-kinds.ts';
import type { BodySpace } from '../bounds/body-space.ts';
import { NO_BODY_INDEX } from '../instances/bodies/instance-body-map.ts';
import type { InstanceBodies } from '../instances/bodies/instance-bodies.ts';
import type { OctreeInstances } from '../instances/octree-instances.ts';
import { setSolid } from './group-occluders.ts';
import type { NamedShapes } from './named-shapes.ts';
import { materialHideableFault, materialOccluderFault } from './occluder-rules.ts';
import type { OccluderBodies } from './visible-bodies.ts';

/** Time of one update that goes into new occluders, in milliseconds. */
const SLICE_MS = 4;
const NONE: ReadonlySet<number> = /* @__PURE__ */ new Set();

export class InstanceOccluders implements OccluderBodies {
  readonly container: OctreeInstances;
  readonly alwaysDrawn = NONE;
  private readonly bodies: InstanceBodies;
  private readonly shapes: NamedShapes;
  /** Solid parts of the geometry for which occluders are set, or null. */
  private solid: Float64Array | null = null;
  /** By body: the time of the store when it was set as an occluder, plus 1; 0 if it is none. */
  private setAt = new Uint32Array(0);
  /** Ids to set as occluders. */
  private readonly due = new Set<number>();
  private isUpdated = false;
  constructor(container: OctreeInstances, shapes: NamedShapes) {
    this.container = container;
    this.bodies = container.bodies;
    this.shapes = shapes;
  }

  get octree(): Octree {
    return this.bodies.octree;
  }

  get space(): BodySpace {
    return this.bodies.space;
  }

  get waiting(): number {
    return this.due.size;
  }

  get isPreparing(): boolean {
    return this.due.size > 0;
  }

  faultOn(): string | null {
    const { container } = this;
    if (container.cullingCamera !== null) return 'another camera culls';
    if (hasDrawCallbacks(container)) return 'draw callbacks';
    if (container.renderOrder !== 0) return 'a render order: it may be drawn after the depth was cleared';
    for (const { geometry, material } of container.levels.meshes) {
      if (geometry.morphAttributes.position !== undefined) return 'morph targets';
      const fault = materialHideableFault(material);
      if (fault !== null) return fault;
    }
    return null;
  }

  itemAt(body: number): number {
    return this.octree.dataAt(body) as number;
  }

  isOccluderAt(body: number): boolean {
    return body < this.setAt.length && this.setAt[body] > 0;
  }

  /** Sets all occluders again: the solid parts of the geometry have changed. */
  restart(_target: Object3D | BufferGeometry): void {
    this.unsetAll();
  }

  /** What hides others may change until the next pass: it must not keep the result of this one. */
  beginPass(): void {
    this.bodies.version++;
  }

  update(): void {
    this.refreshSolid();
    if (this.isUpdated || this.due.size === 0) return;
    this.isUpdated = true;
    queueMicrotask(() => (this.isUpdated = false));
    this.run(performance.now() + SLICE_MS);
  }

  /** Sets the occluders that are due, until a time in milliseconds. */
  run(deadline: number): void {
    this.refreshSolid();
    const { due, solid } = this;
    const { map, space } = this.bodies;
    const toSpace = space.matrixOf(this.container).clone();
    const now = this.bodies.store.takeTime() + 1;
    let count = 0;
    for (const id of due) {
      due.delete(id);
      const body = map.bodyOf[id];
      if (solid !== null && body !== undefined && body !== NO_BODY_INDEX) this.set(id, body, solid, toSpace, now);
      // Reading the clock takes as long as setting an occluder.
      if ((++count & 15) === 0 && performance.now() > deadline) return;
    }
  }

  refreshOccluder(body: number, _camera: Camera, isDrawn: boolean): boolean {
    if (this.solid === null) return true;
    const id = this.itemAt(body);
    const wasSet = this.isOccluderAt(body);
    if (wasSet && isDrawn && this.setAt[body] > this.bodies.store.changedAt[id]) return true;
    this.unset(body);
    if (isDrawn || wasSet) this.due.add(id);
    return !wasSet;
  }

  dispose(): void {
    this.unsetAll();
    // Passes keep their results until the bodies change.
    this.bodies.version++;
  }

  addFaults(faults: Map<string, number>): number {
    const fault = this.faultOn() ?? this.occluderFault();
    if (fault !== null) faults.set(fault, this.container.count);
    const { store } = this.octree.internals;
    return this.setAt.reduce((sum, time, body) => sum + Number(time > 0 && store.isAlive(body)), 0);
  }

  /** Why no instance hides anything, in words; null if those do that are set. */
  private occluderFault(): string | null {
    const { levels } = this.container;
    // The level of an instance is chosen after the query.
    if (levels.count !== 1) return 'several levels of detail';
    const [{ geometry, material }] = levels.meshes;
    if (geometry.drawRange.start !== 0 || geometry.drawRange.count !== Infinity) return 'a draw range';
    return materialOccluderFault(material);
  }

  private refreshSolid(): void {
    const solid = this.solidParts();
    if (solid === this.solid) return;
    this.unsetAll();
    this.solid = solid;
    if (solid === null) return;
    for (const id of this.bodies.store.visibleIds()) this.due.add(id);
  }

  private solidParts(): Float64Array | null {
    if (this.faultOn() !== null || this.occluderFault() !== null) return null;
    const [mesh] = this.container.levels.meshes;
    const solid = this.shapes.partsOf(this.container, mesh);
    // Of `true`, the parts are computed at each call.
    return solid !== null && this.solid !== null && solid.every((value, k) => value === this.solid![k])
      ? this.solid
      : solid;
  }

  private set(id: number, body: number, solid: Float64Array, toSpace: Matrix4, now: number): void {
    const matrix = set_matrix.fromArray(this.bodies.store.matrices, 16 * id).premultiply(toSpace);
    setSolid(this.octree, this.octree.bodyAt(body), solid, matrix);
    this.setAt = withCapacity(this.setAt, body + 1);
    this.setAt[body] = now;
  }

  private unset(body: number): void {
    if (!this.isOccluderAt(body)) return;
    this.setAt[body] = 0;
    // Removed bodies keep their mark until another body has their index.
    if (this.octree.internals.store.isAlive(body)) setOccluder(this.octree, this.octree.bodyAt(body), null);
  }

  private unsetAll(): void {
    for (let body = 0; body < this.setAt.length; body++) this.unset(body);
    this.due.clear();
    this.solid = null;
  }
}
const set_matrix = /* @__PURE__ */ new Matrix4();
