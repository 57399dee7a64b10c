import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const readme = existsSync('README.md') ? readFileSync('README.md', 'utf8') : '';
const WORK = 'node_modules/.cache/readme';
/** From the work folder to the sources, in the place of the package's entry points. */
const ENTRY_POINTS: Readonly<Record<string, string>> = { 'scene-octree': '../../../src/index.ts', 'scene-octree/three': '../../../src/three/index.ts' };

/** What a reader's own code declares around the examples. */
const READERS_CODE = `
import type { BufferGeometry, Material, Matrix4, Mesh, PerspectiveCamera, Scene } from 'three';
import type { Octree } from '${ENTRY_POINTS['scene-octree']}';
declare global {
  const scene: Scene;
  const camera: PerspectiveCamera;
  const canvas: HTMLCanvasElement;
  const meshes: Mesh[];
  const geometry: BufferGeometry;
  const coarseGeometry: BufferGeometry;
  const material: Material;
  const octree: Octree<string>;
  function matrixOf(id: number): Matrix4;
  function draw(data: string | undefined): void;
}
`;

const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
const fileOf = (k: number): string => `example-${k}`;

/** Compiles all examples against the sources, under the options of the project; returns what the compiler reports. */
function compile(): string {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  for (const [k, code] of examples.entries()) {
    const linked = code.replace(/from '(scene-octree[^']*)'/g, (_, entry: string) => `from '${ENTRY_POINTS[entry] ?? entry}'`);
    writeFileSync(join(WORK, `${fileOf(k)}.ts`), linked);
  }
  writeFileSync(join(WORK, 'readers-code.ts'), READERS_CODE);
  writeFileSync(join(WORK, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = { noEmit: false, outDir: 'out', rootDir: '../../..', rewriteRelativeImportExtensions: true, noUnusedLocals: false };
  writeFileSync(join(WORK, 'tsconfig.json'), JSON.stringify({ extends: '../../../tsconfig.json', compilerOptions, include: ['*.ts'] }));
  try {
    return execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', WORK], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const run = (k: number): string => execFileSync(process.execPath, [join(WORK, 'out', WORK, `${fileOf(k)}.js`)], { encoding: 'utf8' });

describe('README.md', () => {
  it('is under 10 kB', () => {
    expect(readme.length).toBeGreaterThan(0);
    expect(Buffer.byteLength(readme)).toBeLessThan(10_000);
  });

  it('has a picture at the top, and the two commands', () => {
    expect(readme.split('\n').slice(0, 10).join('\n')).toMatch(/!\[[^\]]+\]\([^)]+\)|<img /);
    expect(readme).toContain('npm start');
    expect(readme).toContain('npm test');
  });

  it('has pictures and links that lead to files', () => {
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, target]) => target);
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  describe('has examples', () => {
    let report = 'not compiled';
    beforeAll(() => {
      report = compile();
    });

    it('of at most 25 lines, of both entry points', () => {
      expect(examples.length).toBeGreaterThanOrEqual(4);
      for (const code of examples) expect(code.trim().split('\n').length).toBeLessThanOrEqual(25);
      for (const entry of Object.keys(ENTRY_POINTS)) expect(readme).toContain(`from '${entry}'`);
    });

    it('that compile, each of them', () => {
      expect(report).toBe('');
    });

    it('of which the one without a renderer prints what its comments say', () => {
      const output = run(examples.findIndex((code) => code.includes('firstHit')));
      expect(output).toContain('hits the tree, 0.25 deep');
      expect(output).toMatch(/true 7 .*\{ x: 0, y: 0, z: 1 \}/);
    });
  });
});
