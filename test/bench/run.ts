/**
 * The command `npm run bench`. Every rival runs in a process of its own, and its results are checked. Only ratios of
 * one run are comparable.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { inNode, runColdRows, runColdTask } from './cold.ts';
import { HELP, readOptions, type Options } from './options.ts';
import { queryCountsTable } from './query-counts.ts';
import type { Row, Run } from './result.ts';
import { RivalProcess } from './rival-process.ts';
import { runRivalWorker } from './rival-worker.ts';
import { runScenario } from './run-scenario.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { loadScene } from './scenes/load-scene.ts';
import type { Scene } from './scenes/scene.ts';
import { formatComparison, formatHead, formatMarkdown, formatRow, LEGEND } from './table.ts';
import { runTileFlights } from './tile-flights.ts';
import { tickCountsTable } from './tick-counts.ts';
import { runTilesBenchmark } from './tiles.ts';
import { runTrianglesBenchmark } from './triangles.ts';

function versions(): Record<string, string> {
  const { devDependencies } = createRequire(import.meta.url)(`${process.cwd()}/package.json`) as {
    devDependencies: Record<string, string>;
  };
  const peers = ['three', 'three-mesh-bvh', 'bvh.js', 'crashcat', '@dimforge/rapier3d-compat', 'jolt-physics'];
  return Object.fromEntries(peers.filter((name) => devDependencies[name]).map((name) => [name, devDependencies[name]]));
}

async function runBenchmark(options: Options): Promise<void> {
  const { rivals, only, rounds, scene, data, bodies } = options;
  const chosen = scenarios.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)));
  const workerArgs = ['--bodies', `${bodies}`, '--scene', scene, ...(data === undefined ? [] : ['--data', data])];
  const sceneName = data === undefined ? scene : basename(data);
  const rows: Row[] = [];
  const report = (row: Row): void => {
    rows.push(row);
    console.log(formatRow(row, rivals));
  };
  const printHead = (count: number): void => {
    console.log(`${count} boxes, scene ${sceneName}, Node ${process.version}, ${cpus()[0].model}`);
    console.log(formatHead(rivals));
  };
  let count = 0;
  if (options.cold) {
    count = loadScene(options).boxes.length / 6;
    printHead(count);
    const { engine } = options;
    // With Vite and Vitest, which the processes that measure must not load.
    const page = engine === undefined ? null : await (await import('./cold-engines.ts')).inEngine(engine, bodies);
    const isChosen = (task: string): boolean => only.length === 0 || only.some((text) => task.includes(text));
    await runColdRows(rivals, rounds, isChosen, page?.measure ?? inNode(process.argv[1], workerArgs), report);
    page?.close();
  } else {
    const processes: RivalProcess[] = [];
    for (const name of rivals) {
      const rival = new RivalProcess(name, process.argv[1], workerArgs);
      processes.push(rival);
      const reply = await rival.nextReply();
      if (reply.kind === 'ready') count = reply.bodies;
    }
    printHead(count);
    for (const scenario of chosen) report(await runScenario(scenario, processes, rounds));
    for (const rival of processes) rival.end();
  }
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
  if (options.markdown) console.log(formatMarkdown(run, rivals));
  if (options.compare !== undefined)
    console.log(formatComparison(JSON.parse(readFileSync(options.compare, 'utf8')) as Run, run));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(run, null, 2)}\n`);
}

function printCounts(scene: Scene): void {
  console.log(`${queryCountsTable(scene)}\n`);
  console.log(tickCountsTable(scene));
}

const options = readOptions(process.argv.slice(2));
if (options.help) console.log(HELP);
else if (options.tiles) await runTilesBenchmark(options.data ?? '', options.bodies);
else if (options.tileFlights) await runTileFlights(options.data ?? '', options.bodies);
else if (options.triangles) await runTrianglesBenchmark(options);
else if (options.counts) printCounts(loadScene(options));
else if (options.coldTask !== undefined) await runColdTask(options.worker!, options.coldTask, options);
else if (options.worker === undefined) await runBenchmark(options);
else await runRivalWorker(options.worker, options);
