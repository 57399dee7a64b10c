/**
 * Memory that runs out for a moment: the n-th allocation of memory in a call throws, as engines do for what lies
 * outside of their own heap: typed arrays and their copies, ArrayBuffers, memories, modules and instances of
 * WebAssembly. Views and plain arrays are not counted: without memory for these an engine ends the process.
 */

const TYPED = [
  'Float64Array',
  'Float32Array',
  'Int32Array',
  'Uint32Array',
  'Uint16Array',
  'Uint8Array',
  'Int8Array',
  'ArrayBuffer',
] as const;
const WASM = ['Memory', 'Module', 'Instance'] as const;

type AnyClass = new (...values: unknown[]) => object;

/** What the n-th allocation throws. */
export class MemoryFault extends RangeError {}

let allocations = 0;
let failing = Infinity;

/** `Real`, but its n-th construction throws. */
function failingClass(Real: AnyClass): AnyClass {
  return new Proxy(Real, {
    construct(target, values, newTarget) {
      const [first] = values;
      const isView = first instanceof buffers.ArrayBuffer || (typeof first === 'number' && first === 0);
      if (!isView && ++allocations === failing) throw new MemoryFault('Array buffer allocation failed');
      return Reflect.construct(target, values, newTarget === proxies.get(target) ? target : newTarget) as object;
    },
  });
}

const buffers = { ArrayBuffer };
const proxies = new Map<object, AnyClass>();
const globals = globalThis as unknown as Record<string, AnyClass>;
const wasm = WebAssembly as unknown as Record<string, AnyClass>;

function replace(owner: Record<string, AnyClass>, names: readonly string[]): () => void {
  const before = names.map((name) => owner[name]);
  for (const Real of before) if (!proxies.has(Real)) proxies.set(Real, failingClass(Real));
  const set = (each: (Real: AnyClass) => AnyClass): void => {
    for (const [k, name] of names.entries()) {
      owner[name] = each(before[k]);
      // Copies ask their prototype for the class.
      (before[k].prototype as { constructor: AnyClass }).constructor = owner[name];
    }
  };
  set((Real) => proxies.get(Real)!);
  return () => {
    set((Real) => Real);
  };
}

export interface Attempt {
  /** Allocations of the call. */
  readonly allocations: number;
  /** What the call has thrown; undefined if it has returned. */
  readonly error: unknown;
}

/** Makes a call whose n-th allocation fails; 0 for none. */
export function withFault(n: number, call: () => unknown): Attempt {
  const restore = [replace(globals, TYPED), replace(wasm, WASM)];
  allocations = 0;
  failing = n === 0 ? Infinity : n;
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  } finally {
    for (const each of restore) each();
  }
  return { allocations, error };
}
