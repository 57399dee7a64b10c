import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { obstaclesOf } from '../../scripts/check-release.mjs';

const text = readFileSync('package.json', 'utf8');
const description = JSON.parse(text) as Record<string, unknown>;

describe('package.json', () => {
  it('has every field that a registry shows', () => {
    const fields = [
      'name',
      'version',
      'description',
      'keywords',
      'license',
      'author',
      'homepage',
      'repository',
      'bugs',
      'engines',
      'files',
      'exports',
      'peerDependencies',
    ];
    expect(fields.filter((field) => !(field in description))).toEqual([]);
  });

  it('is the only file that names the account of the publisher', () => {
    const folders = ['src', 'docs', 'examples', 'scripts', '.github'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    );
    const files = [...folders, ...readdirSync('.')].filter(
      (file) => /\.(md|html|ts|mjs|json|yml)$/.test(file) && !file.includes('node_modules') && file !== 'package.json',
    );
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => /[/.]OWNER\b|\bOWNER\./.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});

describe('the check before a release', () => {
  const ready = text.replaceAll('OWNER', 'somebody').replace(/"version": "[^"]+"/, '"version": "1.2.3"');
  const changelog = '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n';

  it('finds nothing if the account is filled in and the changelog has the version', () => {
    expect(obstaclesOf(ready, changelog)).toEqual([]);
  });

  it('names what is left to do', () => {
    expect(obstaclesOf(text, changelog)[0]).toMatch(/^package.json: replace OWNER/);
    expect(obstaclesOf(ready, changelog.replace('1.2.3', '1.2.2'))[0]).toMatch(
      /^CHANGELOG.md: add the heading "## \[1\.2\.3\]/,
    );
    expect(obstaclesOf(ready, changelog.replace(' - 2026-12-01', ''))).toHaveLength(1);
  });

  it('runs before `npm publish`, and so do all tests', () => {
    expect((description.scripts as Record<string, string>).prepublishOnly).toBe(
      'node scripts/check-release.mjs && npm test && npm run test:long',
    );
  });
});

describe('the workflow for public hosting', () => {
  it('runs all tests, with the oldest Node that `engines` names', () => {
    const workflow = readFileSync('.github/workflows/test.yml', 'utf8');
    expect(workflow).toMatch(/^ +- run: npm test$[^]*^ +- run: npm run test:long$/m);
    const [, oldest] = /\^(\d+\.\d+\.\d+)/.exec((description.engines as { node: string }).node)!;
    expect(workflow).toContain(`node: [${oldest}, `);
  });
});

describe('the commands', () => {
  it('run every project of the tests before a release; on CI all but those whose sample `npm test` has run', () => {
    const scripts = description.scripts as Record<string, string>;
    const patternsOf = (name: string) =>
      [...scripts[name].matchAll(/--project=(\S+)/g)].map(([, glob]) => new RegExp(`^${glob.replace('*', '.*')}$`));
    const left = (...names: string[]) => {
      const patterns = names.flatMap(patternsOf);
      return projects.filter((name) => !patterns.some((pattern) => pattern.test(name)));
    };
    const projects = [...readFileSync('vite.config.ts', 'utf8').matchAll(/test: \{[^}]*\bname: '([\w-]+)'/g)].map(
      ([, name]) => name,
    );
    expect(projects).toContain('unit');
    expect(left('test', 'test:long')).toEqual([]);
    expect(left('test', 'test:ci')).toEqual(['long-whole']);
    expect(readFileSync('.ci/run', 'utf8')).toMatch(/^npm test$[^]*^npm run test:ci$/m);
  });

  it('tries all, where `npm test` tries a sample', () => {
    const config = readFileSync('vite.config.ts', 'utf8');
    const lists = [...config.matchAll(/^const (?:LONG|SAMPLED) = \[\n([^]+?)^\];/gm)].map(([, list]) => list).join('');
    const whole = [...lists.matchAll(/'([^']+)'/g)].map(
      ([, glob]) =>
        new RegExp(
          `^${glob.replace(/[{},.*]/g, (sign) => ({ '{': '(', '}': ')', ',': '|', '*': '.*' })[sign] ?? '\\.')}$`,
        ),
    );
    const sampled = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .map((file) => `test/${file.replaceAll('\\', '/')}`)
      // The project `histories` is part of both; no project of these folders is part of `npm test`.
      .filter((file) => file.endsWith('.test.ts') && !/^test\/(histories|browser|site)\//.test(file))
      .filter((file) =>
        /from '[./]+support\/sampled\.ts'|process\.env\.npm_lifecycle/.test(readFileSync(file, 'utf8')),
      );
    expect(sampled.length).toBeGreaterThan(10);
    expect(sampled.filter((file) => !whole.some((pattern) => pattern.test(file)))).toEqual([]);
  });
});
