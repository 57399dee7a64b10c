/** Builds the API reference of the site with typedoc: `node scripts/reference.mjs [folder]`. Its settings are in docs/reference. */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TYPEDOC = 'docs/reference/node_modules/typedoc/bin/typedoc';

/** Writes the reference to a folder; returns what typedoc warns of: '' if nothing is wrong. */
export async function buildReference(folder) {
  const values = [TYPEDOC, '--options', 'docs/reference/typedoc.json', '--logLevel', 'Warn', '--out', resolve(folder)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, values, { cwd: ROOT });
  return stdout + stderr;
}

if (process.argv[1]?.endsWith('reference.mjs')) {
  const warnings = await buildReference(process.argv[2] ?? 'site/reference');
  console.error(warnings);
  process.exitCode = warnings === '' ? 0 : 1;
}
