import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs';
import { createConsumers, runNode, tool, type Consumers } from './support/consumers.ts';
import { serveFolder, type FolderServer } from './support/serve-folder.ts';
import { sampleFrom } from '../support/sampled.ts';

const TSC = {
  7: tool('node_modules/typescript/bin/tsc'),
  6: tool('docs/reference/node_modules/typescript/bin/tsc'),
  5.2: tool('test/package/typescript-oldest/node_modules/typescript/bin/tsc'),
};
const WASM_CROWD = { hits: 2000, position: [4.5, 0, 0], usesWasm: true };
const PLAIN_CROWD = { ...WASM_CROWD, usesWasm: false };
/** What the app finds: the first one under an open policy. */
const APP = [true, false].map((moves) => ({
  calls: 1,
  red: 255,
  picked: 'mesh 0',
  moves,
  worker: { data: 'ball', position: { x: 0, y: 0, z: -7 }, moves },
}));

/** Limit of the packed package in bytes. */
const MAX_WEIGHT = 805_000;

const { peerDependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'peerDependencies' | 'devDependencies',
  Record<string, string>
>;

/** Where a page of the site may be from: that of a small example is made of its source. */
const sourcesOfPage = (path: string): string[] => [path, path.replace('.html', '.ts'), path.replace('.html', '.tsx')];

let consumers: Consumers;
let browser: Browser;
let server: FolderServer;

beforeAll(async () => {
  const executablePath = findBrowser();
  [consumers, browser] = await Promise.all([
    createConsumers(),
    chromium.launch({ args: chromiumArgs, ...(executablePath === undefined ? {} : { executablePath }) }),
  ]);
  server = await serveFolder(consumers.newest);
}, 180_000);

afterAll(async () => {
  server?.close();
  await browser?.close();
  if (consumers !== undefined) rmSync(consumers.folder, { recursive: true, force: true });
});

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8')) as never;
}

/** Opens a page, waits for its `result`; returns it and all messages of the page. */
async function open(address: string): Promise<{ result: unknown; messages: string[] }> {
  const page = await browser.newPage();
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.goto(address);
  await page
    .waitForFunction(() => 'result' in window, undefined, { timeout: 20_000 })
    .catch(() => messages.push('no result'));
  const result = await page.evaluate(() => (window as { result?: unknown }).result);
  await page.close();
  return { result, messages };
}

/** The files of dist that a file imports, itself included, and every other module that it names. */
function reachedFrom(dist: string, file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  if (!file.endsWith('.js')) return reached;
  const text = readFileSync(join(dist, file), 'utf8');
  for (const [, name, dynamic] of text.matchAll(/^(?:import|export)\b[^"';]*"([^"]+)";$|\bimport\("([^"]+)"\)/gm))
    reachedFrom(dist, (name ?? dynamic).replace(/^\.\//, ''), reached);
  return reached;
}

// The steps run side by side, each as a process of its own. Timeouts are for a machine that does much else.
describe.concurrent('the packed package', { timeout: 180_000 }, () => {
  it('has no fault that publint or attw finds', async () => {
    const report = await runNode(
      consumers.core,
      tool('test/package/support/lint-package.mjs'),
      join(consumers.core, 'node_modules/scene-octree'),
      consumers.tarball,
    );
    expect(JSON.parse(report)).toEqual({
      publint: [],
      hasTypes: true,
      attw: [],
      entryPoints: [
        '.',
        './core',
        './debug',
        './debug-three',
        './package.json',
        './react',
        './save',
        './three',
        './tiles',
        './triangles',
        './tsl',
      ],
    });
  });

  it('has code with doc comments, types and guides, and nothing twice', () => {
    const folder = join(consumers.core, 'node_modules/scene-octree');
    expect(readdirSync(folder).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin',
      'core',
      'debug',
      'debug-three',
      'dist',
      'docs',
      'package.json',
      'react',
      'save',
      'three',
      'tiles',
      'triangles',
      'tsl',
    ]);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[a-z]+$/.test(file));
    expect(files.filter((file) => !/\.(ts|js|md|json)$/.test(file))).toEqual([]);
    const code = files
      .filter((file) => /^dist\/[^/]*\.js$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(code.filter((text) => text.includes('The objects that are not culled')).length).toBe(1);
    expect(code.filter((text) => text.includes('sourceMappingURL'))).toEqual([]);
  });

  it('has the declarations that the compiler reads, and no others', async () => {
    const sources = ['types/core.ts', 'types/main.ts', 'react/src/main.tsx'];
    const report = await runNode(
      consumers.newest,
      TSC[7],
      '--listFilesOnly',
      '--jsx',
      'react-jsx',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      ...sources,
    );
    const dist = join(realpathSync(consumers.newest), 'node_modules/scene-octree/dist');
    const read = report
      .split('\n')
      .map((file) => relative(dist, file))
      .filter((file) => file.endsWith('.d.ts') && !file.startsWith('..'));
    expect(
      readdirSync(dist, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.d.ts'))
        .sort(),
    ).toEqual(read.sort());
  });

  it('has a folder for each entry point, which leads tools that do not read `exports` to the same files', () => {
    const folder = join(consumers.core, 'node_modules/scene-octree');
    const { exports, ...root } = readJson(join(folder, 'package.json')) as { exports: Record<string, object> };
    const paths = Object.entries(exports).flatMap(([entryPoint, value]) => {
      if (typeof value === 'string') return [];
      const own = entryPoint === '.' ? root : readJson(join(folder, entryPoint, 'package.json'));
      const { main, types, type, sideEffects } = own as Record<string, string>;
      const at = (path: string): string => `./${join(entryPoint, path)}`;
      return [[{ types: at(types), default: at(main) }, type, sideEffects, value]];
    });
    expect(paths).toEqual(paths.map(([, , , value]) => [value, 'module', false, value]));
    expect(paths).toHaveLength(10);
  });

  it('is light', () => {
    expect(statSync(consumers.tarball).size).toBeLessThan(MAX_WEIGHT);
  });

  it('has what its documents link, or they link the site and the repository', () => {
    const folder = join(consumers.core, 'node_modules/scene-octree');
    const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
    expect(documents.length).toBeGreaterThan(20);
    const dead = documents.flatMap((document) =>
      [...readFileSync(join(folder, document), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)]
        .map(([, path]) => join(dirname(document), path))
        .filter((path) => !existsSync(join(folder, path))),
    );
    expect(dead).toEqual([]);
    const linked = documents.flatMap((document) =>
      [...readFileSync(join(folder, document), 'utf8').matchAll(/\]\(([^)]*\/(examples\/[^)#]+))/g)].map(
        ([, address, path]) => [address, path] as const,
      ),
    );
    expect(linked.length).toBeGreaterThan(50);
    const { homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as { homepage: string };
    const wrong = linked.filter(
      ([address, path]) =>
        !address.startsWith(/\/(?:server|world-server|worker)\//.test(path) ? 'https://github.com/' : homepage) ||
        !sourcesOfPage(path).some((file) => existsSync(file)),
    );
    expect(wrong).toEqual([]);
  });

  it('has a core that imports nothing but its own chunks', () => {
    const dist = join(consumers.core, 'node_modules/scene-octree/dist');
    const files = readdirSync(dist).filter((file) => file.endsWith('.js'));
    expect([...reachedFrom(dist, 'core.js')].filter((name) => !files.includes(name))).toEqual([]);
    expect([...reachedFrom(dist, 'index.js')].filter((name) => !files.includes(name))).toEqual(['three']);
  });

  it.each([
    ['core', 7, 'core'],
    ['newest', 7, 'main-node'],
    ['newest', 6, 'main-bundler'],
    ['oldest', 7, 'main-bundler'],
    ['newest', 7, 'react'],
    ...sampleFrom([7, 6, 5.2] as const, 3, 2).map((version) => ['newest', version, 'strict'] as const),
    ['newest', 5.2, 'main-node10'],
  ] as const)('is type-checked in the project %s by TypeScript %d: %s', async (project, version, configuration) => {
    expect(await runNode(consumers[project], TSC[version], '-p', `types/${configuration}.json`)).toBe('');
  });

  it.each([7, 5.2] as const)(
    'has no fault that TypeScript %d finds in its declarations with the oldest types of three, which have faults themselves',
    async (version) => {
      const report = await runNode(consumers.oldest, TSC[version], '-p', 'types/strict.json', '--preserveSymlinks');
      const faults = report.split('\n').filter((line) => line.includes('error TS'));
      expect(faults.filter((line) => !line.includes('@types/three'))).toEqual([]);
    },
  );

  it('states the oldest TypeScript that these tests use', () => {
    const { devDependencies: oldest } = JSON.parse(
      readFileSync('test/package/typescript-oldest/package.json', 'utf8'),
    ) as { devDependencies: Record<string, string> };
    expect(peerDependencies.typescript).toBe(`>=${oldest.typescript.replace(/\d+$/, '0')}`);
    expect(readFileSync('README.md', 'utf8')).toContain(
      `TypeScript ${peerDependencies.typescript.slice(2, 5)} or newer`,
    );
  });

  it('runs in Node without three and without a DOM', async () => {
    expect(JSON.parse(await runNode(consumers.core, 'node/core.js'))).toEqual({
      hasDocument: false,
      count: 1,
      crowd: WASM_CROWD,
      moves: true,
    });
  });

  it.each(['newest', 'oldest'] as const)('runs in Node with the %s three', async (age) => {
    const { warnings, revision, ...result } = JSON.parse(await runNode(consumers[age], 'node/three.js')) as {
      warnings: string[];
      revision: string;
    };
    expect(result).toEqual({
      isBox3: true,
      bounds: true,
      distance: 4.5,
      picked: true,
      instance: 1,
      reference: 'function',
      isNode: true,
    });
    expect(`0.${revision}.0`).toBe(age === 'newest' ? devDependencies.three : peerDependencies.three.replace('>=', ''));
    expect(warnings.map((text) => text.includes('r186 or newer'))).toEqual(age === 'newest' ? [] : [true]);
  });

  it('runs without a bundler, in a page and in a module worker', async () => {
    expect(await open(`${server.open}plain/core.html`)).toEqual({
      result: { page: WASM_CROWD, worker: { ...WASM_CROWD, moves: true }, moves: true },
      messages: [],
    });
  });

  it('runs in a page with an import map and no bundler', async () => {
    expect(await open(`${server.open}plain/import-map.html`)).toEqual({
      result: { isBox3: true, distance: 4.5, page: WASM_CROWD },
      messages: [],
    });
  });

  it('runs in a page with the import map of the guide; that for a CDN has the same files', async () => {
    const guide = readFileSync(
      join(consumers.newest, 'node_modules/scene-octree/docs/guides/getting-started.md'),
      'utf8',
    );
    const [local, cdn] = [...guide.matchAll(/```html\n(<script type="importmap">[^]*?)```/g)].map(([, map]) => map);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(
      cdn
        .replaceAll('https://cdn.jsdelivr.net/npm/', './node_modules/')
        .replaceAll(`three@${devDependencies.three}/`, 'three/')
        .replaceAll(`three-mesh-bvh@${devDependencies['three-mesh-bvh']}/`, 'three-mesh-bvh/')
        .replaceAll(`scene-octree@${version}/`, 'scene-octree/'),
    ).toBe(local);
    const code = `
      import { BoxGeometry, Mesh, PerspectiveCamera } from 'three';
      import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
      import { Body } from 'scene-octree';
      import { OctreeGroup } from 'scene-octree/three';
      const group = new OctreeGroup().add(new Mesh(new BoxGeometry()));
      group.updateMatrixWorld();
      const controls = new OrbitControls(new PerspectiveCamera(), document.body);
      window.result = [group instanceof OctreeGroup, group.octree.bodyAt(0) instanceof Body, typeof controls.update];`;
    const page = `<!doctype html><link rel="icon" href="data:," />${local}<script type="module">${code}</script>`;
    writeFileSync(join(consumers.newest, 'guide.html'), page);
    expect(await open(`${server.open}guide.html`)).toEqual({ result: [true, true, 'function'], messages: [] });
  });

  it('runs where the content security policy forbids WebAssembly, in a page and in a module worker', async () => {
    const { result, messages } = await open(`${server.strict}plain/core.html`);
    expect(result).toEqual({ page: PLAIN_CROWD, worker: { ...PLAIN_CROWD, moves: false }, moves: false });
    expect(messages.filter((message) => !message.includes('WebAssembly'))).toEqual([]);
  });

  it('is bundled for React by a fresh Vite project, and gets the events of a child of <OctreeGroup>', async () => {
    const report = await runNode(
      join(consumers.newest, 'react'),
      tool('node_modules/vite/bin/vite.js'),
      'build',
      '--base',
      './',
      '--logLevel',
      'error',
    );
    expect(report).not.toContain('failed');
    const { result } = await open(`${server.open}react/dist/index.html`);
    expect(result).toEqual({ clicked: 'mesh 1', near: ['mesh 1'] });
  });

  it('is bundled by a fresh Vite project, with a worker, and runs with WebGLRenderer and with WebGPURenderer, also under a strict policy', async () => {
    const report = await runNode(
      join(consumers.newest, 'app'),
      tool('node_modules/vite/bin/vite.js'),
      'build',
      '--base',
      './',
      '--logLevel',
      'warn',
    );
    expect(report).not.toContain('failed');
    expect(await open(`${server.open}app/dist/index.html`)).toEqual({ result: APP[0], messages: [] });
    const { result, messages } = await open(`${server.strict}app/dist/index.html`);
    expect({ result, messages: messages.filter((message) => !message.includes('WebAssembly')) }).toEqual({
      result: APP[1],
      messages: [],
    });
  });
});
