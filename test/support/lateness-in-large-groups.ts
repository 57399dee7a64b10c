/**
 * As lateness.ts, among so many children that a feature which looks at some of them in each update, in turn, would see
 * the mesh too late. One world for all kinds of changes, because it is large: each has a mesh of its own.
 */

import { Mesh, MeshLambertMaterial, PlaneGeometry } from 'three';
import { AT_ONCE, NEVER, type Kind } from './kind-of-change.ts';
import { FeatureWorld, freshTruthOf, truthOf, wrongIn, type Mode } from './lateness.ts';

/** Idle frames before the change: turns have come to different children. */
const PHASES = [0, 1];

const SQUARE = new PlaneGeometry();
/** No batch takes it. */
const MATERIAL = new MeshLambertMaterial({ transparent: true });
const NOTHING: Kind = { change: () => undefined, views: NEVER, shadows: NEVER, unreported: AT_ONCE };

export class LargeWorld {
  private readonly world: FeatureWorld;

  /** @param count Number of children that no camera sees. */
  constructor(mode: Mode, count: number) {
    this.world = new FeatureWorld(mode, NOTHING);
    for (let k = 0; k < count; k++) {
      const mesh = new Mesh(SQUARE, MATERIAL);
      mesh.position.set(-500 - (k % 100), 2000 + Math.floor(k / 100), 0);
      this.world.group.add(mesh);
    }
  }

  /** The features that find a change later than in the next update. */
  async lateFor(kind: Kind): Promise<string[]> {
    const late = new Set<string>();
    for (const phase of PHASES) {
      const updates = await this.updatesUntilFound(kind, phase, 1);
      for (const [feature, count] of updates) if (count > 1) late.add(feature);
    }
    return Array.from(late);
  }

  /**
   * Number of updates until each feature has found a change.
   *
   * @param phase Idle frames before it.
   * @param max Looks no further; then the number is infinite.
   */
  async updatesUntilFound(kind: Kind, phase: number, max: number): Promise<Map<string, number>> {
    const { world } = this;
    const truth = truthOf(kind);
    const fresh = freshTruthOf(world.mode, kind, truth);
    world.restart(kind);
    for (let k = 0; k < 3 + phase; k++) {
      world.begin();
      world.draw();
      await Promise.resolve();
    }
    world.change();
    const wrong = new Map<string, number>();
    const open = new Set<string>(['bounds', 'hits', 'batches', 'occlusion', 'views', 'shadows']);
    for (let update = 1; update <= max && open.size > 0; update++) {
      const told = world.begin();
      const isWrong: readonly string[] = wrongIn(world, truth, fresh);
      for (const feature of Array.from(open)) {
        const isFound =
          feature === 'views' || feature === 'shadows'
            ? told[feature] || kind[feature] !== AT_ONCE
            : !isWrong.includes(feature);
        if (!isFound) continue;
        wrong.set(feature, update);
        open.delete(feature);
      }
      await Promise.resolve();
    }
    for (const feature of open) wrong.set(feature, Infinity);
    return wrong;
  }
}
