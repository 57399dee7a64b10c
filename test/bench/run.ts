/** `npm run bench -- --help`. Every rival in a process of its own, each answer checked; only the ratios of one run mean something. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { playScenario, RivalProcess } from './conductor.ts';
import { tellCounts } from './counts.ts';
import { HELP, readOptions, type Options } from './options.ts';
import type { Row, Run } from './result.ts';
import { serveRival } from './rival-process.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { loadScene } from './scenes/load-scene.ts';
import type { Scene } from './scenes/scene.ts';
import { LEGEND, tellChanges, tellHead, tellMarkdown, tellRow } from './table.ts';
import { tellTickCounts } from './tick-counts.ts';

function versions(): Record<string, string> {
  const { devDependencies } = createRequire(import.meta.url)(`${process.cwd()}/package.json`) as { devDependencies: Record<string, string> };
  const told = ['three', 'three-mesh-bvh', 'bvh.js', 'crashcat', '@dimforge/rapier3d-compat', 'jolt-physics'];
  return Object.fromEntries(told.filter((name) => devDependencies[name]).map((name) => [name, devDependencies[name]]));
}

async function lead(options: Options): Promise<void> {
  const { rivals, only, rounds, scene, data, bodies } = options;
  const chosen = scenarios.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)));
  const passed = ['--bodies', `${bodies}`, '--scene', scene, ...(data === undefined ? [] : ['--data', data])];
  const sceneName = data === undefined ? scene : basename(data);
  const processes: RivalProcess[] = [];
  let count = 0;
  for (const name of rivals) {
    const rival = new RivalProcess(name, process.argv[1], passed);
    processes.push(rival);
    const report = await rival.next();
    if (report.kind === 'ready') count = report.bodies;
  }
  console.log(`${count} boxes, scene ${sceneName}, Node ${process.version}, ${cpus()[0].model}`);
  console.log(tellHead(rivals));
  const rows: Row[] = [];
  for (const scenario of chosen) {
    const row = await playScenario(scenario, processes, rounds);
    rows.push(row);
    console.log(tellRow(row, rivals));
  }
  for (const rival of processes) rival.end();
  console.log(LEGEND);
  const run: Run = {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: `${cpus().length} x ${cpus()[0].model}`,
    versions: versions(),
    scene: sceneName,
    bodies: count,
    rounds,
    rows,
  };
  if (options.markdown) console.log(tellMarkdown(run, rivals));
  if (options.compare !== undefined) console.log(tellChanges(JSON.parse(readFileSync(options.compare, 'utf8')) as Run, run));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(run, null, 2)}\n`);
}

function tellAllCounts(scene: Scene): void {
  console.log(`${tellCounts(scene)}\n`);
  console.log(tellTickCounts(scene));
}

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(HELP);
else if (options.counts) tellAllCounts(loadScene(options));
else if (options.play === undefined) await lead(options);
else await serveRival(options.play, options);
