/** A Group that shows each render pass only the objects which that pass sees; everybody else finds a plain Group with all its children. */

import { Group, type Camera, type Frustum, type FrustumArray, type Intersection, type JSONMeta, type Object3D, type Object3DEventMap, type Object3DJSON, type Raycaster } from 'three';
import { ArmingLayers, PassHook } from './pass-hook.ts';
import { PassProbe } from './pass-probe.ts';

export abstract class PassGroup extends Group {
  private readonly arming = new ArmingLayers();

  constructor() {
    super();
    const all = this.children;
    let camera: Camera | null = null;
    let isProbed = false;
    const probe = new PassProbe((passCamera) => {
      camera = passCamera;
      isProbed = true;
    });
    const hook = new PassHook({
      allChildren: () => {
        isProbed = false;
        return all;
      },
      visibleIn: (frustum) => {
        const shadowOf = isProbed ? null : camera;
        isProbed = false;
        return this.visibleIn(frustum, shadowOf);
      },
      raycast: (raycaster, hits) => this.raycastChildren(raycaster, hits),
    });
    const internals = [probe, hook];
    this.layers = this.arming;
    Object.defineProperty(this, 'children', {
      enumerable: true,
      get: () => (this.arming.takeArmed() ? internals : all),
      set: () => {
        throw new TypeError(`${this.constructor.name}.children: the array must not be replaced; use add, remove and clear.`);
      },
    });
  }

  /**
   * The objects to show to a pass, in a fresh array: passes may nest.
   *
   * @param shadowOf For a shadow map of WebGLRenderer, the camera whose picture it is for; null in all other passes.
   */
  protected abstract visibleIn(frustum: Frustum | FrustumArray, shadowOf: Camera | null): Object3D[];

  /** Hits what is in the group. */
  protected abstract raycastChildren(raycaster: Raycaster, hits: Intersection[]): void;

  /**
   * Hits children as a plain Group would, nearest first after the raycaster has sorted; only the nearest, and faster, if
   * `raycaster.firstHitOnly` is set, as with three-mesh-bvh. Works before the first frame. As a raycaster does not tell whether it is
   * recursive, children are always asked.
   *
   * @returns False: the raycaster need not look into the children.
   * @throws {RangeError} If the ray has no direction, or a child that was not bounded yet has a NaN in its matrix or geometry.
   */
  override raycast(raycaster: Raycaster, hits: Intersection[]): false {
    // The raycaster has just tested the layers. An LOD asks its level without that, and the raycaster comes to the level all the same.
    const isSecondHand = !this.arming.takeArmed() && this.parent !== null && 'isLOD' in this.parent;
    if (!isSecondHand) this.raycastChildren(raycaster, hits);
    return false;
  }

  /** All children, even if some code has tested the layers and then not read the children. */
  protected disarm(): Object3D[] {
    this.arming.takeArmed();
    return this.children;
  }

  override traverse(callback: (object: Object3D) => void): void {
    callback(this);
    // The callback may have tested the layers. As in three, what it adds is not visited.
    const children = this.disarm();
    for (let k = 0, { length } = children; k < length; k++) children[k].traverse(callback);
  }

  override traverseVisible(callback: (object: Object3D) => void): void {
    if (!this.visible) return;
    callback(this);
    const children = this.disarm();
    for (let k = 0, { length } = children; k < length; k++) children[k].traverseVisible(callback);
  }

  override add(...objects: Object3D[]): this {
    this.disarm();
    return super.add(...objects);
  }

  override remove(...objects: Object3D[]): this {
    this.disarm();
    return super.remove(...objects);
  }

  /** As in three, which hands all children to one call and takes each from the front of the array: some 100,000 are beyond it. */
  override clear(): this {
    for (const child of this.disarm().splice(0)) {
      child.parent = null;
      child.dispatchEvent({ type: 'removed' });
      this.dispatchEvent({ type: 'childremoved', child });
    }
    return this;
  }

  override attach(object: Object3D): this {
    this.disarm();
    return super.attach(object);
  }

  // The others that look for an object go through this one.
  override getObjectByProperty(name: string, value: unknown): Object3D | undefined {
    this.disarm();
    return super.getObjectByProperty(name, value);
  }

  override getObjectsByProperty(name: string, value: unknown, result?: Object3D[]): Object3D[] {
    this.disarm();
    return super.getObjectsByProperty(name, value, result);
  }

  override toJSON(meta?: JSONMeta): Object3DJSON {
    this.disarm();
    return super.toJSON(meta);
  }

  override copy(source: Object3D<Object3DEventMap>, recursive?: boolean): this {
    this.disarm();
    if (source instanceof PassGroup) source.disarm();
    return super.copy(source, recursive);
  }
}
