// The view of the whole world from far away, with the outlines of all cells of the octree.

import { PerspectiveCamera, Vector3 } from 'three';
import { OctreeHelper } from '../../../src/three.ts';
import { dragToTurn } from '../shared/drag-to-turn.ts';
import type { World } from './world.ts';

/** Distance from the centre of the region to the camera, in edges of the region. */
const DISTANCE = { low: 0.4, start: 1.75, high: 5 };
/** Radians above the horizontal plane. */
const MIN_ELEVATION = -1.4;
const MAX_ELEVATION = 1.4;
const ZOOM_PER_NOTCH = 0.0012;
const RADIANS_PER_SECOND = 0.06;
/** Share of the camera's distance to its final place that remains after one second. */
const REMAINING_SHARE = 0.03;
/** Low, because the lines of many cells overlap. */
const OPACITY = 0.32;

export class Overview {
  readonly camera = new PerspectiveCamera(38, 1, 1, 1000);
  isShown = false;
  private cells: OctreeHelper | undefined;
  private azimuth = 0.7;
  private elevation = 0.42;
  private distance = DISTANCE.start;
  private readonly layer: number;
  private readonly isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  /** The point that the camera looks at; it moves to the centre of the region. */
  private readonly target = new Vector3();
  private readonly middle = new Vector3();
  private readonly place = new Vector3();

  /** @param layer Layer of the objects that only this camera draws. */
  constructor(element: HTMLElement, layer: number) {
    this.layer = layer;
    this.camera.layers.enable(layer);
    dragToTurn(element, (left, upwards) => {
      if (!this.isShown) return;
      this.azimuth -= 1.6 * left;
      this.elevation = Math.min(MAX_ELEVATION, Math.max(MIN_ELEVATION, this.elevation + 1.6 * upwards));
    });
    element.addEventListener(
      'wheel',
      (event) => {
        if (!this.isShown) return;
        event.preventDefault();
        this.distance = Math.min(
          DISTANCE.high,
          Math.max(DISTANCE.low, this.distance * Math.exp(event.deltaY * ZOOM_PER_NOTCH)),
        );
      },
      { passive: false },
    );
  }

  get cellCount(): number {
    return this.cells?.boxCount ?? 0;
  }

  /** Starts at the position of another camera. */
  show({ position }: PerspectiveCamera, target: Vector3): void {
    this.isShown = true;
    this.camera.position.copy(position);
    this.target.copy(target);
  }

  hide(): void {
    this.isShown = false;
  }

  /** The lines around all cells of a world, created at the first call. */
  cellsOf({ octree }: World): OctreeHelper {
    if (this.cells === undefined) {
      this.cells = new OctreeHelper(octree);
      this.cells.material.opacity = OPACITY;
      this.cells.layers.set(this.layer);
      this.cells.renderOrder = 1;
    }
    return this.cells;
  }

  /** Disposes the lines, before the world is disposed. */
  leave(): void {
    this.cells?.removeFromParent();
    this.cells?.dispose();
    this.cells = undefined;
  }

  /** Orbits the centre of the region and approaches the final distance. */
  update(
    seconds: number,
    {
      bodies: {
        region: { min, edge },
      },
    }: World,
    aspect: number,
  ): void {
    const { camera, target, middle, place } = this;
    if (!this.isStill) this.azimuth += RADIANS_PER_SECOND * seconds;
    middle.copy(min).addScalar(edge / 2);
    const level = Math.cos(this.elevation);
    // A narrow view needs more distance to show the same width.
    const away = edge * this.distance * Math.max(1, 1.25 / aspect);
    place
      .set(Math.sin(this.azimuth) * level, Math.sin(this.elevation), Math.cos(this.azimuth) * level)
      .multiplyScalar(away)
      .add(middle);
    const share = this.isStill ? 1 : 1 - REMAINING_SHARE ** seconds;
    camera.position.lerp(place, share);
    target.lerp(middle, share);
    camera.lookAt(target);
    camera.aspect = aspect;
    camera.near = edge * 0.01;
    camera.far = away + edge * 4;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}
