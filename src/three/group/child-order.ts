/**
 * The children of a group in their order, and what an update does with each. A child keeps its place in the order; a removed child leaves a gap.
 *
 * What is compared in every update lies in blocks of 256 neighbouring children, in arrays by place, so that the comparison reads memory in sequence.
 * A block without watched children has none of these arrays: static children cost no time here, and one byte each.
 */

import type { Object3D } from 'three';
import { MATRIX_STRIDE } from '../bounds/matrix-stride.ts';
import type { ChildState } from './child-state.ts';
import type { Member } from './member.ts';
import type { ObjectSource } from './bounds-source.ts';
import { LOCAL_TRANSFORM_STRIDE } from './transform-values.ts';

/** Children per block, a power of two, and its logarithm. */
export const BLOCK_SIZE = 256;
const BLOCK_SHIFT = 8;
/** Number of gaps below which the order is never rebuilt. */
const MAX_GAPS = 64;

/** What an update does with a child: nothing. A static child, or a gap. */
export const SKIP = 0;
/** What an update does with a child: compares its local transform with the one that its matrices were computed from. */
export const COMPARE_TRANSFORM = 1;
/** What an update does with a child: compares its matrices with those of the last update, because three computes `matrixWorld` from `matrix`. */
export const COMPARE_MATRIX = 2;
/** What an update does with a child: all other cases. */
export const VISIT = 3;
export type UpdateKind = typeof SKIP | typeof COMPARE_TRANSFORM | typeof COMPARE_MATRIX | typeof VISIT;

/** What is compared of the children of a block, by slot: place in the block. */
export class ComparedChildren {
  /** Local transforms from which the matrices were computed; NaN if unknown. */
  readonly transforms = new Float64Array(BLOCK_SIZE * LOCAL_TRANSFORM_STRIDE).fill(NaN);
  private storedMatrices: Float64Array | null = null;
  // Undefined for children that are not compared.
  readonly objects: (Object3D | undefined)[] = emptySlots();
  readonly members: (Member | undefined)[] = emptySlots();
  // What their bounds come from: see bounds-source.ts.
  readonly geometries: ObjectSource['geometry'][] = emptySlots();
  readonly materials: ObjectSource['material'][] = emptySlots();

  /** `matrix` and `matrixWorld` of children that three does not place by a local transform, as they were last; NaN if unknown. */
  get matrices(): Float64Array {
    return (this.storedMatrices ??= new Float64Array(BLOCK_SIZE * MATRICES_STRIDE).fill(NaN));
  }

  /** Makes both matrices of a child unknown. @param offset See `matricesOffsetOf`. */
  forgetMatrices(offset: number): void {
    if (this.storedMatrices !== null) this.storedMatrices[offset] = this.storedMatrices[offset + MATRIX_STRIDE] = NaN;
  }

  copySlot(slot: number, from: ComparedChildren, fromSlot: number): void {
    copyRecord(this.transforms, slot, from.transforms, fromSlot, LOCAL_TRANSFORM_STRIDE);
    if (from.storedMatrices !== null) copyRecord(this.matrices, slot, from.storedMatrices, fromSlot, MATRICES_STRIDE);
  }

  set(slot: number, member: Member | undefined): void {
    this.members[slot] = member;
    this.objects[slot] = member?.object;
    this.geometries[slot] = member?.source?.geometry;
    this.materials[slot] = member?.source?.material;
  }
}

/** Numbers per child: `matrix`, then `matrixWorld`. */
export const MATRICES_STRIDE = 2 * MATRIX_STRIDE;

export class ChildBlock {
  readonly kinds = new Uint8Array(BLOCK_SIZE);
  /** Number of children that are not skipped. */
  activeCount = 0;
  compared: ComparedChildren | null = null;

  setKind(slot: number, kind: UpdateKind): void {
    this.activeCount += Number(kind !== SKIP) - Number(this.kinds[slot] !== SKIP);
    this.kinds[slot] = kind;
    if (this.activeCount === 0) this.compared = null;
  }
}

export class ChildOrder {
  /** By place; null in a gap. */
  states: (ChildState | null)[] = [];
  /** By place / 256. A rebuild replaces the array. */
  blocks: ChildBlock[] = [];
  private count = 0;
  private isOrdered = true;

  /** Adds a child behind all others. */
  append(state: ChildState): void {
    state.place = this.states.push(state) - 1;
    if (this.blocks.length * BLOCK_SIZE < this.states.length) this.blocks.push(new ChildBlock());
    this.count++;
  }

  remove(state: ChildState): void {
    this.setKind(state, SKIP);
    this.states[state.place] = null;
    state.place = -1;
    this.count--;
  }

  /** Records that an appended child belongs elsewhere; the next `restore` corrects that. */
  invalidate(): void {
    this.isOrdered = false;
  }

  /**
   * Restores the order, if it is invalid or has too many gaps. Cost otherwise: none.
   *
   * @param visitChildren Visits all children in their order.
   */
  restore(visitChildren: (visitor: (state: ChildState) => void) => void): void {
    const gaps = this.states.length - this.count;
    if (this.isOrdered && gaps <= Math.max(this.count, MAX_GAPS)) return;
    const { blocks } = this;
    this.states = [];
    this.blocks = [];
    this.count = 0;
    this.isOrdered = true;
    visitChildren((state) => this.transfer(state, blocks));
  }

  kindOf(state: ChildState): UpdateKind {
    return this.blockOf(state).kinds[slotOf(state)] as UpdateKind;
  }

  /** Sets what updates do with a child. If they compare it, its own member must have its present source. */
  setKind(state: ChildState, kind: UpdateKind): void {
    const block = this.blockOf(state);
    const slot = slotOf(state);
    block.setKind(slot, kind);
    if (kind === COMPARE_TRANSFORM || kind === COMPARE_MATRIX) this.comparedOf(state).set(slot, state.ownMember ?? undefined);
    else block.compared?.set(slot, undefined);
  }

  /** Makes the local transform of a child unknown: three has placed it by other numbers. */
  forgetTransform(state: ChildState): void {
    this.comparedOf(state).transforms[transformOffsetOf(state)] = NaN;
  }

  /** Makes the matrices of a child unknown: three has placed it by its local transform, or other code has changed them. */
  forgetMatrices(state: ChildState): void {
    this.comparedOf(state).forgetMatrices(matricesOffsetOf(state));
  }

  /** The arrays in which a watched child is compared, with its transform at `transformOffsetOf`. */
  comparedOf(state: ChildState): ComparedChildren {
    const block = this.blockOf(state);
    return (block.compared ??= new ComparedChildren());
  }

  private blockOf({ place }: ChildState): ChildBlock {
    return this.blocks[place >> BLOCK_SHIFT];
  }

  /** Moves a child to the end of the new order. */
  private transfer(state: ChildState, oldBlocks: readonly ChildBlock[]): void {
    const old = oldBlocks[state.place >> BLOCK_SHIFT];
    const oldSlot = slotOf(state);
    this.append(state);
    const kind = old.kinds[oldSlot] as UpdateKind;
    this.setKind(state, kind);
    if (kind === SKIP || old.compared === null) return;
    this.comparedOf(state).copySlot(slotOf(state), old.compared, oldSlot);
  }
}

/** Offset of the local transform of a child in `ComparedChildren.transforms`. */
export function transformOffsetOf(state: ChildState): number {
  return slotOf(state) * LOCAL_TRANSFORM_STRIDE;
}

/** Offset of the matrices of a child in `ComparedChildren.matrices`. */
export function matricesOffsetOf(state: ChildState): number {
  return slotOf(state) * MATRICES_STRIDE;
}

function copyRecord(to: Float64Array, toSlot: number, from: Float64Array, fromSlot: number, stride: number): void {
  to.set(from.subarray(fromSlot * stride, (fromSlot + 1) * stride), toSlot * stride);
}

function slotOf({ place }: ChildState): number {
  return place & (BLOCK_SIZE - 1);
}

function emptySlots<T>(): (T | undefined)[] {
  return Array.from({ length: BLOCK_SIZE }, () => undefined);
}
