/**
 * Contacts of an octree beside those of the reference. The reference is updated at the moment at which the octree reads the bodies
 * of a tick: before the first callback. The lists are compared after the tick.
 */
import type { ContactOptions, Contacts, IndexList, Octree } from '../../src/index.ts';
import type { BruteForce, ReferenceQueryOptions } from '../../src/debug/brute-force.ts';
import type { ReferenceContacts, ReferencePair } from '../../src/debug/reference-changes.ts';

export interface WatchTwin {
  /** Updates the reference. `serialOf` has the serial of each living body. */
  update(serialOf: ReadonlyMap<number, number>): void;
  /** After a tick: throws unless both sides have the same lists. */
  expectTick(): void;
  /** The octree was cleared. */
  clear(): void;
  stop(): void;
}

export class ContactTwin implements WatchTwin {
  readonly #contacts: Contacts<number>;
  readonly #reference: ReferenceContacts;
  /** Serials of the bodies that were alive in this update or in the one before. */
  #serialOf = new Map<number, number>();
  #living = new Map<number, number>();

  constructor(octree: Octree<number>, bruteForce: BruteForce, options: ContactOptions<number>, referenceOptions: ReferenceQueryOptions) {
    this.#contacts = octree.trackContacts(options);
    this.#reference = bruteForce.trackContacts(referenceOptions);
  }

  update(serialOf: ReadonlyMap<number, number>): void {
    this.#serialOf = new Map([...serialOf, ...this.#living]);
    this.#living = new Map(serialOf);
    this.#reference.update();
  }

  expectTick(): void {
    this.#expectLists();
    this.#expectBodies();
  }

  #expectLists(): void {
    const { began, stayed, ended, count } = this.#contacts;
    expectList('contacts.began', began, this.#reference.began);
    expectList('contacts.stayed', stayed, this.#reference.stayed);
    expectList('contacts.ended', ended, this.#reference.ended);
    if (2 * count !== began.length + stayed.length) throw new Error(`contacts.count is ${count}, but the lists hold ${began.length + stayed.length} indices`);
  }

  /** Throws unless the indices belong to the bodies that were alive in this update or in the one before. */
  #expectBodies(): void {
    const { began, ended } = this.#contacts;
    if (began.length + ended.length === 0) return;
    for (const index of [...indicesOf(began), ...indicesOf(ended)]) {
      const { data } = this.#contacts.bodyAt(index);
      if (data !== this.#serialOf.get(index)) throw new Error(`contacts: body ${index} has serial ${data}, expected ${this.#serialOf.get(index)}`);
    }
  }

  clear(): void {
    this.#reference.clear();
    this.#living.clear();
  }

  stop(): void {
    this.#contacts.stop();
    this.#reference.clear();
    this.#expectLists();
  }
}

function indicesOf({ array, length }: IndexList): number[] {
  return Array.from(array.subarray(0, length));
}

function expectList(name: string, list: IndexList, expected: readonly ReferencePair[]): void {
  const { array, length } = list;
  if (length === 2 * expected.length && expected.every(([index, other], i) => array[2 * i] === index && array[2 * i + 1] === other)) return;
  throw new Error(`${name} is [${indicesOf(list).join(' ')}], expected [${expected.flat().join(' ')}]`);
}
