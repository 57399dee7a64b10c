/** `solidBoxesOf`: the solid boxes of a mesh, for the option `auto` of `OcclusionCulling`. */

import type { KnownOptions } from '../../octree/input/known-options.ts';
import { readSolidOptions, solidBoxes, type SolidBoxesOptions } from '../solid-boxes/solid-boxes.ts';
import type { SolidBox } from '../solid-boxes/solid-box-finder.ts';
import { solidSideOf, type SolidSource } from './occluder-rules.ts';

/** How `solidBoxesOf` finds boxes. */
export type SolidBoxesOfOptions = Omit<SolidBoxesOptions, 'side' | 'axisAligned' | 'matrix'>;

const OPTIONS: KnownOptions<SolidBoxesOfOptions> = ['maxBoxes', 'resolution', 'hasGround', 'up'];

/**
 * The boxes that `solidBoxes` finds in the geometry of a mesh, for the sides that its material draws. Null if the mesh
 * may be drawn with holes or elsewhere: `solidSideOf` says which materials these are.
 *
 * Cost: that of `solidBoxes`, about a millisecond for each 1,000 triangles.
 *
 * @param mesh A mesh, or anything with a geometry and a material.
 * @param options `hasGround` and others of `solidBoxes`, but for `side`. Boxes are in the local space of the mesh.
 * @throws {TypeError} If the mesh is no object with a geometry and a material, or an option is unknown.
 * @throws {RangeError} As `solidBoxes`.
 *
 * @example
 * ```ts
 * import { OcclusionCulling, OctreeGroup, solidBoxesOf } from 'scene-octree/three';
 *
 * const city = new OctreeGroup().addTree(gltf.scene, { isStatic: true });
 * new OcclusionCulling(city, camera, { auto: solidBoxesOf });
 * // Houses without a floor:
 * // new OcclusionCulling(city, camera, { auto: (mesh) => solidBoxesOf(mesh, { hasGround: true }) });
 * ```
 */
export function solidBoxesOf(mesh: SolidSource, options: SolidBoxesOfOptions = {}): SolidBox[] | null {
  readSolidOptions('solidBoxesOf', options, OPTIONS);
  const side = solidSideOf(mesh);
  return side === null ? null : solidBoxes(mesh.geometry, { ...options, side, axisAligned: false });
}
