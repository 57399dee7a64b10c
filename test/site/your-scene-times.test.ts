import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cubeGrid, fileOf, glbOf, Sections } from './support/gltf-files.ts';
import { longestTaskOf, MAX_TASK } from './support/longest-task.ts';
import { useTimedPages } from './support/open-page.ts';
import { probe, untilMeasured, untilShown, VIEWPORT } from './support/your-scene-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'loads the town, and 5,000 meshes in one group, in tasks of less than 100 ms of CPU time',
  byMajority(async () => {
    const sections = new Sections();
    const { nodes, ...json } = cubeGrid(5000, sections) as { nodes: object[] };
    const deep = fileOf(
      'deep.glb',
      glbOf(
        {
          ...json,
          nodes: [...nodes, { children: nodes.map((_, k) => k).slice(5000), rotation: [0, 0.6, 0, 0.8] }],
          scenes: [{ nodes: [nodes.length] }],
        },
        sections,
      ),
    );
    // By its path: Playwright decodes the content of a file in the page, in a task of 100 ms.
    const folder = mkdtempSync(join(tmpdir(), 'your-scene-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, deep.name);
    writeFileSync(path, deep.buffer);
    const longest = await longestTaskOf('your-scene', openPage, async () => {
      const { page } = await openPage('examples/your-scene.html?turn=off&measure=off', VIEWPORT);
      await untilShown(page, 'Generated town');
      await page.locator('#files').setInputFiles(path);
      await untilShown(page, 'deep.glb');
      const { meshes, bodies } = await probe(page);
      expect([meshes, bodies]).toEqual([5000, 5000]);
      await page.close();
    });
    expect(longest).toBeLessThan(MAX_TASK);
  }),
);

it(
  'picks more rays a second with the octree than with three alone',
  byMajority(async () => {
    let ratio = 0;
    // On shared cores a measurement includes the time it waits for a core.
    for (let run = 0; run < 3 && ratio <= 1; run++) {
      const { page } = await openPage('examples/your-scene.html?town=0.5&turn=off', VIEWPORT);
      await untilMeasured(page);
      const { octreePerSecond, plainPerSecond } = (await probe(page)).measurement!.picks;
      ratio = octreePerSecond / plainPerSecond;
    }
    expect(ratio).toBeGreaterThan(1);
  }),
);
