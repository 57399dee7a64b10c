/**
 * Lines of code by folder of src, without comments, blank lines and the texts of compiled modules, and how many lines
 * of comments there are for 100 of code. `npm run lines` prints the table; test/project/lines.test.ts holds the limits.
 *
 * A limit is the number of lines when it was set, rounded up to a multiple of 20. A folder that grows beyond it raises
 * it, and its commit says why; one that has shrunk to less than 95 % of it, and by more than 20 lines, lowers it.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';

/**
 * The largest number of lines of code of each part of src. A file belongs to the first part that its path begins with.
 */
const LIMITS = {
  math: 1764,
  tree: 2393,
  wasm: 969,
  octree: 3160,
  features: 3997,
  save: 485,
  tiles: 1696,
  'occlusion/visible': 1080,
  'occlusion/solid-boxes': 1171,
  'three-math': 91,
  'three/group': 2713,
  'three/detector': 966,
  three: 1969,
  instances: 2528,
  batches: 3055,
  changes: 1138,
  'occlusion/culling': 1090,
  poses: 207,
  triangles: 3163,
  sets: 212,
  'tiles-renderer': 914,
  helper: 301,
  react: 322,
  debug: 1791,
  'debug-three': 1479,
  'entry points': 180,
};
const CORE = ['math', 'tree', 'wasm', 'octree', 'features'];
/** Sums of parts: what is read together. */
const SUMS = {
  'the core: math to features': { parts: CORE, limit: 12283 },
  'the core with occlusion/visible and solid-boxes': {
    parts: [...CORE, 'occlusion/visible', 'occlusion/solid-boxes'],
    limit: 14534,
  },
  'all without debug': { parts: Object.keys(LIMITS).filter((part) => !part.startsWith('debug')), limit: 35564 },
};

/** The number of lines of a text that are not blank. */
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '').length;

/** The lines of a source: those with code, and those with nothing but comments. */
export function countLines(file, source) {
  // Decorators of AssemblyScript are no TypeScript. All else keeps its position.
  const parsed = parseSync(
    file,
    source.replace(/^ *@\w+/gm, ({ length }) => ' '.repeat(length)),
  );
  let code = source;
  for (const { start, end } of parsed.comments)
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end);
  return { code: linesOf(code), comments: linesOf(source) - linesOf(code) };
}

/**
 * The files of each part of src: the TypeScript that is written by hand.
 *
 * @returns {Record<string, string[]>}
 */
export function filesOfParts() {
  /** @type {Record<string, string[]>} */
  const files = {};
  for (const part of Object.keys(LIMITS)) files[part] = [];
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.endsWith('-code.ts')) continue;
    const path = file.replaceAll('\\', '/');
    const part = Object.keys(LIMITS).find((one) => path.startsWith(`${one}/`)) ?? 'entry points';
    if (part === 'entry points' && path.includes('/'))
      throw new Error(`lines: src/${path} is in no part of LIMITS; add its folder in scripts/lines.mjs`);
    files[part].push(path);
  }
  return files;
}

/** The lines of each part of src, and of each sum, with their limits. */
export function measureLines() {
  const parts = {};
  for (const [part, files] of Object.entries(filesOfParts())) {
    parts[part] = { code: 0, comments: 0 };
    for (const file of files) {
      const counts = countLines(file, readFileSync(`src/${file}`, 'utf8'));
      parts[part].code += counts.code;
      parts[part].comments += counts.comments;
    }
  }
  const sums = Object.entries(SUMS).map(([name, { parts: summed, limit }]) => {
    const sum = (kind) => summed.reduce((total, part) => total + parts[part][kind], 0);
    return { name, code: sum('code'), comments: sum('comments'), limit };
  });
  return [...Object.entries(parts).map(([name, counts]) => ({ name, ...counts, limit: LIMITS[name] })), ...sums];
}

if (process.argv[1]?.endsWith('lines.mjs')) {
  console.log('| src | lines of code | limit | comments per 100 |\n|---|---|---|---|');
  for (const { name, code, comments, limit } of measureLines())
    console.log(`| ${name} | ${code} | ${limit} | ${Math.round((100 * comments) / Math.max(code, 1))} |`);
}
