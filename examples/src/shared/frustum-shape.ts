// Draws the frustum of a camera as seen by another camera: its edges as lines, its sides as transparent faces.

import {
  AdditiveBlending,
  BufferAttribute,
  BufferGeometry,
  type Camera,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import { palette } from './colours.ts';

/** Corner c: bit 0 = right, bit 1 = top, bit 2 = far. */
const EDGES = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];
const SIDES = [0, 4, 1, 5, 3, 7, 2, 6, 0, 4];

export class FrustumShape {
  readonly object = new Group();
  private readonly corners = new BufferAttribute(new Float32Array(24), 3);
  private readonly inverse = new Matrix4();
  private readonly corner = new Vector3();

  constructor(color = palette.accent) {
    const edges = new BufferGeometry().setAttribute('position', this.corners).setIndex(EDGES);
    const sides = new BufferGeometry().setAttribute('position', this.corners).setIndex(quadsOf(SIDES));
    const glass = new MeshBasicMaterial({
      color,
      transparent: true,
      opacity: 0.035,
      blending: AdditiveBlending,
      side: DoubleSide,
      depthWrite: false,
    });
    this.object.add(new Mesh(sides, glass), new LineSegments(edges, new LineBasicMaterial({ color })));
    for (const child of this.object.children) {
      child.frustumCulled = false;
      child.renderOrder = 2;
    }
  }

  follow(camera: Camera): void {
    this.inverse.multiplyMatrices(camera.matrixWorld, camera.projectionMatrixInverse);
    for (let corner = 0; corner < 8; corner++) {
      const { x, y, z } = this.corner
        .set(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1)
        .applyMatrix4(this.inverse);
      this.corners.setXYZ(corner, x, y, z);
    }
    this.corners.needsUpdate = true;
  }
}

/** Triangle indices of a strip of quads; each pair of corners is one edge across the strip. */
const quadsOf = (pairs: readonly number[]): number[] =>
  pairs.flatMap((corner, at) =>
    at % 2 === 0 && at + 3 < pairs.length
      ? [corner, pairs[at + 1], pairs[at + 2], pairs[at + 2], pairs[at + 1], pairs[at + 3]]
      : [],
  );
