/**
 * What a renderer does in a pass of a camera on its way to one object: the same calls in the same order as
 * `projectObject` of three's renderers, but only along one path. Containers answer as they answer a renderer, so what
 * is found here is what a pass does.
 */

import { Frustum, Matrix4, type Camera, type Mesh, type Object3D, type Sprite } from 'three';
import { isDrawn, isLod } from '../three/bounds/object-traits.ts';
import { PassHook } from '../three/passes/pass-hook.ts';
import { frustaOf } from '../three/passes/render-pass.ts';

/** Where the pass ends. All but `drawn` say why the object is not drawn. */
export type PassEnd =
  /** The renderer draws the object. */
  | 'drawn'
  /** `visible` of `at` is false. */
  | 'hidden'
  /** The LOD above `at` has chosen another level. */
  | 'level'
  /** It shares no layer with the camera. */
  | 'layers'
  /** three culls it. */
  | 'culled'
  /** It has no visible material. */
  | 'material'
  /** It has no geometry: a Group, a light. */
  | 'nothing to draw'
  /** The container `at` does not list what leads to the object. */
  | 'left out'
  /** `at` does not have the next object among its children. */
  | 'no child';

/** How far a pass gets. */
export interface PassResult {
  readonly end: PassEnd;
  /** The object where it ends. */
  readonly at: Object3D;
  /** What the last container on the way lists; empty if there is none. */
  readonly listed: readonly Object3D[];
}

/** The cameras of an ArrayCamera. */
interface WithCameras {
  readonly cameras?: readonly Camera[];
}

/** The frusta of an ArrayCamera, as far as objects ask them. FrustumArray of three is younger than the oldest three. */
class Frusta extends Frustum {
  readonly frusta: readonly Frustum[];

  constructor(frusta: readonly Frustum[]) {
    super();
    this.frusta = frusta;
    // Containers tell an array of frusta by this.
    Reflect.deleteProperty(this, 'planes');
  }

  getFrustum(index: number): Frustum | undefined {
    return this.frusta[index];
  }

  override intersectsObject(object: Object3D): boolean {
    return this.frusta.some((frustum) => frustum.intersectsObject(object));
  }

  override intersectsSprite(sprite: Sprite): boolean {
    return this.frusta.some((frustum) => frustum.intersectsSprite(sprite));
  }
}

export class PassWalk {
  /** From the root of the scene to the object. */
  readonly path: readonly Object3D[];
  readonly camera: Camera;

  constructor(object: Object3D, camera: Camera) {
    this.path = pathTo(object);
    this.camera = camera;
  }

  /** Begins as `render`: three computes the matrices of a camera without a parent. */
  get frustum(): Frustum {
    const { camera } = this;
    if (camera.parent === null && camera.matrixWorldAutoUpdate) camera.updateMatrixWorld();
    return passFrustumOf(camera);
  }

  /** The planes of the first frustum. */
  get frusta(): readonly Frustum[] {
    return frustaOf(this.frustum);
  }

  run(): PassResult {
    const { path, camera, frustum } = this;
    let listed: readonly Object3D[] = [];
    for (let k = 0; ;) {
      const at = path[k];
      if (!at.visible) return { end: isOtherLevel(at, camera) ? 'level' : 'hidden', at, listed };
      const isOnLayer = at.layers.test(camera.layers);
      if (isOnLayer && isLod(at) && at.autoUpdate) at.update(camera);
      // Of a container this ends what the test of the layers has begun.
      const { children } = at;
      const hook = children.find((child) => child instanceof PassHook);
      if (k === path.length - 1 && hook === undefined)
        return { end: isOnLayer ? endOf(at, frustum) : 'layers', at, listed };
      if (children.includes(path[k + 1])) {
        k++;
        continue;
      }
      if (hook === undefined) return { end: 'no child', at, listed };
      hook.probe.update(camera);
      hook.intersectsFrustum(frustum);
      listed = hook.children;
      const next = path.findIndex((one, index) => index > k && listed.includes(one));
      if (next < 0) return { end: k === path.length - 1 && !isOnLayer ? 'layers' : 'left out', at, listed };
      k = next;
    }
  }
}

/** Whether an object is hidden because an LOD has chosen another level for the camera. */
function isOtherLevel(object: Object3D, { layers }: Camera): boolean {
  const { parent } = object;
  if (parent === null || !isLod(parent) || !parent.autoUpdate || (parent.layers.mask & layers.mask) === 0) return false;
  return parent.levels.length > 1 && parent.levels.some((level) => level.object === object);
}

function endOf(object: Object3D, frustum: Frustum): PassEnd {
  if (!isDrawn(object)) return 'nothing to draw';
  if (object.frustumCulled && !object.intersectsFrustum(frustum)) return 'culled';
  return hasVisibleMaterial(object as Mesh) ? 'drawn' : 'material';
}

/** Of several materials, each draws the groups of the geometry that name it. */
export function hasVisibleMaterial({ material, geometry }: Mesh): boolean {
  if (!Array.isArray(material)) return material.visible;
  return geometry.groups.some(({ materialIndex }) => material[materialIndex!]?.visible);
}

export function frustumOf({ projectionMatrix, matrixWorldInverse, coordinateSystem, reversedDepth }: Camera): Frustum {
  const matrix = new Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse);
  return new Frustum().setFromProjectionMatrix(matrix, coordinateSystem, reversedDepth);
}

/** The frustum of a pass of a camera. */
export function passFrustumOf(camera: Camera): Frustum {
  const { cameras } = camera as WithCameras;
  return cameras === undefined ? frustumOf(camera) : new Frusta(cameras.map(frustumOf));
}

/** An object and all above it, the root first. */
export function pathTo(object: Object3D): Object3D[] {
  const path: Object3D[] = [];
  for (let node: Object3D | null = object; node !== null; node = node.parent) path.unshift(node);
  return path;
}
