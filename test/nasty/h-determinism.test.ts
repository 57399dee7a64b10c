import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fingerprint, LARGE_QUERIES as queries } from '../support/fingerprint.ts';
import { collected, octreeOf } from '../support/octrees.ts';
import { queryIndices } from '../support/queries.ts';
import { createRandom } from '../support/random.ts';
import { clustered, uniform } from '../support/scenes.ts';
import { intersectPairs } from '../../src/index.ts';

/** H1 runs with the random histories: test/histories/history.test.ts. */
describe('nasty H: determinism', () => {
  it('H2 src calls no function whose last bit differs between engines', () => {
    // Powers are approximated too. Those of two integers are constants, which are exact in each engine.
    const banned =
      /Math\.(sin|cos|tan|asin|acos|atan2?|exp|expm1|log|log2|log10|log1p|pow|hypot|cbrt|sinh|cosh|tanh|a(sin|cos|tan)h|random)\b|\*\*(?! -?\d)|(?<!\b\d+) \*\*/;
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) => {
      // Texts hold WebAssembly.
      const code = readFileSync(`src/${file}`, 'utf8').replace(/'[^'\n]*'|\/\*[^]*?\*\/|\/\/.*/g, '');
      const call = banned.exec(code);
      return call === null ? [] : [`${file}: ${call[0]}`];
    });
    expect(found).toEqual([]);
  });

  it('H3 results do not depend on other octrees or on earlier queries', () => {
    const shapes = clustered(300, 1);
    const quiet = octreeOf(shapes);
    const busy = octreeOf(shapes);
    for (let i = 0; i < 20; i++) {
      octreeOf(uniform(100, i)).octree.update();
      for (const query of queries) collected((list) => queryIndices(busy.octree, query, list));
      intersectPairs(busy.octree);
    }
    expect(fingerprint(busy.octree)).toBe(fingerprint(quiet.octree));
  });

  it('H4 the order of insertion does not change the set of results, and for ray and nearest not their order', () => {
    const shapes = uniform(500, 1);
    const random = createRandom(1);
    const shuffled = shapes.map((shape, i) => ({ shape, i, key: random.next() })).sort((a, b) => a.key - b.key);
    const straight = octreeOf(shapes).octree;
    const mixed = octreeOf(shuffled.map(({ shape }) => shape)).octree;
    const original = (data: number): number => shuffled[data].i;
    for (const query of queries) {
      if (query.kind === 'pairs') continue;
      const expected = collected((list) => queryIndices(straight, query, list));
      const found = collected((list) => queryIndices(mixed, query, list)).map(original);
      if (query.kind === 'ray' || query.kind === 'nearest') expect(found).toEqual(expected);
      else expect(found.sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    }
  });
});
