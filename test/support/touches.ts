/** Counts reads and writes of single numbers in the arrays of a tree. The counts are the same on every machine. */

import type { Octree } from '../../src/index.ts';

type NumberArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array | Int8Array | Uint16Array;

class Counter {
  touches = 0;

  watch(array: NumberArray): NumberArray {
    return new Proxy(array, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d/.test(key)) this.touches++;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? this.counted(target, key, value as (...args: unknown[]) => unknown) : value;
      },
      set: (target, key, value) => {
        this.touches++;
        return Reflect.set(target, key, value, target);
      },
    });
  }

  /** A method call that reads or writes a range counts every element of it. */
  private counted(target: NumberArray, name: string | symbol, method: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
    return (...args) => {
      if (name === 'subarray') return this.watch(Reflect.apply(method, target, args) as NumberArray);
      const end = typeof args[2] === 'number' ? args[2] : target.length;
      if (name === 'set') this.touches += (args[0] as ArrayLike<number>).length;
      else this.touches += end - (typeof args[1] === 'number' ? args[1] : 0);
      return Reflect.apply(method, target, args);
    };
  }
}

function isNumberArray(value: unknown): value is NumberArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** An array that is replaced because it grows is no longer counted: run the work once before, so that nothing grows. */
export function countTouches(octree: Octree<number>, work: () => void): number {
  const { tree } = (octree as unknown as { store: { tree: Record<'bodies' | 'nodes' | 'slots', Record<string, unknown>> } }).store;
  const counter = new Counter();
  const watched = [tree.bodies, tree.nodes, tree.slots].flatMap((holder) => Object.keys(holder).map((key) => ({ holder, key, array: holder[key] })));
  const swapped = watched.filter(({ array }) => isNumberArray(array)).map((place) => ({ ...place, proxy: counter.watch(place.array as NumberArray) }));
  for (const { holder, key, proxy } of swapped) holder[key] = proxy;
  try {
    work();
  } finally {
    for (const { holder, key, array, proxy } of swapped) if (holder[key] === proxy) holder[key] = array;
  }
  return counter.touches;
}
