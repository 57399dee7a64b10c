import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { compileWalker } from '../../scripts/build-simd.mjs';

it('the walker in WebAssembly is what its source compiles to', { timeout: 60_000 }, async () => {
  expect(await readFile('src/tree/simd/walker-code.ts', 'utf8')).toBe(await compileWalker());
});
