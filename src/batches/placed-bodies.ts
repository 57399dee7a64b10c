/**
 * What was written for the members that batches draw, by body, and the search for members that have changed since. Most
 * objects lie in memory in the order of their bodies, in which they were created. Read in this order, they take two
 * thirds of the time that they take in the order of the octree.
 */

import type { BufferGeometry, Material, Object3D } from 'three';
import { withCapacity } from '../math/typed-arrays.ts';
import type { BatchChunk } from './batch-chunk.ts';
import type { BatchKey, MergeableMesh } from './mergeable.ts';
import { lowestBit, SlotMarks, WORD_SHIFT } from './ranges.ts';

/**
 * Bodies that each pass compares, in turn. About 20 ns each: the fields of an object are seldom in the cache.
 */
const COMPARED_PER_PASS = 4096;

/**
 * In passes that see more, each round compares the layers of every eighth body: they are objects of their own, and
 * reading all takes a third longer.
 */
const LAYER_TURNS = 8;

export class PlacedBodies {
  /** By body: the address of the slot of its member (see batch-members.ts); -1 if the renderer draws it. */
  addresses: Float64Array = new Float64Array(64).fill(-1);
  /** By body, what was written for it; null: no batch draws it. */
  private readonly objects: (MergeableMesh | null)[] = [];
  private readonly geometries: (BufferGeometry | null)[] = [];
  private readonly materials: (Material | null)[] = [];
  private readonly keys: (BatchKey | null)[] = [];
  /** The bodies to compare. Clear between two searches. */
  private readonly compared = new SlotMarks();
  /** Where the next pass goes on that does not compare all. */
  private next = 0;
  /** How often all were compared. */
  private turns = 0;

  /** Makes room for a body, which no batch draws yet. */
  add(body: number): void {
    const { length } = this.addresses;
    this.addresses = withCapacity(this.addresses, body + 1);
    this.addresses.fill(-1, length);
    while (this.objects.length <= body) this.clear(this.objects.length);
  }

  /** A slot of a chunk has been written for a body. */
  set(body: number, address: number, chunk: BatchChunk, slot: number): void {
    this.addresses[body] = address;
    this.objects[body] = chunk.objectOf(slot);
    this.geometries[body] = chunk.geometries[slot];
    this.materials[body] = chunk.materials[slot];
    this.keys[body] = chunk.key;
  }

  /** No batch draws a body any longer. */
  clear(body: number): void {
    this.addresses[body] = -1;
    this.objects[body] = this.geometries[body] = this.materials[body] = this.keys[body] = null;
  }

  /**
   * Whether one of the next bodies in turn has changed, as far as the fields of its object and its parents tell.
   *
   * @param bodies The bodies that a pass sees.
   * @param group Parents below it may be hidden.
   */
  findChange(bodies: Uint32Array, count: number, group: Object3D): boolean {
    if (count <= COMPARED_PER_PASS) return this.findChangeIn(bodies, 0, count, group, 0);
    // Passes see different numbers of bodies.
    const start = this.next < count ? this.next : 0;
    const end = start + COMPARED_PER_PASS;
    if (this.findChangeIn(bodies, start, Math.min(end, count), group, LAYER_TURNS - 1)) return true;
    this.next = end;
    if (end < count) return false;
    this.turns++;
    this.next = end - count;
    return this.findChangeIn(bodies, 0, this.next, group, LAYER_TURNS - 1);
  }

  private findChangeIn(bodies: Uint32Array, start: number, end: number, group: Object3D, turnBits: number): boolean {
    const { compared, objects } = this;
    compared.makeRoom(objects.length);
    for (let k = start; k < end; k++) if (bodies[k] < objects.length) compared.set(bodies[k]);
    const isChanged = this.hasChange(compared.words, group, turnBits, this.turns & turnBits);
    if (isChanged) compared.words.fill(0);
    return isChanged;
  }

  /**
   * @param words The bodies to compare, a bit for each. All are cleared, unless one has changed.
   * @param turn Layers are compared of bodies with these bits of `turnBits` in their numbers.
   */
  private hasChange(words: Int32Array, group: Object3D, turnBits: number, turn: number): boolean {
    const { objects, geometries, materials, keys } = this;
    // Local copies of what `BatchChunk.isAsWritten` compares. V8 compares with what it knows to be a boolean in half of
    // the time. Other values count as a change here, and `isAsWritten` decides.
    let key: BatchKey | null = null;
    const isTrue = true;
    let castShadow = false;
    let receiveShadow = false;
    let renderOrder = 0;
    let layerMask = 0;
    let parent: Object3D | null = null;
    for (let word = 0; word < words.length; word++) {
      let bits = words[word];
      if (bits === 0) continue;
      words[word] = 0;
      for (; bits !== 0; bits &= bits - 1) {
        const body = (word << WORD_SHIFT) + lowestBit(bits);
        const object = objects[body];
        if (object === null) continue;
        if (keys[body] !== key) {
          key = keys[body]!;
          ({ renderOrder, layerMask } = key);
          castShadow = key.castShadow === isTrue;
          receiveShadow = key.receiveShadow === isTrue;
        }
        if (object.parent !== parent) {
          ({ parent } = object);
          if (isHiddenBelow(parent, group)) return true;
        }
        if (
          object.visible !== isTrue ||
          object.material !== materials[body] ||
          object.geometry !== geometries[body] ||
          object.castShadow !== castShadow ||
          object.receiveShadow !== receiveShadow ||
          object.renderOrder !== renderOrder ||
          ((body & turnBits) === turn && object.layers.mask !== layerMask)
        )
          return true;
      }
    }
    return false;
  }
}

/** Whether an object below a group, or one between them, is hidden. */
export function isHiddenBelow(object: Object3D | null, group: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null && node !== group; node = node.parent)
    if (!node.visible) return true;
  return false;
}
