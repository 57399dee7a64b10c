import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The files of the project, by their path. */
const files = ['src', 'test', 'docs', 'examples', 'scripts', '.ci', '.github']
  .flatMap(filesBelow)
  .concat(readdirSync('.').filter((name) => name.includes('.')))
  .filter((file) => !file.includes('node_modules'));
/** What a path may be: the end of the path of a file, from any folder on, or that of a folder. */
const paths = new Set(
  files.flatMap((file) => {
    const parts = file.split('/');
    return parts.flatMap((_, from) => parts.slice(from).map((__, k) => parts.slice(from, from + k + 1).join('/')));
  }),
);
const exists = (path: string): boolean => paths.has(path.replace(/^(?:\.\.?\/)+|\/$/g, ''));
/** What people read. The changelog is a history: it names what is gone. */
const documents = files.filter((file) => /^(?:README|CONTRIBUTING)\.md$|^docs\/.*\.md$|^src\/.*README\.md$/.test(file));
const sources = files.filter((file) => /^(?:src|test|scripts|examples)\/.*\.(?:ts|tsx|mjs)$/.test(file));

/** A path of a file of code, alone or after folders. */
const PATH = /(?<![\w/@-])[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|html|webp)\b/g;
/** A path of a folder. */
const FOLDER = /^(?:(?:src|test|docs|scripts|examples)(?:\/[\w.-]+)*|[\w.-]+(?:\/[\w.-]+)*\/)$/;
/** Code that names something: `OctreeGroup`, `octree.insert(box, data)`, `minSize: 2`. Other code is not looked at. */
const NAME = /^(?:new )?[\w$]+(?:[.#][\w$]+)*(?:\(.*\))?(?: ?[=:] .*)?$/;
/** Paths of an example, with a word in place of a name. */
const PLACEHOLDERS = /\bNAME\b|\.\.\.|^src\/features\/rooms|^test\/features\/rooms/;

/** The words that the code knows: of the library, of its scripts and lists, and of three. */
const words = new Set(
  files
    .filter((file) => /^(?:src|scripts|test\/support)\/.*\.(?:ts|tsx|mjs)$|^test\/project\/imports/.test(file))
    .concat(['package.json', 'docs/reference/typedoc.json'])
    .concat(filesBelow('node_modules/three/src').filter((file) => file.endsWith('.js')))
    .flatMap((file) => readFileSync(file, 'utf8').match(/[A-Za-z_$][\w$]*/g) ?? []),
);
/** Names of browsers, compilers and other libraries, and words that stand for an argument of the user. */
const FOREIGN = new Set(
  (
    'Math hypot dedupe worker postMessage pointermove stopPropagation skipLibCheck node10 node16 transformIgnorePatterns ' +
    'BVH ObjectBVH HybridBuilder CSM csm setupMaterial Refractor Water OutlineEffect SelectionBox getHelper ' +
    'GLTFExporter GLTFExtensionsPlugin mergeGeometries structuredClone $state sink_offsets box3OrSphere boxSphereOrFrustum intersectX collectX coarseGeometry findRooms Cylinder maxThreshold ' +
    'StateView Encoder BUFFER_SIZE patchRate autoDispose sendBytes matchMaker exposedMethods reconnect maxPayload publicAddress presence publish messageBuffer ioredis ' +
    'QuotaExceededError persist locks downloadQueue maxJobsPerOrigin loadSiblings loadAncestors maxBytesSize'
  ).split(' '),
);
/** The left column of migrating.md has the names of other libraries. */
const isForeignCell = (document: string, line: string, at: number): boolean =>
  document === 'docs/guides/migrating.md' && line.startsWith('|') && line.slice(0, at).split('|').length === 2;

describe('what documents name', () => {
  it.each(documents)('exists: files and folders in %s', (document) => {
    const text = withoutExamples(document);
    const folders = codeOf(text).filter((code) => FOLDER.test(code));
    expect([...missingPaths(text), ...folders.filter((path) => !PLACEHOLDERS.test(path) && !exists(path))]).toEqual([]);
  });

  it.each(documents)('exists: names in %s', (document) => {
    const lines = withoutExamples(document).split('\n');
    const codes = lines.flatMap((line) =>
      [...line.matchAll(/`([^`]+)`/g)]
        .filter(({ index }) => !isForeignCell(document, line, index))
        .map(([, code]) => code),
    );
    const unknown = codes
      .filter((code) => NAME.test(code) && !exists(code))
      .flatMap((code) => code.match(/[A-Za-z_$][\w$]{2,}/g) ?? [])
      .filter((word) => !words.has(word) && !FOREIGN.has(word));
    expect(unknown).toEqual([]);
  });

  it.each(documents)('exists: files and headings that %s links', (document) => {
    const links = [...withoutExamples(document).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    const faults = links.filter(([, path, heading]) => {
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(target)) return true;
      return heading !== undefined && !anchorsIn(readFileSync(target, 'utf8')).includes(heading);
    });
    expect(faults.map(([link]) => link)).toEqual([]);
  });

  it('exists: files in comments of the code', () => {
    const faults = sources.flatMap((file) => {
      const comments = readFileSync(file, 'utf8').match(/^ *(?:\/\/|\/\*|\*).*/gm) ?? [];
      return missingPaths(comments.join(' ')).map((path) => `${file}: ${path}`);
    });
    expect(faults).toEqual([]);
  });

  it('is complete: each compiled module of WebAssembly', () => {
    const text = readFileSync('CONTRIBUTING.md', 'utf8');
    const modules = sources.filter((file) => file.endsWith('-code.ts')).map((file) => file.split('/').at(-1)!);
    expect(modules.length).toBeGreaterThan(1);
    expect(modules.filter((module) => !text.includes(module))).toEqual([]);
  });
});

/** The paths of files in a text that lead nowhere. */
function missingPaths(text: string): string[] {
  return [...text.matchAll(PATH)].map(([path]) => path).filter((path) => !PLACEHOLDERS.test(path) && !exists(path));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/'));
}

/** A document without its examples, which a compiler checks. */
function withoutExamples(document: string): string {
  return readFileSync(document, 'utf8').replace(/```tsx?\n[\s\S]*?```/g, '');
}

/** The anchors of the headings of a document, as GitHub names them. */
function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

function codeOf(text: string): string[] {
  return [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
}
