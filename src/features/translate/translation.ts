/** Translation of the whole world: the check that all coordinates stay within their limits, and the translation of the bodies with their tree. */

import type { IntegerCube } from '../../math/integer-cube.ts';
import type { ChangeLog } from '../../tree/storage/change-log.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { Tree } from '../../tree/tree.ts';
import { refitSome } from '../../tree/update/refit.ts';
import { relocateMany } from '../../tree/update/relocate.ts';
import { findBeyondLimit, translateTree } from './translate-tree.ts';
import { describeVector, LIMIT_TEXT } from '../../octree/input/input-checks.ts';
import { REGION_LIMIT } from '../../octree/input/shapes.ts';

/** Throws if a translation would bring a body or the region too far out. A region that has grown beyond its limit may still be translated towards 0. */
export function requireTranslatable(where: string, { bodies }: Tree, region: IntegerCube | null, vector: Float64Array): void {
  const index = findBeyondLimit(bodies, vector);
  if (index >= 0) throw new RangeError(`${where}: vector would move body ${index} beyond +-${LIMIT_TEXT}, but is ${describeVector(vector)}; pass a shorter one, or remove the body first.`);
  if (region === null) return;
  const mins = [region.minX, region.minY, region.minZ];
  const before = Math.max(...mins.map((min) => Math.max(-min, min + region.edge)));
  const after = Math.max(...mins.map((min, axis) => Math.max(-min - vector[axis], min + region.edge + vector[axis])));
  if (after > REGION_LIMIT && after > before) throw new RangeError(`${where}: vector would move the region beyond +-2^51, but is ${describeVector(vector)}; pass a shorter one.`);
}

/**
 * Translates all bodies, their tree and the region. Nothing may be queued.
 *
 * @param vector See `translateTree`.
 */
export function translateBodies(tree: Tree, changes: ChangeLog, vector: Float64Array): void {
  const renewed = new IndexList();
  const displaced = new IndexList();
  translateTree(tree, vector, renewed, displaced);
  changes.recordRenewed(renewed);
  relocateMany(tree, displaced);
  refitSome(tree);
  tree.accelerator?.adoptArrays(tree);
}
