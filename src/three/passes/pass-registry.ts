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
 * Views of a pass that has not occurred for this number of frames are disposed of: about two seconds at 60 frames per
 * second.
 */
const MAX_IDLE_FRAMES = 120;
/** Frames between two searches for expired passes. */
const SWEEP_INTERVAL = 32;
/**
 * Number of cameras at which a new frame is assumed, even if no camera has rendered twice. Some programs create new
 * cameras in each frame.
 */
const MAX_CAMERAS = 64;

/** The shadow maps that share one frustum object. */
interface ShadowPasses<PassViews> {
  /** In the order in which a frame draws them. */
  readonly passes: PassViews[];
  /** Index in `passes` of the next shadow map. */
  next: number;
}

export class PassRegistry<PassViews extends Views> {
  private readonly create: () => PassViews;
  private readonly cameras = new Map<Camera, PassViews>();
  private readonly shadows = new Map<Frustum | FrustumArray, ShadowPasses<PassViews>>();
  private withoutFrustum: PassViews | null = null;
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
    for (const shadow of this.shadows.values()) shadow.next = 0;
  }

  ofCamera(camera: Camera): PassViews {
    let pass = this.cameras.get(camera);
    if (pass?.frame === this.frame || this.cameras.size >= MAX_CAMERAS) this.advance();
    if (pass === undefined) this.cameras.set(camera, (pass = this.create()));
    pass.frame = this.frame;
    return pass;
  }

  /** The views of the next shadow map with this frustum object. */
  ofShadow(frustum: Frustum | FrustumArray): PassViews {
    let shadow = this.shadows.get(frustum);
    if (shadow === undefined) this.shadows.set(frustum, (shadow = { passes: [], next: 0 }));
    const pass = (shadow.passes[shadow.next++] ??= this.create());
    pass.frame = this.frame;
    return pass;
  }

  /** The views of passes without a frustum, which draw all instances. */
  ofNoFrustum(): PassViews {
    return (this.withoutFrustum ??= this.create());
  }

  dispose(): void {
    this.expire(Infinity);
    this.withoutFrustum?.dispose();
    this.withoutFrustum = null;
  }

  private advance(): void {
    this.frame++;
    if (this.frame % SWEEP_INTERVAL === 0) this.expire(this.frame - MAX_IDLE_FRAMES);
  }

  /** Disposes of the views of passes that have not occurred since a frame. */
  private expire(oldest: number): void {
    for (const [camera, pass] of this.cameras) {
      if (pass.frame >= oldest) continue;
      pass.dispose();
      this.cameras.delete(camera);
    }
    for (const [frustum, { passes }] of this.shadows) {
      if (passes[0].frame >= oldest) continue;
      for (const pass of passes) pass.dispose();
      this.shadows.delete(frustum);
    }
  }
}
