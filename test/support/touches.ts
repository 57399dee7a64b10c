/** Counts how often work on an octree reads or writes a number in the arrays of its tree: the same on every machine. */

import type { Octree } from '../../src/index.ts';

type Lanes = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array | Int8Array | Uint16Array;

class Counter {
  touches = 0;

  watch(lanes: Lanes): Lanes {
    return new Proxy(lanes, {
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

  /** Calls that touch a range count all of it. */
  private counted(target: Lanes, name: string | symbol, method: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
    return (...args) => {
      if (name === 'subarray') return this.watch(Reflect.apply(method, target, args) as Lanes);
      const end = typeof args[2] === 'number' ? args[2] : target.length;
      if (name === 'set') this.touches += (args[0] as ArrayLike<number>).length;
      else this.touches += end - (typeof args[1] === 'number' ? args[1] : 0);
      return Reflect.apply(method, target, args);
    };
  }
}

function isLanes(value: unknown): value is Lanes {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Arrays that grow meanwhile are watched no longer: let the work be done once before it is counted. */
export function countTouches(octree: Octree<number>, work: () => void): number {
  const { tree } = (octree as unknown as { store: { tree: Record<'bodies' | 'nodes' | 'slots', Record<string, unknown>> } }).store;
  const counter = new Counter();
  const watched = [tree.bodies, tree.nodes, tree.slots].flatMap((holder) => Object.keys(holder).map((key) => ({ holder, key, lanes: holder[key] })));
  const swapped = watched.filter(({ lanes }) => isLanes(lanes)).map((place) => ({ ...place, proxy: counter.watch(place.lanes as Lanes) }));
  for (const { holder, key, proxy } of swapped) holder[key] = proxy;
  try {
    work();
  } finally {
    for (const { holder, key, lanes, proxy } of swapped) if (holder[key] === proxy) holder[key] = lanes;
  }
  return counter.touches;
}
