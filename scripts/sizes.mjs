/**
 * What the package costs in an application: the size of each entry point, and of single functions after tree shaking. three is not counted.
 * `npm run sizes` writes the table in the README; test/project/sizes.test.ts compares it with the code.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const README = 'README.md';
const ENTRY_POINTS = { 'scene-octree/core': 'src/core.ts', 'scene-octree': 'src/index.ts', 'scene-octree/three': 'src/three/index.ts' };
/** The rows of the table: what an application imports, and from where. */
const ROWS = {
  'scene-octree/core': ['scene-octree/core', '*'],
  'scene-octree/three': ['scene-octree/three', '*'],
  OctreeGroup: ['scene-octree/three', '{ OctreeGroup }'],
  OctreeInstances: ['scene-octree/three', '{ OctreeInstances }'],
  pick: ['scene-octree/three', '{ pick }'],
};
const TABLE = /\| import \| minified \| gzipped \|\n(?:\|.*\n)+/;

/** Bundles and minifies a module that is given as code, with three left outside. */
export async function bundle(code) {
  const virtual = { name: 'virtual', resolveId: (id) => (id === 'virtual' ? id : null), load: (id) => (id === 'virtual' ? code : null) };
  // The files of dist hold many modules each, so a bundler cannot drop a whole module: only statements without side effects disappear.
  const treeshake = { moduleSideEffects: () => true };
  const build = await rolldown({ input: 'virtual', external: [/^three($|\/)/, 'react', '@react-three/fiber'], plugins: [virtual], treeshake, logLevel: 'silent' });
  const { output } = await build.generate({ format: 'es', minify: true });
  await build.close();
  return output[0].code;
}

/** Code that exports names of an entry point. */
export function exporting(entryPoint, names) {
  return `export ${names} from '${resolve(ENTRY_POINTS[entryPoint])}';`;
}

/** The sizes of all rows, in kB of 1000 bytes, by row. */
export async function measureSizes() {
  const sizes = {};
  for (const [row, [entryPoint, names]] of Object.entries(ROWS)) {
    const code = await bundle(exporting(entryPoint, names));
    sizes[row] = { minified: Buffer.byteLength(code) / 1000, gzipped: gzipSync(code, { level: 9 }).length / 1000 };
  }
  return sizes;
}

/** The sizes in the table of the README, by row. */
export function recordedSizes() {
  const [table] = TABLE.exec(readFileSync(README, 'utf8')) ?? [''];
  const rows = [...table.matchAll(/\| `([^`]+)` \| ([\d.]+) kB \| ([\d.]+) kB \|/g)];
  return Object.fromEntries(rows.map(([, row, minified, gzipped]) => [row, { minified: Number(minified), gzipped: Number(gzipped) }]));
}

function tableOf(sizes) {
  const rows = Object.entries(sizes).map(([row, { minified, gzipped }]) => `| \`${row}\` | ${minified.toFixed(1)} kB | ${gzipped.toFixed(1)} kB |\n`);
  return `| import | minified | gzipped |\n|---|---|---|\n${rows.join('')}`;
}

if (process.argv[1]?.endsWith('sizes.mjs')) {
  const table = tableOf(await measureSizes());
  writeFileSync(README, readFileSync(README, 'utf8').replace(TABLE, table));
  console.log(table);
}
