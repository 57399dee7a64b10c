// Deletes the declarations in dist that no entry point reaches: no user can import them, and they are more than half of
// the files. From the others it removes imports that only internal members need, which the compiler has left out. And
// it takes out comments that no editor shows, those of private members and of files of which no entry point exports a
// name, and writes `Float64Array` for `Float64Array<ArrayBuffer>`: before TypeScript 5.7 typed arrays have no type
// parameter. `npm run build` calls it.
import { readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();

/** Follows the imports of a declaration. Throws if a file is missing. */
function reach(file) {
  if (reached.has(file)) return;
  reached.add(file);
  const text = withoutUnusedImports(
    readFileSync(file, 'utf8')
      .replace(/\b(\w+Array)<ArrayBuffer(?:Like)?>/g, '$1')
      .replace(/[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=[ \t]*private\b)/g, ''),
  );
  writeFileSync(file, text);
  for (const [, path] of text.matchAll(/(?:\bfrom|\bimport\(?) ?['"](\.[^'"]+)\.tsx?['"]/g))
    reach(join(dirname(file), `${path}.d.ts`));
}

/** Removes the names that a declaration imports and does not use. */
function withoutUnusedImports(text) {
  return text.replace(/^import (type )?\{([^}]*)\} from .*;\n/gm, (line, type, names) => {
    const used = names.split(',').filter((name) => {
      const local = name.trim().split(' ').at(-1);
      return local !== '' && text.match(new RegExp(`\\b${local}\\b`, 'g')).length > 1;
    });
    if (used.length === 0) return '';
    return line.replace(/\{[^}]*\}/, `{ ${used.map((name) => name.trim()).join(', ')} }`);
  });
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

/** The declarations that entry points export, and those that they extend. */
const shown = new Set();

function show(file) {
  if (shown.has(file)) return;
  shown.add(file);
  const text = readFileSync(file, 'utf8');
  const bases = [...text.matchAll(/\b(?:extends|implements)\b[^{]*/g)].join();
  for (const [, kind, names = '', path] of text.matchAll(
    /^(import|export) [^'{]*(?:\{([^}]*)\} )?from '(\.[^']+)\.tsx?'/gm,
  )) {
    const isBase = names.split(',').some((name) => new RegExp(`\\b${name.trim().split(' ').at(-1)}\\b`).test(bases));
    if (kind === 'export' || isBase) show(join(dirname(file), `${path}.d.ts`));
  }
}

const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(types)]));
entries.forEach(reach);
prune('dist');
entries.forEach(show);
for (const file of reached)
  if (!shown.has(file))
    writeFileSync(file, readFileSync(file, 'utf8').replace(/[ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/g, ''));
