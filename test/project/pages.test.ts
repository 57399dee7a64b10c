import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const OPTIONAL = '## Where to look';
const HEADINGS = ['## Idea', '## States', '## Files, in reading order', OPTIONAL, '## Imports'];
/** What a screen shows. */
const MAX_LINES = 45;
const MAX_BYTES = 5000;

/** The folders that have a page: all folders of src, and parts that are as large as a folder. */
const folders = [
  ...readdirSync('src', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name),
  'features/sensors',
  'three/detector',
  'three/group',
];
const pages = folders.map((folder) => `src/${folder}/README.md`);
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file));

const textOf = (page: string): string => readFileSync(page, 'utf8');
const below = (page: string): string => page.slice(0, -'README.md'.length);
/** The sources that a page is about: those below its folder, but for those of another page. */
function sourcesOf(page: string): string[] {
  const inner = folders
    .map((name) => `src/${name}/`)
    .filter((folder) => folder !== below(page) && folder.startsWith(below(page)));
  return sources.filter((file) => file.startsWith(below(page)) && !inner.some((folder) => file.startsWith(folder)));
}

/** The folders from which the sources of a page import; of parts of the same folder, the name of the part. */
function importsOf(page: string): string[] {
  const targets = sourcesOf(page).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(\s*|^import )'(\.[^']+)'/gm)].map(([, from]) =>
      normalize(join(dirname(file), from)).replaceAll('\\', '/'),
    ),
  );
  const [, own, part] = page.split('/');
  const names = targets.map((target) => {
    const [, folder, ...rest] = target.split('/');
    if (folder !== own) return rest.length === 0 ? 'entry points' : folder;
    return part === 'README.md' || rest[0] === part ? '' : rest[0];
  });
  return [...new Set(names)].filter((name) => name !== '').sort();
}

describe('docs/architecture.md', () => {
  const text = textOf('docs/architecture.md');

  it('is read in half an hour: at most 2,500 words', () => {
    expect(text.match(/\S+/g)!.length).toBeLessThanOrEqual(2500);
  });

  it('has a row for each folder of src', () => {
    const rows = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, folder]) => folder);
    expect(rows.sort()).toEqual(folders.filter((folder) => !folder.includes('/')).sort());
  });
});

describe('the page of a folder', () => {
  it('is there for each folder of src', () => {
    expect(pages.filter((page) => !existsSync(page))).toEqual([]);
  });

  it.each(pages)('%s: has a title, a text and the sections in their order', (page) => {
    const headings = textOf(page).match(/^#+ .*$/gm) ?? [];
    expect(headings[0]).toMatch(/^# \w/);
    const isThere = (heading: string): boolean => heading !== OPTIONAL || headings.some((one) => one === heading);
    expect(headings.slice(1)).toEqual(HEADINGS.filter(isThere));
  });

  it.each(pages)('%s: fits on a screen', (page) => {
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    expect(Buffer.byteLength(textOf(page))).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.each(pages)('%s: names each file', (page) => {
    const own = sourcesOf(page).map((file) => file.slice(below(page).length));
    const named = new Set([...textOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code));
    const isNamed = (file: string): boolean => {
      const name = file.split('/').at(-1)!;
      return named.has(file) || (named.has(name) && own.filter((one) => `/${one}`.endsWith(`/${name}`)).length === 1);
    };
    expect(own.filter((file) => !isNamed(file))).toEqual([]);
  });

  it.each(pages)('%s: names what it imports', (page) => {
    const [, sentence] = /^## Imports\n\n(.*?)(?:\.(?:\s|$))/ms.exec(textOf(page)) ?? ['', ''];
    const named = [...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(importsOf(page));
  });

  it.each(pages)('%s: names functions that are in the files it says', (page) => {
    const places = [...textOf(page).matchAll(/((?:`\w+`(?:, | and )?)+) in `([\w./-]+\.tsx?)`/g)];
    const faults = places.flatMap(([, names, path]) => {
      const files = sources.filter((file) => file === path || file.endsWith(`/${path}`));
      const isThere = (name: string): boolean => files.some((file) => new RegExp(`\\b${name}\\b`).test(textOf(file)));
      return names.match(/\w{2,}/g)!.flatMap((name) => (name === 'and' || isThere(name) ? [] : [`${name} in ${path}`]));
    });
    expect(faults).toEqual([]);
  });

  it('is no part of the package', () => {
    const { files } = JSON.parse(textOf('package.json')) as { files: string[] };
    expect(files.filter((path) => path.startsWith('src'))).toEqual([]);
  });
});
