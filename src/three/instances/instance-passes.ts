/**
 * Which views belong to which pass. Renderers upload a buffer once a frame at most, and draw some passes while others wait to be drawn:
 * so each camera has views of its own, and so has each shadow that WebGLRenderer draws, where the six sides of a point light share one
 * frustum and are told apart by their order. Views that are not asked for any more are disposed of.
 */

import type { Camera, Frustum, FrustumArray } from 'three';
import { PassViews } from './pass-views.ts';

/** Frames after which views that nobody has asked for are disposed of. */
const LIFESPAN = 120;
const SWEEP_INTERVAL = 32;
/** Cameras at a time that are taken for those of one frame; some programs make new ones for each. */
const MAX_CAMERAS = 64;

interface ShadowPasses {
  /** In the order in which a frame asks for them. */
  readonly passes: PassViews[];
  asked: number;
  frame: number;
}

export class InstancePasses {
  private readonly create: () => PassViews;
  private readonly cameras = new Map<Camera, PassViews>();
  private readonly shadows = new Map<Frustum | FrustumArray, ShadowPasses>();
  private unculled: PassViews | null = null;
  /** Advances when a camera comes again. */
  private frame = 0;

  constructor(create: () => PassViews) {
    this.create = create;
  }

  /** Tells that a camera comes by: its shadows are asked for in the same order as those of the last one. */
  restartShadows(): void {
    for (const shadow of this.shadows.values()) shadow.asked = 0;
  }

  /** The views of a camera. */
  ofCamera(camera: Camera): PassViews {
    let pass = this.cameras.get(camera);
    if (pass?.frame === this.frame || this.cameras.size >= MAX_CAMERAS) this.advance();
    if (pass === undefined) this.cameras.set(camera, (pass = this.create()));
    pass.frame = this.frame;
    return pass;
  }

  /** The views of the next shadow of a camera that has this frustum. */
  ofShadow(frustum: Frustum | FrustumArray): PassViews {
    let shadow = this.shadows.get(frustum);
    if (shadow === undefined) this.shadows.set(frustum, (shadow = { passes: [], asked: 0, frame: 0 }));
    shadow.frame = this.frame;
    const pass = (shadow.passes[shadow.asked] ??= this.create());
    shadow.asked++;
    return pass;
  }

  /** The views of passes that have no frustum. */
  ofAll(): PassViews {
    this.unculled ??= this.create();
    return this.unculled;
  }

  dispose(): void {
    for (const pass of this.cameras.values()) pass.dispose();
    for (const { passes } of this.shadows.values()) for (const pass of passes) pass.dispose();
    this.unculled?.dispose();
    this.cameras.clear();
    this.shadows.clear();
    this.unculled = null;
  }

  private advance(): void {
    this.frame++;
    if (this.frame % SWEEP_INTERVAL !== 0) return;
    const oldest = this.frame - LIFESPAN;
    for (const [camera, pass] of this.cameras) {
      if (pass.frame >= oldest) continue;
      pass.dispose();
      this.cameras.delete(camera);
    }
    for (const [frustum, { passes, frame }] of this.shadows) {
      if (frame >= oldest) continue;
      for (const pass of passes) pass.dispose();
      this.shadows.delete(frustum);
    }
  }
}
