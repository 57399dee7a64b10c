/** The geometries and materials of meshes that belong to no group: what has changed of them since the last look. */

import type { BufferGeometry, Material } from 'three';
import { GEOMETRY, MATERIAL } from '../../three/detector/change-bits.ts';
import { GeometryRecord } from '../../three/detector/geometry-record.ts';
import { MaterialRecord } from '../../three/detector/material-record.ts';
import { Textures } from '../../three/detector/texture-record.ts';

/** A mesh, or a part of one. An array of materials may have gaps, for groups that are not drawn. */
interface Source {
  readonly geometry?: BufferGeometry;
  readonly material?: Material | readonly (Material | null)[];
}

export class Sources {
  /** Whether a picture, and whether a shadow map, may change without a change of a value. Without morph targets. */
  isUnknown = false;
  isUnknownCaster = false;
  private readonly textures = new Textures();
  private records = new Map<BufferGeometry | Material, GeometryRecord | MaterialRecord>();

  /** What has changed since the last call, as bits. */
  takeChanges(sources: readonly Source[]): number {
    const before = this.records;
    this.records = new Map();
    this.textures.update++;
    this.isUnknown = this.isUnknownCaster = false;
    let bits = 0;
    for (const { geometry, material } of sources)
      for (const resource of [geometry, material].flat() as (BufferGeometry | Material | null | undefined)[]) {
        if (!resource || this.records.has(resource)) continue;
        const isMaterial = 'isMaterial' in resource;
        let record = before.get(resource);
        if (record !== undefined) bits |= record.takeChange();
        else {
          bits |= isMaterial ? MATERIAL : GEOMETRY;
          record = isMaterial ? new MaterialRecord(resource, this.textures) : new GeometryRecord(resource);
        }
        this.records.set(resource, record);
        this.isUnknown ||= record.isUnknown;
        this.isUnknownCaster ||= record.isUnknownCaster;
      }
    return this.records.size === before.size ? bits : bits | MATERIAL;
  }
}
