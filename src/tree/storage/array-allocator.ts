/** Allocates node and slot arrays in the memory of a WASM traversal. */

export interface ArrayAllocator {
  /**
   * Returns a new array of zeros, and stores the address of the array at `address`, one of FITTED to BODY in src/wasm/memory-map.ts.
   */
  allocateFloats(address: number, length: number): Float32Array<ArrayBuffer>;
  allocateInts(address: number, length: number): Int32Array<ArrayBuffer>;
}
