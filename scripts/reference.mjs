/**
 * Builds the API reference of the site with typedoc: `node scripts/reference.mjs [folder]`. Its settings are in
 * docs/reference.
 */

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPEDOC = 'docs/reference/node_modules/typedoc/bin/typedoc';

/** Writes the reference to a folder; returns what typedoc warns of: '' if nothing is wrong. */
export async function buildReference(folder) {
  const values = [TYPEDOC, '--options', 'docs/reference/typedoc.json', '--logLevel', 'Warn', '--out', resolve(folder)];
  // A larger young generation saves a tenth of the time: most objects of the compiler live long. Typedoc starts a
  // process of its own.
  const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64` };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, values, { cwd: ROOT, env });
  linkExamples(resolve(folder));
  return stdout + stderr;
}

/**
 * Leads links of the guides to the pages of the examples, which stand beside the reference in the site. Typedoc links
 * copies of the files, but for links around a picture, which it leaves as they are.
 */
function linkExamples(folder) {
  const pages = readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.html'));
  for (const page of pages) rmSync(join(folder, 'media', page), { force: true });
  const links = new RegExp(`href="((?:\\.\\./)*)(?:media|(?<=")examples)/(${pages.join('|')})"`, 'g');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )) {
    const text = readFileSync(join(folder, file), 'utf8');
    const linked = text.replace(links, 'href="$1../examples/$2"');
    if (linked !== text) writeFileSync(join(folder, file), linked);
  }
}

if (process.argv[1]?.endsWith('reference.mjs')) {
  const warnings = await buildReference(process.argv[2] ?? 'site/reference');
  console.error(warnings);
  process.exitCode = warnings === '' ? 0 : 1;
}
