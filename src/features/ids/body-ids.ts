/**
 * Ids of bodies. An id holds the index of its body and the generation of that index, which counts how often it was
 * used. So an id never refers to another body, although indices are reused. Nothing is stored until the first id is
 * requested.
 */

import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyStore, IndexOwner } from '../../octree/bodies/body-store.ts';
import { throwRange, throwType } from '../../octree/input/input-checks.ts';

/** An id is index + generation * INDICES. */
const INDICES = 2 ** 32;
/** Maximum generation: ids above it would not be safe integers. The first one is 1, so that no index is a valid id. */
export const MAX_GENERATION = 2 ** 21 - 1;
/** In a list of indices: the body of the id was removed. */
export const REMOVED_INDEX = INDICES - 1;

export class BodyIds implements IndexOwner {
  /**
   * Generation of each index, minus 1. An index beyond the end is in its first generation. Empty until a body is
   * removed after the first id.
   */
  generations = new Uint32Array(0);

  /** The id of the body that has an index. */
  idOf(index: number): number {
    return index + this.generationOf(index) * INDICES;
  }

  /** The index of the body with an id; REMOVED_INDEX once it was removed, and for a number that is not an id. */
  indexOf(id: number, bodies: BodyStore): number {
    // The lower 32 bits, even of a larger number.
    const index = id >>> 0;
    return bodies.isAlive(index) && id === index + this.generationOf(index) * INDICES ? index : REMOVED_INDEX;
  }

  /**
   * Ends the generation of an index whose body was removed. Returns false if it was the last one: the index must not be
   * used again.
   */
  release(index: number): boolean {
    this.reserve(index + 1);
    return ++this.generations[index] < MAX_GENERATION;
  }

  /**
   * Ends the generations of all indices, which are all free from then on. Retired indices, whose generations are used
   * up, start again.
   */
  releaseAll(): void {
    const { generations } = this;
    for (let index = 0; index < generations.length; index++)
      if (++generations[index] >= MAX_GENERATION) generations[index] = 0;
  }

  private generationOf(index: number): number {
    return index < this.generations.length ? this.generations[index] + 1 : 1;
  }

  reserve(count: number): void {
    if (count > this.generations.length) this.generations = withCapacity(this.generations, count);
  }
}

/** Throws for what cannot be an id. The id of a removed body passes. */
export function requireId(where: string, field: string, id: unknown): void {
  if (Number.isSafeInteger(id) && (id as number) >= INDICES) return;
  const remedy = 'pass what idOf or idsOf has returned';
  if (typeof id !== 'number') throwType(where, field, 'be a number', id, remedy);
  throwRange(where, field, 'be an id', `${id}${id >= 0 && id < INDICES ? ', which may be an index' : ''}`, remedy);
}
