// Whether a part of the view has no tile: neither is a tile shown there, nor one above or below it.

import { Box3, Frustum, Matrix4, type Object3D, type PerspectiveCamera } from 'three';

/** What the types of 3d-tiles-renderer leave out of a tile. */
export interface CityTile {
  readonly boundingVolume: { readonly box: readonly number[] };
  readonly children?: readonly CityTile[];
  /** Undefined until the renderer has come to the tile. */
  readonly engineData?: {
    readonly boundingVolume: { getAABB(target: Box3): void };
    readonly scene: Object3D | null;
  };
}

export class Holes {
  private readonly frustum = new Frustum();
  private readonly matrix = new Matrix4();
  private readonly box = new Box3();

  /**
   * @param root Null before the tileset is loaded.
   * @param shown The tiles that are shown.
   */
  hasOne(root: CityTile | null, shown: ReadonlySet<unknown>, camera: PerspectiveCamera): boolean {
    const { frustum, matrix } = this;
    frustum.setFromProjectionMatrix(matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    return root === null || this.isHole(root, shown);
  }

  private isHole(tile: CityTile, shown: ReadonlySet<unknown>): boolean {
    if (shown.has(tile)) return false;
    tile.engineData?.boundingVolume.getAABB(this.box);
    if (!this.frustum.intersectsBox(this.box)) return false;
    return tile.children?.some((child) => this.isHole(child, shown)) ?? true;
  }
}
