/** Which instance has which body in the octree. Often both have the same number; then query results need no mapping. */

import { resized, withCapacity } from '../../math/typed-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';

/** In place of a body index: the id has no body. */
export const NO_BODY_INDEX = 0xffffffff;

export class InstanceBodyMap {
  /** Body index by id, or NO_BODY_INDEX. Replaced when it grows. */
  bodyOf = new Uint32Array(0);
  /** Id by body index. Also the data of the body, but with that a pass takes up to 1.2 times as long. */
  private idOf = new Uint32Array(0);
  /** Whether each body so far has had an index equal to the id of its instance. */
  private isIdentity = true;

  /** Makes room for the ids below `idEnd`. */
  reserve(idEnd: number): void {
    const from = this.bodyOf.length;
    if (idEnd <= from) return;
    this.bodyOf = resized(this.bodyOf, idEnd).fill(NO_BODY_INDEX, from);
    if (this.idOf.length < idEnd) this.idOf = resized(this.idOf, idEnd);
  }

  /** Records that `ids[k]` has the body `bodies[k]`. */
  set(ids: Uint32Array, bodies: Uint32Array): void {
    for (let k = 0; k < ids.length; k++) {
      if (ids[k] !== bodies[k]) this.isIdentity = false;
      this.bodyOf[ids[k]] = bodies[k];
      this.idOf = withCapacity(this.idOf, bodies[k] + 1);
      this.idOf[bodies[k]] = ids[k];
    }
  }

  delete({ array, length }: IndexList): void {
    for (let k = 0; k < length; k++) this.bodyOf[array[k]] = NO_BODY_INDEX;
  }

  clear(): void {
    this.bodyOf.fill(NO_BODY_INDEX);
    this.isIdentity = true;
  }

  /** The bodies of ids that have one, in a fresh array. */
  bodiesOf({ array, length }: IndexList): Uint32Array {
    const bodies = new Uint32Array(length);
    for (let k = 0; k < length; k++) bodies[k] = this.bodyOf[array[k]];
    return bodies;
  }

  /** Replaces the body indices in a list by the ids of their instances. */
  toIds({ array, length }: IndexList): void {
    if (this.isIdentity) return;
    const { idOf } = this;
    for (let k = 0; k < length; k++) array[k] = idOf[array[k]];
  }
}
