/**
 * All ids that a test has taken of an octree, with the bodies that they name; a body that was removed must not be found
 * by its id.
 */
import type { Octree } from '../../src/index.ts';
import { idOf, idsOf, indexOfId } from '../../src/index.ts';

interface IdentifiedBody {
  readonly index: number;
  readonly isAlive: boolean;
}

export class IdBook {
  readonly #octree: Octree<number>;
  readonly #bodies = new Map<number, IdentifiedBody>();

  constructor(octree: Octree<number>) {
    this.#octree = octree;
  }

  /** The id of a living body. Throws if another body has had it. */
  take(body: IdentifiedBody): number {
    const id = idOf(this.#octree, body.index);
    const known = this.#bodies.get(id);
    if (known !== undefined && known !== body)
      throw new Error(`id ${id} names two bodies, with the indices ${known.index} and ${body.index}`);
    this.#bodies.set(id, body);
    return id;
  }

  /** An id of a removed body, if there is one. */
  stale(): number | undefined {
    for (const [id, { isAlive }] of this.#bodies) if (!isAlive) return id;
    return undefined;
  }

  /** Throws unless each id names its body as long as that lives, and nothing afterwards. */
  check(): void {
    for (const [id, { index, isAlive }] of this.#bodies) {
      const found = indexOfId(this.#octree, id);
      if (found !== (isAlive ? index : -1))
        throw new Error(`indexOf(${id}) is ${found}, but its body ${isAlive ? `has index ${index}` : 'was removed'}`);
    }
    const alive = [...this.#bodies].filter(([, { isAlive }]) => isAlive);
    const indices = alive.map(([, { index }]) => index);
    const ids = idsOf(this.#octree, indices, new Float64Array(indices.length));
    if (alive.some(([id], k) => ids[k] !== id))
      throw new Error(`idsOf gives ${ids.join(' ')} for ${indices.join(' ')}`);
  }
}
