// Draws the targets as icosahedra that light up when they are hit.

import {
  Color,
  DynamicDrawUsage,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Vector3,
} from 'three';
import type { Target } from './target.ts';

const RESTING = new Color('#7d9fd6');
/** Brighter than white, so that the shaded side is bright too. */
const STRUCK = new Color('#ffb454').multiplyScalar(2);

export class TargetView {
  readonly object: InstancedMesh;
  private readonly targets: readonly Target[];
  private readonly matrix = new Matrix4();
  private readonly scale = new Vector3();
  private readonly color = new Color();

  constructor(targets: readonly Target[]) {
    this.targets = targets;
    this.object = new InstancedMesh(
      new IcosahedronGeometry(1),
      new MeshLambertMaterial({ flatShading: true }),
      targets.length,
    );
    this.object.instanceMatrix.setUsage(DynamicDrawUsage);
    this.object.frustumCulled = false;
    this.update();
  }

  update(): void {
    const { object, matrix, scale, color } = this;
    for (const [k, { position, orientation, radius, glow }] of this.targets.entries()) {
      object.setMatrixAt(k, matrix.compose(position, orientation, scale.setScalar(radius)));
      object.setColorAt(k, color.lerpColors(RESTING, STRUCK, glow * glow));
    }
    object.instanceMatrix.needsUpdate = true;
    object.instanceColor!.needsUpdate = true;
  }
}
