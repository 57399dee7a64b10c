// Writes a folder with a package.json for each entry point, such as core/package.json. Tools that do not read `exports`
// find `scene-octree/core` by it: TypeScript with `moduleResolution: node`, Parcel and older Metro by default. The
// folders exist only while npm packs, and `--remove` deletes them: Vite would take a folder `three` beside its
// configuration for the package three.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

const { exports, sideEffects, type } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const [entryPoint, { types, default: code }] of Object.entries(exports)) {
  if (code === undefined || entryPoint === '.') continue;
  rmSync(entryPoint, { recursive: true, force: true });
  if (process.argv.includes('--remove')) continue;
  mkdirSync(entryPoint);
  const stub = { type, main: posix.join('..', code), types: posix.join('..', types), sideEffects };
  writeFileSync(posix.join(entryPoint, 'package.json'), `${JSON.stringify(stub, null, 2)}\n`);
}
