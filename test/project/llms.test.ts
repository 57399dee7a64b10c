import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listedExamples } from '../../scripts/example-list.ts';
import { linkPages, llmsTexts } from '../../scripts/llms-plugin.ts';
import * as core from '../../src/core.ts';

describe('the texts for language models', () => {
  const texts = llmsTexts();
  const index = texts.get('llms.txt')!;

  it('begin with the name and a summary, and have the table of the API', () => {
    expect(index).toMatch(/^# scene-octree\n\n> .+\n\n## Install\n/);
    const [table] = /^\| one body [\s\S]*?\n\n/m.exec(readFileSync('docs/guides/api.md', 'utf8'))!;
    expect(index).toContain(table);
  });

  it('name the functions that take an octree, and none of them as a method', () => {
    const functions = Object.entries(core)
      .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
      .map(([name]) => name);
    // Other forms of a function need not be in the table.
    const kinds = functions.filter((name) => !/^collect.|All$|ById$|^idsOf$|^indexOfId$/.test(name));
    expect(kinds.length).toBeGreaterThan(10);
    expect(kinds.filter((name) => !new RegExp(`\\b${name}\\b`).test(index))).toEqual([]);
    expect(functions.filter((name) => index.includes(`octree.${name}(`))).toEqual([]);
  });

  it('have each guide: as a file, in full, and in the index with what it is for', () => {
    const guides = readdirSync('docs/guides').filter((file) => file !== 'README.md');
    expect(guides.length).toBeGreaterThan(5);
    for (const file of guides) {
      const text = linkPages(readFileSync(`docs/guides/${file}`, 'utf8'));
      expect(texts.get(`guides/${file}`)).toBe(text);
      expect(texts.get('llms-full.txt')).toContain(text);
      expect(index.split('\n').find((line) => line.includes(`](guides/${file})`))).toMatch(
        /^- \[[^\]]+\]\([^)]+\): .{20,}/,
      );
    }
  });

  it('link the pages of examples, as the site has them', () => {
    const paths = [...texts.get('llms-full.txt')!.matchAll(/\]\((?:\.\.\/)*(examples\/[\w./-]+)\)/g)].map(
      ([, path]) => path,
    );
    expect(paths.length).toBeGreaterThan(20);
    const pages = listedExamples().map(({ slug }) => `examples/${slug}.html`);
    expect(
      paths.filter((path) => !pages.includes(path) && !/^examples\/(server|world-server|worker|images)\//.test(path)),
    ).toEqual([]);
  });

  it('link only what is there', () => {
    const paths = [...index.slice(index.indexOf('## Guides')).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
    expect(paths.filter((path) => !texts.has(path) && path !== 'reference/index.html')).toEqual([]);
  });
});
