/**
 * The common part of ShadowUpdates and ViewChanges: the changes in the containers of a scene, the objects outside of
 * them, and what lights with shadow maps see.
 */

import { Layers, type Camera, type Frustum, type Light, type LightShadow, type LOD, type Object3D } from 'three';
import { requireBoolean, throwType } from '../../octree/input/input-checks.ts';
import { hasGeometry, hasOwnSphere, isObject3D, refuseProxy } from '../../three/bounds/object-kinds.ts';
import { isDrawn, isLod } from '../../three/bounds/object-traits.ts';
import { OctreeGroup } from '../../three/group/octree-group.ts';
import { wordOf } from '../../three/detector/object-words.ts';
import { ShownLevels, type ChangeScope, type ContainerChanges } from './container-changes.ts';
import { GroupChanges } from './group-changes.ts';
import type { InstanceChanges } from './instance-changes.ts';

/** A container whose changes are known. `InstanceChanges` stands for an OctreeInstances. */
export type ChangeContainer = OctreeGroup | InstanceChanges;

/** What `findObjects` has found in the scene. */
export interface SceneObjects {
  /** Visible lights. */
  readonly lights: (Light & { readonly shadow?: LightShadow })[];
  /** Drawn objects whose changes are unknown. */
  readonly unknown: Object3D[];
  /** Containers that are visible, with all their ancestors. */
  readonly shown: Set<Object3D>;
  /** Those LODs among the objects declared still that are below no other LOD: the camera chooses what they show. */
  readonly stillLods: LOD[];
  /** Whether there is a ClippingGroup, whose planes may change. */
  isClipped: boolean;
}

export abstract class SceneChanges {
  protected readonly scene: Object3D;
  /** @internal */
  readonly containers = new Map<Object3D, ContainerChanges>();
  protected readonly scope: ChangeScope;
  protected isAll = true;
  private readonly name: string;
  private readonly stillObjects = new WeakSet();
  private readonly levels = new ShownLevels();

  protected constructor(
    name: string,
    scene: Object3D,
    containers: readonly ChangeContainer[],
    scope: Omit<ChangeScope, 'isStill'>,
  ) {
    if (!isObject3D(scene)) throwType(name, 'scene', 'be an Object3D', scene, 'pass the scene');
    refuseProxy(name, 'scene', scene);
    if (!Array.isArray(containers)) throwType(name, 'containers', 'be an array', containers, 'pass [group]');
    for (const each of containers) {
      if (!(each instanceof OctreeGroup) && !('follow' in Object(each)))
        throwType(
          name,
          'containers',
          'be OctreeGroups or InstanceChanges',
          each,
          'pass new InstanceChanges(instances)',
        );
      refuseProxy(name, 'containers', each);
    }
    this.name = name;
    this.scene = scene;
    const isStill = (object: Object3D | null): boolean =>
      object !== null && (this.stillObjects.has(object) || isStill(object.parent));
    this.scope = { ...scope, isStill };
    for (const each of new Set(containers))
      if (each instanceof OctreeGroup) this.containers.set(each, new GroupChanges(each, this.scope));
      else this.containers.set(each.container, each.follow(this.scope));
  }

  /**
   * Declares that an object and its descendants do not change, as far as no value shows: objects outside of the
   * containers, and shapes that shaders or skeletons could change. Call `redrawAll` after a change.
   *
   * @throws {TypeError} If the object is no Object3D, or `isStill` no boolean.
   */
  setStill(object: Object3D, isStill = true): this {
    const where = `${this.name}.setStill`;
    if (!isObject3D(object)) throwType(where, 'object', 'be an Object3D', object, 'pass one');
    refuseProxy(where, 'object', object);
    requireBoolean(where, 'isStill', isStill);
    if (isStill) this.stillObjects.add(object);
    else this.stillObjects.delete(object);
    return this.redrawAll();
  }

  /** Counts everything as changed once: after a change that cannot be found. */
  redrawAll(): this {
    this.isAll = true;
    return this;
  }

  /** Stops following the containers. */
  dispose(): void {
    for (const changes of this.containers.values()) changes.dispose();
  }

  /** The lights, the containers and the objects of unknown changes at and below the scene. */
  protected findObjects(): SceneObjects {
    const found = { lights: [], unknown: [], shown: new Set<Object3D>(), stillLods: [], isClipped: false };
    return this.findObjectsFrom(this.scene, false, found);
  }

  /**
   * Chooses the levels of LODs that are declared still, as three does in the pass of a camera. What an LOD draws counts
   * as unknown if it has another level than in the last pass.
   */
  protected findOtherLevels({ stillLods, unknown }: SceneObjects, camera: Camera): void {
    for (const lod of stillLods)
      if (this.levels.choose(lod, camera))
        lod.traverse((object) => void (isDrawn(object) && this.counts(object) && unknown.push(object)));
  }

  private findObjectsFrom(object: Object3D, isStill: boolean, found: SceneObjects): SceneObjects {
    const isStillHere = isStill || this.stillObjects.has(object);
    const changes = this.containers.get(object);
    if (changes !== undefined) {
      found.shown.add(object);
      changes.visitOthers((other, isNew) => void this.findObjectsFrom(other, isStillHere && !isNew, found));
      return found;
    }
    if ('isLight' in object) found.lights.push(object as Light);
    else if (isStillHere) {
      if (isLod(object) && object.levels.length > 1 && !isBelowLod(object)) found.stillLods.push(object);
    } else {
      if ('isClippingGroup' in object) found.isClipped = true;
      // A container that is not among those known: what it shows depends on the pass.
      const isContainer = object.layers.test !== Layers.prototype.test && !('isGroup' in object) && !isLod(object);
      if ((isContainer || isDrawn(object)) && this.counts(object)) found.unknown.push(object);
    }
    // A level that is hidden now may be shown later in this pass.
    for (const child of object.children)
      if (child.visible || isLod(object)) this.findObjectsFrom(child, isStillHere, found);
    return found;
  }

  /** Whether an object shows, if it is drawn. */
  private counts(object: Object3D): boolean {
    // Levels may be hidden now.
    return (wordOf(object, true) & this.scope.shows) !== 0;
  }
}

function isBelowLod({ parent }: Object3D): boolean {
  return parent !== null && (isLod(parent) || isBelowLod(parent));
}

/** Whether a renderer may draw an object in a frustum, by its own test. Null sees everything. */
export function mayBeSeen(object: Object3D, frustum: Frustum | null): boolean {
  if (frustum === null || !object.frustumCulled) return true;
  // three computes missing spheres in the first pass.
  if (hasOwnSphere(object) ? object.boundingSphere === null : !hasGeometry(object) || !object.geometry.boundingSphere)
    return true;
  return object.intersectsFrustum(frustum);
}
