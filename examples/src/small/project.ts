// A small example as a project for Vite: what `npm install && npm start` runs anywhere.

import { devDependencies as versions } from '../../../package.json';
import frame from '../../small/frame.html?raw';

/** Packages that an example may import, beside the library. */
const PACKAGES = ['three', 'three-mesh-bvh', 'react', '@react-three/fiber'] as const;

/**
 * The files of the project, by path. The library is a folder of it, because it is not published: with a package in the
 * registry, `scene-octree` goes into `dependencies`, and the alias and the folder go.
 *
 * @param file Name of the source.
 * @param library Files of the built library, by name.
 */
export function projectOf(
  title: string,
  file: string,
  source: string,
  library: Readonly<Record<string, string>>,
): Record<string, string> {
  const used = PACKAGES.filter((name) => name === 'three' || source.includes(`from '${name}'`));
  const description = {
    name: `scene-octree-${file.replace(/\.\w+$/, '')}`,
    private: true,
    type: 'module',
    scripts: { start: 'vite', build: 'vite build' },
    dependencies: Object.fromEntries(used.map((name) => [name, versions[name]])),
    devDependencies: { '@types/three': versions['@types/three'], vite: versions.vite },
  };
  const files: Record<string, string> = {
    'package.json': `${JSON.stringify(description, null, 2)}\n`,
    'vite.config.js': "export default { resolve: { alias: { 'scene-octree': '/scene-octree' } } };\n",
    'tsconfig.json': `${JSON.stringify({ compilerOptions: { target: 'ES2022', module: 'ESNext', moduleResolution: 'Bundler', jsx: 'react-jsx', strict: true, noEmit: true } }, null, 2)}\n`,
    'index.html': frame.replace('%TITLE%', title).replace('src/main.ts', `src/${file}`),
    [`src/${file}`]: source,
  };
  for (const [name, code] of Object.entries(library)) files[`scene-octree/${name}`] = code;
  return files;
}
