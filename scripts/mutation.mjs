/**
 * Mutation testing of files or folders of src: changes each expression in turn, and runs tests until one fails.
 *
 *     npm run mutation -- src/tree src/octree/octree.ts
 *     npm run mutation -- --table                 prints the figures of all files that were tested so far
 *     MUTATION_EVERY=4 npm run mutation -- src/math    tests one mutant of four, always the same ones
 *     MUTATION_TESTS='tree/;octree/' npm run mutation -- ...    runs other tests
 *     MUTATION_SECONDS=30 npm run mutation -- ...    runs tests for longer
 *     MUTATION_AGAIN=1 npm run mutation -- ...    of files that were tested before, tests only what was not caught
 *
 * The mutants are those of Stryker (`@stryker-mutator/instrumenter`, installed at the first call, without a change of
 * package.json and the lockfile). Its runner starts Vitest for each mutant, which takes 3 s of CPU time; here all tests
 * stay loaded in one process (`mutation/worker.ts`). A mutant is caught if a test fails, a loop does not end, or the
 * process dies. Loops are told by CPU time and by counts, not by a clock: a loaded machine catches nothing.
 *
 * Prints what survives, and leaves it in reports/mutation. Not a part of CI: a survivor may be equivalent, and must be
 * looked at. Those that were are listed with their reasons in `mutation/equivalent.txt`, and do not count.
 */

import { execFileSync, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'vite';

const PACKAGES = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/instrumenter@9.6.1', '@stryker-mutator/api@9.6.1'];
/** Set it to the folder of a run that was stopped, of the same sources: it goes on without another baseline. */
const WORK = process.env.MUTATION_WORK ?? `node_modules/.cache/mutation-${process.pid}`;
const REPORTS = 'reports/mutation';
/** Of this number of mutants one is tested: by a hash, so that it is the same one after a change elsewhere. */
const EVERY = Number(process.env.MUTATION_EVERY ?? 1);
const AGAIN = process.env.MUTATION_AGAIN !== undefined;
/** CPU seconds of tests for a mutant, the most telling ones first, and the longest test that is used. */
const SECONDS = Number(process.env.MUTATION_SECONDS ?? 10);
const LONGEST = 1.5;

const CORE = ['tree/', 'octree/', ...'abcdf'.split('').map((letter) => `nasty/${letter}-`), 'features/pairs/pairs.'];
/**
 * The tests of a folder, as beginnings of paths below test: cheap ones that reach most of it. A list that is too narrow
 * reports holes that are none.
 */
const TESTS = [
  ['src/tree/', [...CORE, 'features/contacts/', 'features/sensors/', 'three/cell-size', 'debug/']],
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
  ['src/three/', ['three/', 'changes/', 'project/material-rules']],
  ['src/changes/', ['changes/', 'three/detector/']],
  ['src/batches/', ['batches/']],
  ['src/instances/', ['instances/']],
  ['src/occlusion/', ['occlusion/']],
  ['src/triangles/', ['triangles/']],
  ['src/sets/', ['sets/', 'save/']],
  ['src/save/', ['save/']],
  ['src/tiles/', ['tiles/']],
  ['src/poses/', ['poses/']],
  ['src/tiles-renderer/', ['tiles-renderer/']],
  ['src/helper/', ['helper/']],
];
/** They bundle the sources, load them twice, count bytes, or read files. */
const WITHOUT = [
  'octree/allocation',
  'octree/server-example',
  'nasty/hostile-callers',
  'nasty/h-determinism',
  'nasty/failed-calls',
  'nasty/two-copies',
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
  const beginnings = process.env.MUTATION_TESTS?.split(';').filter(Boolean) ?? listed;
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

/**
 * Mutants are switched by numbers: Stryker's functions compare strings, which slows the tests down. Those that are not
 * tested are left out for the same reason.
 */
function withSwitch(code, isChosen) {
  return `const $m = globalThis.mutationSwitch;
const $c = $m.counts;
${code
  .replaceAll(/stryMutAct_9fa48\("(\d+)"\)/g, (_, id) => (isChosen.has(id) ? `($m.on === ${id} && $m.hit())` : 'false'))
  .replaceAll(/stryCov_9fa48\(((?:"\d+"(?:, )?)+)\)/g, (_, ids) => {
    const counted = ids.match(/\d+/g).filter((id) => isChosen.has(id));
    return counted.length === 0 ? '0' : `(${counted.map((id) => `$c[${id}]++`).join(', ')})`;
  })}`;
}

function hash(text) {
  let sum = 2166136261;
  for (let k = 0; k < text.length; k++) sum = Math.imul(sum ^ text.charCodeAt(k), 16777619);
  return (sum ^ (sum >>> 15)) >>> 0;
}

/** Names each mutant by its code, not by its line. Equal ones of a file are numbered. */
function withKeys(mutants, lines) {
  const numbers = new Map();
  for (const mutant of mutants) {
    const file = relative('.', mutant.fileName);
    const { start, end } = mutant.location;
    const code = lines.get(file)[start.line].trim();
    const text = `${file} ${code} ${start.column}-${end.column} ${mutant.replacement}`;
    const number = numbers.get(text) ?? 0;
    numbers.set(text, number + 1);
    Object.assign(mutant, { file, code, key: `${text} ${number}` });
  }
}

/** Mutants that change nothing but cost, by file, code and replacement. */
const equivalent = new Set(
  readFileSync('scripts/mutation/equivalent.txt', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

function rowOf(file, { code, replacement }) {
  return `${file}: ${code} -> ${replacement.replaceAll(/\s+/g, ' ')}`;
}

function reportOf(file) {
  const path = `${REPORTS}/${file}.json`;
  const report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { every: EVERY, mutants: [] };
  for (const mutant of report.mutants)
    mutant.isEquivalent = mutant.status !== 'caught' && equivalent.has(rowOf(file, mutant));
  return report;
}

async function buildWorker(sources, isChosen, testFiles, hasHistories) {
  const contents = new Map(sources.map(({ name, content }) => [name, withSwitch(content, isChosen)]));
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
function runWorker(count, ids, seconds, onResult) {
  const job = {
    count,
    mutants: ids,
    baseline: `${WORK}/baseline.json`,
    caught: `${WORK}/caught.json`,
    secondsPerMutant: seconds,
    longestTest: LONGEST,
  };
  writeFileSync(`${WORK}/job.json`, JSON.stringify(job));
  const child = fork(`${WORK}/worker.js`, [`${WORK}/job.json`], { execArgv: ['--max-old-space-size=2048'] });
  let mutant = null;
  let test = '';
  let limit = Infinity;
  const watch = setInterval(() => {
    if (child.exitCode === null && cpuSeconds(child.pid) > limit) child.kill('SIGKILL');
  }, 200);
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

function isOpen(mutant) {
  return mutant !== undefined && !mutant.isEquivalent && ['survived', 'unreached'].includes(mutant.status);
}

/** What is equivalent, or evaluated only while files are loaded, is not counted. */
function print(name, mutants) {
  const of = (status) => mutants.filter((mutant) => mutant.status === status && !mutant.isEquivalent).length;
  const listed = mutants.filter(({ status, isEquivalent }) => isEquivalent && status !== 'caught').length;
  const all = of('caught') + of('survived') + of('unreached');
  const share = all === 0 ? '' : ` (${((100 * of('caught')) / all).toFixed(1)} %)`;
  console.log(
    `${name}: ${of('caught')} of ${all} caught${share}, ${of('survived')} survive, ${of('unreached')} not reached; ${listed} equivalent, ${of('static')} while files load`,
  );
}

async function run(files) {
  if (!existsSync('node_modules/@stryker-mutator/instrumenter'))
    execFileSync('npm', ['i', '--no-save', '--legacy-peer-deps', '--ignore-scripts', ...PACKAGES], {
      stdio: 'inherit',
    });
  const { files: sources, mutants } = await instrument(files);
  withKeys(mutants, new Map(files.map((file) => [file, readFileSync(file, 'utf8').split('\n')])));
  /** By its key what is known of each mutant. */
  const results = new Map(AGAIN ? files.flatMap((file) => reportOf(file).mutants.map((old) => [old.key, old])) : []);
  const isTested = new Set([...results.values()].map(({ key }) => key.split(' ')[0]));
  const chosen = mutants.filter(({ file, key }) =>
    isTested.has(file) ? isOpen(results.get(key)) : hash(key) % EVERY === 0,
  );
  const isChosen = new Set(chosen.map(({ id }) => id));
  if (!existsSync(`${WORK}/worker.js`))
    await buildWorker(
      sources,
      isChosen,
      testsOf(files),
      files.some((file) => IN_HISTORIES.some((folder) => file.startsWith(folder))),
    );
  const write = () => {
    for (const file of files) {
      const own = mutants.filter((mutant) => mutant.file === file && results.has(mutant.key));
      if (own.length === 0) continue;
      const every = isTested.has(file) ? reportOf(file).every : EVERY;
      const rows = own.map(({ key, location: { start }, code, replacement, mutatorName }) => {
        const { status, by } = results.get(key);
        return {
          status,
          by,
          line: start.line + 1,
          column: start.column + 1,
          code,
          mutator: mutatorName,
          replacement,
          key,
        };
      });
      mkdirSync(`${REPORTS}/${file.slice(0, file.lastIndexOf('/'))}`, { recursive: true });
      writeFileSync(`${REPORTS}/${file}.json`, JSON.stringify({ every, mutants: rows }, null, 1));
    }
  };
  console.log(`${chosen.length} of ${mutants.length} mutants in ${files.length} files`);
  const begin = performance.now();
  const keys = new Map(chosen.map(({ id, key }) => [Number(id), key]));
  const isSettled = new Set();
  const settle = (id, result) => {
    results.set(keys.get(id), result);
    if (result.status !== 'survived') isSettled.add(id);
  };
  // Most mutants are caught within a second. What survives that is tried with all tests later.
  for (const seconds of [SECONDS / 10, SECONDS]) {
    const left = new Set([...keys.keys()].filter((id) => !isSettled.has(id)));
    while (left.size > 0) {
      const before = left.size;
      await runWorker(mutants.length, [...left], seconds, (id, result) => {
        settle(id, result);
        left.delete(id);
        if (left.size % 50 !== 0) return;
        write();
        console.log(`${left.size} left after ${((performance.now() - begin) / 60_000).toFixed(1)} min`);
      });
      if (left.size < before) continue;
      // A mutant that is the first of its process, and has left something behind by which tests fail.
      const [first] = left;
      settle(first, { status: 'caught', by: 'tests fail after it, too' });
      left.delete(first);
    }
  }
  write();
  for (const file of files) {
    const own = reportOf(file).mutants;
    if (own.length === 0) continue;
    print(file, own);
    for (const mutant of own)
      if (isOpen(mutant)) console.log(`  ${mutant.line}:${mutant.column} ${mutant.status}: ${rowOf(file, mutant)}`);
  }
  rmSync(WORK, { recursive: true, force: true });
}

const args = process.argv.slice(2);
if (args.length === 0)
  throw new Error('name at least one file or folder: npm run mutation -- src/tree/update/place.ts');
if (args[0] === '--table') {
  const folders = new Map();
  for (const path of filesIn(REPORTS, '.json')) {
    const file = path.slice(REPORTS.length + 1, -'.json'.length);
    const { every, mutants } = reportOf(file);
    print(file, mutants);
    const folder = `${file.split('/').slice(0, 2).join('/')}, one of ${every}`;
    folders.set(folder, [...(folders.get(folder) ?? []), ...mutants]);
  }
  for (const [folder, mutants] of folders) print(folder, mutants);
} else await run(args.flatMap(sourcesOf));
