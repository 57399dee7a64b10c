/**
 * The children of a group in their order, and how an update checks each.
 *
 * What is compared in every update lies in blocks of 256 neighbouring children, in arrays by order, so that the
 * comparison reads memory in sequence. A block without watched children has none of these arrays: static children cost
 * no time here, and one byte each.
 */

import type { Object3D } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import type { ChildState, Member } from './member.ts';
import { GapOrder } from './gap-order.ts';
import type { ObjectSource } from './bounds-source.ts';
import { LOCAL_TRANSFORM_STRIDE } from './transform-values.ts';

/** Children per block, a power of two, and its logarithm. */
export const BLOCK_SIZE = 256;
const BLOCK_SHIFT = 8;

/** How an update checks a child: not at all. A static child, or a gap. */
export const SKIP = 0;
/** It compares the local transform with the stored one, from which the matrices were computed. */
export const COMPARE_TRANSFORM = 1;
/**
 * It compares the matrices with the stored ones of the last update, because three computes `matrixWorld` from `matrix`.
 */
export const COMPARE_MATRIX = 2;
/** It always updates the child: all other cases. */
export const VISIT = 3;
export type UpdateKind = typeof SKIP | typeof COMPARE_TRANSFORM | typeof COMPARE_MATRIX | typeof VISIT;

/** What is compared of the children of a block, by their index in the block. */
export class ComparedChildren {
  /** Local transforms from which the matrices were computed; NaN if unknown. */
  readonly transforms = new Float64Array(BLOCK_SIZE * LOCAL_TRANSFORM_STRIDE).fill(NaN);
  private storedMatrices: Float64Array | null = null;
  // Undefined for children that are not compared.
  readonly objects: (Object3D | undefined)[] = emptyEntries();
  readonly members: (Member | undefined)[] = emptyEntries();
  // What their bounds come from: see bounds-source.ts.
  readonly geometries: ObjectSource['geometry'][] = emptyEntries();
  readonly materials: ObjectSource['material'][] = emptyEntries();

  /**
   * `matrix` and `matrixWorld` of children that three does not place by a local transform, as they were last; NaN if
   * unknown.
   */
  get matrices(): Float64Array {
    return (this.storedMatrices ??= new Float64Array(BLOCK_SIZE * MATRICES_STRIDE).fill(NaN));
  }

  /** Makes both matrices of a child unknown. @param offset See `matricesOffsetOf`. */
  forgetMatrices(offset: number): void {
    if (this.storedMatrices !== null) this.storedMatrices[offset] = this.storedMatrices[offset + MATRIX_STRIDE] = NaN;
  }

  /** Copies the numbers of a child that was at another index in another block. */
  copyChild(index: number, from: ComparedChildren, fromIndex: number): void {
    copyRecord(this.transforms, index, from.transforms, fromIndex, LOCAL_TRANSFORM_STRIDE);
    if (from.storedMatrices !== null) copyRecord(this.matrices, index, from.storedMatrices, fromIndex, MATRICES_STRIDE);
  }

  set(index: number, member: Member | undefined): void {
    this.members[index] = member;
    this.objects[index] = member?.object;
    this.geometries[index] = member?.source?.geometry;
    this.materials[index] = member?.source?.material;
  }
}

/** Numbers per child: `matrix`, then `matrixWorld`. */
export const MATRICES_STRIDE = 2 * MATRIX_STRIDE;

export class ChildBlock {
  /** By index in the block: SKIP, COMPARE_TRANSFORM, COMPARE_MATRIX or VISIT. */
  readonly kinds = new Uint8Array(BLOCK_SIZE);
  /** Number of children that are not skipped. */
  activeCount = 0;
  compared: ComparedChildren | null = null;

  setKind(index: number, kind: UpdateKind): void {
    this.activeCount += Number(kind !== SKIP) - Number(this.kinds[index] !== SKIP);
    this.kinds[index] = kind;
    if (this.activeCount === 0) this.compared = null;
  }
}

export class ChildOrder extends GapOrder<ChildState> {
  /** By order / 256. A rebuild replaces the array. */
  blocks: ChildBlock[] = [];

  override append(state: ChildState): void {
    super.append(state);
    if (this.blocks.length * BLOCK_SIZE < this.items.length) this.blocks.push(new ChildBlock());
  }

  override remove(state: ChildState): void {
    this.setKind(state, SKIP);
    super.remove(state);
  }

  /** @param visitChildren Visits all children in their order. */
  override restore(visitChildren: (visitor: (state: ChildState) => void) => void): void {
    const oldBlocks = this.blocks;
    super.restore((visitor) => {
      this.blocks = [];
      visitChildren((state) => {
        const oldOrder = state.order;
        visitor(state);
        this.copyFrom(oldBlocks[oldOrder >> BLOCK_SHIFT], indexInBlock(oldOrder), state);
      });
    });
  }

  kindOf(state: ChildState): UpdateKind {
    return this.blockOf(state).kinds[indexInBlock(state.order)] as UpdateKind;
  }

  /**
   * Sets what updates do with a child. If they are to compare it, the `source` of its own member must be up to date.
   */
  setKind(state: ChildState, kind: UpdateKind): void {
    const block = this.blockOf(state);
    const index = indexInBlock(state.order);
    block.setKind(index, kind);
    if (kind === COMPARE_TRANSFORM || kind === COMPARE_MATRIX)
      this.comparedOf(state).set(index, state.ownMember ?? undefined);
    else block.compared?.set(index, undefined);
  }

  /** Makes the local transform of a child unknown: three has placed it by other numbers. */
  forgetTransform(state: ChildState): void {
    this.comparedOf(state).transforms[transformOffsetOf(state)] = NaN;
  }

  /**
   * Makes the matrices of a child unknown: three has placed it by its local transform, or other code has changed them.
   */
  forgetMatrices(state: ChildState): void {
    this.comparedOf(state).forgetMatrices(matricesOffsetOf(state));
  }

  /** The arrays in which a watched child is compared, with its transform at `transformOffsetOf`. */
  comparedOf(state: ChildState): ComparedChildren {
    const block = this.blockOf(state);
    return (block.compared ??= new ComparedChildren());
  }

  private blockOf({ order }: ChildState): ChildBlock {
    return this.blocks[order >> BLOCK_SHIFT];
  }

  /** Copies kind and numbers of a child from its block before a rebuild. */
  private copyFrom({ kinds, compared }: ChildBlock, oldIndex: number, state: ChildState): void {
    const kind = kinds[oldIndex] as UpdateKind;
    this.setKind(state, kind);
    if (kind !== SKIP && compared !== null)
      this.comparedOf(state).copyChild(indexInBlock(state.order), compared, oldIndex);
  }
}

/** Offset of the local transform of a child in `ComparedChildren.transforms`. */
export function transformOffsetOf(state: ChildState): number {
  return indexInBlock(state.order) * LOCAL_TRANSFORM_STRIDE;
}

/** Offset of the matrices of a child in `ComparedChildren.matrices`. */
export function matricesOffsetOf(state: ChildState): number {
  return indexInBlock(state.order) * MATRICES_STRIDE;
}

function copyRecord(to: Float64Array, toIndex: number, from: Float64Array, fromIndex: number, stride: number): void {
  to.set(from.subarray(fromIndex * stride, (fromIndex + 1) * stride), toIndex * stride);
}

function indexInBlock(order: number): number {
  return order & (BLOCK_SIZE - 1);
}

function emptyEntries<T>(): (T | undefined)[] {
  return Array.from({ length: BLOCK_SIZE }, () => undefined);
}
