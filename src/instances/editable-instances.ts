/**
 * The methods of OctreeInstances that add, delete and change instances by id: matrices, colours, morph target
 * influences, visibility.
 */

import {
  Object3D,
  type BufferGeometry,
  type Color,
  type ColorRepresentation,
  type DataTexture,
  type InstancedBufferAttribute,
  type Matrix4,
  type Mesh,
} from 'three';
import { describe, requireFinite, throwRange, throwType } from '../octree/input/input-checks.ts';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import { withPasses } from '../three/passes/pass-container.ts';
import { awaitRenderer } from '../three/passes/pass-renderer.ts';
import {
  readColor,
  requireId,
  requireIds,
  requireInfluences,
  requireMatrices,
  requireMatrix,
  requireNull,
  requireTarget,
} from './instance-checks.ts';
import { InstanceStore } from './store/instance-store.ts';

export abstract class EditableInstances extends /* @__PURE__ */ withPasses(Object3D, 'OctreeInstances') {
  /** Its `morphTargetsRelative` decides the base influence of `setMorphAt`. */
  abstract geometry: BufferGeometry;

  /** @internal */
  readonly store: InstanceStore = new InstanceStore();

  /** @internal The views, and the children that the user has added. */
  protected override traversed(children: Object3D[]): Object3D[] {
    return [...this.hook.begin(), ...children];
  }

  override updateMatrixWorld(force?: boolean): void {
    this.disarm();
    awaitRenderer(this);
    super.updateMatrixWorld(force);
  }

  override updateWorldMatrix(updateParents: boolean, updateChildren: boolean, force?: boolean): void {
    this.disarm();
    super.updateWorldMatrix(updateParents, updateChildren, force);
  }

  /** Number of existing instances, hidden ones included. */
  get instanceCount(): number {
    return this.store.count;
  }

  /**
   * As in an InstancedMesh: only the instances with ids below it are drawn and hit. Before it is set, all are. After
   * `count = 3` instances that are added later are hidden too, until it is set to the number of all ids.
   *
   * @throws {RangeError} If set to anything but an integer from 0 to the number of ids in use, deleted ones included.
   */
  override get count(): number {
    return Math.min(this.store.idLimit, this.store.idEnd);
  }

  override set count(count: number) {
    const { idEnd } = this.store;
    if (!Number.isInteger(count) || count < 0 || count > idEnd)
      throwRange(
        'OctreeInstances',
        'count',
        `be an integer from 0 to ${idEnd}`,
        describe(count),
        'add instances by addInstances',
      );
    this.store.setIdLimit(count === idEnd ? Infinity : count);
  }

  /**
   * The matrices as in an InstancedMesh, for code that is written for one. `setMatrixAt` needs no `needsUpdate`. If you
   * write to `array` yourself, 16 numbers for each id, set `needsUpdate`: all instances then count as changed. `array`
   * is replaced when the capacity grows. `usage` and update ranges have no effect.
   */
  get instanceMatrix(): InstancedBufferAttribute {
    return this.store.columns[0].attributeOf(this.store);
  }

  set instanceMatrix(attribute: never) {
    refuseAttribute('instanceMatrix', attribute, 'setMatrixAt');
  }

  /** As `instanceMatrix`, three numbers for each id. Null until the first `setColorAt`. */
  get instanceColor(): InstancedBufferAttribute | null {
    return this.store.color?.attributeOf(this.store) ?? null;
  }

  set instanceColor(attribute: never) {
    refuseAttribute('instanceColor', attribute, 'setColorAt');
  }

  /** Number of instances for which memory is allocated. At least doubles when more are needed. */
  get capacity(): number {
    return this.store.capacity;
  }

  /**
   * Adds an instance, visible and white. Returns its id: an id of a deleted instance if there is one, else the next
   * integer.
   *
   * @throws {RangeError} If the matrix holds a number that is not within +-2^50.
   */
  addInstance(matrix: Matrix4): number {
    requireMatrix('OctreeInstances.addInstance', this, matrix);
    const id = this.store.allocate();
    this.store.writeMatrix(id, matrix.elements, 0);
    return id;
  }

  /**
   * Adds an instance for every 16 numbers, column-major as in `Matrix4.elements`. Returns their ids. Errors as
   * `addInstance`.
   */
  addInstances(matrices: ArrayLike<number>): Uint32Array {
    requireMatrices('OctreeInstances.addInstances', this, matrices);
    const { store } = this;
    const ids = new Uint32Array(matrices.length / MATRIX_STRIDE);
    store.reserve(ids.length);
    for (let k = 0; k < ids.length; k++) store.writeMatrix((ids[k] = store.allocate()), matrices, k * MATRIX_STRIDE);
    return ids;
  }

  /**
   * Deletes an instance. Its id is given to an instance that is added later.
   *
   * @throws {RangeError} If there is no instance with this id. All methods that take an id throw this error.
   */
  deleteInstance(id: number): this {
    requireId('OctreeInstances.deleteInstance', this, id);
    this.store.release(id);
    return this;
  }

  /** Whether an instance with this id exists. */
  has(id: number): boolean {
    return this.store.has(id);
  }

  /**
   * Sets the matrix of an instance, relative to the container.
   *
   * @throws {RangeError} If there is no instance with this id, or the matrix holds a number that is not within +-2^50.
   */
  setMatrixAt(id: number, matrix: Matrix4): this {
    requireId('OctreeInstances.setMatrixAt', this, id);
    requireMatrix('OctreeInstances.setMatrixAt', this, matrix, id);
    this.store.writeMatrix(id, matrix.elements, 0);
    return this;
  }

  /** Copies the matrix of an instance to `target` and returns it. */
  getMatrixAt(id: number, target: Matrix4): Matrix4 {
    requireId('OctreeInstances.getMatrixAt', this, id);
    requireTarget('OctreeInstances.getMatrixAt', 'Matrix4', target);
    return target.fromArray(this.store.matrices, id * MATRIX_STRIDE);
  }

  /** Sets the matrices of many instances: 16 numbers for each id, in the same order. */
  setMatricesAt(ids: ArrayLike<number>, matrices: ArrayLike<number>): this {
    requireIds('OctreeInstances.setMatricesAt', this, ids);
    requireMatrices('OctreeInstances.setMatricesAt', this, matrices, ids.length);
    for (let k = 0; k < ids.length; k++) this.store.writeMatrix(ids[k], matrices, k * MATRIX_STRIDE);
    return this;
  }

  /**
   * Sets the colour of an instance, given as anything that `Color` takes. The first call for any instance allocates
   * colours for all of them, and each view gets new buffers in its next pass.
   */
  setColorAt(id: number, color: ColorRepresentation): this {
    requireId('OctreeInstances.setColorAt', this, id);
    this.store.writeColor(id, readColor('OctreeInstances.setColorAt', color));
    return this;
  }

  /** Copies the colour of an instance to `target` and returns it. White unless set. */
  getColorAt(id: number, target: Color): Color {
    requireId('OctreeInstances.getColorAt', this, id);
    requireTarget('OctreeInstances.getColorAt', 'Color', target);
    const { color } = this.store;
    return color === null ? target.setRGB(1, 1, 1) : target.fromArray(color.array, id * color.itemSize);
  }

  /**
   * Copies the morph target influences of `object`, for example of a Mesh with the same geometry, to an instance. The
   * first call for any instance allocates influences for all of them; instances without a call keep the shape of the
   * geometry. As with an InstancedMesh, rays hit the shape without these influences. Levels of detail may have fewer
   * morph targets, or none, but all must have the same `morphTargetsRelative`. Texture sizes limit a pass to the
   * instances that fit, usually 16,384.
   *
   * @throws {TypeError} If there are no influences.
   * @throws {RangeError} If an influence is not finite, or there are more or fewer than in the first call.
   */
  setMorphAt(id: number, object: Pick<Mesh, 'morphTargetInfluences'>): this {
    requireId('OctreeInstances.setMorphAt', this, id);
    const where = 'OctreeInstances.setMorphAt';
    const influences = requireInfluences(where, object, this.store.morph?.targets ?? null);
    for (let k = 0; k < influences.length; k++)
      requireFinite(where, `object.morphTargetInfluences[${k}]`, influences[k], 'check the animation');
    this.store.writeMorph(id, influences, this.geometry.morphTargetsRelative);
    return this;
  }

  /** Copies the morph target influences of an instance to `object`. They are 0 unless set. */
  getMorphAt(id: number, object: Pick<Mesh, 'morphTargetInfluences'>): void {
    requireId('OctreeInstances.getMorphAt', this, id);
    const { morph } = this.store;
    const influences = requireInfluences('OctreeInstances.getMorphAt', object, morph?.targets ?? null);
    for (let k = 0; k < influences.length; k++)
      influences[k] = morph === null ? 0 : morph.array[id * morph.itemSize + 1 + k];
  }

  /**
   * The influences of all instances as in an InstancedMesh: row `id` has the base influence and one influence for each
   * target. Null until the first `setMorphAt`. `setMorphAt` needs no `needsUpdate`. If you write to `image.data`
   * yourself, set `needsUpdate`: all instances then count as changed. `image` is replaced when the capacity grows. Set
   * the property to null to remove all influences.
   */
  get morphTexture(): DataTexture | null {
    return this.store.morph?.texture ?? null;
  }

  /** @param texture Null. */
  set morphTexture(texture: null) {
    requireNull('morphTexture', texture, 'use setMorphAt');
    this.store.removeMorph();
  }

  /**
   * Shows or hides an instance. Hidden instances are neither drawn nor hit, and are not in the octree.
   *
   * @throws {RangeError} If there is no instance with this id.
   */
  setVisibleAt(id: number, visible: boolean): this {
    requireId('OctreeInstances.setVisibleAt', this, id);
    if (typeof visible !== 'boolean')
      throwType('OctreeInstances.setVisibleAt', 'visible', 'be true or false', visible, 'pass a boolean');
    this.store.setVisible(id, visible);
    return this;
  }

  /** Whether an instance is shown: as set by `setVisibleAt`, and with an id below `count`. */
  getVisibleAt(id: number): boolean {
    requireId('OctreeInstances.getVisibleAt', this, id);
    return this.store.isVisible(id);
  }
}
function refuseAttribute(name: string, attribute: unknown, method: string): void {
  throwType('OctreeInstances', name, 'not be replaced', attribute, `use ${method}`);
}
