import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENTRIES, importsOf, names, Remainder, SOURCES } from '../support/deleted-features.ts';

/** What must change, beside the folder, when a feature is deleted. Paths are those from src on. */
interface Deletion {
  /** Files that are deleted with it: they join it to another feature, or serve it alone. */
  readonly with?: readonly string[];
  /** Files that lose some lines, beside the entries. */
  readonly edited?: readonly string[];
  /** Files whose comments name it, and stay right without it. */
  readonly named?: readonly string[];
  /** Its guides, or the guides with a section about it. */
  readonly guides: readonly string[];
  /** Tests of other folders that name it, from test on: of what both containers do, of several features at once. */
  readonly tests?: readonly string[];
}

const FEATURES: Readonly<Record<string, Deletion>> = {
  instances: {
    with: ['changes/views/instance-changes.ts', 'occlusion/culling/instance-occluders.ts', 'react/octree-instances.ts'],
    edited: [
      'changes/views/scene-changes.ts',
      'occlusion/culling/occlusion-culling.ts',
      'react/index.ts',
      'react/use-frames-on-demand.ts',
      'react/use-query.ts',
    ],
    named: [
      'helper/octree-helper.ts',
      'three-math/container-octree.ts',
      'three/instance-container.ts',
      'three/passes/warnings.ts',
      'three/picking/pick-within.ts',
      'three/picking/pick.ts',
      'three/picking/pickable.ts',
      'triangles/triangle-scene.ts',
    ],
    guides: ['instances', 'picking', 'shadows-and-cameras', 'react'],
    tests: ['changes/', 'helper/', 'occlusion/', 'save/', 'three/', 'triangles/'],
  },
  batches: {
    named: ['sets/object-styles.ts'],
    guides: ['batches'],
    tests: [
      'sets/',
      'occlusion/culling/occlusion-lifecycle.test.ts',
      'three/detector/traps.test.ts',
      'three/detector/turns.test.ts',
      'three/group/sleeping-groups.test.ts',
      'tiles-renderer/',
    ],
  },
  changes: {
    edited: ['react/use-frames-on-demand.ts'],
    guides: ['shadows-and-cameras'],
    tests: ['sets/', 'three/group/sleeping-groups.test.ts'],
  },
  occlusion: {
    with: ['tiles-renderer/tile-occlusion.ts'],
    named: [
      'octree/octree.ts',
      'tiles/index.ts',
      'tiles/materials.ts',
      'tiles/property-table.ts',
      'tiles/write-tiles.ts',
    ],
    guides: ['occlusion'],
    tests: ['octree/outliers.test.ts', 'tiles/', 'tiles-renderer/tile-occlusion.test.ts'],
  },
  save: { with: ['sets/'], guides: ['saving'] },
  tiles: { guides: ['writing-tiles'] },
  sets: { guides: ['picking'] },
  'tiles-renderer': { guides: ['larger-than-memory'] },
  triangles: {
    with: ['debug/reference/triangles.ts'],
    guides: ['walking-and-collisions'],
  },
  poses: { named: ['triangles/triangle-scene.ts'], guides: ['moving-vertices'] },
  helper: { guides: ['culling'] },
  react: { guides: ['react'] },
};
/** Names of features that others have, too: a field of three's hits, and the options of `useVisible`. */
const NO_NAMES = new Set(['instanceId', 'VisibleOptions']);
/**
 * The folders of tests that mirror src. Those in browser, nasty, support and the like test several features at once.
 */
const MIRRORED = readdirSync('test').filter((folder) => existsSync(join('src', folder)) && folder !== 'debug-three');

/** What is left without a feature: its folder, the files that go with it, its lines in the entries. */
function without(feature: string): Remainder {
  return new Remainder([`${feature}/`, ...(FEATURES[feature].with ?? [])]);
}

/** The public names of a feature. Those of react are names of three's entry, too. */
function namesOf(feature: string): string[] {
  const { lost } = new Remainder([`${feature}/`]);
  return [...new Set([...lost.values()].flatMap((list) => [...list]))].filter(
    (name) => !NO_NAMES.has(name) && /[a-z][A-Z]/.test(name),
  );
}

describe('a feature is deleted by deleting its folder, its lines in the entries, its guide and its tests', () => {
  it('is found at all', () => {
    for (const feature of Object.keys(FEATURES)) expect(without(feature).files.size).toBeLessThan(SOURCES.size - 1);
    expect(namesOf('occlusion')).toContain('collectVisible');
    expect(new Remainder(['batches/']).files.get('three.ts')).not.toContain('StaticBatches');
  });

  it.each(Object.keys(FEATURES))('%s: no other file imports it', (feature) => {
    const { edited = [] } = FEATURES[feature];
    expect(without(feature).dependents.filter((file) => !edited.includes(file))).toEqual([]);
  });

  it.each(Object.keys(FEATURES))('%s: no other file serves it alone', (feature) => {
    const { files } = without(feature);
    const before = importsOf(SOURCES);
    const after = importsOf(files);
    expect([...files.keys()].filter((file) => before.has(file) && !after.has(file) && !ENTRIES.includes(file))).toEqual(
      [],
    );
  });

  it.each(Object.keys(FEATURES))('%s: no other file names it, comments included', (feature) => {
    const { edited = [], named = [] } = FEATURES[feature];
    const own = namesOf(feature);
    const naming = [...without(feature).files]
      .filter(([file, text]) => !ENTRIES.includes(file) && own.some((name) => names(text, name)))
      .map(([file]) => file);
    expect(naming.filter((file) => ![...edited, ...named].includes(file))).toEqual([]);
    // The list has nothing that is no longer true.
    expect(named.filter((file) => !naming.includes(file))).toEqual([]);
  });

  it.each(Object.keys(FEATURES))('%s: has a guide, and no test of another folder names it', (feature) => {
    const { guides, tests = [] } = FEATURES[feature];
    expect(guides.filter((guide) => !existsSync(`docs/guides/${guide}.md`))).toEqual([]);
    const own = namesOf(feature);
    const others = MIRRORED.filter((folder) => folder !== feature).flatMap((folder) =>
      readdirSync(join('test', folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
        .filter((file) => /\.tsx?$/.test(file)),
    );
    const naming = others.filter((file) => {
      const text = readFileSync(join('test', file), 'utf8');
      return own.some((name) => names(text, name));
    });
    expect(naming.filter((file) => !tests.some((path) => file.startsWith(path)))).toEqual([]);
    expect(tests.filter((path) => !naming.some((file) => file.startsWith(path)))).toEqual([]);
  });

  it('leaves an octree and a group that compile without any feature', { timeout: 60_000 }, () => {
    const folders = [...Object.keys(FEATURES), 'features'].map((folder) => `${folder}/`);
    const joining = Object.values(FEATURES).flatMap(({ with: files = [] }) => files);
    expect(compile(new Remainder([...folders, ...joining]).files)).toBe('');
  });
});

/** What the compiler reports about sources in a folder of their own. */
function compile(files: ReadonlyMap<string, string>): string {
  const work = 'node_modules/.cache/deleted-features';
  rmSync(work, { recursive: true, force: true });
  for (const [file, text] of files) {
    mkdirSync(join(work, dirname(file)), { recursive: true });
    writeFileSync(join(work, file), text);
  }
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({ extends: '../../../tsconfig.json', include: ['.'] }));
  try {
    return execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', work], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
