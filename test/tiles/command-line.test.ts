/** The command `scene-octree-tiles`, run by Node on a GLB, with the sources in place of the package. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { readTileset } from '../support/tiles-reader.ts';
import { housesOf, tilesetOf } from '../support/tilesets.ts';
import { leavesOf } from '../support/written-tiles.ts';

const WORK = 'node_modules/.cache/command-line';
const CITY = join(WORK, 'city.glb');
/** One: boxes that are small beside their mesh are not worth their tests. */
const HOUSES = 1;

beforeAll(async () => {
  rmSync(WORK, { recursive: true, force: true });
  await build({
    configFile: false,
    logLevel: 'warn',
    resolve: {
      alias: { 'scene-octree/core': resolve('src/core.ts'), 'scene-octree/tiles': resolve('src/tiles/index.ts') },
    },
    build: { ssr: 'bin/scene-octree-tiles.js', outDir: WORK },
  });
  mkdirSync(WORK, { recursive: true });
  writeFileSync(CITY, new Uint8Array(tilesetOf(housesOf(HOUSES)).get('root.glb') as ArrayBuffer));
});

function run(...given: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(WORK, 'scene-octree-tiles.js'), ...given], { encoding: 'utf8' });
}

const filesIn = (folder: string): Map<string, Uint8Array> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => /\.\w+$/.test(path))
      .map((path) => [path, new Uint8Array(readFileSync(join(folder, path)))]),
  );

describe('the command scene-octree-tiles', () => {
  it('writes the tiles of a GLB into a folder, and says how many files and bytes', async () => {
    const folder = join(WORK, 'out/city');
    const { status, stdout, stderr } = run(CITY, folder);
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
    const files = filesIn(folder);
    expect(stdout).toMatch(/^\d+ files, \d+\.\d\d MB: .*tileset\.json\n$/);
    expect(parseInt(stdout)).toBe(files.size);
    expect(stderr).toContain('tiles');
    const { tiles } = await readTileset(files);
    expect(tiles.length).toBe(files.size - 1);
    const rows = leavesOf(tiles).flatMap((tile) => tile.rows);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.flatMap(({ solidBoxes }) => solidBoxes)).toEqual([]);
  });

  it('takes a limit of vertices, and finds solid boxes', async () => {
    const folder = join(WORK, 'small');
    expect(run(CITY, folder, '--max-vertices', '256', '--solid-boxes')).toMatchObject({ status: 0 });
    const { tiles } = await readTileset(filesIn(folder));
    expect(leavesOf(tiles).flatMap(({ rows }) => rows.flatMap(({ solidBoxes }) => solidBoxes)).length).toBeGreaterThan(
      0,
    );
  });

  it.each([
    { given: [], text: 'a GLB and a folder must be named' },
    { given: [CITY], text: 'a GLB and a folder must be named' },
    { given: ['none.glb', join(WORK, 'none')], text: 'none.glb' },
    { given: ['package.json', join(WORK, 'none')], text: 'package.json must be a GLB' },
    {
      given: [CITY, join(WORK, 'none'), '--max-vertices', '7'],
      text: 'options.maxVertices must be an integer from 256',
    },
    { given: [CITY, join(WORK, 'none'), '--fast'], text: '--fast' },
  ])('refuses $given in a sentence, and writes nothing', ({ given, text }) => {
    const { status, stdout, stderr } = run(...given);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^scene-octree-tiles: /);
    expect(stderr).toContain(text);
    expect(readdirSync(WORK)).not.toContain('none');
  });

  it('explains itself', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('--max-vertices') as string });
  });
});
