import { existsSync, readdirSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import type { BrowserInstanceOption } from 'vitest/node';
import { chromiumArgs, findBrowser } from './scripts/browser.mjs';
import { cityTilesPlugin } from './scripts/city-tiles-plugin.ts';
import { llmsPlugin } from './scripts/llms-plugin.ts';
import { LongestFirst } from './scripts/longest-first.ts';
import { pagesPlugin } from './scripts/pages-plugin.ts';
import { placesPlugin } from './scripts/places-plugin.ts';
import { referencePlugin } from './scripts/reference-plugin.ts';
import { smallExamplesPlugin, smallPages } from './scripts/small-examples-plugin.ts';
import { plantedFaultPlugin, type PlantedFault } from './test/zoo/planted-fault.ts';

// Cross-origin isolation gives the pages a clock of 5 us precision (instead of 100 us), and SharedArrayBuffer.
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const executablePath = findBrowser();
/** A fault that this run of the tests should find: `npm run zoo`, `node scripts/constants.mjs --try`. */
const fault = process.env.PLANTED_FAULT;
const faults = fault === undefined ? [] : [plantedFaultPlugin(JSON.parse(fault) as PlantedFault)];
/**
 * Addons of three that tests and pages import. Vite bundles an unlisted one at its first import, and then reloads the
 * page.
 */
const addons = [
  'csm/CSM',
  'csm/CSMShadowNode',
  'controls/OrbitControls',
  'controls/TransformControls',
  'effects/OutlineEffect',
  'exporters/GLTFExporter',
  'exporters/OBJExporter',
  'exporters/PLYExporter',
  'exporters/STLExporter',
  'geometries/DecalGeometry',
  'interactive/SelectionBox',
  'libs/meshopt_decoder.module',
  'lines/Line2',
  'lines/LineGeometry',
  'lines/LineMaterial',
  'lines/webgpu/Line2',
  'loaders/DRACOLoader',
  'loaders/GLTFLoader',
  'loaders/KTX2Loader',
  'misc/Gyroscope',
  'objects/Reflector',
  'pipelines/MeshletDrawingPipeline',
  'pipelines/VisibilityBufferDrawingPipeline',
  'postprocessing/EffectComposer',
  'postprocessing/OutlinePass',
  'postprocessing/Pass',
  'postprocessing/RenderPass',
  'postprocessing/ShaderPass',
  'renderers/SVGRenderer',
  'tsl/display/OutlineNode',
  'tsl/display/RetroPassNode',
  'utils/BufferGeometryUtils',
];
const pages = existsSync('examples') ? readdirSync('examples').filter((file) => file.endsWith('.html')) : [];

/** The random histories: `npm test` runs the first of the many that `npm run test:long` runs. */
const HISTORIES = 'test/histories/*.test.ts';
/** Tests of modules of the pages, which need no browser. They need modules of Vite, as pages do. */
const PARTS_OF_PAGES = 'test/site/*parts.test.ts';
/**
 * The tests in Node that take longest: of the package, the commands and the documents; of failures injected into all
 * calls; long histories. `npm run test:ci` runs them.
 */
const LONG = [
  'test/package/*.test.ts',
  'test/project/{deletion,docs,simd}.test.ts',
  'test/soak/soak.test.ts',
  'test/octree/{allocation,server-example,units}.test.ts',
  'test/wasm/walk-wasm.test.ts',
  'test/{nasty,features,occlusion,three}/failed-{calls,objects,slices}.test.ts',
  'test/nasty/hostile-callers.test.ts',
  'test/three/throwing-callbacks.test.ts',
  'test/three/group/{any-history,group-raycast,rotterdam}.test.ts',
  'test/three/detector/turns.test.ts',
  'test/instances/instances-raycast.test.ts',
  'test/batches/{chunks,posed,resting,slices,steps-history}.test.ts',
  'test/changes/views/change-histories.test.ts',
  'test/occlusion/visible/occlusion-exactness.test.ts',
  'test/tiles/{command-line,tile-limits,write-tiles}.test.ts',
  'test/tiles-renderer/{octree-tiles,tile-occlusion,written-tiles}.test.ts',
];
/** Tests that try all in the project `long-whole`, and a sample in `unit` (`test/support/sampled.ts`). */
const SAMPLED = [
  'test/octree/metamorphic.test.ts',
  'test/triangles/{after-changes,queries,mesh-distance,screen/select-within}.test.ts',
  'test/triangles/kernels/{contact,time-of-touch}.test.ts',
  'test/nasty/{client-messages,getters,invalid-arguments}.test.ts',
  'test/three/picking/pick-within.test.ts',
  'test/three/group/{trial-moves,written-matrices}.test.ts',
  'test/features/nearest/nearest-shapes.test.ts',
  'test/occlusion/solid-boxes/random-meshes.test.ts',
  'test/math/unit-ray.test.ts',
  'test/octree/frustum.test.ts',
  'test/sets/object-styles.test.ts',
  'test/batches/{any-changes,coplanar,batch-members}.test.ts',
  'test/tree/update/rest.test.ts',
  'test/project/sizes.test.ts',
  'test/three/detector/lateness.test.ts',
];
/** Tests in Node that load modules again, or others in place of them: they need modules of Vite. */
const FRESH_MODULES = [
  'test/nasty/two-copies.test.ts',
  'test/wasm/{wasm-module,without-wasm}.test.ts',
  'test/features/ray-bundles/cast-rays.test.ts',
  'test/three/passes/three-version.test.ts',
];
/** Tests that compare times. Nothing runs beside them. */
const TIMES_IN_BROWSER = 'test/browser/*times.test.ts';
/** Tests of pages that measure how long a page blocks, or which of two is faster. */
const TIMES_OF_PAGES = 'test/site/*times.test.ts';

/**
 * Files of pages at a time. A browser of drawing tests runs beside them. With more, software drawing delayed frames so
 * much that the tests took longer.
 */
const PAGE_WORKERS = 2;
/**
 * The drawing tests that run beside those of pages, which take as long. The others follow in two browsers at a time: a
 * browser draws in one process, which uses little more than one core.
 */
const DRAWING_BESIDE_PAGES = 'test/browser/{batches,scenes}*.test.ts';
/** Half of the others, by their CPU time. */
const DRAWING_LONG = 'test/browser/{shadow,occlusion,few-draws,soak,instances-passes}*.test.ts';

/** Tests of groups have few children, and are about groups that are awake. */
const SETUP = 'test/support/no-sleep.ts';

const NODE_MODULES_IN_TYPESCRIPT = new URL('./scripts/native-typescript.mjs', import.meta.url).href;

/**
 * Tests in Node. Files share the modules of their worker, and the code that V8 has optimized for them. All cores: the
 * default leaves one idle, which is half of a small machine. V8 inlines a third of the default, and optimizes code
 * after eight times the default: most code runs rarely, and compiling it takes longer; this saves 8 % and 14 % of the
 * CPU time. A larger memory for young objects costs more page faults than it saves collections.
 */
const inNode = {
  setupFiles: [SETUP, 'test/support/quiet-console.ts'],
  // Ends a test that hangs. No test of a quiet machine takes 10 s.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: '100%',
  isolate: false,
  execArgv: [
    '--max-semi-space-size=16',
    '--interrupt-budget=540672',
    '--max-inlined-bytecode-size=150',
    '--max-inlined-bytecode-size-cumulative=200',
    // @react-three/fiber loads three as CommonJS in Node.
    '--disable-warning=THREE_CJS_DEPRECATED',
  ],
};
/**
 * Tests in Node whose modules are those of Node (scripts/native-typescript.mjs): in those of Vite each use of an import
 * calls a function. Planted faults and the coverage need modules of Vite.
 */
const asNodeModules =
  fault !== undefined || process.argv.includes('--coverage')
    ? inNode
    : {
        ...inNode,
        execArgv: [...inNode.execArgv, '--import', NODE_MODULES_IN_TYPESCRIPT, '--enable-source-maps'],
        experimental: { viteModuleRunner: false, nodeLoader: false },
      };
/** Tests of the built site, in a Chromium that they control. */
const onSite = {
  globalSetup: 'test/site/support/serve-site.ts',
  setupFiles: 'test/site/support/until-built.ts',
  // Each wait has a limit of 40 s, and says what it sees: test/site/support/waits.ts.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  isolate: false,
};

/**
 * Chromium for tests that run in it. All files of an instance share a page: each page of its own would load three.js
 * again. New objects for each project: Vitest writes a name into them.
 */
const inOnePage = (instances: readonly InBrowser[] = [{}]) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  fileParallelism: false,
  provider: playwright({ launchOptions: { ...(executablePath ? { executablePath } : {}), args: chromiumArgs } }),
  instances: instances.map((instance) => ({ browser: 'chromium' as const, ...instance })),
});
/** What a browser runs, if a project has several. */
type InBrowser = Pick<BrowserInstanceOption, 'name' | 'include' | 'exclude'> & { sequence?: { groupOrder: number } };

/**
 * Takes the tags out of doc comments in code, which come last: the declarations beside it have them (examples,
 * parameters, errors), and editors read them there. It saves 18 kB of the package.
 */
const withoutTags = {
  name: 'without-tags',
  renderChunk: (code: string): string =>
    code.replaceAll(
      /\n[ \t]*\*[ \t]*\n[ \t]*\* @(?:example|param|returns|throws)\b(?:(?!\*\/)[\s\S])*?(?=\n[ \t]*\*\/)/g,
      '',
    ),
};

const library = {
  target: 'es2022',
  minify: false,
  lib: {
    entry: {
      core: 'src/core.ts',
      index: 'src/index.ts',
      three: 'src/three.ts',
      save: 'src/save/index.ts',
      tiles: 'src/tiles/index.ts',
      triangles: 'src/triangles/index.ts',
      react: 'src/react/index.ts',
      tsl: 'src/tsl.ts',
      debug: 'src/debug/index.ts',
      'debug-three': 'src/debug-three/index.ts',
    },
    formats: ['es' as const],
  },
  // The code is not minified and has its doc comments: it is read in place of the sources, so there are no source maps.
  rolldownOptions: {
    external: [/^three($|\/)/, 'react', '@react-three/fiber'],
    plugins: [withoutTags],
    output: { comments: { annotation: true, jsdoc: true, legal: false } },
  },
};

const site = {
  outDir: 'site',
  target: 'es2022',
  chunkSizeWarningLimit: 1000,
  rolldownOptions: {
    input: ['index.html', ...pages.map((file) => `examples/${file}`), ...smallPages()],
    // Its warning depends on how busy the machine is.
    checks: { bundlerTimings: false },
  },
};

export default defineConfig(({ mode }) => ({
  base: './',
  publicDir: false,
  // Tests in a page read how much they try (test/support/sampled.ts).
  envPrefix: ['VITE_', 'npm_lifecycle_event'],
  plugins: [
    placesPlugin(),
    cityTilesPlugin(),
    referencePlugin(),
    llmsPlugin(),
    smallExamplesPlugin(),
    pagesPlugin(),
    ...faults,
  ],
  server: { headers: isolation },
  preview: { headers: isolation },
  optimizeDeps: {
    include: [
      'three',
      'three/tsl',
      'three/webgpu',
      '3d-tiles-renderer',
      '3d-tiles-renderer/plugins',
      ...addons.map((name) => `three/addons/${name}.js`),
      'lil-gui',
      'react',
      '@react-three/fiber',
    ],
  },
  build: mode === 'lib' ? library : site,
  test: {
    sequence: { sequencer: LongestFirst },
    // With modules of Node a worker tells Vitest's main process of each import, which only its watch mode needs, and
    // does not wait for the answer. A worker that ends before the answer came would be an error of the run.
    onUnhandledError: ({ name, message }) =>
      !(name === 'EnvironmentTeardownError' && message.includes('"ensureModuleGraphEntry"')),
    // Of the core: what else there is needs a browser, too.
    coverage: {
      provider: 'v8',
      include: ['src/{math,tree,octree,features,wasm}/**/*.ts'],
      exclude: ['**/assembly/**', '**/*-code.ts'],
      reporter: 'text',
      thresholds: { lines: 100, branches: 98 },
    },
    // `npm test` runs `unit*` and `histories`. `npm run test:ci` runs the others, but `long-whole`. `npm run test:long`
    // runs all others, and more histories, whole.
    projects: [
      {
        extends: true,
        test: {
          ...asNodeModules,
          name: 'unit',
          include: [
            'test/{math,tree,wasm,octree,features,save,three-math,debug,debug-three,nasty,project,three,instances,batches,changes,occlusion,poses,sets,tiles,tiles-renderer,helper,triangles}/**/*.test.ts',
          ],
          exclude: [HISTORIES, ...LONG, ...FRESH_MODULES],
        },
      },
      { extends: true, test: { ...inNode, name: 'unit-fresh', include: FRESH_MODULES } },
      { extends: true, test: { ...asNodeModules, name: 'histories', include: [HISTORIES] } },
      { extends: true, test: { ...asNodeModules, name: 'long', include: LONG } },
      { extends: true, test: { ...asNodeModules, name: 'long-whole', include: SAMPLED } },
      { extends: true, test: { ...inNode, name: 'long-pages', include: [PARTS_OF_PAGES] } },
      // After the tests in Node, which use all cores; together with a part of the project `drawing`. Projects of one
      // group have the same number of workers.
      {
        extends: true,
        test: {
          ...onSite,
          name: 'site',
          // Software drawing delays frames under load. A page moves on by at most some time in each frame, so a walk
          // that takes seconds may take a minute.
          retry: 1,
          include: ['test/site/**/*.test.ts'],
          exclude: [PARTS_OF_PAGES, TIMES_OF_PAGES],
          maxWorkers: PAGE_WORKERS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'drawing',
          setupFiles: SETUP,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          exclude: [TIMES_IN_BROWSER],
          isolate: false,
          maxWorkers: PAGE_WORKERS,
          browser: inOnePage([
            { name: 'drawing (beside pages)', include: [DRAWING_BESIDE_PAGES], sequence: { groupOrder: 1 } },
            { name: 'drawing (long)', include: [DRAWING_LONG], sequence: { groupOrder: 2 } },
            {
              name: 'drawing (others)',
              include: ['test/browser/**/*.test.ts'],
              exclude: [DRAWING_BESIDE_PAGES, DRAWING_LONG, TIMES_IN_BROWSER],
              sequence: { groupOrder: 2 },
            },
          ]),
        },
      },
      // One page at a time, and nothing beside it.
      {
        extends: true,
        test: {
          ...onSite,
          name: 'site-times',
          testTimeout: 600_000,
          include: [TIMES_OF_PAGES],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'drawing-times',
          testTimeout: 900_000,
          hookTimeout: 120_000,
          include: [TIMES_IN_BROWSER],
          isolate: false,
          sequence: { groupOrder: 4 },
          browser: inOnePage(),
        },
      },
    ],
  },
}));
