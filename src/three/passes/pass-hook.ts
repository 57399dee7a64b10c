/**
 * How a group shows each render pass the objects that this pass sees, through public members of three only.
 *
 * Every renderer asks an object in this order, with no code of the user in between:
 *
 *     object.layers.test(camera.layers)    of the group: arms it
 *     object.children                      of an armed group: only the hook
 *       hook.intersectsFrustum(frustum)      answers false, so nothing is drawn, and keeps what the frustum sees
 *       hook.children                        hands that over, once
 *
 * The main camera, each shadow, reflections and each viewport come by with a frustum of their own. Where one of the calls is left out
 * (a bundle group, three before r186) the hook shows everything. three does not promise this order; test/browser/passes.test.ts pins it.
 */

import { BufferGeometry, Layers, Mesh, MeshBasicMaterial, type Frustum, type FrustumArray, type Intersection, type Object3D, type Raycaster } from 'three';
import { checkThree } from './three-version.ts';

/** The part of a group that its hook asks. */
export interface HookedGroup {
  allChildren(): Object3D[];
  /** Objects that a frustum may see, in the order of the children; a fresh array, as passes may nest. */
  visibleIn(frustum: Frustum | FrustumArray): Object3D[];
  raycast(raycaster: Raycaster, hits: Intersection[]): void;
}

/** Layers of a group that note when they are tested; the answer is that of plain layers. */
export class ArmingLayers extends Layers {
  /** Set from the test of the layers to the next reading of the children: in a renderer nothing happens in between. */
  private isArmed = false;
  private isDisarming = false;

  override test(layers: Layers): boolean {
    this.isArmed = true;
    if (!this.isDisarming) this.disarmSoon();
    return super.test(layers);
  }

  /** Whether the layers were tested since the last time, so that whoever reads the children now is a renderer. */
  takeArmed(): boolean {
    const { isArmed } = this;
    this.isArmed = false;
    return isArmed;
  }

  /** Code that tests the layers and never reads the children must not leave that to whoever reads them later. */
  private disarmSoon(): void {
    this.isDisarming = true;
    queueMicrotask(() => {
      this.isArmed = this.isDisarming = false;
    });
  }
}

/** The children's own layers decide what is seen, those of the group and the hook do not. */
export class AllLayers extends Layers {
  override test(): boolean {
    return true;
  }
}

export class PassHook extends Mesh {
  private readonly group: HookedGroup;
  /** What the pass that has just asked sees, until it reads the children. */
  private seen: Object3D[] | null = null;

  constructor(group: HookedGroup) {
    checkThree();
    super(new BufferGeometry(), new MeshBasicMaterial({ visible: false }));
    this.group = group;
    this.layers = new AllLayers();
    // Shadow passes ask only what casts one.
    this.castShadow = true;
    Object.defineProperty(this, 'children', { get: () => this.takeSeen() });
  }

  override intersectsFrustum(frustum: Frustum | FrustumArray): boolean {
    this.seen = this.group.visibleIn(frustum);
    return false;
  }

  /** A raycaster comes here if the layers of the group are not its own; those of the children may be. */
  override raycast(raycaster: Raycaster, hits: Intersection[]): false {
    this.group.raycast(raycaster, hits);
    return false;
  }

  private takeSeen(): Object3D[] {
    const children = this.seen ?? this.group.allChildren();
    this.seen = null;
    return children;
  }
}
