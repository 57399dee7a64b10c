/** The occluders of an OctreeInstances: all instances, if their geometry has solid parts, or none. */

import { Matrix4 } from 'three';
import { setOccluder } from '../visible/occluders.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { hasDrawCallbacks } from '../../three/bounds/object-traits.ts';
import type { InstanceContainer } from '../../three/instance-container.ts';
import type { NamedShapes } from './named-shapes.ts';
import { OccluderBodies } from './occluder-bodies.ts';
import { hasRenderOrder, materialHideableFault, materialOccluderFault } from './occluder-rules.ts';

const NONE: ReadonlySet<number> = /* @__PURE__ */ new Set();

/** The occluders of an OctreeInstances. What is due is the id of an instance. */
export class InstanceOccluders extends OccluderBodies<InstanceContainer, number> {
  readonly hasAll = true;
  readonly alwaysDrawn = NONE;
  declare protected readonly bodies: InstanceContainer['bodies'];
  /** Solid parts of the geometry for which occluders are set, or null. */
  private solid: Float64Array | null = null;
  /** By body: the time of the store when it was set as an occluder, plus 1; 0 if it is none. */
  private setAt = new Uint32Array(0);
  /** From the local space of the container to that of the bodies. */
  private readonly toSpace = new Matrix4();

  constructor(container: InstanceContainer, shapes: NamedShapes) {
    super(container, container.bodies, shapes);
  }

  faultOn(): string | null {
    const { container } = this;
    if (container.cullingCamera !== null) return 'another camera culls';
    if (hasDrawCallbacks(container)) return 'draw callbacks';
    if (hasRenderOrder(container)) return 'a render order: it may be drawn after the depth was cleared';
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

  restart(): void {
    this.unsetAll();
  }

  /** What hides others may change until the next pass: it must not keep the result of this one. */
  beginPass(): void {
    this.bodies.version++;
  }

  override update(): void {
    this.refreshSolid();
    super.update();
  }

  override run(deadline: number): void {
    this.refreshSolid();
    this.toSpace.copy(this.space.matrixOf(this.container));
    super.run(deadline);
  }

  refreshOccluder(body: number): boolean {
    if (this.solid === null) return true;
    const id = this.itemAt(body);
    const wasSet = this.isOccluderAt(body);
    if (wasSet && this.setAt[body] > this.container.store.changedAt[id]) return true;
    this.unset(body);
    this.due.add(id);
    return !wasSet;
  }

  dispose(): void {
    this.unsetAll();
    // Passes keep their results until the bodies change.
    this.bodies.version++;
  }

  addFaults(faults: Map<string, number>): number {
    const { container } = this;
    const fault =
      this.faultOn() ?? this.occluderFault() ?? this.shapes.unaskedFault(container, container.levels.meshes[0]);
    if (fault !== null) faults.set(fault, container.count);
    const { store } = this.octree.internals;
    return this.setAt.reduce((sum, time, body) => sum + Number(time > 0 && store.isAlive(body)), 0);
  }

  /** Why no instance hides anything, in words; null if those do that are set. */
  private occluderFault(): string | null {
    const { levels } = this.container;
    // The level of an instance is chosen after the query.
    if (levels.meshes.length !== 1) return 'several levels of detail';
    const [{ geometry, material }] = levels.meshes;
    if (geometry.drawRange.start !== 0 || geometry.drawRange.count !== Infinity) return 'a draw range';
    return materialOccluderFault(material);
  }

  private refreshSolid(): void {
    const solid = this.solidParts();
    if (solid === this.solid) return;
    const ids = solid === null ? [] : this.container.store.visibleIds();
    this.unsetAll();
    this.solid = solid;
    for (const id of ids) this.due.add(id);
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

  protected prepare(id: number): void {
    const { store } = this.container;
    const body = this.bodies.map.bodyOf[id];
    if (this.solid === null || body === undefined || !this.octree.internals.store.isAlive(body)) return;
    const matrix = prepare_matrix.fromArray(store.matrices, 16 * id).premultiply(this.toSpace);
    // First, because it may throw: what is set without a mark would never be taken back.
    this.setAt = withCapacity(this.setAt, body + 1);
    this.setSolid(this.octree.bodyAt(body), this.solid, matrix);
    this.setAt[body] = store.takeTime() + 1;
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
const prepare_matrix = /* @__PURE__ */ new Matrix4();
