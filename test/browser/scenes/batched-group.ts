/**
 * An OctreeGroup with StaticBatches, for the standing check. Every second object is static: of these it reports what a
 * scene changes, as users have to.
 */

import { Group, Mesh, Object3D, type BufferGeometry, type Material } from 'three';
import { poseSoon, setBatchLimits } from '../../support/batch-limits.ts';
import { hasDrawCallbacks } from '../../../src/three/bounds/object-traits.ts';
import { StaticBatches, type OctreeGroup } from '../../../src/three.ts';

/** More updates than a moved mesh rests before it is baked again, or built if it has no place in a batch. */
const RESTING_UPDATES = 64;
/** More updates than it takes until what has moved is posed, and less than it takes to come to rest. */
const POSING_UPDATES = 16;

export class BatchedGroup {
  /** Largest number of objects that were drawn from batches in a frame; of instanced ones, if all are. */
  most = 0;
  /** Whether a pass was drawn without batches, because of the whole group or scene. */
  isWithoutBatches = false;
  /** Whether objects that are added from now on may be static. */
  hasStatic = true;
  /** Largest number of objects that were drawn from posed chunks in a frame. */
  mostPosed = 0;
  private readonly group: OctreeGroup;
  private readonly batches: StaticBatches;
  private readonly isInstanced: boolean;
  private readonly isPosed: boolean;
  private frame = 0;
  private added = 0;
  /** What was drawn, by object. */
  private states = new WeakMap<Object3D, readonly unknown[]>();

  /** @param isInstanced Whether all meshes are drawn instanced that can be, and not only those with one geometry. */
  /** @param isPosed Whether all are watched, and posed chunks draw what moves. */
  constructor(group: OctreeGroup, isInstanced: boolean, isPosed: boolean) {
    this.group = group;
    this.isInstanced = isInstanced;
    this.isPosed = isPosed;
    this.batches = new StaticBatches(group, { posesMovers: isPosed || isInstanced });
    poseSoon(this.batches);
    // Scenes have few objects, each with a material of its own.
    const limits = { minMembers: 1, minInstances: isInstanced ? 1 : Infinity };
    setBatchLimits(this.batches, limits);
  }

  /**
   * Decides whether an object that is added next is static: of meshes and groups without callbacks every second one is.
   * Instanced are the other ones.
   */
  chooseStatic(object: Object3D): void {
    let isStatic = this.hasStatic && !this.isPosed && (this.added++ % 2 === 0) !== this.isInstanced;
    object.traverse(
      (part) =>
        (isStatic &&=
          [Mesh, Group, Object3D].includes(part.constructor as never) &&
          !hasDrawCallbacks(part) &&
          // WebGPURenderer draws such an object where it was first, even after it has moved.
          !part.static),
    );
    this.group.hasStaticChildren = isStatic;
  }

  /** Reports the changes since the last frame. Those of the draw state are found without a report. */
  reportChanges(): void {
    this.visitStatic((object) => {
      const before = this.states.get(object);
      if (before === undefined || stateOf(object).some((value, k) => !Object.is(value, before[k])))
        this.group.reportMove(object);
    });
  }

  /** Call it after each frame. Lets moved objects rest after every third frame. */
  async endFrame(): Promise<void> {
    const { batched, instanced, posed } = this.batches.report();
    this.mostPosed = Math.max(this.mostPosed, posed);
    this.isWithoutBatches ||= this.batches.reason !== '';
    this.most = Math.max(this.most, this.isInstanced ? instanced : batched);
    this.visitStatic((object) => void this.states.set(object, stateOf(object)));
    if (this.frame++ % 3 !== 0) return;
    const { drawing } = this.group.groupChildren.bodies;
    // In half of the cases posed chunks go on drawing what moves.
    for (let k = 0; k < (this.isPosed ? POSING_UPDATES : RESTING_UPDATES); k++) {
      // One update works in a task.
      await Promise.resolve();
      drawing!.updated();
    }
    await Promise.resolve();
    // Those that move in each frame are drawn from batches between two of them all the same.
    if (!this.isPosed) this.batches.members.states.delays.fill(0);
  }

  dispose(): void {
    this.batches.dispose();
  }

  private visitStatic(visitor: (object: Object3D) => void): void {
    for (const child of this.group.children) if (this.group.isStatic(child)) child.traverse(visitor);
  }
}

/** What a user must report. */
type Part = Object3D & {
  geometry?: BufferGeometry;
  material?: Material | Material[];
  morphTargetInfluences?: number[];
};

function stateOf(object: Part): unknown[] {
  const { position, quaternion, scale, pivot, matrix, matrixWorld, geometry, material } = object;
  const materials = [material ?? []].flat() as (Material & { displacementScale?: number })[];
  return [
    object.parent,
    'isMesh' in object || object.renderOrder,
    ...position,
    ...quaternion,
    ...scale,
    ...(pivot ?? [null, null, null]),
    ...matrix.elements,
    ...matrixWorld.elements,
    object.matrixAutoUpdate,
    object.matrixWorldAutoUpdate,
    object.frustumCulled,
    geometry,
    ...materials.flatMap(({ version, displacementScale }) => [version, displacementScale]),
    versionOf(geometry),
    geometry?.drawRange.start,
    geometry?.drawRange.count,
    ...(object.morphTargetInfluences ?? []),
  ];
}

function versionOf(geometry: BufferGeometry | undefined): number | undefined {
  const position = geometry?.attributes.position;
  return position !== undefined && 'data' in position ? position.data.version : position?.version;
}
