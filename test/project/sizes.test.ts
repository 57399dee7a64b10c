import { describe, expect, it } from 'vitest';
import { bundle, exporting, isInReadme, measureSizes, recordedSizes } from '../../scripts/sizes.mjs';

/** By how much a size may exceed the recorded one: 3 %, and what rounding hides. */
const isGrown = (now: number, recorded: number): boolean => now > recorded * 1.03 + 0.1;

describe('the package', () => {
  it('is no larger than its limits, and no more than 3 % larger than the table in docs/benchmark.md says: to record new sizes, `npm run sizes`', async () => {
    const [sizes, recorded] = [await measureSizes(), recordedSizes()];
    expect(recorded.map(({ label }) => label)).toEqual(sizes.map(({ label }) => label));
    expect(sizes.filter(({ gzipped, limit = Infinity }) => gzipped > limit)).toEqual([]);
    const grown = sizes.filter(
      ({ minified, gzipped }, k) => isGrown(gzipped, recorded[k].gzipped) || isGrown(minified, recorded[k].minified),
    );
    expect(grown.map(({ label }) => recorded.find((row) => row.label === label))).toEqual([]);
    const features = sizes.filter(({ isFeature }) => isFeature).map(({ label }) => label);
    expect(recordedSizes('README.md')).toEqual(recorded.filter(isInReadme));
    // The README says from how much to how much a feature adds.
    const added = recorded.filter(({ label }) => features.includes(label)).map(({ gzipped }) => gzipped);
    expect([Math.min(...added), Math.ceil(Math.max(...added))]).toEqual([0.4, 8]);
  });

  // A statement with a side effect at the top level of a file, and all that it uses, is in every bundle that imports
  // anything. A call or `new` needs /* @__PURE__ */ before it; a spread or a property of another constant has an
  // effect, too.
  it.each([
    'scene-octree/core',
    'scene-octree',
    'scene-octree/three',
    'scene-octree/save',
    'scene-octree/tiles',
    'scene-octree/triangles',
  ] as const)('%s has no statement that a bundler must keep', async (entryPoint) => {
    const code = await bundle(exporting(entryPoint, '*').replace('export * from', 'import'));
    expect(code.replace('import"three";', '')).toBe('');
  });

  it('lets those who import pick alone not pay for an octree', async () => {
    expect(await bundle(exporting('scene-octree/three', 'pick'))).not.toContain('collectFrustum');
  });
});
