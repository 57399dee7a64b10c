/**
 * Resources that many members share (geometries, materials): one record of each, and which bodies use it.
 *
 * Each resource has a number, and each body that of the resource it uses: 4 bytes a body, where lists of users take 40.
 * Users are found by one look at the numbers of all bodies (0.1 ms for 100,000), in updates in which any resource has
 * changed.
 */

import { withCapacity } from '../../math/typed-arrays.ts';

/** Updates until each resource, and each static member, has been compared: the promise of the guide (turns.test). */
export const UPDATES_PER_TURN = 256;

/** What is known of a resource. */
export interface ResourceRecord {
  /**
   * What has changed since the last call, as bits; 0 if nothing has.
   *
   * @param wants The bits that anybody wants to know. Others may be told later.
   */
  takeChange(wants: number): number;
}

/** What is done for each resource, and not for each body that uses it. */
interface ResourceListener<Resource> {
  /** A resource has changed. Called before the bodies that use it are visited. */
  changing(resource: Resource, bits: number): void;
  /** No body uses a resource any longer. */
  forgot(resource: Resource): void;
}

interface Shared<Resource, Rec> {
  readonly resource: Resource;
  readonly record: Rec;
  /** How often bodies use it. */
  users: number;
  /** What has changed of it, until its users are told. */
  bits: number;
}

/** Resources of one kind. Each is compared at most once per update, however many bodies use it. */
export class SharedResources<Resource extends object, Rec extends ResourceRecord> {
  /** The record of a resource, with its current state. */
  private readonly create: (resource: Resource, number: number) => Rec;
  private readonly maxPerUpdate: number;
  private readonly listener: ResourceListener<Resource> | null;
  readonly numbers = new Map<Resource, number>();
  /** By number, from 1 on. Null where there is none. */
  readonly all: (Shared<Resource, Rec> | null)[] = [null];
  private readonly freeNumbers: number[] = [];
  /** By body: the number of the first resource that was added for it; 0 for none. */
  firsts = new Int32Array(0);
  /** By body: the numbers of the others. */
  private readonly others = new Map<number, number[]>();
  /** Number of the first resource that the next update compares. */
  private next = 0;
  /** Numbers of others that it compares. */
  private readonly due = new Set<number>();

  constructor(
    create: (resource: Resource, number: number) => Rec,
    maxPerUpdate: number,
    listener: ResourceListener<Resource> | null = null,
  ) {
    this.create = create;
    this.maxPerUpdate = maxPerUpdate;
    this.listener = listener;
  }

  get(resource: Resource): Rec | undefined {
    return this.all[this.numbers.get(resource) ?? 0]?.record;
  }

  /** Whether a resource is the first one that was added for a body, which has none if it is missing. */
  isFirst(resource: Resource | null | undefined, body: number): boolean {
    const first = this.all[this.firsts[body]];
    return first ? first.resource === resource : !resource;
  }

  /** Makes what `add` needs: that may fail for lack of memory, and changes nothing that a user of this class sees. */
  prepare(resource: Resource, body: number): number {
    this.firsts = withCapacity(this.firsts, body + 1);
    let number = this.numbers.get(resource);
    if (number !== undefined) return number;
    number = this.freeNumbers.at(-1) ?? this.all.length;
    const record = this.create(resource, number);
    this.freeNumbers.pop();
    this.all[number] = { resource, record, users: 0, bits: 0 };
    this.numbers.set(resource, number);
    return number;
  }

  /** Adds a resource that a body uses. */
  add(resource: Resource, body: number): void {
    const number = this.prepare(resource, body);
    this.all[number]!.users++;
    if (this.firsts[body] === 0) this.firsts[body] = number;
    else this.others.set(body, [...(this.others.get(body) ?? []), number]);
  }

  /** Has the next update compare the resources of a body. */
  compareNext(body: number): void {
    for (const number of this.numbersOf(body)) this.due.add(number);
  }

  numbersOf(body: number): number[] {
    const first = this.firsts[body] ?? 0;
    return first === 0 ? [] : [first, ...(this.others.get(body) ?? [])];
  }

  /** Removes all resources of a body, and the records of those that no other body uses. */
  remove(body: number): void {
    this.release(this.detach(body));
  }

  /** Takes the resources of a body away, so that it can get others before these are released. Returns their numbers. */
  detach(body: number): number[] {
    const numbers = this.numbersOf(body);
    this.firsts[body] = 0;
    this.others.delete(body);
    return numbers;
  }

  release(numbers: readonly number[]): void {
    for (const number of numbers) if (--this.all[number]!.users === 0) this.drop(number);
  }

  private drop(number: number): void {
    const { resource } = this.all[number]!;
    this.numbers.delete(resource);
    this.all[number] = null;
    this.freeNumbers.push(number);
    this.listener?.forgot(resource);
  }

  /**
   * Compares the next resources and those that are due, and calls back once for each body that uses one that
   * has changed.
   *
   * @param wants As for `ResourceRecord.takeChange`.
   * @param isDue Whether another one is compared as well. Not called if no less than usual are compared.
   */
  visitChanged(
    visitor: (body: number, bits: number) => void,
    wants = ~0,
    maxPerUpdate = this.maxPerUpdate,
    isDue: (record: Rec, resource: Resource, number: number) => boolean = () => false,
  ): void {
    const { all, due, next } = this;
    const perUpdate = Math.max(maxPerUpdate, Math.ceil(all.length / UPDATES_PER_TURN));
    const end = Math.min(next + perUpdate, all.length);
    const changed = new Set<Shared<Resource, Rec>>();
    const compare = (number: number): void => {
      const shared = all[number];
      // Null: it is no longer used.
      if (!shared) return;
      // Memory was missing after it was prepared.
      if (shared.users === 0) {
        this.drop(number);
        return;
      }
      shared.bits |= shared.record.takeChange(wants);
      if (shared.bits !== 0) changed.add(shared);
    };
    if (maxPerUpdate < this.maxPerUpdate)
      for (let k = 1; k < all.length; k++) {
        const shared = all[k];
        if ((k < next || k >= end) && shared !== null && isDue(shared.record, shared.resource, k)) due.add(k);
      }
    for (let k = next; k < end; k++) compare(k);
    due.forEach(compare);
    due.clear();
    this.next = end < all.length ? end : 0;
    if (changed.size === 0) return;
    for (const { resource, bits } of changed) this.listener?.changing(resource, bits);
    this.visitUsers(visitor);
    for (const shared of changed) shared.bits = 0;
  }

  private visitUsers(visitor: (body: number, bits: number) => void): void {
    const { all, firsts, others } = this;
    for (let body = 0; body < firsts.length; body++) {
      const number = firsts[body];
      if (number === 0) continue;
      const { bits } = all[number]!;
      if (bits !== 0 && !others.has(body)) visitor(body, bits);
    }
    // The visitor may add and remove users.
    for (const [body, numbers] of Array.from(others)) {
      const bits = numbers.reduce((sum, number) => sum | (all[number]?.bits ?? 0), all[firsts[body]]?.bits ?? 0);
      if (bits !== 0) visitor(body, bits);
    }
  }
}
