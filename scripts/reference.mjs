/**
 * Builds the API reference of the site with typedoc: `node scripts/reference.mjs [folder]`. Its settings are in
 * docs/reference.
 */

import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPEDOC = 'docs/reference/node_modules/typedoc/bin/typedoc';

/**
 * Writes the reference to a folder; returns what typedoc warns of: '' if nothing is wrong. It is written aside first:
 * the folder may be served, and written by another process, meanwhile.
 */
export async function buildReference(folder) {
  const target = resolve(folder);
  const aside = `${target}-${process.pid}`;
  const values = [TYPEDOC, '--options', 'docs/reference/typedoc.json', '--logLevel', 'Warn', '--out', aside];
  // A larger young generation saves a tenth of the time: most objects of the compiler live long. Typedoc starts a
  // process of its own.
  const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, values, { cwd: ROOT, env });
  linkExamples(aside);
  const old = `${aside}-old`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(aside, target);
  rmSync(old, { recursive: true, force: true });
  return stdout + stderr;
}

/**
 * Leads links of the guides to the pages of the examples, which stand beside the reference in the site. Those of small
 * examples are made of their sources, which the guides link. Typedoc links
 * copies of the files, but for links around a picture, which it leaves as they are.
 */
function linkExamples(folder) {
  const demos = readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.html'));
  const sources = readdirSync(join(ROOT, 'examples/small')).filter((file) => /\.tsx?$/.test(file));
  const pages = new Map([
    ...demos.map((file) => [file, `examples/${file}`]),
    ...sources.map((file) => [file, `examples/small/${file.replace(/\.tsx?$/, '.html')}`]),
  ]);
  for (const file of pages.keys()) rmSync(join(folder, 'media', file), { force: true });
  const names = [...pages.keys()].join('|');
  const links = new RegExp(`href="((?:\\.\\./)*)(?:media|(?<=")examples(?:/small)?)/(${names})"`, 'g');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )) {
    const text = readFileSync(join(folder, file), 'utf8');
    const linked = text.replace(links, (_, up, name) => `href="${up}../${pages.get(name)}"`);
    if (linked !== text) writeFileSync(join(folder, file), linked);
  }
}

if (process.argv[1]?.endsWith('reference.mjs')) {
  const warnings = await buildReference(process.argv[2] ?? 'site/reference');
  console.error(warnings);
  process.exitCode = warnings === '' ? 0 : 1;
}
