/**
 * The command `scene-octree-tiles` on a GLB, with the sources in place of the package: in a process of its own, and for
 * most options in that of the tests, where three is loaded once.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readTileset } from '../support/tiles-reader.ts';
import { housesOf, tilesetOf } from '../support/tilesets.ts';
import { leavesOf } from '../support/written-tiles.ts';

const WORK = 'node_modules/.cache/command-line';
const CITY = join(WORK, 'city.glb');
/**
 * Files that are refused: without the last bytes, with JSON that is none, and of a mesh that is compressed by Draco.
 */
const CUT = join(WORK, 'cut.glb');
const DAMAGED = join(WORK, 'damaged.glb');
const DRACO = join(WORK, 'draco.glb');
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
  const city = new Uint8Array(tilesetOf(housesOf(HOUSES)).get('root.glb') as ArrayBuffer);
  writeFileSync(CITY, city);
  writeFileSync(CUT, city.subarray(0, city.length - 8));
  writeFileSync(DAMAGED, glbOf('{"asset":'));
  writeFileSync(DRACO, glbOf(JSON.stringify(DRACO_JSON)));
});

const DRACO_JSON = {
  asset: { version: '2.0' },
  extensionsUsed: ['KHR_draco_mesh_compression'],
  extensionsRequired: ['KHR_draco_mesh_compression'],
  meshes: [
    {
      primitives: [
        {
          attributes: { POSITION: 0 },
          extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
        },
      ],
    },
  ],
  accessors: [{ componentType: 5126, count: 3, type: 'VEC3' }],
  nodes: [{ mesh: 0 }],
  scenes: [{ nodes: [0] }],
};

/** A GLB without binary data. */
function glbOf(json: string): Buffer {
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const bytes = Buffer.alloc(20 + text.length);
  bytes.write('glTF');
  [2, bytes.length, text.length, 0x4e4f534a].forEach((word, k) => bytes.writeUInt32LE(word, 4 + 4 * k));
  text.copy(bytes, 20);
  return bytes;
}

const isCompressed = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes('EXT_meshopt_compression');

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const COMMAND = join(WORK, 'scene-octree-tiles.js');

const spawn = (...given: string[]): Outcome =>
  spawnSync(process.execPath, [COMMAND, ...given], { encoding: 'utf8', timeout: 60_000 });

let runs = 0;

/** The same in this process. */
async function run(...given: string[]): Promise<Outcome> {
  const texts = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).flatMap((stream) => {
    const write = (text: string | Uint8Array): boolean => {
      texts[stream] += Buffer.from(text as string).toString();
      return true;
    };
    const method = stream === 'stdout' ? 'log' : 'error';
    return [
      vi.spyOn(process[stream], 'write').mockImplementation(write),
      vi.spyOn(console, method).mockImplementation((text: string) => void write(`${text}\n`)),
    ];
  });
  const { argv, exitCode } = process;
  process.argv = [process.execPath, COMMAND, ...given];
  process.exitCode = 0;
  try {
    runs += 1;
    await import(/* @vite-ignore */ `${pathToFileURL(COMMAND).href}?run=${runs}`);
    return { status: process.exitCode, ...texts };
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
  }
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
    const { status, stdout, stderr } = spawn(CITY, folder);
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
    const files = filesIn(folder);
    expect(stdout).toMatch(
      /^\d+ files, \d+\.\d\d MB: .*tileset\.json\nCompressed by meshopt.*\n( .*\n){2}See node_modules.*\n$/,
    );
    expect(stdout).toContain('new GLTFExtensionsPlugin({ meshoptDecoder: MeshoptDecoder })');
    expect(parseInt(stdout)).toBe(files.size);
    expect(stderr).toContain('cells');
    expect(stderr).not.toContain('is not empty');
    expect([...files.values()].some(isCompressed)).toBe(true);
    const { tiles } = await readTileset(files);
    expect(tiles.length).toBe(files.size - 1);
    const rows = leavesOf(tiles).flatMap((tile) => tile.rows);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.flatMap(({ solidBoxes }) => solidBoxes)).toEqual([]);
  });

  it('writes tiles without compression, and says that files of an earlier run stay', async () => {
    const folder = join(WORK, 'plain');
    mkdirSync(folder);
    writeFileSync(join(folder, 'old.glb'), '');
    const { status, stdout, stderr } = await run(CITY, folder, '--no-meshopt');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toMatch(/^\d+ files, [^\n]*\n$/);
    expect(stderr).toContain('is not empty: files of earlier runs that are not written again stay');
    expect([...filesIn(folder).values()].some(isCompressed)).toBe(false);
  });

  it('takes a limit of vertices, and finds solid boxes', async () => {
    const folder = join(WORK, 'small');
    expect(await run(CITY, folder, '--max-vertices', '256', '--solid-boxes')).toMatchObject({ status: 0 });
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
    { given: [CUT, join(WORK, 'none')], text: 'cut.glb must have' },
    { given: [DAMAGED, join(WORK, 'none')], text: 'damaged.glb cannot be read: ' },
    { given: [DRACO, join(WORK, 'none')], text: 'draco.glb is compressed by Draco; decode it first: npx' },
    {
      given: [CITY, join(WORK, 'none'), '--max-vertices', '7'],
      text: 'options.maxVertices must be an integer from 256',
    },
    // Node's own way to make several folders never ends there.
    ...(process.platform === 'linux'
      ? [{ given: [CITY, '/proc/none/tiles'], text: '/proc/none/tiles cannot be written (ENOENT' }]
      : []),
    { given: [CITY, CUT], text: 'cut.glb cannot be written (' },
    { given: [CITY, join(WORK, 'none'), '--fast'], text: "Unknown option '--fast'.\nscene-octree-tiles city.glb" },
    { given: [CITY, join(WORK, 'none'), '--max-vertices'], text: 'argument missing.\nscene-octree-tiles city.glb' },
  ])('refuses $given in a sentence, and writes nothing', async ({ given, text }) => {
    const { status, stdout, stderr } = await run(...given);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^scene-octree-tiles: /);
    expect(stderr).toContain(text);
    expect(readdirSync(WORK)).not.toContain('none');
  });

  it('ends with a status of its own', () => {
    const { status, stdout, stderr } = spawn();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^scene-octree-tiles: a GLB and a folder must be named/);
  });

  it('explains itself', async () => {
    expect(await run('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--max-vertices') as string,
    });
  });
});
