import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compileWasm } from '../../scripts/build-simd.mjs';
import { wasmCode } from '../../src/tree/simd/wasm-code.ts';
import * as map from '../../src/tree/simd/memory-map.ts';

describe('the WASM traversal', () => {
  it('is what its source compiles to', { timeout: 60_000 }, async () => {
    expect(await readFile('src/tree/simd/wasm-code.ts', 'utf8')).toBe(await compileWasm());
  });

  it('is small enough to be compiled synchronously: some browsers allow 4096 bytes', () => {
    expect(Buffer.from(wasmCode, 'base64').length).toBeLessThanOrEqual(4096);
  });

  it('has memory regions side by side, and the last one ends before the arrays', () => {
    expect(map.VOLUME).toBeGreaterThan(map.CANDIDATE_COUNT);
    expect(map.SHUFFLES % 16).toBe(0);
    expect(map.CANDIDATES + 2 * 4 * (map.BATCH + map.CHUNK + 1)).toBeLessThanOrEqual(map.HEAP);
    expect(map.HEAP % 64).toBe(0);
  });
});
