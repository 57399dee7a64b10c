/** The bodies of a container, and which of them are occluders now. Occluders are set in slices, one in each frame. */

import { Box3, Sphere, type BufferGeometry, type Camera, type Matrix4, type Object3D } from 'three';
import { clock } from '../../math/clock.ts';
import { setOccluder } from '../visible/occluders.ts';
import type { Body, Octree } from '../../three-math/octree.ts';
import type { BodySpace } from '../../three/bounds/body-space.ts';
import type { PassContainer } from '../../three/passes/pass-container.ts';
import type { NamedShapes } from './named-shapes.ts';
import { innerBoxes } from './solid-shape.ts';

/** Time of one update that goes into new occluders, in milliseconds. Test: occlusion-lifecycle.test. */
const SLICE_MS = 4;

/** `Due`: what is set as an occluder, a member of a group or the id of an instance. */
export abstract class OccluderBodies<C extends PassContainer = PassContainer, Due = unknown> {
  readonly container: C;
  /** What is to be set, again or for the first time. The switch of `minRemoved` waits for it. */
  readonly due = new Set<Due>();
  protected readonly bodies: { readonly octree: Octree; readonly space: BodySpace };
  protected readonly shapes: NamedShapes;
  private isUpdated = false;

  constructor(container: C, bodies: OccluderBodies['bodies'], shapes: NamedShapes) {
    this.container = container;
    this.bodies = bodies;
    this.shapes = shapes;
  }

  get octree(): Octree {
    return this.bodies.octree;
  }

  get space(): BodySpace {
    return this.bodies.space;
  }

  /** The bodies that may be seen although all of their bounds are behind others. */
  abstract readonly alwaysDrawn: ReadonlySet<number>;

  /** Whether it knows all members; of a large group it gets to know some in each update. */
  abstract readonly hasAll: boolean;

  /** Why the bodies allow no occlusion culling now, in words; null if they do. */
  abstract faultOn(isWebGPU: boolean): string | null;

  /** The object or the id of a body. */
  abstract itemAt(body: number): Object3D | number | undefined;

  /** Whether a body is set as an occluder in the octree. */
  abstract isOccluderAt(body: number): boolean;

  /** Sets occluders again, because the solid parts of a mesh or of a geometry have changed. */
  abstract restart(target: Object3D | BufferGeometry): void;

  /**
   * A pass of the camera begins.
   *
   * @param readsNodes As for `materialOccluderFault`.
   */
  abstract beginPass(readsNodes: boolean): void;

  /**
   * Updates the occluder of a body for this pass. Returns false if the octree held boxes that are wrong in this pass,
   * so that the walk must be repeated.
   */
  abstract refreshOccluder(body: number, camera: Camera): boolean;

  /**
   * Counts by reason what has solid parts, or could have some, and hides nothing now. Returns the number of occluders.
   */
  abstract addFaults(faults: Map<string, number>): number;

  abstract dispose(): void;

  /** Goes on with what is due, once in a task. */
  update(): void {
    if (this.isUpdated || this.due.size === 0) return;
    this.isUpdated = true;
    void Promise.resolve().then(() => (this.isUpdated = false));
    this.run(clock.now() + SLICE_MS);
  }

  /** Sets what is due, until a time in milliseconds. */
  run(deadline: number): void {
    const { due, shapes } = this;
    let count = 0;
    for (const one of due) {
      const { calls } = shapes;
      due.delete(one);
      try {
        this.prepare(one);
      } catch (error) {
        due.add(one);
        throw error;
      }
      // A call of the user may take long. Otherwise reading the clock takes as long as setting an occluder.
      if (((++count & 15) === 0 || shapes.calls > calls) && clock.now() > deadline) return;
    }
  }

  /** Sets or takes back an occluder. */
  protected abstract prepare(due: Due): void;

  /** Sets the boxes that lie inside solid parts and inside the body, or none. */
  protected setSolid(body: Body<unknown>, parts: Float64Array, matrix: Matrix4): void {
    const { octree } = this;
    const bounds = octree.getBoxAt(body.index, setSolid_bounds);
    const sphere = body.kind === 'sphere' ? octree.getSphereAt(body.index, setSolid_sphere) : null;
    const boxes = innerBoxes(parts, matrix, bounds, sphere);
    setOccluder(octree, body, boxes.length === 0 ? null : boxes);
  }
}
const setSolid_bounds = /* @__PURE__ */ new Box3();
const setSolid_sphere = /* @__PURE__ */ new Sphere();
