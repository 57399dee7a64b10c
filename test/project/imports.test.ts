import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What every folder that knows scene objects may import. */
const BELOW_THREE = ['math', 'tree', 'octree', 'three-math', 'three'];
/** The folders that each folder may import from, itself included. The entry points are files of the folder `.`. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  math: ['math'],
  tree: ['math', 'tree'],
  wasm: ['math', 'tree', 'wasm'],
  octree: ['math', 'tree', 'wasm', 'octree'],
  features: ['math', 'tree', 'wasm', 'octree', 'features'],
  save: ['math', 'tree', 'octree', 'features', 'save'],
  tiles: ['math', 'octree', 'tiles'],
  'three-math': ['octree', 'features', 'occlusion', 'three-math'],
  debug: ['math', 'tree', 'octree', 'triangles', 'debug'],
  'debug-three': [...BELOW_THREE, 'batches', 'changes', 'occlusion', 'instances', 'debug', 'debug-three'],
  three: BELOW_THREE,
  instances: [...BELOW_THREE, 'instances'],
  batches: [...BELOW_THREE, 'batches'],
  changes: [...BELOW_THREE, 'changes'],
  occlusion: [...BELOW_THREE, 'features', 'occlusion'],
  poses: [...BELOW_THREE, 'poses'],
  triangles: [...BELOW_THREE, 'features', 'triangles'],
  sets: [...BELOW_THREE, 'save', 'sets'],
  'tiles-renderer': [...BELOW_THREE, 'occlusion', 'tiles-renderer'],
  helper: [...BELOW_THREE, 'helper'],
  react: ['tree', 'octree', 'three-math', '.', 'react'],
  '.': [
    'tree',
    'octree',
    'features',
    'three-math',
    'three',
    'instances',
    'batches',
    'changes',
    'occlusion',
    'poses',
    'sets',
    'tiles-renderer',
    'helper',
    '.',
  ],
};
/** The parts of src/tree, lowest first: each may import itself and the parts before it. */
const TREE_ORDER = [
  'layout.ts',
  'traverse/walk-numbers.ts',
  'storage/',
  'traverse/kernel.ts',
  'accelerator.ts',
  'tree.ts',
  'traverse/',
  'update/',
  'build/',
];
/**
 * The features, and the other features that each may import. Those of the octree import no feature: the core does not
 * know them.
 */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  'casts/': [],
  'contacts/': ['distances/', 'pairs/', 'tracking/'],
  'distances/': ['nearest/'],
  'ids/': ['tracking/'],
  'nearest/': [],
  'pairs/': [],
  'ray-bundles/': [],
  'sensors/': ['distances/', 'tracking/', 'volumes/'],
  'tracking/': [],
  'translate/': [],
  'volumes/': ['casts/'],
};
/** The parts of src/octree, lowest first. */
const OCTREE_ORDER = [
  'input/',
  'bodies/',
  'queries/',
  'change-readers.ts',
  'ticker.ts',
  'internals.ts',
  'readable-octree.ts',
  'octree.ts',
];
/** The parts that each part of src/three may import, beside itself. */
const THREE_PARTS: Readonly<Record<string, readonly string[]>> = {
  'bounds/': [],
  'passes/': [],
  'picking/': ['bounds/', 'passes/'],
  'instance-container.ts': ['bounds/', 'passes/'],
  'detector/': ['bounds/'],
  'group/': ['bounds/', 'passes/', 'picking/', 'detector/'],
};
/** The parts of src/occlusion, lowest first. Only the last one knows scene objects. */
const OCCLUSION_ORDER = ['solid-boxes/', 'visible/', 'culling/'];
/** The parts of src/instances, lowest first. */
const INSTANCES_ORDER = [
  'store/',
  'instance-checks.ts',
  'bodies/',
  'levels/',
  'views/',
  'instanced-mesh-of.ts',
  'instance-raycast.ts',
  'editable-instances.ts',
  'octree-instances.ts',
];
/** By folder in src, the parts of it. */
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  tree: inOrder(TREE_ORDER),
  octree: inOrder(OCTREE_ORDER),
  features: FEATURES,
  three: THREE_PARTS,
  instances: inOrder(INSTANCES_ORDER),
  occlusion: inOrder(OCCLUSION_ORDER),
};
/** The folders that know scene objects of three. */
const SCENE_FOLDERS = [
  'three',
  'instances',
  'batches',
  'changes',
  'occlusion',
  'poses',
  'triangles',
  'sets',
  'tiles-renderer',
  'helper',
];
/** The packages that src imports, and the folders that may import them. */
const PACKAGE_USERS: readonly (readonly [name: RegExp, folders: readonly string[]])[] = [
  [/^three($|\/)/, ['three-math', ...SCENE_FOLDERS, 'debug-three', 'react', 'tiles', '.']],
  [/^(react|@react-three\/fiber)$/, ['react']],
];
const THREE_MATH = ['Box3', 'Sphere', 'Ray', 'Vector3', 'Frustum', 'Plane', 'Matrix4'];
/** What pages import of the library: its entry points. */
const ENTRY_POINTS = [
  'src/index.ts',
  'src/core.ts',
  'src/three.ts',
  'src/save/index.ts',
  'src/tiles/index.ts',
  'src/triangles/index.ts',
  'src/react/index.ts',
  'src/tsl.ts',
  'src/debug/index.ts',
  'src/debug-three/index.ts',
];
interface Import {
  readonly file: string;
  readonly folder: string;
  readonly from: string;
  readonly names: readonly string[];
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

const imports = files.flatMap((file): Import[] => {
  const text = readFileSync(join('src', file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\s+(?:type\s+)?(?:\{([^}]*)\}|\*[^']*)\s*from\s*'([^']+)'/gm)];
  const loose = [...text.matchAll(/\bimport\s*\(\s*'([^']+)'|^import\s+'([^']+)'/gm)].map(([, dynamic, bare]) => [
    '',
    '',
    dynamic ?? bare,
  ]);
  return [...found, ...loose].map(([, names, from]) => ({ file, folder: folderOf(file), from, names: namesIn(names) }));
});

/** The reference implementation. It shares no code with what it is compared with. */
const reference = files.filter((file) => file.startsWith('debug/reference/'));

/** The imports of files in src: the path of each file, from src on, and the paths that it names, types included. */
const graph = new Map(
  files.map((file) => [
    file,
    imports
      .filter((one) => one.file === file && one.from.startsWith('.'))
      .map(({ from }) => normalize(join(dirname(file), from))),
  ]),
);

/** For each part the parts before it. */
function inOrder(parts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(parts.map((part, rank) => [part, parts.slice(0, rank)]));
}

function folderOf(file: string): string {
  const [first, ...rest] = file.split('/');
  return rest.length === 0 ? '.' : first;
}

/**
 * The part of a folder that a file below it belongs to: a subfolder, or the file itself, which may lie in a subfolder.
 */
function partOf(file: string, folder: string): string {
  if (file.slice(folder.length + 1) in PARTS[folder]) return file.slice(folder.length + 1);
  const [name, ...rest] = file.slice(folder.length + 1).split('/');
  return rest.length === 0 ? name : `${name}/`;
}

/**
 * Of a file of a page its name: examples/src/NAME.ts and all of examples/src/NAME; 'shared' of those in
 * examples/src/shared; null for other files.
 */
const pageOf = (file: string): string | null => /^examples\/src\/([^/.]+)/.exec(file)?.[1] ?? null;

/** Every file that a file reaches by imports. */
function reachedFrom(file: string): Set<string> {
  const reached = new Set<string>();
  const stack = [file];
  while (stack.length > 0) {
    for (const target of graph.get(stack.pop()!) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      stack.push(target);
    }
  }
  return reached;
}

function sentences(keep: (file: string, target: string) => boolean): string[] {
  return [...graph].flatMap(([file, targets]) =>
    targets.filter((target) => keep(file, target)).map((target) => `${file} imports ${target}`),
  );
}

function namesIn(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) =>
      name
        .replace(/\btype\b/, '')
        .split(' as ')[0]
        .trim(),
    )
    .filter((name) => name !== '');
}

describe('imports in src', () => {
  it('are found at all', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(imports.length).toBeGreaterThan(50);
    expect([...new Set(files.map(folderOf))].every((folder) => folder in ALLOWED)).toBe(true);
  });

  it('go down only: math, tree, wasm, octree, features, three-math, three, the features of scenes, react', () => {
    const upward = imports.filter(
      ({ file, folder, from }) =>
        from.startsWith('.') && !ALLOWED[folder].includes(folderOf(normalize(join(dirname(file), from)))),
    );
    expect(upward.map(({ file, from }) => `${file} imports ${from}`)).toEqual([]);
  });

  it.each(Object.entries(PARTS))('inside %s go down only', (folder, parts) => {
    const own = files.filter((file) => file.startsWith(`${folder}/`));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((file) => !(partOf(file, folder) in parts))).toEqual([]);
    const upward = sentences((file, target) => {
      if (!own.includes(file) || !own.includes(target)) return false;
      const [from, to] = [partOf(file, folder), partOf(target, folder)];
      return from !== to && !parts[from].includes(to);
    });
    expect(upward).toEqual([]);
  });

  it('make no circle, types included', () => {
    const reached = new Map(files.map((file) => [file, reachedFrom(file)]));
    const circular = sentences((file, target) => file === target || (reached.get(target)?.has(file) ?? false));
    expect(circular).toEqual([]);
  });

  it('name files with their ending', () => {
    expect(imports.filter(({ from }) => from.startsWith('.') && !from.endsWith('.ts'))).toEqual([]);
  });

  it('name three only above the core, react and fiber only in react, and no other package', () => {
    const packages = imports.filter(({ from }) => !from.startsWith('.'));
    expect(
      packages
        .filter(
          ({ from, folder }) => !PACKAGE_USERS.some(([name, folders]) => name.test(from) && folders.includes(folder)),
        )
        .map(({ file, from }) => `${file} imports ${from}`),
    ).toEqual([]);
  });

  it('of octree name nothing that a single feature needs: such a word belongs to the feature', () => {
    const alone = files
      .filter((file) => folderOf(file) === 'octree')
      .flatMap((file) => {
        const text = readFileSync(join('src', file), 'utf8');
        const names = [...text.matchAll(/^export (?:abstract )?(?:function|const|class|interface|type) (\w+)/gm)];
        return names.flatMap(([, name]) => {
          const users = imports.filter(
            (one) => one.names.includes(name) && normalize(join(dirname(one.file), one.from)) === file,
          );
          const features = new Set(users.map((one) => one.file.split('/').slice(0, 2).join('/')));
          const isOwn =
            users.some(({ folder }) => folder === 'octree') || text.split(new RegExp(`\\b${name}\\b`)).length > 2;
          return isOwn || features.size !== 1 ? [] : [`${file}: ${name}, for ${[...features][0]}`];
        });
      });
    expect(alone).toEqual([]);
  });

  it('of WebAssembly are one door of the octree and the walks of two features', () => {
    expect(sentences((file, target) => folderOf(file) !== 'wasm' && folderOf(target) === 'wasm').sort()).toEqual([
      'features/nearest/speculative-search.ts imports wasm/memory-map.ts',
      'features/nearest/speculative-search.ts imports wasm/wasm-traversal.ts',
      'features/ray-bundles/ray-stream.ts imports wasm/ray-stream-walk.ts',
      'octree/internals.ts imports wasm/accelerator.ts',
    ]);
  });

  it('of react take the group and the instances from the entry point of three', () => {
    expect(
      sentences(
        (file, target) =>
          folderOf(file) === 'react' && [...SCENE_FOLDERS, '.'].includes(folderOf(target)) && target !== 'three.ts',
      ),
    ).toEqual([]);
  });

  it('name nodes of three only in the entry point tsl, because programs with WebGLRenderer do not load them', () => {
    expect(
      imports.filter(({ from }) => from.startsWith('three/')).map(({ file, from }) => `${file} imports ${from}`),
    ).toEqual(['tsl.ts imports three/tsl']);
  });

  it('of three-math take only math classes from three', () => {
    const taken = imports.filter(({ from, folder }) => from.startsWith('three') && folder === 'three-math');
    expect(taken.length).toBeGreaterThan(0);
    expect(
      taken.filter(
        ({ from, names }) =>
          from !== 'three' || names.length === 0 || !names.every((name) => THREE_MATH.includes(name)),
      ),
    ).toEqual([]);
  });

  it("of three take octrees, bodies and records from three-math, which have three's vectors", () => {
    expect(
      sentences(
        (file, target) =>
          SCENE_FOLDERS.includes(folderOf(file)) &&
          !/^occlusion\/(visible|solid-boxes)\//.test(file) &&
          ['octree/octree.ts', 'octree/bodies/body.ts', 'octree/queries/record-writer.ts'].includes(target),
      ),
    ).toEqual([]);
  });

  it('of scene-octree/core reach no file that imports three, types included', () => {
    const reached = reachedFrom('core.ts');
    expect(reached.size).toBeGreaterThan(20);
    expect(
      imports
        .filter(({ file, from }) => reached.has(file) && !from.startsWith('.'))
        .map(({ file, from }) => `${file} imports ${from}`),
    ).toEqual([]);
  });

  it('of the reference implementation lead to its own files and to the kernels of triangles only', () => {
    const own = imports.filter(({ file }) => reference.includes(file));
    expect(own.length).toBeGreaterThan(3);
    expect(
      own
        .filter(({ file, from }) => !reference.includes(normalize(join(dirname(file), from))))
        // These are compared with exact arithmetic: test/triangles/kernels.
        .filter(({ file, from }) => !normalize(join(dirname(file), from)).startsWith('triangles/kernels/'))
        .map(({ file, from }) => `${file} imports ${from}`),
    ).toEqual([]);
  });
});

describe('imports in examples', () => {
  const own = readdirSync('examples', { recursive: true, encoding: 'utf8' })
    .map((file) => `examples/${file.replaceAll('\\', '/')}`)
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file));
  const targets = new Map(
    own.map((file) => [
      file,
      [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom |\bimport\(|^import |new URL\()'(\.[^']+)'/gm)].map(
        ([, from]) => normalize(join(dirname(file), from)).replaceAll('\\', '/'),
      ),
    ]),
  );
  const found = [...targets].flatMap(([file, list]) =>
    list.map((target) => ({ file, target, sentence: `${file} imports ${target}` })),
  );

  it('are found at all', () => {
    expect(own.length).toBeGreaterThan(100);
    expect(found.length).toBeGreaterThan(300);
  });

  it('of a page lead to itself and to shared, those of shared to shared', () => {
    expect(
      found
        .filter(({ file, target }) => ![null, 'shared', pageOf(file)].includes(pageOf(target)))
        .map(({ sentence }) => sentence),
    ).toEqual([]);
  });

  it('take the library from its entry points', () => {
    expect(
      found
        .filter(({ target }) => target.startsWith('src/') && !ENTRY_POINTS.includes(target))
        .map(({ sentence }) => sentence),
    ).toEqual([]);
  });

  it('reach each file of shared from two pages, or more', () => {
    const pagesOf = new Map<string, Set<string>>();
    const visit = (file: string, page: string): void => {
      const pages = pagesOf.get(file) ?? new Set();
      if (pages.has(page)) return;
      pagesOf.set(file, pages.add(page));
      for (const target of targets.get(file) ?? []) visit(target, page);
    };
    for (const file of own) if (pageOf(file) !== 'shared') visit(file, pageOf(file) ?? file);
    expect(own.filter((file) => pageOf(file) === 'shared' && (pagesOf.get(file)?.size ?? 0) < 2)).toEqual([]);
  });
});
