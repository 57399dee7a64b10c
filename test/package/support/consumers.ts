/**
 * The package as its users get it: packed, installed into empty projects outside the repository, without a network.
 * What the projects need beside it (three, its types) is linked from the repository's own node_modules.
 */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const execute = promisify(execFile);

/** What scene-octree/react needs. */
const REACT = Object.fromEntries(['react', '@types/react', '@react-three/fiber'].map((name) => [name, name]));

export interface Consumers {
  /** The folder around all projects. */
  readonly folder: string;
  readonly tarball: string;
  /** Has scene-octree only. */
  readonly core: string;
  /** Has scene-octree with the newest three, and with the oldest that it supports. The newest has React too. */
  readonly newest: string;
  readonly oldest: string;
}

/** Packs, installs, and fills the projects with the sources in `projects`. */
export async function createConsumers(): Promise<Consumers> {
  const folder = await mkdtemp(join(tmpdir(), 'scene-octree-'));
  await npm(REPOSITORY, 'run', '--silent', 'build');
  // Packed from a copy, because `prepack` writes folders that Vite must not find in the repository: write-stubs.mjs.
  const copy = join(folder, 'copy');
  for (const path of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'bin', 'dist', 'docs'])
    await cp(join(REPOSITORY, path), join(copy, path), {
      recursive: true,
      filter: (source) => !source.startsWith(join(REPOSITORY, 'docs/reference')),
    });
  for (const script of ['stubs', 'links'])
    await execute(process.execPath, [tool(`scripts/write-${script}.mjs`)], { cwd: copy });
  await npm(copy, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  const tarball = join(
    folder,
    (await readdir(folder)).find((file) => file.endsWith('.tgz'))!,
  );
  const core = await createProject(join(folder, 'core'));
  await npm(core, 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', tarball);
  return {
    folder,
    tarball,
    core,
    newest: await createProject(join(folder, 'newest'), core, {
      three: 'three',
      '@types/three': '@types/three',
      '@types/webxr': '@types/webxr',
      ...REACT,
    }),
    oldest: await createProject(join(folder, 'oldest'), core, {
      three: 'three-oldest',
      '@types/three': '@types/three-oldest',
      '@types/webxr': '@types/webxr',
    }),
  };
}

/**
 * A project with the sources of all consumers; the package is copied from another project, because a link would be
 * resolved to its place there.
 */
async function createProject(
  folder: string,
  installed?: string,
  links: Readonly<Record<string, string>> = {},
): Promise<string> {
  await cp(join(REPOSITORY, 'test/package/projects'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  if (installed !== undefined)
    await cp(join(installed, 'node_modules/scene-octree'), join(folder, 'node_modules/scene-octree'), {
      recursive: true,
    });
  for (const [name, from] of Object.entries(links)) {
    const path = join(folder, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(REPOSITORY, 'node_modules', from), path, 'junction');
  }
  return folder;
}

async function npm(cwd: string, ...values: string[]): Promise<void> {
  await execute('npm', values, { cwd, shell: process.platform === 'win32' });
}

/** Runs a script of Node in a project; returns what it prints, on either stream, whether it succeeds or fails. */
export async function runNode(cwd: string, script: string, ...values: string[]): Promise<string> {
  try {
    const { stdout, stderr } = await execute(process.execPath, [script, ...values], { cwd, maxBuffer: 1e8 });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `failed: ${stdout}${stderr}`;
  }
}

/** The path of a tool of the repository. */
export function tool(path: string): string {
  return join(REPOSITORY, path);
}
