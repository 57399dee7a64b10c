/**
 * Mutation testing of files or folders of src: changes each expression in turn, and runs tests until one fails.
 *
 *     npm run mutation -- src/tree src/octree/octree.ts
 *     npm run mutation -- --table                 prints the figures of all files that were tested so far
 *     MUTATION_EVERY=4 npm run mutation -- src/math    tests every fourth mutant
 *     MUTATION_TESTS='tree/;octree/' npm run mutation -- ...    runs other tests
 *     MUTATION_SECONDS=30 npm run mutation -- ...    runs tests for longer
 *
 * The mutants are those of Stryker (`@stryker-mutator/instrumenter`, installed at the first call, without a change of
 * package.json and the lockfile). Its runner starts Vitest for each mutant, which takes 3 s of CPU time; here all tests
 * stay loaded in one process (`mutation/worker.ts`). A mutant is caught if a test fails, a loop does not end, or the
 * process dies. Loops are told by CPU time and by counts, not by a clock: a loaded machine catches nothing.
 *
 * Prints what survives, and leaves it in reports/mutation. Not a part of CI: a survivor may be equivalent, and must be
 * looked at.
 */

import { execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'vite';

const PACKAGES = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/instrumenter@9.6.1', '@stryker-mutator/api@9.6.1'];
/** Set it to the folder of a run that was stopped, of the same sources: it goes on without another baseline. */
const WORK = process.env.MUTATION_WORK ?? `node_modules/.cache/mutation-${process.pid}`;
const REPORTS = 'reports/mutation';
/** Of this number of mutants one is tested. */
const EVERY = Number(process.env.MUTATION_EVERY ?? 1);
/** CPU seconds of tests for a mutant, the most telling ones first, and the longest test that is used. */
const SECONDS = Number(process.env.MUTATION_SECONDS ?? 10);
const LONGEST = 1.5;

const CORE = ['tree/', 'octree/', ...'abcdf'.split('').map((letter) => `nasty/${letter}-`), 'features/pairs/pairs.'];
/**
 * The tests of a folder, as beginnings of paths below test: cheap ones that reach most of it. A list that is too narrow
 * reports holes that are none.
 */
const TESTS = [
  ['src/tree/', [...CORE, 'features/contacts/']],
  [
    'src/octree/',
    [
      ...CORE,
      ...['first', 'reused', 'getters', 'proxies'].map((name) => `nasty/${name}`),
      'features/ids/',
      'features/sensors/',
    ],
  ],
  [
    'src/math/',
    [
      'math/',
      'octree/',
      ...['casts', 'nearest', 'volumes', 'distances'].map((name) => `features/${name}/`),
      'nasty/d-',
    ],
  ],
  ['src/features/', ['features/', 'nasty/']],
  ['src/three/', ['three/', 'changes/']],
  ['src/changes/', ['changes/', 'three/detector/']],
  ['src/batches/', ['batches/']],
  ['src/instances/', ['instances/']],
  ['src/occlusion/', ['occlusion/']],
];
/** They bundle the sources, count bytes, or read files. */
const WITHOUT = [
  'octree/allocation',
  'octree/server-example',
  'nasty/hostile-callers',
  'nasty/h-determinism',
  'nasty/failed-calls',
  'features/failed-calls',
  'occlusion/failed-calls',
  'three/group/rotterdam',
];
/** Folders whose mutants the random histories reach. */
const IN_HISTORIES = ['src/tree/', 'src/octree/', 'src/math/', 'src/features/', 'src/wasm/'];

function filesIn(folder, ending) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

function sourcesOf(path) {
  return statSync(path).isDirectory()
    ? filesIn(path, '.ts').filter((file) => !/assembly|-code\.ts$/.test(file))
    : [path];
}

function isTestIn(file, beginnings) {
  return beginnings.some((beginning) => file.startsWith(`test/${beginning}`));
}

function testsOf(files) {
  const listed = TESTS.filter(([folder]) => files.some((file) => file.startsWith(folder))).flatMap(([, list]) => list);
  const beginnings = process.env.MUTATION_TESTS?.split(';') ?? listed;
  return filesIn('test', '.test.ts').filter((file) => isTestIn(file, beginnings) && !isTestIn(file, WITHOUT));
}

async function instrument(files) {
  const { createInjector } = await import('typed-inject');
  const { createInstrumenter } = await import('@stryker-mutator/instrumenter');
  const silent = new Proxy({}, { get: (_, name) => (name.startsWith('is') ? () => false : () => undefined) });
  const options = { plugins: null, excludedMutations: [], ignorers: [], noHeader: true };
  const instrumenter = createInjector()
    .provideValue('logger', silent)
    .provideValue('options', options)
    .injectFunction(createInstrumenter);
  return instrumenter.instrument(
    files.map((file) => ({ name: resolve(file), mutate: true, content: readFileSync(file, 'utf8') })),
    options,
  );
}

/** Mutants are switched by numbers: Stryker's functions compare strings, which slows the tests down. */
function withSwitch(code) {
  return `const $m = (globalThis.mutationSwitch ??= { on: -1, count: null, hit: null });\n${code
    .replaceAll(/stryMutAct_9fa48\("(\d+)"\)/g, '($m.on === $1 && $m.hit())')
    .replaceAll(
      /stryCov_9fa48\(((?:"\d+"(?:, )?)+)\)/g,
      (_, ids) => `($m.count && $m.count([${ids.replaceAll('"', '')}]))`,
    )}`;
}

async function buildWorker(sources, testFiles, hasHistories) {
  const contents = new Map(sources.map(({ name, content }) => [name, withSwitch(content)]));
  const plugin = {
    name: 'mutants',
    enforce: 'pre',
    resolveId: (id) =>
      id === 'vitest' ? resolve('scripts/mutation/vitest.ts') : id === 'virtual:tests' ? '\0tests' : undefined,
    load(id) {
      if (id !== '\0tests') return contents.get(id);
      const setUp = ['test/support/no-sleep.ts', 'test/support/quiet-console.ts'].map(
        (file) => `await import('/${file}');`,
      );
      const lines = testFiles.map((file) => `beginFile('${file}'); await import('/${file}');`);
      if (hasHistories) lines.push(`beginFile('histories'); await import('/scripts/mutation/histories.ts');`);
      return `import { beginFile } from '/scripts/mutation/vitest.ts';
export async function loadTests() {\n${[...setUp, ...lines].join('\n')}\n}`;
    },
  };
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [plugin],
    // package.json says that modules have no side effects. Tests have.
    build: {
      ssr: 'scripts/mutation/worker.ts',
      outDir: WORK,
      target: 'es2022',
      rolldownOptions: { treeshake: false },
    },
  });
}

/** CPU seconds of a process; where there is no /proc, those of the clock. */
function cpuSeconds(pid) {
  if (!existsSync('/proc/self/stat')) return performance.now() / 1000;
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

/** Runs one process until it ends. Calls `onResult` for each mutant. */
function runWorker(ids, seconds, onResult) {
  const job = { mutants: ids, baseline: `${WORK}/baseline.json`, secondsPerMutant: seconds, longestTest: LONGEST };
  writeFileSync(`${WORK}/job.json`, JSON.stringify(job));
  const child = fork(`${WORK}/worker.js`, [`${WORK}/job.json`], { execArgv: ['--max-old-space-size=2048'] });
  let mutant = null;
  let test = '';
  let limit = Infinity;
  const watch = setInterval(() => {
    if (child.exitCode === null && cpuSeconds(child.pid) > limit) child.kill('SIGKILL');
  }, 500);
  child.on('message', (message) => {
    if (message.test !== undefined) {
      ({ test } = message);
      limit = cpuSeconds(child.pid) + message.limit;
    } else if (message.result === undefined) ({ mutant } = message);
    else {
      limit = Infinity;
      mutant = null;
      if (message.result !== null) onResult(message.mutant, message.result);
    }
  });
  return new Promise((done) => {
    child.on('exit', () => {
      clearInterval(watch);
      if (!existsSync(job.baseline)) throw new Error('the tests do not run without a mutant: see above');
      if (mutant !== null) onResult(mutant, { status: 'caught', by: `${test}: does not end` });
      done();
    });
  });
}

function print(file, { mutants }) {
  const of = (status) => mutants.filter((mutant) => mutant.status === status).length;
  const all = mutants.length;
  const caught = of('caught');
  const share = all === 0 ? '' : `(${((100 * caught) / all).toFixed(1)} %)`;
  console.log(
    `${file}: ${caught} of ${all} caught ${share}, ${of('survived')} survive, ${of('unreached')} not reached`,
  );
}

async function run(files) {
  if (!existsSync('node_modules/@stryker-mutator/instrumenter'))
    execFileSync('npm', ['i', '--no-save', '--legacy-peer-deps', '--ignore-scripts', ...PACKAGES], {
      stdio: 'inherit',
    });
  const { files: sources, mutants } = await instrument(files);
  if (!existsSync(`${WORK}/worker.js`))
    await buildWorker(
      sources,
      testsOf(files),
      files.some((file) => IN_HISTORIES.some((folder) => file.startsWith(folder))),
    );
  const chosen = mutants.filter((_, k) => k % EVERY === 0);
  const results = new Map();
  const lines = new Map(files.map((file) => [file, readFileSync(file, 'utf8').split('\n')]));
  const write = () => {
    for (const file of files) {
      const own = chosen.filter((mutant) => relative('.', mutant.fileName) === file && results.has(Number(mutant.id)));
      const report = {
        every: EVERY,
        mutants: own.map(({ id, location, replacement, mutatorName }) => ({
          ...results.get(Number(id)),
          line: location.start.line + 1,
          column: location.start.column + 1,
          code: lines.get(file)[location.start.line].trim(),
          mutator: mutatorName,
          replacement,
        })),
      };
      if (own.length === 0) continue;
      mkdirSync(`${REPORTS}/${file.slice(0, file.lastIndexOf('/'))}`, { recursive: true });
      writeFileSync(`${REPORTS}/${file}.json`, JSON.stringify(report, null, 1));
    }
  };
  console.log(`${chosen.length} mutants in ${files.length} files`);
  const begin = performance.now();
  // Most mutants are caught within a second. What survives that is tried with all tests later.
  for (const seconds of [SECONDS / 10, SECONDS]) {
    const left = new Set(
      chosen.map(({ id }) => Number(id)).filter((id) => !['caught', 'unreached'].includes(results.get(id)?.status)),
    );
    while (left.size > 0) {
      const before = left.size;
      await runWorker([...left], seconds, (id, result) => {
        results.set(id, result);
        left.delete(id);
        if (left.size % 50 !== 0) return;
        write();
        console.log(`${left.size} left after ${((performance.now() - begin) / 60_000).toFixed(1)} min`);
      });
      if (left.size < before) continue;
      // A mutant that is the first of its process, and has left something behind by which tests fail.
      const [first] = left;
      results.set(first, { status: 'caught', by: 'tests fail after it, too' });
      left.delete(first);
    }
  }
  write();
  for (const file of files) {
    if (!existsSync(`${REPORTS}/${file}.json`)) continue;
    const report = JSON.parse(readFileSync(`${REPORTS}/${file}.json`, 'utf8'));
    print(file, report);
    for (const { status, line, column, code, replacement } of report.mutants)
      if (status !== 'caught') console.log(`  ${file}:${line}:${column} ${status}: ${code}  ->  ${replacement}`);
  }
  rmSync(WORK, { recursive: true, force: true });
}

const args = process.argv.slice(2);
if (args.length === 0)
  throw new Error('name at least one file or folder: npm run mutation -- src/tree/update/place.ts');
if (args[0] === '--table')
  for (const file of filesIn(REPORTS, '.json'))
    print(file.slice(REPORTS.length + 1, -'.json'.length), JSON.parse(readFileSync(file, 'utf8')));
else await run(args.flatMap(sourcesOf));
