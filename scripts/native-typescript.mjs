/**
 * Lets Node import TypeScript: `node --import ./scripts/native-typescript.mjs`. The tests in Node run as modules of
 * Node by it. In modules of Vite each use of an import calls a function.
 */
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node runs the hook below in a thread of its own.
if (isMainThread) register(import.meta.url);

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const [path] = url.split('?');
  if (!path.startsWith('file:') || !path.endsWith('.ts')) return nextLoad(url, context);
  const { transformSync } = await import('rolldown/utils');
  const file = fileURLToPath(path);
  const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), { lang: 'ts', sourcemap: true });
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
  const inlined = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inlined}`;
  return { format: 'module', source, shortCircuit: true };
}
