/**
 * Counts the reads and writes of numbers in the arrays of an octree's tree: a measure of work that is the same on every
 * machine.
 */

import type { Octree } from '../../src/index.ts';

type NumberArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array | Int8Array | Uint16Array;

class AccessCounter {
  accesses = 0;

  /** An array with the same contents that counts its accesses. */
  watch(array: NumberArray): NumberArray {
    return new Proxy(array, {
      get: (target, key) => {
        if (typeof key === 'string' && key < ':' && key >= '0') {
          // A number, whose key begins with a digit. By far the most calls.
          this.accesses++;
          return target[key as unknown as number];
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' && key !== 'constructor'
          ? this.counted(target, key, value as (...args: unknown[]) => unknown)
          : value;
      },
      set: (target, key, value) => {
        this.accesses++;
        return Reflect.set(target, key, value, target);
      },
    });
  }

  /** A method of an array that counts all numbers of the range that it reads or writes. */
  private counted(
    target: NumberArray,
    name: string | symbol,
    method: (...args: unknown[]) => unknown,
  ): (...args: unknown[]) => unknown {
    return (...args) => {
      if (name === 'subarray') return this.watch(Reflect.apply(method, target, args) as NumberArray);
      const end = typeof args[2] === 'number' ? args[2] : target.length;
      if (name === 'set') this.accesses += (args[0] as ArrayLike<number>).length;
      else this.accesses += end - (typeof args[1] === 'number' ? args[1] : 0);
      return Reflect.apply(method, target, args);
    };
  }
}

function isNumberArray(value: unknown): value is NumberArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/**
 * The number of array accesses while `work` runs. An array that is replaced meanwhile, because it grows, is counted no
 * further: run the work once before, so that the arrays have their final size.
 */
export function countArrayAccesses(octree: Octree<number>, work: () => void): number {
  const { bodies, nodes, slots } = octree.internals.store.tree;
  const counter = new AccessCounter();
  const swapped = [bodies, nodes, slots].flatMap((holder) =>
    Object.entries(holder as object).flatMap(([key, array]: [string, unknown]) =>
      isNumberArray(array) ? [{ holder, key, array, proxy: counter.watch(array) }] : [],
    ),
  );
  for (const { holder, key, proxy } of swapped) Reflect.set(holder, key, proxy);
  try {
    work();
  } finally {
    for (const { holder, key, array, proxy } of swapped)
      if (Reflect.get(holder, key) === proxy) Reflect.set(holder, key, array);
  }
  return counter.accesses;
}
