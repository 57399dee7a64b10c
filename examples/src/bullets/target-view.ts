// Draws the targets: cut stones that light up when they are hit.

import { Color, DynamicDrawUsage, IcosahedronGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Vector3 } from 'three';
import type { Target } from './target.ts';

const RESTING = new Color('#7d9fd6');
/** Brighter than white, so that the shaded side glows too. */
const STRUCK = new Color('#ffb454').multiplyScalar(2);

export class TargetView {
  readonly object: InstancedMesh;
  private readonly targets: readonly Target[];
  private readonly matrix = new Matrix4();
  private readonly scale = new Vector3();
  private readonly color = new Color();

  constructor(targets: readonly Target[]) {
    this.targets = targets;
    this.object = new InstancedMesh(new IcosahedronGeometry(1), new MeshLambertMaterial({ flatShading: true }), targets.length);
    this.object.instanceMatrix.setUsage(DynamicDrawUsage);
    this.object.frustumCulled = false;
    for (const [k, target] of targets.entries()) this.write(k, target);
  }

  /** Brings those that move or glow up to date. */
  update(): void {
    for (const [k, target] of this.targets.entries()) if (target.isMoving || target.glow > 0) this.write(k, target);
    this.object.instanceMatrix.needsUpdate = true;
    this.object.instanceColor!.needsUpdate = true;
  }

  private write(k: number, { position, orientation, radius, glow }: Target): void {
    this.object.setMatrixAt(k, this.matrix.compose(position, orientation, this.scale.setScalar(radius)));
    this.object.setColorAt(k, this.color.lerpColors(RESTING, STRUCK, glow * glow));
  }
}
