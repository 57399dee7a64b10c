/**
 * What the package costs in an application: the size of each entry point, and of single functions after tree shaking.
 * three is not counted. `npm run sizes` writes the table in docs/benchmark.md, and some of its rows into the README;
 * test/project/sizes.test.ts compares both with the code.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const README = 'README.md';
/** The rows that stand in the README, too. */
const IN_README = new Set([
  '`Octree`',
  'all of `scene-octree/core`',
  '`OctreeGroup`',
  '+ `StaticBatches`',
  '`OctreeInstances`',
  'three-mesh-bvh, `MeshBVH`',
]);
const ALL = 'docs/benchmark.md';
const ENTRY_POINTS = {
  'scene-octree/core': 'src/core.ts',
  'scene-octree': 'src/index.ts',
  'scene-octree/three': 'src/three.ts',
  'scene-octree/save': 'src/save/index.ts',
  'scene-octree/tiles': 'src/tiles/index.ts',
  'scene-octree/triangles': 'src/triangles/index.ts',
};
/**
 * The rows of the table. `names` are imported from `from`. With `beside`, the row counts what they add to a bundle that
 * has those names of the same entry point, or of `besideFrom`. `limit` is the largest size in kB, gzipped;
 * test/project/sizes.test.ts holds it. Features of the core are in the table of docs/benchmark.md only.
 */
const core = 'scene-octree/core';
const feature = (label, names, limit = 3) => ({ label, from: core, names, beside: 'Octree', limit, isFeature: true });
export const ROWS = [
  { label: '`Octree`', from: core, names: 'Octree', limit: 39.1 },
  feature('+ shape casts', 'castSphere, castSphereAll, collectSphereCast, castBox, castBoxAll, collectBoxCast'),
  feature('+ `visitCast`, `visitRay`', 'visitCast, visitRay'),
  feature('+ `castRays`', 'castRays'),
  feature('+ `nearest`, `collectNearest`', 'nearest, collectNearest'),
  feature('+ `visitNearest`', 'visitNearest'),
  feature('+ `sortByDistance`, `assignBands`', 'sortByDistance, assignBands'),
  feature('+ `collectVisible`, `setOccluder`', 'collectVisible, intersectVisible, setOccluder', 7.3),
  feature('+ pairs', 'intersectPairs, collectPairs'),
  feature('+ `trackContacts`', 'trackContacts', 3.65),
  feature('+ `onIntersection`', 'onIntersection', 3.4),
  feature('+ `watch`', 'watch', 5.05),
  feature('+ `watchDistances`', 'watchDistances', 5.1),
  feature('+ `watch`, `watchDistances`', 'watch, watchDistances', 5.7),
  feature('+ ids', 'idOf, idsOf, indexOfId, moveManyById, removeManyById, setMaskManyById'),
  feature('+ `translate`', 'translate'),
  feature('+ `intersect`, `collect` with `Capsule`, `Segment`', 'intersect, collect, Capsule, Segment'),
  feature('+ the same with `OrientedBox`', 'intersect, collect, OrientedBox'),
  feature('+ the same with `Convex`', 'intersect, collect, Convex'),
  feature('+ the same with a volume of your own', 'intersect, collect, CustomVolume'),
  { label: '`solidBoxes`', from: core, names: 'solidBoxes', limit: 8.4 },
  { label: 'all of `scene-octree/core`', from: core, names: '*', limit: 79 },
  {
    label: 'all but occlusion culling and `solidBoxes`',
    from: core,
    names: namesOf(core)
      .filter((name) => !/Occluder|Visible|solidBox/i.test(name))
      .join(', '),
    limit: 64.7,
  },
  {
    label: '+ all of `scene-octree/save`',
    from: 'scene-octree/save',
    names: '*',
    beside: 'Octree',
    besideFrom: core,
    limit: 5,
  },
  { label: 'all of `scene-octree/tiles`', from: 'scene-octree/tiles', names: '*', limit: 15 },
  { label: '`OctreeGroup`', from: 'scene-octree/three', names: 'OctreeGroup', limit: 61 },
  {
    label: '+ `StaticBatches`',
    from: 'scene-octree/three',
    names: 'StaticBatches',
    beside: 'OctreeGroup',
    limit: 25.5,
  },
  { label: '+ `ShadowUpdates`', from: 'scene-octree/three', names: 'ShadowUpdates', beside: 'OctreeGroup', limit: 9.4 },
  { label: '+ `PoseBounds`', from: 'scene-octree/three', names: 'PoseBounds', beside: 'OctreeGroup', limit: 1.8 },
  { label: '+ `ObjectStyles`', from: 'scene-octree/three', names: 'ObjectStyles', beside: 'OctreeGroup', limit: 1.6 },
  {
    label: '+ `OctreeTiles`, beside `pick`',
    from: 'scene-octree/three',
    names: 'OctreeTiles',
    beside: 'OctreeGroup, pick',
    limit: 4.3,
  },
  {
    label: '+ `ViewChanges`, `InstanceChanges`',
    from: 'scene-octree/three',
    names: 'ViewChanges, InstanceChanges',
    beside: 'OctreeGroup',
    limit: 11.9,
  },
  {
    label: '+ `OcclusionCulling`',
    from: 'scene-octree/three',
    names: 'OcclusionCulling',
    beside: 'OctreeGroup',
    limit: 20.2,
  },
  {
    label: '+ all of `scene-octree/triangles`',
    from: 'scene-octree/triangles',
    names: '*',
    beside: 'OctreeGroup',
    besideFrom: 'scene-octree/three',
    limit: 24,
  },
  {
    label: '+ `intersectTriangles`',
    from: 'scene-octree/triangles',
    names: 'TriangleScene, intersectTriangles',
    beside: 'OctreeGroup',
    besideFrom: 'scene-octree/three',
    limit: 10.9,
  },
  { label: '`OctreeInstances`', from: 'scene-octree/three', names: 'OctreeInstances', limit: 58.4 },
  { label: '`pick`', from: 'scene-octree/three', names: 'pick', limit: 3.6 },
  { label: 'three-mesh-bvh, `MeshBVH`', from: 'three-mesh-bvh', names: 'MeshBVH' },
];
/** The names of the values that an entry point exports. */
function namesOf(entryPoint) {
  const lists = readFileSync(ENTRY_POINTS[entryPoint], 'utf8').matchAll(/^export \{([^}]*)\}/gm);
  return [...lists].flatMap(([, names]) => names.match(/\w+/g));
}

const TABLE = /\| import \| minified \| gzipped \|\n(?:\|.*\n)+/;

/** Bundles and minifies a module that is given as code, with three left outside. */
export async function bundle(code) {
  const virtual = {
    name: 'virtual',
    resolveId: (id) => (id === 'virtual' ? id : null),
    load: (id) => (id === 'virtual' ? code : null),
  };
  // The files of dist hold many modules each, so a bundler cannot drop a whole module: only statements without side
  // effects disappear.
  const treeshake = { moduleSideEffects: () => true };
  const build = await rolldown({
    input: 'virtual',
    external: [/^three($|\/)/, 'react', '@react-three/fiber'],
    plugins: [virtual],
    treeshake,
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'es', minify: true });
  await build.close();
  // What is loaded at once: the first chunk, and the chunks that it imports. Others are loaded when they are first
  // needed.
  const chunks = new Set([output[0]]);
  for (const { imports } of chunks) for (const chunk of output) if (imports.includes(chunk.fileName)) chunks.add(chunk);
  return [...chunks].map((chunk) => chunk.code).join('\n');
}

/** Code that exports names of an entry point, or of a package: a list, or * for all. */
export function exporting(entryPoint, names) {
  const path = ENTRY_POINTS[entryPoint];
  return `export ${names === '*' ? names : `{ ${names} }`} from '${path === undefined ? entryPoint : resolve(path)}';`;
}

/** The sizes of rows, in kB of 1000 bytes, with their limits. */
export async function measureSizes(rows = ROWS) {
  const sizes = [];
  for (const { label, from, names, beside, besideFrom = from, limit, isFeature = false } of rows) {
    const besides = beside === undefined ? '' : exporting(besideFrom, beside);
    const all = await sizeOf(besides + exporting(from, names));
    const base = besides === '' ? { minified: 0, gzipped: 0 } : await sizeOf(besides);
    sizes.push({
      label,
      minified: difference(all.minified, base.minified),
      gzipped: difference(all.gzipped, base.gzipped),
      limit,
      isFeature,
    });
  }
  return sizes;
}

/** In whole bytes: 11.1 is not more than a limit of 11.1. */
function difference(all, base) {
  return Math.round(1000 * (all - base)) / 1000;
}

/** What is measured beside several rows is bundled once. */
const known = new Map();

function sizeOf(code) {
  if (!known.has(code)) known.set(code, measure(code));
  return known.get(code);
}

async function measure(code) {
  const text = await bundle(code);
  return { minified: Buffer.byteLength(text) / 1000, gzipped: gzipSync(text, { level: 9 }).length / 1000 };
}

/** The rows in the table of docs/benchmark.md, or of the README. */
export function recordedSizes(file = ALL) {
  const [table] = TABLE.exec(readFileSync(file, 'utf8')) ?? [''];
  const rows = [...table.matchAll(/^\| (.+) \| ([\d.]+) kB \| ([\d.]+) kB \|$/gm)];
  return rows.map(([, label, minified, gzipped]) => ({ label, minified: Number(minified), gzipped: Number(gzipped) }));
}

/** Whether a row stands in the README, too. */
export function isInReadme({ label }) {
  return IN_README.has(label);
}

function tableOf(sizes) {
  const rows = sizes.map(
    ({ label, minified, gzipped }) => `| ${label} | ${minified.toFixed(1)} kB | ${gzipped.toFixed(1)} kB |\n`,
  );
  return `| import | minified | gzipped |\n|---|---|---|\n${rows.join('')}`;
}

if (process.argv[1]?.endsWith('sizes.mjs')) {
  const sizes = await measureSizes();
  const table = tableOf(sizes);
  const short = tableOf(sizes.filter(isInReadme));
  writeFileSync(ALL, readFileSync(ALL, 'utf8').replace(TABLE, table));
  writeFileSync(README, readFileSync(README, 'utf8').replace(TABLE, short));
  console.log(table);
}
