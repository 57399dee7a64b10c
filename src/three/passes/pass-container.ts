/**
 * What containers share: renderers traverse only the objects that each pass can see, all other
 * code finds the real children. See pass-hook.ts for the calls of a renderer.
 *
 * Invariant: the container is armed only between `layers.test` and the next read of `children`. User code may test the
 * layers without reading the children afterwards. So every method that reads the children disarms first.
 */

import {
  Group,
  Object3D,
  type Camera,
  type Frustum,
  type FrustumArray,
  type Intersection,
  type Object3DEventMap,
  type Raycaster,
} from 'three';
import { isBetween, requireNumber } from '../../octree/input/input-checks.ts';
import { MinScreenSize } from './min-screen-size.ts';
import { ArmingLayers, expectRay, PassHook } from './pass-hook.ts';
import { checkThree } from './warnings.ts';

/**
 * What `withPasses` adds to a class. A type only: TypeScript cannot declare the type of a returned class with protected
 * members.
 */
export declare abstract class PassContainer extends Object3D {
  /** @internal `minScreenSize`, and the camera by which it leaves objects out. */
  readonly screenSize: MinScreenSize;
  /** @internal Its layers: armed if they were tested, and the children not read since. */
  protected readonly arming: ArmingLayers;
  /** @internal What renderers and raycasters traverse, with its probe. Created when they first do. */
  protected get hook(): PassHook;

  /** @internal What renderers and raycasters traverse in place of the real children. */
  protected abstract traversed(children: Object3D[]): Object3D[];

  /**
   * Leaves out the objects (children or instances) that look smaller than this fraction of the height of the image: the
   * diameter of their bounds (the diagonal, if the bounds are a box) divided by the height of the image at their
   * distance from the camera. 2 / 1080 leaves out what is smaller than two pixels at full height. Shadow maps leave out
   * the same objects. Objects that are not culled (unculled children, instances while `frustumCulled` is false) are
   * drawn in any case, and rays hit objects of all sizes. Default 0: draws objects of all sizes.
   *
   * @throws {RangeError} If set to a number that is not between 0 and 1, such as a number of pixels.
   * @throws {TypeError} If set to anything but a number.
   */
  get minScreenSize(): number;
  set minScreenSize(value: number);

  /**
   * @internal The objects to draw in a pass, in drawing order. Passes may nest, so the array must not be written
   *   afterwards.
   *
   * @param camera Camera of the pass, or null in a shadow map of WebGLRenderer. WebGPURenderer passes the camera of the
   *   light.
   */
  abstract visibleIn(frustum: Frustum | FrustumArray, camera: Camera | null): Object3D[];

  /**
   * @internal All objects, to draw in a pass without a frustum: in a BundleGroup of WebGPURenderer, and with three
   *   before r186.
   */
  abstract allObjects(): Object3D[];

  /** @internal Adds the hits of the children to those of the container. The default adds none, as for a mesh. */
  raycastChildren(raycaster: Raycaster, hits: Intersection[]): void;

  /** @internal Disarms, and returns the real children. */
  protected disarm(): Object3D[];
}

/** A class like `Base`, static members included, whose instances are pass containers. */
export type PassContainerClass<Base extends new () => Object3D> = Pick<Base, keyof Base> &
  (abstract new () => InstanceType<Base> & PassContainer);

/**
 * Extends a class of objects by passes: a mixin for Group and Object3D.
 *
 * @param name The public class, as error messages name it.
 */
export function withPasses<Base extends new () => Object3D>(Base: Base, name: string): PassContainerClass<Base> {
  /** The property `children`, with the same functions for all containers, so that they share a hidden class. */
  const children: PropertyDescriptor & ThisType<WithPasses> = {
    enumerable: true,
    get() {
      return this.arming.takeArmed() ? this.traversed(this.realChildren) : this.realChildren;
    },
    set() {
      throw new TypeError(`${name}.children: the array must not be replaced; use add, remove and clear.`);
    },
  };

  abstract class WithPasses extends (Base as unknown as abstract new () => PassContainer) {
    override readonly screenSize = new MinScreenSize();
    protected override readonly arming = new ArmingLayers();
    declare readonly realChildren: Object3D[];
    private passHook: PassHook | null = null;

    constructor() {
      super();
      checkThree();
      this.layers = this.arming;
    }

    protected override get hook(): PassHook {
      return (this.passHook ??= new PassHook(this));
    }

    override get minScreenSize(): number {
      return this.screenSize.min;
    }

    override set minScreenSize(value: number) {
      const remedy = 'use a fraction of the height of the image: for two pixels 2 / renderer.domElement.height';
      const isFraction = isBetween(value, 0, 1);
      this.screenSize.min = requireNumber(name, 'minScreenSize', 'be from 0 to 1', value, isFraction, remedy);
    }

    override raycastChildren(_raycaster: Raycaster, _hits: Intersection[]): void {}

    protected override disarm(): Object3D[] {
      this.arming.takeArmed();
      return this.children;
    }

    override traverse(callback: (object: Object3D) => void): void {
      callback(this);
      // The callback may have tested the layers. As in three, objects that it adds are not visited.
      const children = this.disarm();
      for (let k = 0, { length } = children; k < length; k++) children[k].traverse(callback);
    }

    override traverseVisible(callback: (object: Object3D) => void): void {
      if (!this.visible) return;
      callback(this);
      const children = this.disarm();
      for (let k = 0, { length } = children; k < length; k++) children[k].traverseVisible(callback);
    }

    // Adds one by one. `super.add(...objects)` would put all arguments on the stack a second time, so half as many
    // objects would overflow it.
    override add(...objects: Object3D[]): this {
      this.disarm();
      if (objects.length === 0) return super.add();
      for (const object of objects) super.add(object);
      return this;
    }

    override remove(...objects: Object3D[]): this {
      this.disarm();
      for (const object of objects) super.remove(object);
      return this;
    }

    override copy(source: Object3D<Object3DEventMap>, recursive?: boolean): this {
      this.disarm();
      if (source instanceof WithPasses) {
        source.disarm();
        this.screenSize.min = source.screenSize.min;
      }
      return super.copy(source, recursive);
    }
  }
  // The other methods that read the children. `getObjectById` and `getObjectByName` of three call one of them.
  for (const name of ['clear', 'attach', 'getObjectByProperty', 'getObjectsByProperty', 'toJSON'] as const) {
    const method = Base.prototype[name] as (...args: unknown[]) => unknown;
    Object.defineProperty(WithPasses.prototype, name, {
      configurable: true,
      writable: true,
      value(this: WithPasses, ...args: unknown[]) {
        this.disarm();
        return Reflect.apply(method, this, args);
      },
    });
  }
  Object.defineProperty(WithPasses.prototype, 'children', {
    // The constructor of three assigns the array. From then on the container has the property itself.
    set(this: WithPasses, array: Object3D[]) {
      Object.defineProperty(this, 'realChildren', { value: array });
      Object.defineProperty(this, 'children', children);
    },
  });
  return WithPasses as unknown as PassContainerClass<Base>;
}

/**
 * A Group that shows each render pass only the children that it can see. All other code finds a plain Group with all
 * its children.
 */
export abstract class PassGroup extends /* @__PURE__ */ withPasses(Group, 'OctreeGroup') {
  /** @internal */
  abstract override raycastChildren(raycaster: Raycaster, hits: Intersection[]): void;

  /** @internal */
  protected override traversed(_children: Object3D[]): Object3D[] {
    return this.hook.begin();
  }

  /** @internal */
  override allObjects(): Object3D[] {
    return this.disarm();
  }

  /**
   * Adds no hit, as in three. A raycaster visits the children next, if it is recursive, and gets the hits that a plain
   * Group gives; works before the first frame. The flags of a raycaster hold as in three and three-mesh-bvh: with
   * `firstHitOnly` each mesh adds its nearest hit.
   */
  override raycast(_raycaster: Raycaster, hits: Intersection[]): void {
    expectRay(hits);
  }

  /**
   * As in three, for any number of children. The `clear` of three passes all children to one call, which fails at about
   * 100,000, and shifts the array once per child.
   */
  override clear(): this {
    const children = this.disarm();
    const removed = children.splice(0);
    let next = 0;
    try {
      while (next < removed.length) {
        const child = removed[next++];
        child.parent = null;
        child.dispatchEvent({ type: 'removed' });
        this.dispatchEvent({ type: 'childremoved', child });
      }
    } finally {
      // After an error of a listener the others are still children.
      while (next < removed.length) children.push(removed[next++]);
    }
    return this;
  }
}
