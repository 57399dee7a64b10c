import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compileWasm, MODULES } from '../../scripts/build-simd.mjs';
import * as map from '../../src/wasm/memory-map.ts';

describe('the WebAssembly modules', () => {
  it.each(MODULES)('are what their sources compile to: $source', { timeout: 60_000 }, async (module) => {
    const code = await readFile(module.target, 'utf8');
    expect(code).toBe(await compileWasm(module));
    // Older browsers refuse to compile more than that on the main thread at once.
    expect(Number(/, (\d+) bytes/.exec(code)![1])).toBeLessThanOrEqual(4096);
  });

  it('have memory regions side by side, and the last one ends before the arrays', () => {
    expect(map.VOLUME).toBeGreaterThan(map.CANDIDATE_COUNT);
    expect(map.SHUFFLES % 16).toBe(0);
    expect(map.CANDIDATES + 2 * 4 * (map.BATCH + map.SCAN_SLOTS + 1)).toBeLessThanOrEqual(map.RAYS);
    for (const region of [map.RAYS, map.TRANSPOSED_BOXES]) expect(region % 16).toBe(0);
    expect(map.RAY_LISTS + map.RAY_LISTS_LENGTH).toBeLessThanOrEqual(map.HEAP);
    expect(map.HEAP % 64).toBe(0);
  });
});
