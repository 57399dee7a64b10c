/**
 * The code blocks of the README, of the guides and of doc comments: compiled against the sources in one call of the
 * compiler, and run in Node.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const WORK = 'node_modules/.cache/doc-examples';
const SOURCES = '../../../src';
const GUIDES = 'docs/guides';
/** A line between the outputs of two examples. */
const MARK = '--- next example';

/** The entry points of the package, and their sources as seen from the work folder. */
export const ENTRY_POINTS: Readonly<Record<string, string>> = {
  'scene-octree': `${SOURCES}/index.ts`,
  'scene-octree/core': `${SOURCES}/core.ts`,
  'scene-octree/three': `${SOURCES}/three.ts`,
  'scene-octree/save': `${SOURCES}/save/index.ts`,
  'scene-octree/tiles': `${SOURCES}/tiles/index.ts`,
  'scene-octree/triangles': `${SOURCES}/triangles/index.ts`,
  'scene-octree/tsl': `${SOURCES}/tsl.ts`,
  'scene-octree/react': `${SOURCES}/react/index.ts`,
  'scene-octree/debug': `${SOURCES}/debug/index.ts`,
  'scene-octree/debug-three': `${SOURCES}/debug-three/index.ts`,
};

/** What a reader's own code declares around the examples. */
const READERS_CODE = `
import type { AnimationClip, BufferGeometry, Frustum, Group, Material, Matrix4, Mesh, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import type { Octree } from '${ENTRY_POINTS['scene-octree']}';
import type { OctreeGroup } from '${ENTRY_POINTS['scene-octree/three']}';
declare global {
  const scene: Scene;
  const camera: PerspectiveCamera;
  const renderer: WebGLRenderer;
  const canvas: HTMLCanvasElement;
  const meshes: Mesh[];
  const group: OctreeGroup;
  const tiles: Float32Array[];
  const gltf: { scene: Group; animations: AnimationClip[] };
  const geometry: BufferGeometry;
  const coarseGeometry: BufferGeometry;
  const material: Material;
  const octree: Octree<string>;
  const frustum: Frustum;
  function matrixOf(id: number): Matrix4;
  function draw(data: string | undefined): void;
}
`;

export interface DocExample {
  /** Path of the document. */
  readonly document: string;
  readonly code: string;
  /** Name of the compiled file, without its extension. */
  readonly name: string;
  readonly extension: string;
}

/** The README and all guides, by path. */
export function documents(): string[] {
  const guides = existsSync(GUIDES) ? readdirSync(GUIDES).filter((file) => file.endsWith('.md')) : [];
  return ['README.md', ...guides.sort().map((file) => `${GUIDES}/${file}`)];
}

/** All blocks of TypeScript in a document, with JSX or without, in order; in a page what is marked as such. */
export function examplesOf(document: string): DocExample[] {
  const text = readFileSync(document, 'utf8');
  const blocks = document.endsWith('.html') ? blocksOfPage(text) : [...text.matchAll(/```(tsx?)\n([\s\S]*?)```/g)];
  const stem = document.replace(/\W+/g, '-');
  return blocks.map(([, extension, code], k) => ({ document, code, extension, name: `${stem}-${k + 1}` }));
}

function blocksOfPage(html: string): string[][] {
  const texts = [...html.matchAll(/<code class="(tsx?)">([^]*?)<\/code>/g)];
  return texts.map(([all, extension, code]) => [
    all,
    extension,
    code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&gt;', '>')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  ]);
}

/** Files of the library, with their texts. */
export function sources(): Map<string, string> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return new Map(
    files.sort().map((file) => [`src/${file.replaceAll('\\', '/')}`, readFileSync(join('src', file), 'utf8')]),
  );
}

/** All examples in the doc comments of the library. */
export function examplesInSources(): DocExample[] {
  return [...sources()].flatMap(([document, text]) =>
    [...text.matchAll(/^ *\* @example\n *\* ```(tsx?)\n([\s\S]*?)^ *\* ```$/gm)].map(([, extension, block], k) => ({
      document,
      code: block.replaceAll(/^ *\* ?/gm, ''),
      extension,
      name: `${document.replace(/\W+/g, '-')}-${k + 1}`,
    })),
  );
}

/** Compiles examples under the options of the project. Returns what the compiler reports: '' if it finds nothing. */
export function compileExamples(examples: readonly DocExample[]): string {
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(WORK, { recursive: true });
  for (const { name, code, extension } of examples) {
    const linked = code.replace(
      /from '(scene-octree[^']*)'/g,
      (_, entry: string) => `from '${ENTRY_POINTS[entry] ?? entry}'`,
    );
    // An example without an import or export would be a script, and share its constants with all others.
    writeFileSync(join(WORK, `${name}.${extension}`), `${linked}\nexport {};\n`);
  }
  writeFileSync(join(WORK, 'readers-code.ts'), READERS_CODE);
  writeFileSync(join(WORK, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    noEmit: false,
    outDir: 'out',
    rootDir: '../../..',
    rewriteRelativeImportExtensions: true,
    noUnusedLocals: false,
  };
  writeFileSync(
    join(WORK, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../tsconfig.json', compilerOptions, include: ['*.ts', '*.tsx'] }),
  );
  try {
    return execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', WORK], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

/** Runs compiled examples, one after the other, in one process of Node. Returns what each prints, by name. */
export function runExamples(examples: readonly DocExample[]): Map<string, string> {
  const script = examples
    .map(({ name }) => `console.log('${MARK}'); await import('./out/${WORK}/${name}.js');`)
    .join('\n');
  writeFileSync(join(WORK, 'run.js'), script);
  const output = execFileSync(process.execPath, [join(WORK, 'run.js')], { encoding: 'utf8' });
  const parts = output.split(`${MARK}\n`).slice(1);
  return new Map(examples.map(({ name }, k) => [name, parts[k]]));
}

/** What a compiled example exports. It runs with the library as compiled beside it. */
export const readerModule = ({ name }: DocExample): Promise<unknown> =>
  import(pathToFileURL(join(WORK, 'out', WORK, `${name}.js`)).href);

/** The texts after `prints: ` in the comments of an example, in order. */
export function promisedOutput({ code }: DocExample): string[] {
  return [...code.matchAll(/\/\/.*\bprints: (.*)$/gm)].map(([, text]) => text.trim());
}

/** Targets of links and pictures that are paths, relative to the repository. */
export function linkedPaths(document: string): string[] {
  const folder = document.split('/').slice(0, -1).join('/');
  const targets = [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(
    ([, target]) => target,
  );
  return targets.map((target) => join(folder, target));
}
