/** What was named solid: by object, by geometry, or by a function for all the others. */

import { type BufferGeometry, type Mesh, type Object3D } from 'three';
import { hasDrawCallbacks } from '../../three/bounds/object-traits.ts';
import { materialOccluderFault } from './occluder-rules.ts';
import { SolidShape, TriangleVersion, type SolidParts } from './solid-shape.ts';

/** Finds the solid parts of meshes that were not named, in the local space of their geometry. Null for none. */
export type SolidFinder = (mesh: Mesh) => SolidParts | null;

/** Largest number of changes of a geometry that does not count as animated. Test: occlusion-lifecycle.test. */
const MAX_CHANGES = 8;

interface Found {
  readonly triangles: TriangleVersion;
  readonly shape: SolidShape | null;
  readonly changes: number;
}

export class NamedShapes {
  /** How often the function of the user was called. */
  calls = 0;
  private readonly find: SolidFinder | null;
  /** By object or geometry. Null: hides nothing. */
  private readonly named = new WeakMap<Object3D | BufferGeometry, SolidShape | null>();
  /** By geometry and side of the material: a mesh of flipped triangles may be solid only if both sides are drawn. */
  private readonly found = new WeakMap<BufferGeometry, Map<unknown, Found>>();

  constructor(find: SolidFinder | null) {
    this.find = find;
  }

  /** @param geometry That of the target, or the target itself. */
  name(where: string, target: Object3D | BufferGeometry, parts: unknown, geometry: BufferGeometry): void {
    this.named.set(target, parts === null ? null : new SolidShape(where, parts, geometry));
  }

  /** Solid parts in local space, see `SolidShape`. Null if there are none. May call the function of the user. */
  partsOf(target: Object3D, mesh: Mesh): Float64Array | null {
    const { geometry } = mesh;
    const named = this.nameOf(target, geometry);
    const shape = named === undefined ? this.findShape(target, mesh) : named;
    return shape === null ? null : shape.partsOf(geometry);
  }

  /** Why the function is not called for a mesh: null if it is, if the mesh was named, and without a function. */
  unaskedFault(target: Object3D, mesh: Mesh): string | null {
    const { geometry, material } = mesh;
    if (this.find === null || this.nameOf(target, geometry) !== undefined) return null;
    const found = this.found.get(geometry)?.get(sidesDrawnBy(mesh));
    if (found?.changes === MAX_CHANGES && !found.triangles.isOf(geometry)) return 'animated vertices';
    return materialOccluderFault(material, false) ?? (hasDrawCallbacks(target) ? 'draw callbacks' : null);
  }

  private nameOf(target: Object3D, geometry: BufferGeometry): SolidShape | null | undefined {
    const own = this.named.get(target);
    return own === undefined ? this.named.get(geometry) : own;
  }

  private findShape(target: Object3D, mesh: Mesh): SolidShape | null {
    const { geometry } = mesh;
    // Nothing is stored for a mesh of glass: others have the same geometry.
    if (this.find === null || this.unaskedFault(target, mesh) !== null) return null;
    const side = sidesDrawnBy(mesh);
    let bySide = this.found.get(geometry);
    if (bySide === undefined) this.found.set(geometry, (bySide = new Map<unknown, Found>()));
    const found = bySide.get(side);
    if (found?.triangles.isOf(geometry)) return found.shape;
    const triangles = new TriangleVersion(geometry);
    const changes = found === undefined ? 0 : found.changes + 1;
    // Before the call: a function that throws is not called again for this geometry.
    bySide.set(side, { triangles, shape: null, changes });
    this.calls++;
    const parts = this.find(mesh);
    if (parts === null || (Array.isArray(parts) && parts.length === 0)) return null;
    const shape = new SolidShape('OcclusionCulling.options.auto', parts, geometry);
    bySide.set(side, { triangles, shape, changes });
    return shape;
  }
}

/** The side of the material of a mesh; undefined for several materials. */
export function sidesDrawnBy({ material }: Mesh): unknown {
  return Array.isArray(material) ? undefined : material.side;
}
