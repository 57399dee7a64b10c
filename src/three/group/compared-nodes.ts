/**
 * Objects whose matrices an update brings up to date, and what the last update found of each, in arrays by index. The
 * update compares each object with its last state, and computes the matrices of those that have changed. The matrices
 * of all others stay as they are.
 *
 * Where three computes the matrices from the local transform, that and `matrixWorldNeedsUpdate` are compared;
 * child-updater.ts explains the flag. Where the matrices come from other numbers, the matrices themselves are compared.
 *
 * All arrays are plain: the engine stores their numbers in the same heap as the objects, and the numbers of a typed
 * array elsewhere.
 */

import { Object3D, type Mesh } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import { hasPlainMatrices, isStillPlainNode } from '../bounds/object-traits.ts';
import {
  CLASS_COMPARISONS,
  classSetOf,
  equalsTransform,
  LOCAL_TRANSFORM_STRIDE,
  PLAIN_NODE,
  STATE_STRIDE,
  type Columns,
  type WordOf,
} from './class-comparisons.ts';

/** Nodes that are read ahead at a time, a power of two. What is read of them fits into the fastest caches. */
const READ_AHEAD = 64;

/**
 * How a node is compared. Less than the number of class sets: by its local transform, by the text of that set.
 * Otherwise by the matrices, because three does not place it by its local transform (`BY_HAND`), or not at all: then
 * other code may write the world matrix until the end of the update (`PLACED`).
 */
const BY_HAND = CLASS_COMPARISONS.length;
const PLACED = BY_HAND + 1;
/** From here on, updates pass over the node: `EMPTY` where nothing is, and the kind of a static node plus `STATIC`. */
const EMPTY = PLACED + 1;
const STATIC = 1 << EMPTY;

const COLUMNS = ['nodes', 'kinds', 'childCounts', 'parents', 'geometries', 'materials', 'areUnknown'] as const;
const RECORD_STRIDE = 2 * MATRIX_STRIDE;

export class ComparedNodes implements Columns {
  /** Result of the last read-ahead. Unused; stored so that the compiler keeps the loop. */
  readAheadSum = 0;
  /** Whether three leaves, or has left, the world matrix of any node to other code. */
  hasPlaced = false;
  /** Undefined where nothing is. */
  readonly nodes: (Object3D | undefined)[] = [];
  readonly kinds: number[] = [];
  /** Number of children; -1 for a node that every update has to look at. */
  readonly childCounts: number[] = [];
  readonly parents: (Object3D | null)[] = [];
  /** `PLAIN_NODE` for a plain node of an opened tree, which has neither geometry nor material. */
  readonly geometries: unknown[] = [];
  readonly materials: unknown[] = [];
  /** Local transforms from which the matrices were computed, and how the nodes were drawn; NaN if unknown. */
  readonly states: number[] = [];
  /**
   * Whether `computeLeaves` has made a transform NaN. Then it is not written again: most members move, and `states` is
   * too large for a cache.
   */
  private readonly areUnknown: boolean[] = [];
  /** How draw states are compared, if they are: see `WordOf`. */
  wordOf: WordOf = null;
  /**
   * By node: where `matrices` holds its last `matrix` and `matrixWorld`; -1 if it was never compared by them. Ends
   * after the last node that was: most groups have none.
   */
  private readonly records: number[] = [];
  private readonly matrices: number[] = [];
  private isInTurn = false;

  /** Watches an object at an index, from its current parent, geometry and material on. Keeps the stored numbers. */
  watch(index: number, node: Object3D, childCount: number): void {
    const { nodes, states, kinds } = this;
    // One by one: an array that is created with its length has slow elements if it is long.
    while (nodes.length <= index) {
      nodes.push(undefined);
      kinds.push(EMPTY);
      this.childCounts.push(-1);
      this.parents.push(null);
      this.geometries.push(undefined);
      this.materials.push(undefined);
      this.areUnknown.push(false);
      for (let k = 0; k < STATE_STRIDE; k++) states.push(NaN);
    }
    nodes[index] = node;
    if (kinds[index] === EMPTY) kinds[index] = classSetOf(node);
    this.childCounts[index] = childCount;
    this.parents[index] = node.parent;
    this.storeSource(index);
  }

  protected unwatch(index: number): void {
    this.nodes[index] = undefined;
    this.kinds[index] = EMPTY;
    this.geometries[index] = this.materials[index] = undefined;
  }

  /**
   * Whether a node is static: updates pass over it, and compare it in turn. It is computed only if a node above it has
   * moved, or if all nodes are.
   */
  isStatic(index: number): boolean {
    return (this.kinds[index] & STATIC) !== 0;
  }

  setStatic(index: number, isStatic: boolean): void {
    this.kinds[index] = (this.kinds[index] & ~STATIC) | (isStatic ? STATIC : 0);
  }

  /** Watches the current geometry and material of a node. */
  storeSource(index: number): void {
    const { geometry, material } = this.nodes[index] as Mesh;
    this.geometries[index] = geometry;
    this.materials[index] = material;
  }

  /** Copies the numbers of a node that is at another index in other columns. */
  copyNumbers(index: number, from: ComparedNodes, fromIndex: number): void {
    const offset = index * STATE_STRIDE;
    const fromOffset = fromIndex * STATE_STRIDE;
    for (let k = 0; k < STATE_STRIDE; k++) this.states[offset + k] = from.states[fromOffset + k];
    this.areUnknown[index] = false;
    this.geometries[index] = from.geometries[fromIndex];
    this.materials[index] = from.materials[fromIndex];
    const kind = from.kinds[fromIndex] & ~STATIC;
    if (kind < BY_HAND) return;
    const [record, fromRecord] = [this.recordOf(index), from.records[fromIndex]];
    for (let k = 0; k < RECORD_STRIDE; k++) this.matrices[record + k] = from.matrices[fromRecord + k];
    this.setKind(index, kind);
    this.hasPlaced ||= from.hasPlaced;
  }

  /**
   * Puts the nodes in another order, and others between them.
   *
   * @param from By new index: the index before, ascending; `~k` for node `k` of `others`.
   */
  protected rearrange(from: readonly number[], others: ComparedNodes): void {
    const { records } = this;
    if (records.length + others.records.length > 0) {
      for (const nodes of [this, others]) while (nodes.records.length < nodes.nodes.length) nodes.records.push(-1);
      const offset = this.matrices.length;
      moveEntries(
        records,
        from,
        others.records.map((record) => (record < 0 ? record : record + offset)),
      );
      const matrices = this.matrices.splice(0).concat(others.matrices);
      records.forEach((record, k) => {
        if (record >= 0)
          records[k] = this.matrices.push(...matrices.slice(record, record + RECORD_STRIDE)) - RECORD_STRIDE;
      });
    }
    this.hasPlaced ||= others.hasPlaced;
    for (const column of COLUMNS) moveEntries<unknown>(this[column], from, others[column]);
    moveEntries(this.states, from, others.states, STATE_STRIDE);
  }

  /**
   * The first node between two indices that an update has to look at, otherwise `end`.
   *
   * @param isForced Whether three would compute all matrices.
   */
  firstChanged(first: number, end: number, isForced: boolean): number {
    const { kinds } = this;
    for (let k = first; k < end;) {
      const blockEnd = Math.min(k - (k % READ_AHEAD) + READ_AHEAD, end);
      if (k % READ_AHEAD === 0) this.readAhead(k, blockEnd);
      while (k < blockEnd) {
        const kind = kinds[k];
        if (kind < BY_HAND) {
          k = CLASS_COMPARISONS[kind].firstChanged(this, k, blockEnd, this.wordOf);
          if (k < blockEnd && kinds[k] === kind) return k;
        } else if (kind >= EMPTY || this.isUnchangedByHand(k, isForced)) k++;
        else return k;
      }
    }
    return end;
  }

  /**
   * Computes the matrices of leaves as three does, without a comparison: the next one takes them as changed.
   *
   * @returns The first node between two indices that is not such a leaf, otherwise `end`.
   */
  computeLeaves(first: number, end: number): number {
    const { nodes, kinds, childCounts, states, areUnknown } = this;
    for (let k = first; k < end; k++) {
      if (kinds[k] >= BY_HAND || childCounts[k] !== 0) return k;
      const node = nodes[k]!;
      if (!node.matrixAutoUpdate || node.children.length > 0 || !hasPlainMatrices(node)) return k;
      if (!areUnknown[k]) states[k * STATE_STRIDE] = NaN;
      areUnknown[k] = true;
      node.updateMatrixWorld(true);
      node.matrixWorldNeedsUpdate = true;
    }
    return end;
  }

  /**
   * As `firstChanged`, also of nodes that three does not place: of static ones no update compares them at its end.
   *
   * @param areStatic Compares the static nodes, and no others.
   */
  firstChangedInTurn(first: number, end: number, isForced: boolean, areStatic: boolean): number {
    const { kinds, wordOf } = this;
    const swapped = areStatic ? end : first;
    for (let k = first; k < swapped; k++) kinds[k] ^= STATIC;
    this.isInTurn = true;
    // Static members are compared in turn, too.
    this.wordOf = null;
    const changed = this.firstChanged(first, end, isForced);
    this.isInTurn = false;
    this.wordOf = wordOf;
    for (let k = first; k < swapped; k++) kinds[k] ^= STATIC;
    return changed;
  }

  /**
   * The first node, from an index on, whose world matrix other code has written since the last comparison, of those
   * that three does not place. The next update takes it as moved.
   */
  nextPlaced(first: number): number {
    const { nodes, kinds, records, matrices } = this;
    const { length } = kinds;
    for (let k = first; k < length; k++) {
      if (kinds[k] !== PLACED) continue;
      if (!equalsMatrix(nodes[k]!.matrixWorld.elements, matrices, records[k] + MATRIX_STRIDE)) {
        this.isNodeMovedByOthers(k);
        return k;
      }
    }
    return length;
  }

  /**
   * Whether other code has computed the world matrix of a node since its last update. If so, the next update takes it
   * as moved.
   */
  isNodeMovedByOthers(index: number): boolean {
    const { matrixWorld, matrixWorldNeedsUpdate } = this.nodes[index]!;
    if (this.kinds[index] >= EMPTY) return false;
    if (this.kinds[index] < BY_HAND) {
      if (matrixWorldNeedsUpdate) return false;
      this.states[index * STATE_STRIDE] = NaN;
    } else {
      const offset = this.records[index] + MATRIX_STRIDE;
      if (!storeMatrix(matrixWorld.elements, this.matrices, offset)) return false;
      // Of an object without children that three does not place, only the bounds change.
      if (this.kinds[index] !== PLACED || this.childCounts[index] !== 0) this.matrices[offset] = NaN;
    }
    return true;
  }

  /**
   * Computes the matrices of a node with plain matrices, without its descendants, as three does.
   *
   * @returns Whether it has moved in the space of the group.
   */
  computeNode(index: number, isForced: boolean, hasGroupMoved: boolean): boolean {
    const { states, matrices } = this;
    const node = this.nodes[index]!;
    const offset = index * STATE_STRIDE;
    if (node.matrixAutoUpdate) {
      // First, because it may call code of the user, which throws: then the next update takes the node as changed.
      updateNode(node, true);
      node.matrixWorldNeedsUpdate = true;
      if ((this.kinds[index] & ~STATIC) >= BY_HAND) {
        this.setKind(index, classSetOf(node));
        // The stored matrices are out of date from now on.
        matrices[this.records[index] + MATRIX_STRIDE] = NaN;
      }
      this.areUnknown[index] = false;
      return storeLocalTransform(node, states, offset);
    }
    const isFlagged = node.matrixWorldNeedsUpdate;
    const record = this.recordOf(index);
    // Otherwise three does not read a matrix that was written by hand.
    const isRead = isForced || isFlagged;
    if (isRead) updateNode(node, isForced);
    const isMoved = isRead && storeMatrix(node.matrix.elements, matrices, record);
    // Also where other code has written the world matrix, which three does not compute then.
    const isElsewhere = storeMatrix(node.matrixWorld.elements, matrices, record + MATRIX_STRIDE);
    return isFlagged || isMoved || (isElsewhere && !hasGroupMoved);
  }

  /** Stores the world matrix of a node that three has computed. Returns whether it has changed. */
  storeWorld(index: number): boolean {
    const record = this.recordOf(index);
    const { matrixWorld, matrixWorldAutoUpdate } = this.nodes[index]!;
    if (!matrixWorldAutoUpdate) {
      this.setKind(index, PLACED);
      this.hasPlaced = true;
    }
    return storeMatrix(matrixWorld.elements, this.matrices, record + MATRIX_STRIDE);
  }

  /** Stores how a node is drawn, if anything wants to know. Returns whether that is another way than before. */
  takeDrawState(index: number, stores = true): boolean {
    const { states, wordOf } = this;
    const { renderOrder, layers } = this.nodes[index]!;
    const word = wordOf === null ? NaN : wordOf(this.nodes[index]!);
    const k = index * STATE_STRIDE + LOCAL_TRANSFORM_STRIDE;
    if (wordOf === null || (states[k] === word && states[k + 1] === layers.mask && states[k + 2] === renderOrder))
      return false;
    if (stores) [states[k], states[k + 1], states[k + 2]] = [word, layers.mask, renderOrder];
    return true;
  }

  /** Whether three would compute the world matrix of a node because it has computed that of a parent. */
  protected isForcedByParents(_index: number): boolean {
    return false;
  }

  /** Has a node compared by its matrices from now on. Returns where they are stored. */
  private recordOf(index: number): number {
    const { records, matrices } = this;
    while (records.length <= index) records.push(-1);
    if (records[index] < 0) {
      records[index] = matrices.length;
      for (let k = 0; k < RECORD_STRIDE; k++) matrices.push(NaN);
    }
    this.states[index * STATE_STRIDE] = NaN;
    this.setKind(index, BY_HAND);
    return records[index];
  }

  /** Sets how a node is compared. It stays static, or not. */
  private setKind(index: number, kind: number): void {
    this.kinds[index] = kind | (this.kinds[index] & STATIC);
  }

  /** Loads what `firstChanged` compares of a block of nodes into the cache, see class-comparisons.ts. */
  private readAhead(first: number, end: number): void {
    const { nodes, kinds } = this;
    let sum = 0;
    for (let k = first; k < end;) {
      const kind = kinds[k];
      const runStart = k;
      while (k < end && kinds[k] === kind) k++;
      if (kind < BY_HAND) sum += CLASS_COMPARISONS[kind].readAhead(this, runStart, k, this.wordOf);
      else if (kind === BY_HAND)
        for (let n = runStart; n < k; n++) sum += nodes[n]!.matrixWorld.elements[0] + nodes[n]!.matrix.elements[0];
      else if (kind === PLACED) for (let n = runStart; n < k; n++) sum += nodes[n]!.children.length;
    }
    this.readAheadSum = sum;
  }

  /** Whether a node that is compared by its matrices is unchanged. */
  private isUnchangedByHand(k: number, isForced: boolean): boolean {
    const { matrices } = this;
    const node = this.nodes[k] as Mesh;
    const record = this.records[k];
    const isPlaced = this.kinds[k] === PLACED;
    return (
      !node.matrixAutoUpdate &&
      !node.matrixWorldNeedsUpdate &&
      node.matrixWorldAutoUpdate !== isPlaced &&
      !node.pivot &&
      node.updateMatrixWorld === Object3D.prototype.updateMatrixWorld &&
      node.frustumCulled &&
      node.parent === this.parents[k] &&
      node.children.length === this.childCounts[k] &&
      (this.geometries[k] === PLAIN_NODE
        ? isStillPlainNode(node)
        : node.geometry === this.geometries[k] && node.material === this.materials[k]) &&
      !this.takeDrawState(k, false) &&
      // The bounds of an object that three does not place are compared at the end of the update (`nextPlaced`).
      ((isPlaced && node.children.length === 0 && !this.isInTurn) ||
        (equalsMatrix(node.matrixWorld.elements, matrices, record + MATRIX_STRIDE) &&
          (isPlaced ||
            !(isForced || this.isForcedByParents(k)) ||
            equalsMatrix(node.matrix.elements, matrices, record))))
    );
  }
}

/** Computes the matrices of one object as three does, whatever methods it overrides. */
export function updateNode(node: Object3D, isForced: boolean): void {
  Object3D.prototype.updateWorldMatrix.call(node, false, false, isForced);
}

/** Stores the local transform of an object. Returns whether it differs from the one stored before. */
function storeLocalTransform(node: Object3D, values: number[], offset: number): boolean {
  const isChanged = !equalsTransform(node.position, node.quaternion, node.scale, values, offset);
  node.position.toArray(values, offset);
  node.quaternion.toArray(values, offset + 3);
  node.scale.toArray(values, offset + 7);
  return isChanged;
}

/**
 * Whether the elements of a matrix equal stored ones. A NaN equals nothing. Without a loop it takes half the time: this
 * runs for many objects in every update.
 */
function equalsMatrix(elements: readonly number[], values: number[], offset: number): boolean {
  return (
    values[offset] === elements[0] &&
    values[offset + 1] === elements[1] &&
    values[offset + 2] === elements[2] &&
    values[offset + 3] === elements[3] &&
    values[offset + 4] === elements[4] &&
    values[offset + 5] === elements[5] &&
    values[offset + 6] === elements[6] &&
    values[offset + 7] === elements[7] &&
    values[offset + 8] === elements[8] &&
    values[offset + 9] === elements[9] &&
    values[offset + 10] === elements[10] &&
    values[offset + 11] === elements[11] &&
    values[offset + 12] === elements[12] &&
    values[offset + 13] === elements[13] &&
    values[offset + 14] === elements[14] &&
    values[offset + 15] === elements[15]
  );
}

/**
 * Stores the elements of a matrix. Returns whether they differ from those stored before. A NaN differs from everything.
 */
function storeMatrix(elements: readonly number[], values: number[], offset: number): boolean {
  const isChanged = !equalsMatrix(elements, values, offset);
  if (isChanged) for (let k = 0; k < MATRIX_STRIDE; k++) values[offset + k] = elements[k];
  return isChanged;
}

/**
 * Puts the entries of an array in another order, in place: a long array that is created anew takes many times as long.
 *
 * @param from By new index: the index before, ascending; `~k` for entry `k` of `others`.
 * @param stride Elements of an entry.
 */
function moveEntries<T>(entries: T[], from: readonly number[], others: readonly T[], stride = 1): void {
  const copy = (k: number, source: readonly T[], index: number): void => {
    for (let n = 0; n < stride; n++) entries[k * stride + n] = source[index * stride + n];
  };
  while (others.length > 0 && entries.length < from.length * stride) entries.push(others[0]);
  // What moves down leaves its index before anything moves up to it, and the last that moves up goes first.
  for (let k = 0; k < from.length; k++) if (from[k] > k) copy(k, entries, from[k]);
  for (let k = from.length - 1; k >= 0; k--)
    if (from[k] < 0) copy(k, others, ~from[k]);
    else if (from[k] < k) copy(k, entries, from[k]);
  entries.length = from.length * stride;
}
