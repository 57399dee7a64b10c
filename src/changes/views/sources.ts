/** The geometries and materials of meshes that belong to no group: what has changed of them since the last look. */

import type { BufferGeometry, Material } from 'three';
import { GEOMETRY, MATERIAL } from '../../three/detector/change-bits.ts';
import { GeometryRecord } from '../../three/detector/geometry-record.ts';
import { MaterialRecord } from '../../three/detector/material-record.ts';
import { Textures } from '../../three/detector/texture-record.ts';
import { Values } from '../../three/detector/values.ts';

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
  /** In the order of the sources, which decides on what is drawn with which. */
  private readonly order = new Values();

  /** What has changed since the last call, as bits. */
  takeChanges(sources: readonly Source[]): number {
    const before = this.records;
    this.records = new Map();
    this.textures.update++;
    this.isUnknown = this.isUnknownCaster = false;
    let bits = 0;
    for (const { geometry, material } of sources)
      for (const resource of [geometry, material].flat() as (BufferGeometry | Material | null | undefined)[]) {
        this.order.next(resource);
        if (!resource || this.records.has(resource)) continue;
        let record = before.get(resource);
        if (record !== undefined) bits |= record.takeChange(~0);
        else
          record =
            'isMaterial' in resource ? new MaterialRecord(resource, this.textures) : new GeometryRecord(resource);
        this.records.set(resource, record);
        this.isUnknown ||= record.isUnknown;
        this.isUnknownCaster ||= record.isUnknownCaster;
      }
    return this.order.end() ? bits | GEOMETRY | MATERIAL : bits;
  }
}
