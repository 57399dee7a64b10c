import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  compileExamples,
  documents,
  ENTRY_POINTS,
  examplesOf,
  linkedPaths,
  promisedOutput,
  runExamples,
} from '../support/doc-examples.ts';

const readme = readFileSync('README.md', 'utf8');
const examples = documents().flatMap(examplesOf);
const printing = examples.filter((example) => promisedOutput(example).length > 0);
let report = 'not compiled';
let outputs = new Map<string, string>();

beforeAll(() => {
  report = compileExamples(examples);
  if (report === '') outputs = runExamples(printing);
}, 120_000);

describe('README.md', () => {
  it('has at most 1,200 words, marks of tables not counted', () => {
    const words = readme.split(/\s+/).filter((word) => /\w/.test(word));
    expect(words.length).toBeGreaterThan(600);
    expect(words.length).toBeLessThanOrEqual(1200);
  });

  it('has code in the first lines, then a picture that is a link, and the two commands', () => {
    expect(readme.split('\n').slice(0, 8).join('\n')).toContain('```ts');
    expect(readme.split('\n').slice(0, 20).join('\n')).toMatch(/\[!\[[^\]]+\]\([^)]+\)\]\([^)]+\)/);
    expect(readme).toContain('npm start');
    expect(readme).toContain('npm test');
  });

  it('has examples of at most 25 lines, of both entry points', () => {
    const own = examplesOf('README.md');
    expect(own.length).toBeGreaterThanOrEqual(2);
    for (const { code } of own) expect(code.trim().split('\n').length).toBeLessThanOrEqual(25);
    for (const entry of ['scene-octree', 'scene-octree/three']) expect(readme).toContain(`from '${entry}'`);
  });

  it('has an example without a renderer that prints what its comments say', () => {
    const output = outputs.get(examplesOf('README.md').find(({ code }) => code.includes('firstHit'))!.name);
    expect(output).toContain('tree 11.5');
    expect(output).toMatch(/true 7 .*\{ x: 0, y: 0, z: 1 \}/);
  });
});

describe('the table of guides', () => {
  it('links every guide', () => {
    const linked = linkedPaths('docs/guides/README.md');
    expect(documents().filter((document) => document.startsWith('docs/guides/') && !linked.includes(document))).toEqual(
      ['docs/guides/README.md'],
    );
  });
});

describe('the README and the guides', () => {
  it('have examples that compile, each of them', () => {
    expect(report).toBe('');
  });

  it('import only from entry points of the package', () => {
    const entries = examples.flatMap(({ code }) =>
      [...code.matchAll(/from '(scene-octree[^']*)'/g)].map(([, entry]) => entry),
    );
    expect(entries.filter((entry) => !(entry in ENTRY_POINTS))).toEqual([]);
  });

  it.each(printing.map((example) => [example.name, example] as const))(
    '%s prints what its comments say',
    (name, example) => {
      let rest = outputs.get(name) ?? 'not run';
      for (const text of promisedOutput(example)) {
        expect(rest).toContain(text);
        rest = rest.slice(rest.indexOf(text) + text.length);
      }
    },
  );
});
