// Highlights the item under the mouse and shows its name beside the pointer.

import { Color, type PerspectiveCamera } from 'three';
import { pick, type PointerLike } from '../../../src/three.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import { Highlight } from './highlight.ts';
import type { NameTag } from './name-tag.ts';
import type { PickingWorld } from './picking-world.ts';
import { raycasterAt } from './pointer-ray.ts';
import { measureTime } from './measure-time.ts';

/** Time budget for measuring a pick, in milliseconds; short, because it runs in every frame. */
const BUDGET_MS = 1;

export class Hover {
  readonly highlight = new Highlight(new Color('#cfe0ff'), 0.3, 1.5);
  readonly times = new RecentTimes();
  /** Name of the item under the mouse. */
  name: string | null = null;
  private readonly tag: NameTag;
  private pointer: PointerLike | null = null;
  private isDue = false;

  constructor(tag: NameTag) {
    this.tag = tag;
  }

  /** Sets the position of the mouse; null when it has left. */
  point(pointer: PointerLike | null): void {
    this.pointer = pointer;
    this.isDue = true;
  }

  /** Requests a new pick at the same position, because the view or the world has changed. */
  refresh(): void {
    this.isDue = true;
  }

  /**
   * Picks if the mouse, the view or the world has changed. Call it once per frame. Returns true if the picture changes.
   */
  update(world: PickingWorld, camera: PerspectiveCamera, element: Element, isWanted: boolean, now: number): boolean {
    if (!this.isDue) return false;
    this.isDue = false;
    const last = this.name;
    const hit = isWanted && this.pointer ? this.pick(world, this.pointer, camera, element, now) : null;
    if (hit === null) {
      this.name = null;
      this.highlight.hide();
      this.tag.hide();
    } else {
      this.name = world.nameOf(hit);
      this.highlight.show(world.shapeOf(hit));
      this.tag.show(this.pointer!, this.name);
    }
    return this.name !== last;
  }

  private pick(
    world: PickingWorld,
    pointer: PointerLike,
    camera: PerspectiveCamera,
    element: Element,
    now: number,
  ): ReturnType<typeof pick> {
    const raycaster = raycasterAt(pointer, camera, element, world);
    const { result, milliseconds } = measureTime(
      () => pick(pointer, camera, element, world.container, { raycaster }),
      BUDGET_MS,
    );
    this.times.add(milliseconds, now);
    return result;
  }
}
