/** Finds members whose bounds source has changed: the vertices of a geometry, materials that start or stop moving vertices, sizes of sprites. */

import { GeometryWatch } from './geometry-watch.ts';
import { MaterialWatch } from './material-watch.ts';
import type { Member } from '../member.ts';
import { SpriteWatch } from './sprite-watch.ts';

export class SourceWatch {
  private readonly geometries = new GeometryWatch();
  private readonly materials = new MaterialWatch();
  private readonly sprites = new SpriteWatch();

  /** Watches the current source of a member's bounds. */
  add(member: Member): void {
    const { boundsSource } = member;
    if (member.watchedSource !== boundsSource) {
      this.remove(member);
      member.watchedSource = boundsSource;
      boundsSource?.visitGeometries((geometry) => this.geometries.add(geometry, member));
      boundsSource?.visitMaterials((material) => this.materials.add(material, member));
    }
    this.sprites.add(member);
  }

  remove(member: Member): void {
    this.sprites.remove(member);
    const { watchedSource } = member;
    member.watchedSource = null;
    watchedSource?.visitGeometries((geometry) => this.geometries.remove(geometry, member));
    watchedSource?.visitMaterials((material) => this.materials.remove(material, member));
  }

  visitChanged(visitor: (member: Member) => void): void {
    this.geometries.visitChanged(visitor);
    this.materials.visitChanged(visitor);
    this.sprites.visitChanged(visitor);
  }
}
