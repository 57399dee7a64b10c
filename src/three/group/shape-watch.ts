/** Finds members whose shape has changed: the vertices of a geometry, materials that begin or stop to move vertices, sizes of sprites. */

import { GeometryWatch } from './geometry-watch.ts';
import { MaterialWatch } from './material-watch.ts';
import type { Member } from './member.ts';
import { SpriteWatch } from './sprite-watch.ts';

export class ShapeWatch {
  private readonly geometries = new GeometryWatch();
  private readonly materials = new MaterialWatch();
  private readonly sprites = new SpriteWatch();

  /** Watches what the bounds of a member come from now. */
  add(member: Member): void {
    const { shape } = member;
    if (member.watchedShape !== shape) {
      this.remove(member);
      member.watchedShape = shape;
      shape?.visitGeometries((geometry) => this.geometries.add(geometry, member));
      shape?.visitMaterials((material) => this.materials.add(material, member));
    }
    this.sprites.add(member);
  }

  remove(member: Member): void {
    this.sprites.remove(member);
    const { watchedShape } = member;
    member.watchedShape = null;
    watchedShape?.visitGeometries((geometry) => this.geometries.remove(geometry, member));
    watchedShape?.visitMaterials((material) => this.materials.remove(material, member));
  }

  visitChanged(visitor: (member: Member) => void): void {
    this.geometries.visitChanged(visitor);
    this.materials.visitChanged(visitor);
    this.sprites.visitChanged(visitor);
  }
}
