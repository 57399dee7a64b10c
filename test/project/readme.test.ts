import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const readme = existsSync('README.md') ? readFileSync('README.md', 'utf8') : '';
const WORK = 'node_modules/.cache/readme';
/** From the work folder to the sources, as the package's entry points would lead there. */
const SLOT_BOUNDS: Readonly<Record<string, string>> = { 'scene-octree': '../../../src/index.ts', 'scene-octree/debug': '../../../src/debug/index.ts' };

function usage(): string {
  const block = /```ts\n([\s\S]*?)```/.exec(readme);
  if (block === null) throw new Error('README.md has no ts code block: the usage example is missing');
  return block[1];
}

/** Compiles the code against the sources, under the options of the project, and runs it in plain Node. */
function compileAndRun(code: string): string {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  const linked = code.replace(/from '(scene-octree[^']*)'/g, (_, entry: string) => `from '${SLOT_BOUNDS[entry] ?? entry}'`);
  writeFileSync(join(WORK, 'usage.ts'), linked);
  writeFileSync(join(WORK, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = { noEmit: false, outDir: 'out', rootDir: '../../..', rewriteRelativeImportExtensions: true, noUnusedLocals: false };
  writeFileSync(join(WORK, 'tsconfig.json'), JSON.stringify({ extends: '../../../tsconfig.json', compilerOptions, include: ['usage.ts'] }));
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', WORK], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return execFileSync(process.execPath, [join(WORK, 'out', WORK, 'usage.js')], { encoding: 'utf8' });
}

describe('README.md', () => {
  it('is under 10 kB', () => {
    expect(readme.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(readme)).toBeLessThan(10_000);
  });

  it('has the two commands at the top, and a picture', () => {
    const top = readme.split('\n').slice(0, 30).join('\n');
    expect(top).toContain('npm start');
    expect(top).toContain('npm test');
    expect(readme).toMatch(/!\[[^\]]+\]\([^)]+\)|<img /);
  });

  it('has pictures and links that lead to files', () => {
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, target]) => target);
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  it('has a usage example of at most 25 lines that compiles and runs', () => {
    const code = usage();
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(25);
    expect(code).toContain("from 'scene-octree'");
    expect(() => compileAndRun(code)).not.toThrow();
  });
});
