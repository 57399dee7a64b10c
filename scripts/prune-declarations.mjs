// Deletes the declarations in dist that no entry point reaches: no user can import them, and they are more than half of
// the files. `npm run build` calls it.
import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();

/** Follows the imports of a declaration. Throws if a file is missing. */
function reach(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\(?) ?['"](\.[^'"]+)\.tsx?['"]/g))
    reach(join(dirname(file), `${path}.d.ts`));
}

/** Deletes what is unreached in a folder; returns whether it is empty then. */
function prune(folder) {
  let left = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (prune(path)) rmdirSync(path);
      else left++;
    } else if (/\.d\.ts(\.map)?$/.test(path) && !reached.has(path.replace(/\.map$/, ''))) rmSync(path);
    else left++;
  }
  return left === 0;
}

for (const { types } of Object.values(exports)) if (types !== undefined) reach(join(types));
prune('dist');
