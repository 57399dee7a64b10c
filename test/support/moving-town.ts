/** Meshes that move, in a plain group and in a group with posed chunks. Needs a browser to be drawn. */

import { Color, MeshLambertMaterial, MeshStandardMaterial, type Mesh, type MeshLambertMaterialParameters } from 'three';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { poseSoon, setBatchLimits } from './batch-limits.ts';
import { changeTown, meshesOf, townMesh, CHANGE_KINDS, type TownKind } from './batched-town.ts';
import { createRandom, type Random } from './random.ts';
import { addShadowLights, type ShadowLight } from './shadow-lights.ts';
import { createTwins, type Twins } from './three-scenes.ts';
import { AmbientLight } from 'three';

/** More updates than it takes until posed chunks draw what moves. */
const UNTIL_POSED = 40;

export class MovingTown {
  readonly twins: Twins;
  readonly batches: StaticBatches;
  private readonly kind: TownKind;
  private readonly random: Random;
  private step = 0;

  /** One mesh in this number moves; the others rest. */
  share = 1;

  constructor(seed: number, count: number, lights: readonly (() => ShadowLight)[], kind: TownKind) {
    this.kind = kind;
    this.random = createRandom(seed);
    this.twins = createTwins(seed, (group, random) => {
      for (let k = 0; k < count; k++) {
        const mesh = townMesh(random, kind);
        const parameters: MeshLambertMaterialParameters = { color: random.below(2 ** 24) };
        mesh.material =
          k % 2 === 0
            ? new MeshLambertMaterial(parameters)
            : new MeshStandardMaterial({ ...parameters, roughness: random.next() });
        group.add(mesh);
      }
    });
    this.twins.each(({ scene }) => {
      scene.background = new Color(0x334455);
      scene.add(new AmbientLight(0xffffff, 1));
      addShadowLights(
        scene,
        lights.map((create) => create()),
      );
    });
    this.batches = new StaticBatches(this.twins.octree.group as OctreeGroup, { posesMovers: true });
    setBatchLimits(this.batches, { minInstances: 8 });
    poseSoon(this.batches, 8);
  }

  get meshes(): Mesh[] {
    return meshesOf(this.twins.octree);
  }

  /** Moves the movers once. */
  move(): void {
    this.step++;
    this.twins.each((twin) => {
      for (const [k, mesh] of meshesOf(twin).entries()) {
        if (k % this.share !== 0) continue;
        mesh.position.x += Math.sin(this.step + k);
        mesh.rotation.y += 0.1 + 0.01 * (k % 9);
      }
    });
  }

  /** Moves until posed chunks draw the movers. */
  async pose(updates = UNTIL_POSED): Promise<void> {
    for (let k = 0; k < updates; k++) {
      this.move();
      await Promise.resolve();
      this.twins.octree.scene.updateMatrixWorld();
    }
  }

  /** Changes a random mesh, the same in both. */
  change(): void {
    const { random, twins, kind } = this;
    const change = random.below(CHANGE_KINDS);
    const [pick, seed] = [random.below(1e9), random.below(1e9)];
    twins.each((twin) => changeTown(twin, change, pick, seed, kind));
  }
}
