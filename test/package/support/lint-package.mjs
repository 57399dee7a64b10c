/**
 * Prints what publint and attw (profile "esm-only") find in a packed package, as JSON. Arguments: the folder of the
 * installed package, the tarball. A process of its own, because attw loads a TypeScript compiler.
 */

import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

/** CommonJS is not supported. */
const IGNORED_RESOLUTIONS = ['node16-cjs'];

const [folder, tarball] = process.argv.slice(2);
const { messages } = await publint({ pkgDir: folder, pack: false, strict: true });
const { types, problems, entrypoints } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
console.log(
  JSON.stringify({
    publint: messages,
    hasTypes: types !== false,
    attw: problems.filter((problem) => !IGNORED_RESOLUTIONS.includes(problem.resolutionKind)),
    entryPoints: Object.keys(entrypoints).sort(),
  }),
);
