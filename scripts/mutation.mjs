/**
 * Mutation testing of one or more files of src, by Stryker: changes each expression in turn, and runs tests until one
 * fails.
 *
 *     npm run mutation -- src/tree/update/place.ts [more files, or file:line:column-line:column]
 *     MUTATION_TESTS='GLOB;GLOB' npm run mutation -- ...    with other tests than those of the table
 *
 * Stryker is installed at the first call, without a change of package.json and the lockfile. Prints what survives, and
 * leaves a report in reports/mutation.json. Takes minutes to an hour for each file. Not a part of CI: a survivor may be
 * equivalent, and must be looked at.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const PACKAGES = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/vitest-runner@9.6.1'];
const CONFIG = 'node_modules/.cache/mutation/stryker.config.json';
const REPORT = 'reports/mutation.json';

/** The tests of a folder, cheap ones that reach most of it. A list that is too narrow reports holes that are none. */
const TESTS = [
  ['src/tree/', ['test/tree/**', 'test/octree/**', 'test/features/pairs/**', 'test/nasty/[abcdf]-*']],
  ['src/octree/', ['test/octree/**', 'test/tree/**', 'test/features/{pairs,ids,sensors}/**', 'test/nasty/**']],
  ['src/math/', ['test/math/**', 'test/octree/**', 'test/features/{casts,nearest,volumes}/**', 'test/nasty/d-*']],
  ['src/features/', ['test/features/**', 'test/nasty/**']],
  ['src/three/', ['test/three/**']],
  ['src/changes/', ['test/changes/**']],
  ['src/batches/', ['test/batches/**']],
  ['src/instances/', ['test/instances/**']],
  ['src/occlusion/', ['test/occlusion/**']],
];

function testsFor(files) {
  const globs = TESTS.filter(([folder]) => files.some((file) => file.startsWith(folder))).flatMap(([, own]) => own);
  return [...new Set(globs)]
    .map((glob) => `${glob}.test.ts`)
    .join(';')
    .replaceAll('**.test.ts', '**/*.test.ts');
}

function writeConfig(files) {
  mkdirSync('node_modules/.cache/mutation', { recursive: true });
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    packageManager: 'npm',
    vitest: { configFile: 'scripts/mutation-vitest.ts', related: false },
    mutate: files,
    coverageAnalysis: 'perTest',
    // A mutant that is also hit while a file loads would run every test.
    ignoreStatic: true,
    checkers: [],
    disableTypeChecks: false,
    // Stryker would rewrite it by the API of an older TypeScript.
    tsconfigFile: 'no-tsconfig.json',
    concurrency: Number(process.env.MUTATION_WORKERS ?? 2),
    timeoutMS: 2500,
    timeoutFactor: 1.15,
    ignorePatterns: ['dist', 'site', 'reports'],
    reporters: ['json', 'progress-append-only', 'event-recorder'],
    jsonReporter: { fileName: REPORT },
  };
  writeFileSync(CONFIG, JSON.stringify(config));
}

function printReport() {
  const { files } = JSON.parse(readFileSync(REPORT, 'utf8'));
  for (const [file, { mutants, source }] of Object.entries(files)) {
    const lines = source.split('\n');
    const counts = {};
    for (const { status } of mutants) counts[status] = (counts[status] ?? 0) + 1;
    const caught = (counts.Killed ?? 0) + (counts.Timeout ?? 0);
    const all = caught + (counts.Survived ?? 0) + (counts.NoCoverage ?? 0);
    console.log(`${file}: ${caught} of ${all} caught (${((100 * caught) / all).toFixed(1)} %)`, counts);
    for (const { status, location, replacement } of mutants) {
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const { line, column } = location.start;
      console.log(`  ${file}:${line}:${column} ${status}: ${lines[line - 1].trim()}  ->  ${replacement}`);
    }
  }
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('name at least one file: npm run mutation -- src/tree/update/place.ts');
if (!existsSync('node_modules/@stryker-mutator/vitest-runner'))
  execFileSync('npm', ['i', '--no-save', '--legacy-peer-deps', '--ignore-scripts', ...PACKAGES], { stdio: 'inherit' });
writeConfig(files);
const { status } = spawnSync('node', ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', CONFIG], {
  stdio: 'inherit',
  env: { ...process.env, MUTATION_TESTS: process.env.MUTATION_TESTS ?? testsFor(files) },
});
if (existsSync(REPORT)) printReport();
process.exitCode = status;
