/** Why a pass draws an instance of an OctreeInstances, or leaves it out. Asks the container, and its features. */

import { Matrix4, type Material } from 'three';
import type { OctreeInstances } from '../instances/octree-instances.ts';
import { NO_BODY_INDEX } from '../instances/bodies/instance-body-map.ts';
import type { Reason } from './explanation.ts';
import { bodyBeyond, leftOutReason } from './group-reasons.ts';
import { frustumOf, type PassWalk } from './pass-walk.ts';
import { isClippedAway } from './sentences.ts';

/** From the space of the geometry of an instance to that of the world. */
export function worldMatrixOf(instances: OctreeInstances, id: number): Matrix4 {
  const matrix = new Matrix4();
  instances.getMatrixAt(id, matrix);
  return matrix.premultiply(instances.matrixWorld);
}

export class InstanceReasons {
  readonly instances: OctreeInstances;
  readonly id: number;
  private readonly walk: PassWalk;

  constructor(instances: OctreeInstances, id: number, walk: PassWalk) {
    this.instances = instances;
    this.id = id;
    this.walk = walk;
  }

  /** The level of detail that draws the instance in the pass that has just run; -1 if none does. */
  get level(): number {
    const { instances, id, walk } = this;
    const [pass] = instances.views.passes.cameras.get(walk.camera) ?? [];
    return (pass?.views ?? []).findIndex((view) => {
      const { idAt, count } = view.slots;
      return idAt.subarray(0, count).includes(id);
    });
  }

  /** Why the level draws nothing, in words; null if it draws. */
  materialFault(level: number): string | null {
    const { material } = this.instances.levels.meshes[level] as { material: Material | Material[] };
    return [material].flat().some((one) => one?.visible) ? null : 'its material is not visible';
  }

  /** Whether clipping planes cut away all that the level draws. */
  isClippedAway(level: number): boolean {
    const { instances, id, walk } = this;
    return isClippedAway(instances, instances.levels.meshes[level], worldMatrixOf(instances, id), walk.path[0]);
  }

  leftOut(): Reason {
    const { instances, id, walk } = this;
    const { store, bodies, screenSize } = instances;
    if (!store.isVisible(id)) {
      const text = id >= store.idLimit ? `its id is not below count, ${store.idLimit}` : 'setVisibleAt has hidden it';
      return { kind: 'hidden', text, about: [id] };
    }
    const body = bodies.map.bodyOf[id];
    return leftOutReason(
      { bodies, screenSize },
      () => {
        // Passes keep their results until this changes.
        bodies.version++;
        walk.run();
        return this.level >= 0;
      },
      body,
      () => {
        if (body === NO_BODY_INDEX) return null;
        const { cullingCamera } = instances;
        const frusta = cullingCamera === null ? walk.frusta : [frustumOf(cullingCamera)];
        return bodyBeyond(bodies.octree, bodies.octree.bodyAt(body), bodies.space, frusta);
      },
    );
  }

  get notes(): string[] {
    const { instances } = this;
    if (!instances.frustumCulled) return ['every pass draws it, because frustumCulled is false'];
    if (!instances.bodies.hasBounds)
      return ['every pass draws it, because the geometry or the matrix of the container has no finite bounds'];
    return [];
  }
}
