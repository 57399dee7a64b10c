/** An object that shows each render pass what that pass sees; everybody else finds a plain Object3D with the children it was given. */

import { Object3D, type Camera, type Frustum, type FrustumArray, type JSONMeta, type Object3DEventMap, type Object3DJSON } from 'three';
import { ArmingLayers, PassHook } from './pass-hook.ts';
import { PassProbe } from './pass-probe.ts';

export abstract class PassObject extends Object3D {
  private readonly arming = new ArmingLayers();
  /** The camera of the pass that is on its way to the hook; null if it is none that renderers project for: a shadow of WebGLRenderer. */
  private passCamera: Camera | null = null;

  constructor() {
    super();
    const own = this.children;
    const probe = new PassProbe((camera) => {
      this.passCamera = camera;
    });
    const hook = new PassHook({
      allChildren: () => {
        this.passCamera = null;
        return this.shownToAll();
      },
      visibleIn: (frustum) => {
        const camera = this.passCamera;
        this.passCamera = null;
        return this.shownTo(frustum, camera);
      },
      // A raycaster that comes here is on other layers; a mesh would not be hit.
      raycast: () => undefined,
    });
    const internals = [probe, hook];
    this.layers = this.arming;
    Object.defineProperty(this, 'children', {
      enumerable: true,
      get: () => {
        if (!this.arming.takeArmed()) return own;
        return own.length === 0 ? internals : [...internals, ...own];
      },
      set: () => {
        throw new TypeError(`${this.constructor.name}.children: the array must not be replaced; use add, remove and clear.`);
      },
    });
  }

  /** What to draw in a pass; a fresh array, or one that is not written any more, as passes may nest. */
  protected abstract shownTo(frustum: Frustum | FrustumArray, camera: Camera | null): Object3D[];

  /** What to draw where the frustum is not told. */
  protected abstract shownToAll(): Object3D[];

  /** The children, even if some code has tested the layers and then not read the children. */
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

  override updateMatrixWorld(force?: boolean): void {
    this.disarm();
    super.updateMatrixWorld(force);
  }

  override updateWorldMatrix(updateParents: boolean, updateChildren: boolean, force?: boolean): void {
    this.disarm();
    super.updateWorldMatrix(updateParents, updateChildren, force);
  }

  override add(...objects: Object3D[]): this {
    this.disarm();
    return super.add(...objects);
  }

  override remove(...objects: Object3D[]): this {
    this.disarm();
    return super.remove(...objects);
  }

  override clear(): this {
    this.disarm();
    return super.clear();
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
    if (source instanceof PassObject) source.disarm();
    return super.copy(source, recursive);
  }
}
