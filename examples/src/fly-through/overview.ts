// The whole world from far away, with the outlines of all cells: the classic picture of an octree.

import { PerspectiveCamera, Vector3 } from 'three';
import { OctreeHelper } from '../../../src/three/index.ts';
import { dragToTurn } from '../shared/drag-to-turn.ts';
import type { World } from './world.ts';

/** Edges of the region between its middle and the camera. */
const DISTANCE = { low: 0.4, start: 1.75, high: 5 };
const LOWEST = -1.4;
const HIGHEST = 1.4;
const ZOOM_PER_NOTCH = 0.0012;
const RADIANS_PER_SECOND = 0.06;
/** Share of the way out that is left after a second. */
const WAY_LEFT = 0.03;
/** Lines of many cells lie above each other: each is faint. */
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
  /** What the camera looks at, on its way to the middle of the region. */
  private readonly target = new Vector3();
  private readonly middle = new Vector3();
  private readonly place = new Vector3();

  /** @param layer Of what only this camera sees. */
  constructor(element: HTMLElement, layer: number) {
    this.layer = layer;
    this.camera.layers.enable(layer);
    dragToTurn(element, (left, upwards) => {
      if (!this.isShown) return;
      this.azimuth -= 1.6 * left;
      this.elevation = Math.min(HIGHEST, Math.max(LOWEST, this.elevation + 1.6 * upwards));
    });
    element.addEventListener('wheel', (event) => {
      if (!this.isShown) return;
      event.preventDefault();
      this.distance = Math.min(DISTANCE.high, Math.max(DISTANCE.low, this.distance * Math.exp(event.deltaY * ZOOM_PER_NOTCH)));
    }, { passive: false });
  }

  get cellCount(): number {
    return this.cells?.boxCount ?? 0;
  }

  /** Starts from where another camera is. */
  show({ position }: PerspectiveCamera, target: Vector3): void {
    this.isShown = true;
    this.camera.position.copy(position);
    this.target.copy(target);
  }

  hide(): void {
    this.isShown = false;
  }

  /** The lines around all cells of a world; made when they are first asked for. */
  cellsOf({ octree }: World): OctreeHelper {
    if (this.cells === undefined) {
      this.cells = new OctreeHelper(octree);
      this.cells.material.opacity = OPACITY;
      this.cells.layers.set(this.layer);
      this.cells.renderOrder = 1;
    }
    return this.cells;
  }

  /** Forgets the cells of a world that is about to go. */
  leave(): void {
    this.cells?.removeFromParent();
    this.cells?.geometry.dispose();
    this.cells?.material.dispose();
    this.cells = undefined;
  }

  /** Turns about the middle of the region and goes on outwards. */
  update(seconds: number, { bodies: { region: { min, edge } } }: World, aspect: number): void {
    const { camera, target, middle, place } = this;
    if (!this.isStill) this.azimuth += RADIANS_PER_SECOND * seconds;
    middle.copy(min).addScalar(edge / 2);
    const level = Math.cos(this.elevation);
    // A narrow picture needs more distance for the same width.
    const away = edge * this.distance * Math.max(1, 1.25 / aspect);
    place.set(Math.sin(this.azimuth) * level, Math.sin(this.elevation), Math.cos(this.azimuth) * level).multiplyScalar(away).add(middle);
    const share = this.isStill ? 1 : 1 - WAY_LEFT ** seconds;
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
