/**
 * `npm run soak`: an octree of 4,000 bodies for 25,000 ticks, in JavaScript and in WebAssembly; queries of triangles
 * for 25,000 ticks; then scenes of containers in Chromium, 60 s with each renderer (test/browser/soak.test.ts). Ends
 * with 1 if 1,000 ticks leave 1 kB or a promise behind, or if a renderer or the page hold more at the end than at the
 * start. Options: `--ticks`, `--bodies`, `--triangles` (ticks), `--limit` (kB), `--seconds` (0: no scenes).
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { measureGrowth, type Growth } from './memory.ts';
import { soakOctree } from './octree-soak.ts';
import { TriangleWorld } from './triangles-soak.ts';

const { values } = parseArgs({
  options: {
    ticks: { type: 'string', default: '25000' },
    bodies: { type: 'string', default: '4000' },
    limit: { type: 'string', default: '1' },
    triangles: { type: 'string', default: '25000' },
    seconds: { type: 'string', default: '60' },
  },
});
const [ticks, bodies, limit, triangles] = [values.ticks, values.bodies, values.limit, values.triangles].map(Number);

const WORLDS: readonly (readonly [name: string, ticks: number, soak: () => Promise<Growth>])[] = [
  [`JavaScript: ${bodies} bodies`, ticks, () => soakOctree(bodies, ticks, Infinity)],
  [`WebAssembly: ${bodies} bodies`, ticks, () => soakOctree(bodies, ticks, 0)],
  ['queries of triangles', triangles, () => measureGrowth(new TriangleWorld(), triangles)],
];
for (const [name, count, soak] of WORLDS) {
  if (count === 0) continue;
  const start = performance.now();
  const { buffers, objects, promises } = await soak();
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${name}, ${count} ticks, ${seconds.toFixed(0)} s; 1,000 ticks leave ${buffers.toFixed(2)} kB of buffers, ${objects.toFixed(2)} kB of objects and ${promises.toFixed(2)} promises`,
  );
  if (Math.max(buffers, objects, promises) >= limit) process.exitCode = 1;
}

if (Number(values.seconds) > 0) {
  const { status } = spawnSync('npx', ['vitest', 'run', '--project=drawing', 'test/browser/soak.test.ts'], {
    env: { ...process.env, VITE_SOAK_SECONDS: values.seconds },
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
