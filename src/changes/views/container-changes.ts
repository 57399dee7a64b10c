/**
 * What has changed in a container since the last `clear`: boxes around the old and the new places. A frustum that
 * touches no box sees the same picture as before.
 */

import type { Camera, Frustum, Matrix4, Object3D, Vector3Like, Vector4 } from 'three';
import { BOX_STRIDE } from '../../math/box.ts';
import { Values } from '../../three/detector/values.ts';
import { chooseLevels } from '../../three/group/traversal-effects.ts';
import type { ShadowRegion } from './view-volume.ts';

/** Which changes count. */
export interface ChangeScope {
  /** The bits of an object (see `wordOf`) of which it must have one, or its changes do not count. */
  shows: number;
  /** The bits of which it must have one, or its changes change no shadow map. */
  casts: number;
  /** The changes that count, as bits. */
  wants: number;
  /** Whether nothing but shadow maps is drawn. */
  readonly isMaps: boolean;
  /** Whether the user has declared that an object does not change its shape. */
  isStill(object: Object3D): boolean;
}

/** Largest number of boxes. If more has changed, everything counts as changed. Test: changes.test. */
const MAX_BOXES = 2048;

export abstract class ContainerChanges {
  /** Whether everything counts as changed. */
  isAll = true;

  protected readonly scope: ChangeScope;
  /** minX, minY, minZ, maxX, maxY, maxZ of each box, in the space of `planesOf`. */
  private readonly boxes: number[] = [];
  /** Whether each of them may cast a shadow. */
  private readonly casts: boolean[] = [];

  constructor(scope: ChangeScope) {
    this.scope = scope;
  }

  /**
   * Finds the changes since the last call.
   *
   * @param camera The camera of the pass: levels of detail and `minScreenSize` follow it. Null if a move of the camera
   *   counts as a change anyway.
   * @param isShown Whether the container and all its ancestors are visible, and in the scene.
   */
  abstract update(camera: Camera | null, isShown: boolean): void;

  /** Calls back for each object whose changes are not found here. @param isNew Whether it was just added, or moved. */
  abstract visitOthers(visitor: (object: Object3D, isNew: boolean) => void): void;

  abstract dispose(): void;

  /** The planes of a frustum in the space of the boxes. */
  protected abstract planesOf(frustum: Frustum): readonly PlaneLike[];

  /** The matrix from the space of the boxes to world space. */
  protected abstract get boxesToWorld(): Matrix4;

  /** Adds the shadows of what has changed, at the old place and the new one, to a region. */
  addShadowsTo(region: ShadowRegion): void {
    const { boxes, casts, isAll } = this;
    if (isAll) region.addAll();
    else if (casts.includes(true)) region.setSpace(this.boxesToWorld);
    for (let k = 0; k < casts.length && !region.isWhole; k++) if (casts[k]) region.add(boxes, k * BOX_STRIDE);
  }

  /** Whether a frustum in world space may see anything that has changed. Null sees everything. */
  isSeenBy(frustum: Frustum | null): boolean {
    const { boxes, isAll } = this;
    if (isAll || boxes.length === 0) return isAll;
    const planes = frustum === null ? [] : this.planesOf(frustum);
    for (let at = 0; at < boxes.length; at += BOX_STRIDE) {
      const isOutside = planes.some(({ normal: { x, y, z }, constant }) => {
        const farthest =
          x * boxes[at + (x > 0 ? 3 : 0)] + y * boxes[at + (y > 0 ? 4 : 1)] + z * boxes[at + (z > 0 ? 5 : 2)];
        return farthest + constant < 0;
      });
      if (!isOutside) return true;
    }
    return false;
  }

  /** Forgets the changes. */
  clear(): void {
    this.isAll = false;
    this.boxes.length = this.casts.length = 0;
  }

  /**
   * In place of an update whose changes are not needed: costs nothing. The next update counts everything as changed.
   */
  skip(): void {
    this.clear();
    this.isAll = true;
  }

  protected addBox(
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
    casts: boolean,
  ): void {
    if (this.isAll) return;
    this.casts.push(casts);
    if (this.boxes.push(minX, minY, minZ, maxX, maxY, maxZ) > MAX_BOXES * BOX_STRIDE) this.isAll = true;
  }
}

/** What the levels of detail showed in the last pass: shadow maps draw the levels of the camera. */
export class ShownLevels {
  private readonly shown = new WeakMap<Object3D, Values>();

  /**
   * Chooses the levels of an object and its descendants, as three does in the pass of a camera. Returns whether others
   * are shown than in the last pass.
   */
  choose(object: Object3D, camera: Camera): boolean {
    chooseLevels(object, camera);
    let shown = this.shown.get(object);
    if (shown === undefined) this.shown.set(object, (shown = new Values()));
    return shown.take((values) => object.traverse(({ visible }) => values.next(visible)));
  }
}

/** Adds what of a camera decides on a picture, and on the levels of detail in shadow maps. */
export function readCamera(camera: Camera & { viewport?: Vector4; zoom?: number }, values: Values): void {
  const { coordinateSystem, reversedDepth, projectionMatrix, matrixWorld, layers, viewport } = camera;
  // Levels of detail read `zoom` without the projection.
  values.push(camera, camera.zoom);
  values.push(...matrixWorld.elements, ...projectionMatrix.elements, layers.mask, coordinateSystem, reversedDepth);
  if (viewport) values.push(...viewport);
}

/** What is read of a plane. */
export type PlaneLike = { readonly normal: Vector3Like; readonly constant: number };
