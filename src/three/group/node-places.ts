/**
 * Where the nodes of a tree are, by the numbers that three computes their matrices from: to see that these are still right without
 * computing them. Whether somebody else has computed some meanwhile, `matrixWorldNeedsUpdate` tells; see transform-watch.
 */

import type { Object3D } from 'three';
import { hasPlainMatrices } from '../bounds/object-traits.ts';

/** Numbers of a position, a quaternion and a scale. */
const PLACE_STRIDE = 10;

export class NodePlaces {
  private readonly nodes: readonly Object3D[];
  /** A plain array lies beside what it is compared with, a typed one somewhere else. NaN, of which nothing is noted, equals nothing. */
  private readonly lanes: number[];

  constructor(nodes: readonly Object3D[]) {
    this.nodes = nodes;
    this.lanes = Array.from({ length: nodes.length * PLACE_STRIDE }, () => NaN);
  }

  /** Takes note of all places; the matrices are up to date. */
  note(): void {
    const { nodes, lanes } = this;
    for (let k = 0, at = 0; k < nodes.length; k++, at += PLACE_STRIDE) {
      const { position, quaternion, scale } = nodes[k];
      // What is not in the matrix yet must not pass for known once it counts.
      if (!isPlacedPlainly(nodes[k])) {
        lanes[at] = NaN;
        continue;
      }
      position.toArray(lanes, at);
      quaternion.toArray(lanes, at + 3);
      scale.toArray(lanes, at + 7);
      nodes[k].matrixWorldNeedsUpdate = true;
    }
  }

  /**
   * Whether an update of the matrices would change none of them. False where three reads more than these numbers.
   *
   * @param isFresh Whether they have just been computed.
   */
  isStill(isFresh: boolean): boolean {
    const { nodes, lanes } = this;
    for (let k = 0, at = 0; k < nodes.length; k++, at += PLACE_STRIDE) {
      const node = nodes[k];
      const { position, quaternion, scale } = node;
      const isAsNoted =
        lanes[at] === position.x &&
        lanes[at + 1] === position.y &&
        lanes[at + 2] === position.z &&
        lanes[at + 3] === quaternion.x &&
        lanes[at + 4] === quaternion.y &&
        lanes[at + 5] === quaternion.z &&
        lanes[at + 6] === quaternion.w &&
        lanes[at + 7] === scale.x &&
        lanes[at + 8] === scale.y &&
        lanes[at + 9] === scale.z;
      if (!isAsNoted || !isPlacedPlainly(node) || !(isFresh || node.matrixWorldNeedsUpdate)) return false;
    }
    return true;
  }
}

function isPlacedPlainly(node: Object3D): boolean {
  return node.matrixAutoUpdate && hasPlainMatrices(node);
}
