/**
 * Which view belongs to which pass. Renderers upload a buffer once a frame at most, and draw some passes while others wait to be drawn:
 * so each camera has views of its own, and so has each shadow that WebGLRenderer draws, where the six sides of a point light share one
 * frustum and are told apart by their order. Views that are not asked for any more are disposed of.
 */

import type { Camera, Frustum, FrustumArray, InstancedMesh, Mesh } from 'three';
import { IndexList } from '../tree/index-list.ts';
import type { InstanceBodies } from './instance-bodies.ts';
import type { InstanceStore } from './instance-store.ts';
import { InstanceView } from './instance-view.ts';
import { dress, type Wearer } from './view-dress.ts';

/** Frames after which views that nobody has asked for are disposed of. */
const LIFESPAN = 120;
const SWEEP_INTERVAL = 32;

interface Pass {
  readonly views: InstanceView[];
  frame: number;
}

interface ShadowPasses {
  /** In the order in which a frame asks for them. */
  readonly passes: Pass[];
  asked: number;
  frame: number;
}

export class InstancePasses {
  private readonly container: Wearer;
  private readonly store: InstanceStore;
  private readonly bodies: InstanceBodies;
  private readonly meshes: readonly Mesh[];
  private readonly cameras = new Map<Camera, Pass>();
  private readonly shadows = new Map<Frustum | FrustumArray, ShadowPasses>();
  private whole: Pass | null = null;
  /** Advances when a camera comes again. */
  private frame = 0;
  private readonly seen = new IndexList();

  constructor(container: Wearer, store: InstanceStore, bodies: InstanceBodies, meshes: readonly Mesh[]) {
    this.container = container;
    this.store = store;
    this.bodies = bodies;
    this.meshes = meshes;
  }

  /** What a pass sees; without a camera it is a shadow. */
  show(frustum: Frustum | FrustumArray, camera: Camera | null): InstancedMesh[] {
    const pass = camera === null ? this.shadowPass(frustum) : this.cameraPass(camera);
    if (this.container.frustumCulled) this.bodies.collectSeen(frustum, this.seen);
    else this.store.collectShown(this.seen);
    return this.fill(pass);
  }

  /** All instances, for passes without a frustum. */
  showAll(): InstancedMesh[] {
    this.whole ??= this.createPass();
    this.store.collectShown(this.seen);
    return this.fill(this.whole);
  }

  dispose(): void {
    for (const pass of this.cameras.values()) disposePass(pass);
    for (const { passes } of this.shadows.values()) passes.forEach(disposePass);
    if (this.whole !== null) disposePass(this.whole);
    this.cameras.clear();
    this.shadows.clear();
    this.whole = null;
  }

  private fill(pass: Pass): InstancedMesh[] {
    const shown = pass.views[0].show(this.seen, false);
    if (shown === null) return [];
    dress(shown, this.container, this.meshes[0]);
    return [shown];
  }

  private cameraPass(camera: Camera): Pass {
    for (const shadow of this.shadows.values()) shadow.asked = 0;
    let pass = this.cameras.get(camera);
    if (pass === undefined) this.cameras.set(camera, (pass = this.createPass()));
    else if (pass.frame === this.frame) this.advance();
    pass.frame = this.frame;
    return pass;
  }

  private shadowPass(frustum: Frustum | FrustumArray): Pass {
    let shadow = this.shadows.get(frustum);
    if (shadow === undefined) this.shadows.set(frustum, (shadow = { passes: [], asked: 0, frame: 0 }));
    shadow.frame = this.frame;
    const pass = (shadow.passes[shadow.asked] ??= this.createPass());
    shadow.asked++;
    return pass;
  }

  private createPass(): Pass {
    return { views: this.meshes.map((mesh) => new InstanceView(this.store, mesh)), frame: this.frame };
  }

  private advance(): void {
    this.frame++;
    if (this.frame % SWEEP_INTERVAL !== 0) return;
    const oldest = this.frame - LIFESPAN;
    for (const [camera, pass] of this.cameras) {
      if (pass.frame >= oldest) continue;
      disposePass(pass);
      this.cameras.delete(camera);
    }
    for (const [frustum, { passes, frame }] of this.shadows) {
      if (frame >= oldest) continue;
      passes.forEach(disposePass);
      this.shadows.delete(frustum);
    }
  }
}

function disposePass({ views }: Pass): void {
  for (const view of views) view.dispose();
}
