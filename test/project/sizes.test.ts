import { describe, expect, it } from 'vitest';
import { bundle, exporting, measureSizes, recordedSizes } from '../../scripts/sizes.mjs';

/** By how much a size may exceed the recorded one. */
const TOLERANCE = 1.03;

describe('the package', () => {
  it('is no more than 3 % larger than the table in the README says: to record new sizes, `npm run sizes`', async () => {
    const [sizes, recorded] = [await measureSizes(), recordedSizes()];
    expect(Object.keys(recorded)).toEqual(Object.keys(sizes));
    const grown = Object.keys(sizes).filter((row) => sizes[row].gzipped > recorded[row].gzipped * TOLERANCE || sizes[row].minified > recorded[row].minified * TOLERANCE);
    expect(grown.map((row) => ({ row, size: sizes[row], recorded: recorded[row] }))).toEqual([]);
  });

  // A statement with a side effect at the top level of a file, and all that it uses, is in every bundle that imports anything. A call or `new` needs
  // /* @__PURE__ */ before it; a spread or a property of another constant has an effect, too.
  it.each(['scene-octree/core', 'scene-octree', 'scene-octree/three'] as const)('%s has no statement that a bundler must keep', async (entryPoint) => {
    const code = await bundle(exporting(entryPoint, '*').replace('export * from', 'import'));
    expect(code.replace('import"three";', '')).toBe('');
  });

  it('lets those who import pick alone not pay for an octree', async () => {
    expect(await bundle(exporting('scene-octree/three', '{ pick }'))).not.toContain('collectFrustum');
  });
});
