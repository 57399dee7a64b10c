/** What happens to bounds that leave the region: the option `outside`. */

import { BOX_STRIDE } from '../../math/box.ts';
import { cubeContains, type IntegerCube } from '../../math/integer-cube.ts';
import { writeBoxOf } from '../../math/sphere.ts';
import type { Tree } from '../../tree/tree.ts';
import type { OutsideRule, ResolvedOptions } from './options.ts';

export class RegionRule {
  readonly outside: OutsideRule;
  private readonly isSet: boolean;
  private readonly tree: Tree;
  private readonly box = new Float64Array(BOX_STRIDE);

  constructor(options: ResolvedOptions, tree: Tree) {
    this.outside = options.outside;
    this.isSet = options.region !== null;
    this.tree = tree;
    if (options.region === null) return;
    const { min, edge } = options.region;
    tree.setRootCell({ minX: min.x, minY: min.y, minZ: min.z, edge });
  }

  /** The root's cell; null until the option or the first bodies have set it. */
  get region(): IntegerCube | null {
    return this.isSet || this.tree.hasRoot ? this.tree.region : null;
  }

  /** Throws, before anything changes, if one of many shapes leaves the region and that is an error. */
  checkInside(where: string, values: ArrayLike<number>, stride: number, isSphere: boolean): void {
    if (this.outside !== 'throw') return;
    for (let at = 0; at < values.length; at += stride) this.isOutside(where, values, at, isSphere);
  }

  /**
   * Whether bounds leave the region, if it is known and must not grow. Throws instead of returning true if that is an
   * error.
   */
  isOutside(where: string, values: ArrayLike<number>, at: number, isSphere: boolean): boolean {
    const { box, region } = this;
    if (this.outside === 'grow' || region === null) return false;
    writeBoxOf(values, at, isSphere, box);
    if (cubeContains(region, box)) return false;
    if (this.outside === 'remove') return true;
    const { minX, minY, minZ, edge } = region;
    throw new RangeError(
      `${where}: the bounds leave the region, the cube of edge ${edge} at (${minX}, ${minY}, ${minZ}); enlarge the region, or choose outside: 'grow' or 'remove'.`,
    );
  }
}
