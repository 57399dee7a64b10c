/** The memory that node and slot arrays are allocated in, where that is not left to the engine. */

export interface ArrayAllocator {
  /** A new array of zeros. `address` is one of those in simd/memory-map.ts: the place where the array's own address is stored. */
  allocateFloats(address: number, length: number): Float32Array<ArrayBuffer>;
  allocateInts(address: number, length: number): Int32Array<ArrayBuffer>;
}
