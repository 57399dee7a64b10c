// Writes a folder with a package.json for each entry point, such as core/package.json. Tools that do not read `exports`
// find `scene-octree/core` by it: TypeScript with `moduleResolution: node`, Parcel and Metro by default, webpack 4.
// `npm run build` calls it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { exports, sideEffects, type } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const [entryPoint, { types, default: code }] of Object.entries(exports)) {
  if (code === undefined || entryPoint === '.') continue;
  mkdirSync(entryPoint, { recursive: true });
  const stub = { type, main: join('..', code), types: join('..', types), sideEffects };
  writeFileSync(join(entryPoint, 'package.json'), `${JSON.stringify(stub, null, 2)}\n`);
}
