/**
 * `npm run broken [-- --seed N] [part ...]`: breaks one line of each part of src (`lines.mjs`), one after the other,
 * and runs tests until one fails. Ends with 1 if no test finds a fault.
 *
 * The fault is a statement of one line that is left out, or an export of an entry point; the seed chooses it by a hash
 * of its text. The sources stay as they are: `PLANTED_FAULT` plants the fault while they are loaded. The tests are
 * those of `npm test` whose imports reach the file, the nearest first; then the drawing tests, which
 * `npm run test:long` runs. A test that fails with a fault must pass without it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Visitor, parseSync } from 'rolldown/utils';
import { filesOfParts } from './lines.mjs';

const OUT = `node_modules/.cache/broken-${process.pid}.json`;
/** Files of tests that run together: the nearest are likely to fail, and a run stops at the first that does. */
const GROUPS = [6, 40, Infinity];
/** The tests, and the command that runs them. */
const COMMANDS = [
  { command: 'npm test', script: 'test', projects: ['--project=unit*', '--project=histories'] },
  { command: 'npm run test:long', script: 'test:long', projects: ['--project=drawing'] },
];
/** Seconds for a group of tests. One that takes longer does not end. */
const HANG = 1200;

const parsed = new Map();
function parse(file) {
  if (!parsed.has(file)) {
    const text = readFileSync(file, 'utf8');
    const { program, module } = parseSync(file, text);
    parsed.set(file, { text, program, module });
  }
  return parsed.get(file);
}

/** The files that a file imports for its values. */
function importsOf(file) {
  const { text, module } = parse(file);
  const names = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries
        .filter(({ isType, moduleRequest }) => !isType && moduleRequest)
        .map(({ moduleRequest }) => moduleRequest.value),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return [...new Set(names)]
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => join(dirname(file), name));
}

/** For each file the files that import it, among those which the tests reach. */
function importersOf(tests) {
  const importers = new Map();
  const queue = [...tests];
  const isKnown = new Set(queue);
  for (const file of queue)
    for (const imported of importsOf(file)) {
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
      if (!isKnown.has(imported)) queue.push(imported);
      isKnown.add(imported);
    }
  return importers;
}

/** The tests that reach a file, the nearest first; of equally near ones those with the longest common path first. */
function testsOf(file, tests, importers) {
  const distances = new Map([[file, 0]]);
  for (const [known, distance] of distances)
    for (const importer of importers.get(known) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  const folders = dirname(file).split('/').slice(1);
  const common = (test) =>
    folders.findIndex((folder, k) => test.split('/')[k + 1] !== folder) + 1 || folders.length + 1;
  return tests
    .filter((test) => distances.has(test))
    .sort((a, b) => common(b) - common(a) || distances.get(a) - distances.get(b) || (a < b ? -1 : 1));
}

/** The statements of a file that stand on one line, within functions, and whose text stands nowhere else in it. */
function statementsOf(file) {
  const { text, program } = parse(`src/${file}`);
  const found = [];
  let depth = 0;
  const add = ({ start, end }) => {
    const find = text.slice(start, end);
    if (depth > 0 && !find.includes('\n') && text.split(find).length === 2 && !find.startsWith('super('))
      found.push(find);
  };
  const enter = () => void depth++;
  const leave = () => void depth--;
  const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
  new Visitor({
    ...Object.fromEntries(
      functions.flatMap((type) => [
        [type, enter],
        [`${type}:exit`, leave],
      ]),
    ),
    ExpressionStatement: add,
    ReturnStatement: (node) => void (node.argument && add(node)),
  }).visit(program);
  return found.map((find) => ({ file, find, plant: ';' }));
}

/** The values that an entry point exports, each on a line of its own. */
function exportsOf(file) {
  const { text, module } = parse(`src/${file}`);
  return module.staticExports
    .flatMap(({ entries }) => entries.filter(({ isType }) => !isType))
    .map(({ exportName }) => `\n  ${exportName.name},`)
    .filter((find) => text.split(find).length === 2)
    .map((find) => ({ file, find, plant: '' }));
}

function hash(text) {
  let sum = 2166136261;
  for (let k = 0; k < text.length; k++) sum = Math.imul(sum ^ text.charCodeAt(k), 16777619);
  return (Math.imul(sum ^ (sum >>> 15), 0x9e3779b1) ^ (sum >>> 13)) >>> 0;
}

/** The fault of a part for a seed. */
function faultOf(part, files, seed) {
  const all = files
    .filter((file) => !file.includes('assembly/'))
    .flatMap((file) => (part === 'entry points' ? exportsOf(file) : statementsOf(file)));
  const keyOf = ({ file, find }) => hash(`${seed} ${file} ${find}`);
  return all.reduce((least, one) => (keyOf(one) < keyOf(least) ? one : least));
}

/** Runs tests, with a fault or without. Returns the file and the name of those that failed. */
async function run(script, projects, tests, fault) {
  rmSync(OUT, { force: true });
  const child = spawn(
    'node_modules/.bin/vitest',
    ['run', ...projects, '--bail=1', '--retry=0', '--reporter=json', `--outputFile=${OUT}`, ...tests],
    {
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        // How much the tests try: test/support/sampled.ts.
        npm_lifecycle_event: script,
        PLANTED_FAULT: JSON.stringify({ name: 'broken', edits: fault === null ? [] : [fault] }),
      },
    },
  );
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, HANG * 1000);
  const code = await new Promise((done) => child.on('exit', done));
  clearTimeout(timer);
  if (hangs) return [{ file: null, name: 'does not end' }];
  if (code === 0) return [];
  const { testResults } = JSON.parse(readFileSync(OUT, 'utf8'));
  const failed = testResults.filter(({ status }) => status === 'failed');
  return failed.map(({ name, assertionResults, message }) => {
    const test = assertionResults.find(({ status }) => status === 'failed');
    return { file: relative('.', name), name: test?.fullName ?? message.split('\n')[0] };
  });
}

function listed(projects) {
  const { stdout } = spawnSync('node_modules/.bin/vitest', ['list', '--filesOnly', '--json', ...projects], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  return [...new Set(JSON.parse(stdout).map(({ file }) => relative('.', file)))];
}

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const commands = COMMANDS.map(({ projects, ...rest }) => {
  const tests = listed(projects);
  return { ...rest, projects, tests, importers: importersOf(tests), failed: new Set() };
});
let found = 0;
const parts = Object.entries(filesOfParts()).filter(([part]) => positionals.length === 0 || positionals.includes(part));
console.log('| part | line that is left out | found by | after, of the files that reach it |\n|---|---|---|---|');
for (const [part, files] of parts) {
  const fault = faultOf(part, files, values.seed);
  let row = null;
  for (const { command, script, projects, tests, importers, failed } of commands) {
    const reaching = testsOf(`src/${fault.file}`, tests, importers);
    let from = 0;
    for (const size of GROUPS) {
      const group = reaching.slice(from, from + size);
      if (row !== null || group.length === 0) break;
      from += group.length;
      const [first] = await run(script, projects, group, fault);
      if (first === undefined) continue;
      if (first.file !== null) failed.add(first.file);
      row = `${command}: \`${first.file ?? ''}\` ${first.name.slice(0, 100)} | ${from} of ${reaching.length}`;
    }
    if (row !== null) break;
  }
  if (row !== null) found++;
  console.log(`| ${part} | \`${fault.file}\`: \`${fault.find.trim()}\` | ${row ?? 'NO TEST | all'} |`);
}
const wrong = [];
for (const { script, projects, failed } of commands)
  if (failed.size > 0) wrong.push(...(await run(script, projects, [...failed], null)));
rmSync(OUT, { force: true });
console.log(`${found} of ${parts.length} faults are found.`);
for (const { file, name } of wrong) console.log(`fails without a fault, too: ${file} ${name}`);
process.exitCode = found === parts.length && wrong.length === 0 ? 0 : 1;
