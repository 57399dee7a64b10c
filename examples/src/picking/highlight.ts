// Highlights one item by two extra meshes: a tint on its surface and a rim of constant width around it. The item itself
// is not changed.

import {
  AdditiveBlending,
  BackSide,
  Box3,
  type BufferGeometry,
  type Camera,
  type Color,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from 'three';
import type { Shape } from './picking-world.ts';

export class Highlight {
  readonly object = new Group();
  private readonly tint: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly rim: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly rimPixels: number;
  private readonly center = new Vector3();
  private readonly size = new Vector3();
  private readonly scale = new Vector3();
  private readonly toCenter = new Matrix4();
  private readonly grow = new Matrix4();

  constructor(color: Color, tint: number, rimPixels: number) {
    this.rimPixels = rimPixels;
    const surface = {
      color,
      transparent: true,
      opacity: tint,
      blending: AdditiveBlending,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
    };
    this.tint = new Mesh<BufferGeometry, MeshBasicMaterial>(undefined, new MeshBasicMaterial(surface));
    this.rim = new Mesh<BufferGeometry, MeshBasicMaterial>(
      undefined,
      new MeshBasicMaterial({ color, side: BackSide, fog: false }),
    );
    for (const mesh of [this.tint, this.rim]) {
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.object.add(mesh);
    }
    this.object.visible = false;
  }

  show({ geometry, matrix }: Shape): void {
    if (geometry.boundingBox === null) geometry.computeBoundingBox();
    const box: Box3 = geometry.boundingBox!;
    box.getCenter(this.center);
    box.getSize(this.size);
    for (const mesh of [this.tint, this.rim]) mesh.geometry = geometry;
    this.tint.matrix.copy(matrix);
    this.scale.setFromMatrixScale(matrix);
    this.object.visible = true;
  }

  hide(): void {
    this.object.visible = false;
  }

  /**
   * Keeps the width of the rim constant in pixels.
   *
   * @param pixelSize World units that a pixel covers at a distance of one unit.
   */
  follow(camera: Camera, pixelSize: number): void {
    if (!this.object.visible) return;
    const { center, size, scale, toCenter, grow } = this;
    const { matrix } = this.tint;
    const away = follow_center.copy(center).applyMatrix4(matrix).distanceTo(camera.position);
    const width = 2 * this.rimPixels * away * pixelSize;
    // Scales around the centre, so that each side moves outward by the same distance.
    grow.makeScale(1 + width / (size.x * scale.x), 1 + width / (size.y * scale.y), 1 + width / (size.z * scale.z));
    toCenter.makeTranslation(-center.x, -center.y, -center.z);
    grow.multiply(toCenter).premultiply(toCenter.invert());
    this.rim.matrix.multiplyMatrices(matrix, grow);
  }
}
const follow_center = new Vector3();
