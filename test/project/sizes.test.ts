import { describe, expect, it } from 'vitest';
import { IS_LONG } from '../support/sampled.ts';
import { bundle, exporting, isInReadme, measureSizes, recordedSizes, ROWS } from '../../scripts/sizes.mjs';

/** By how much a size may exceed the recorded one: 3 %, and what rounding hides. */
const isGrown = (now: number, recorded: number): boolean => now > recorded * 1.03 + 0.1;

/** In `npm test` the rows of the README, and each fourth one of the others. */
const isMeasured = (row: { readonly label: string }, k: number): boolean => IS_LONG || isInReadme(row) || k % 4 === 0;

describe('the package', () => {
  it('is no larger than its limits, and no more than 3 % larger than the table in docs/benchmark.md says: to record new sizes, `npm run sizes`', async () => {
    const all = recordedSizes();
    expect(all.map(({ label }) => label)).toEqual(ROWS.map(({ label }) => label));
    const [sizes, recorded] = [await measureSizes(ROWS.filter(isMeasured)), all.filter(isMeasured)];
    expect(sizes.filter(({ gzipped, limit = Infinity }) => gzipped > limit)).toEqual([]);
    const grown = sizes.filter(
      ({ minified, gzipped }, k) => isGrown(gzipped, recorded[k].gzipped) || isGrown(minified, recorded[k].minified),
    );
    expect(grown.map(({ label }) => recorded.find((row) => row.label === label))).toEqual([]);
    const features = ROWS.filter(({ isFeature }) => isFeature).map(({ label }) => label);
    expect(recordedSizes('README.md')).toEqual(all.filter(isInReadme));
    // The README says from how much to how much a feature adds.
    const added = all.filter(({ label }) => features.includes(label)).map(({ gzipped }) => gzipped);
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
