/**
 * Which views belong to which pass. A renderer uploads a buffer at most once a frame, and may prepare several passes
 * before it draws the first. So two passes of a frame must not share views. Each camera has its own views, and each
 * shadow map of WebGLRenderer too. The six faces of a point light share one frustum object; their order distinguishes
 * them. Views of passes that no longer occur are disposed of.
 */

import type { Camera, Frustum, FrustumArray } from 'three';

/** What is drawn in one pass, with buffers of its own. */
export interface Views {
  /** Frame of the pass, as `PassRegistry` counts them. */
  frame: number;
  dispose(): void;
}

/**
 * Frames between two searches for passes that have not occurred since the search before. So their views are disposed of
 * after two to four seconds at 60 frames per second. Test of this and the next two:
 * test/three/passes/pass-registry.test.ts.
 */
const MAX_IDLE_FRAMES = 120;
/**
 * Number of cameras at which a new frame is assumed, even if no camera has rendered twice. Some programs create new
 * cameras in each frame. Any number above that of the cameras of a frame would do.
 */
const MAX_CAMERAS = 64;

/** Matrices of the smallest buffer: 4 kB, too little to be worth a smaller one. Test: pass-registry.test. */
const MIN_CAPACITY = 64;

/**
 * Matrices to make room for, to draw a number of instances. A power of two, because each growth replaces all buffers.
 */
export function capacityFor(count: number): number {
  return Math.max(MIN_CAPACITY, 1 << (32 - Math.clz32(count - 1)));
}

export class PassRegistry<PassViews extends Views> {
  private readonly create: () => PassViews;
  /** One pass of each camera; that without a frustum under the registry itself. */
  readonly cameras = new Map<object, PassViews[]>();
  /** By frustum object: the shadow maps that share it, in the order in which a frame draws them. */
  readonly shadows = new Map<object, PassViews[]>();
  /** By frustum object: index of the next shadow map; 0 if there is none. */
  private readonly nextShadows = new Map<object, number>();
  /** Number of the frame. Advances when a camera renders for the second time in a frame. */
  private frame = 0;

  constructor(create: () => PassViews) {
    this.create = create;
  }

  /**
   * Call when a camera pass begins: the shadow maps drawn for it take the same views, in the same order, as those for
   * the camera before.
   */
  restartShadows(): void {
    this.nextShadows.clear();
  }

  ofCamera(camera: Camera): PassViews {
    const pass = this.cameras.get(camera)?.[0];
    if (pass?.frame === this.frame || this.cameras.size >= MAX_CAMERAS) this.advance();
    return this.passOf(this.cameras, camera, 0);
  }

  /** The views of the next shadow map with this frustum object. */
  ofShadow(frustum: Frustum | FrustumArray): PassViews {
    const index = this.nextShadows.get(frustum) ?? 0;
    this.nextShadows.set(frustum, index + 1);
    return this.passOf(this.shadows, frustum, index);
  }

  /** The views of passes without a frustum, which draw all instances. */
  ofNoFrustum(): PassViews {
    return this.passOf(this.cameras, this, 0);
  }

  dispose(): void {
    this.expire(Infinity);
  }

  private advance(): void {
    this.frame++;
    if (this.frame % MAX_IDLE_FRAMES === 0) this.expire(this.frame - MAX_IDLE_FRAMES);
  }

  private passOf(all: Map<object, PassViews[]>, key: object, index: number): PassViews {
    let passes = all.get(key);
    if (passes === undefined) all.set(key, (passes = []));
    const pass = (passes[index] ??= this.create());
    pass.frame = this.frame;
    return pass;
  }

  /** Disposes of the views of passes that have not occurred since a frame. */
  private expire(oldest: number): void {
    for (const all of [this.cameras, this.shadows])
      for (const [key, passes] of all) {
        if (passes[0].frame >= oldest) continue;
        for (const pass of passes) pass.dispose();
        all.delete(key);
        this.nextShadows.delete(key);
      }
  }
}
