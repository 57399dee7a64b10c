import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InstancedMesh, Mesh } from 'three';
import { build } from 'vite';
import type { Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countLines } from '../../scripts/lines.mjs';
import { listedExamples, sourceOf } from '../../scripts/example-list.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { pictureOf, usePages, useTestPages } from './support/open-page.ts';
import { OUT_DIR } from './support/site-files.ts';
import { countInView, countWithin, drawFrame, numbersOf, observeScene, outputOf } from './support/small-page.ts';
import { until, untilSaid } from './support/waits.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const examples = listedExamples().filter(({ slug }) => slug.startsWith('small/'));
const openPage = usePages();
const openTestPage = useTestPages();
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
/** fiber 9 makes a THREE.Clock, of which three warns, and WebGPURenderer warns where there is no WebGPU. */
const isKnown = (problem: string): boolean => /THREE.Clock|WebGPU is not available/.test(problem);

declare global {
  /** Runs the callbacks that wait for a frame, and returns how many wait for the next one. */
  var runFrame: (() => number) | undefined;
}

let page: Page;
let problems: string[];
beforeAll(async () => {
  ({ page, problems } = await openPage('empty.html', { viewport: { width: 400, height: 400 } }, async (page) => {
    await page.addInitScript(observeScene);
    // Software draws WebGPU off screen only.
    await page.addInitScript(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
  }));
});

/** Opens an example in the page of all, waits for its numbers, draws one frame, and looks at its pixels. */
async function open(name: string) {
  problems.length = 0;
  await page.goto(page.url().replace(/(empty|examples.*)\.html.*$/, `examples/small/frame/${name}.html`));
  const isPrompt = name === 'rectangle' || name === 'highlight';
  await until(
    page,
    () => outputOf(page).catch(() => undefined),
    (text) => isPrompt || /\d/.test(text),
  );
  const { text, calls } = await drawFrame(page);
  const colours = name === 'game-server' ? await coloursOfMap() : (await pictureOf(page, 'canvas')).colours;
  expect(colours).toBeGreaterThan(3);
  return { text, calls, numbers: numbersOf(text) };
}
afterEach(() => expect(problems.filter((problem) => !isKnown(problem))).toEqual([]));

/** The number of colours of a canvas that is not drawn by WebGL. */
const coloursOfMap = (): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector('canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

/** Draws a frame whose numbers hold. */
async function frameIn(holds: (numbers: number[]) => boolean) {
  let drawn = { text: '', calls: 0 };
  await until(page, async () => numbersOf((drawn = await drawFrame(page)).text), holds);
  return { ...drawn, numbers: numbersOf(drawn.text) };
}

/** What three counts as in view. */
async function expectInView(drawn: number, others = 0): Promise<void> {
  const { atLeast, atMost } = await countInView(page);
  expect(drawn).toBeGreaterThanOrEqual(atLeast - others);
  expect(drawn).toBeLessThanOrEqual(atMost);
}

/** Lines of code. That of the walk is a character controller to copy. */
const mostLines = (slug: string): number => (slug === 'small/walk' ? 100 : 90);

const itLong = it.runIf(IS_LONG);

describe('the source of a small example', () => {
  it.each(examples.map((example) => [example.slug, sourceOf(example)]))(
    '%s is short, its page shows the very file, and it imports what a reader has',
    (slug, path) => {
      const source = readFileSync(path, 'utf8');
      const { code } = countLines(path, source);
      expect(code).toBeGreaterThanOrEqual(30);
      expect(code).toBeLessThanOrEqual(mostLines(slug));
      const html = readFileSync(join(OUT_DIR, `examples/${slug}.html`), 'utf8');
      const [, shown] = /<code>([^]*)<\/code>/.exec(html)!;
      const text = shown
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>');
      expect(`${text.replaceAll('&amp;', '&')}\n`).toBe(source);
      const packages = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
      const known =
        /^(three|three\/(addons\/.*\.js|webgpu|tsl)|scene-octree(\/[a-z]+)?|three-mesh-bvh|react|@react-three\/fiber)$/;
      expect(packages.filter((name) => !known.test(name))).toEqual([]);
    },
  );
});

describe('a small example draws a picture without a message, and its counts are right:', () => {
  it.each(['viewer', 'crane'])('%s', async (name) => {
    const { calls, numbers } = await open(name);
    const { all } = await countInView(page);
    expect([numbers[0], numbers[1]]).toEqual([calls, all]);
    await expectInView(numbers[0]);
    expect(numbers[0]).toBeLessThan(all / 2);
  });

  it('few-draw-calls, with batches, without, and after a click', async () => {
    const batched = await open('few-draw-calls');
    expect(batched.numbers).toEqual([3000, batched.calls]);
    expect(batched.calls).toBeLessThan(60);
    await page.locator('input').uncheck();
    const plain = await frameIn(([, calls]) => calls > 60);
    expect(plain.numbers[1]).toBe(plain.calls);
    await expectInView(plain.calls);
    await page.locator('canvas').click({ position: { x: 200, y: 300 } });
    await frameIn(([houses]) => houses === 2999);
  });

  it('behind-walls, with occlusion culling and without', async () => {
    let culled = await open('behind-walls');
    // Its occluders are found in slices, and where it hides little it rests for some frames.
    await until(
      page,
      async () => {
        const { text, calls } = await drawFrame(page);
        culled = { text, calls, numbers: numbersOf(text) };
        return [calls, (await countInView(page)).atLeast];
      },
      ([calls, inView]) => inView > 200 && calls < inView / 3,
    );
    expect(culled.numbers).toEqual([culled.calls, 3401]);
    await page.locator('input').uncheck();
    // While the page opens the camera walks on: 298 are drawn of 600 at first.
    const plain = await frameIn(([drawn]) => drawn > 1.5 * culled.calls);
    expect(plain.numbers[0]).toBe(plain.calls);
    await expectInView(plain.calls);
  });

  it('shadow-updates: maps near the car, none while it rests, all without', async () => {
    await open('shadow-updates');
    await frameIn(([maps, all]) => maps > 0 && maps < 4 && all === 6);
    await page.locator('input').nth(1).uncheck();
    const resting = await frameIn(([maps]) => maps === 0);
    await page.locator('input').nth(0).uncheck();
    const all = await frameIn(([maps]) => maps === 6);
    expect(all.calls).toBeGreaterThan(resting.calls + 60);
  });

  it('highlight marks what is under the pointer', async () => {
    await open('highlight');
    const marked = [255, 180, 84];
    expect((await pictureOf(page, 'canvas', marked)).colourShare).toBe(0);
    let [x, y] = [200, 60];
    await until(
      page,
      () => outputOf(page),
      (text) => /(knot|ring|stone) \d+, [\d.]+ m away/.test(text),
      () => page.mouse.move((x = (x + 17) % 400), (y = 60 + ((y + 41) % 300))),
    );
    expect((await pictureOf(page, 'canvas', marked)).colourShare).toBeGreaterThan(0);
  });

  it('rectangle selects the houses wholly inside', async () => {
    await open('rectangle');
    const [from, to] = [
      [90, 150],
      [310, 330],
    ] as const;
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 3 });
    const [selected, all] = numbersOf(await outputOf(page));
    await page.mouse.up();
    expect([selected, all]).toEqual([await countWithin(page, from, to), 1600]);
    expect(selected).toBeGreaterThan(20);
  });

  it('forest: two draw calls beside the ground', async () => {
    const { calls, numbers } = await open('forest');
    expect(numbers.slice(0, 2)).toEqual([8000, 2]);
    expect(calls).toBe(3);
  });

  it('point-cloud, and the point under the pointer', async () => {
    const { calls, numbers } = await open('point-cloud');
    expect(numbers).toEqual([1000 * (calls - 1), calls - 1, 400]);
    await expectInView(calls);
    for (let x = 100; x < 300; x += 3) await page.mouse.move(x, 250);
    await until(
      page,
      () => page.locator('p').innerText(),
      (text) => /-?\d+\.\d\d m high/.test(text),
    );
  });

  it('fast-bullets: casts find every hit, tests of places do not', async () => {
    await open('fast-bullets');
    const { numbers } = await frameIn(([fired]) => fired > 60);
    const [fired, flying, cast, tested] = numbers;
    expect(fired - flying).toBe(cast);
    expect(tested).toBeLessThan(cast / 2);
  });

  it('walk: the person waits for the lift, rides it up, and takes the stairs down; then goes where a click says', async () => {
    await open('walk');
    // Frames of a tenth of a second, one after the other, however fast the machine is.
    const hold = () =>
      page.evaluate(() => {
        const held: FrameRequestCallback[] = [];
        globalThis.requestAnimationFrame = (callback) => held.push(callback);
        let now = 1e7;
        globalThis.runFrame = () => {
          now += 100;
          for (const callback of held.splice(0)) callback(now);
          return held.length;
        };
      });
    /** In each of some frames: what the person stands on, the height in centimetres, and the place. */
    const walkFor = (frames: number) =>
      page.evaluate((count) => {
        const seen: { on: string; height: number; x: number; z: number }[] = [];
        const person = globalThis.observed.scene!.children.at(-1)!;
        while (seen.length < count) {
          globalThis.runFrame!();
          const [on, height] = document.querySelector('output')!.innerText.split(', ');
          const { x, z } = person.position;
          seen.push({ on, height: parseInt(height, 10), x, z });
        }
        return seen;
      }, frames);
    await hold();
    await until(
      page,
      () => page.evaluate(() => globalThis.runFrame!()),
      (waiting) => waiting > 0,
    );
    // Twice around: wherever it was, one tour is whole.
    const tour = await walkFor(900);
    const grounds = tour.map(({ on }) => on).filter((on, k, all) => on !== all[k - 1]);
    expect(grounds.join(', ')).toContain('street, lift, bridge, stairs, street');
    expect(new Set(grounds)).toEqual(new Set(['street', 'lift', 'bridge', 'stairs']));
    const heights = (ground: string) => tour.filter(({ on }) => on === ground).map(({ height }) => height);
    expect(Math.min(...heights('lift'))).toBeLessThan(46);
    expect(Math.max(...heights('lift'))).toBe(500);
    // Before its edge the sphere at the feet sinks to the first step.
    expect(Math.min(...heights('bridge'))).toBeGreaterThan(480);
    expect(Math.max(...heights('bridge'))).toBe(500);
    expect(new Set(heights('street'))).toEqual(new Set([0]));
    // The sides of the lift, 2 m from its middle, stop the person.
    const inLift = tour.filter(({ on, x, z }) => on === 'street' && Math.max(Math.abs(x), Math.abs(z)) < 2.1);
    expect(inLift).toEqual([]);
    const [before] = tour.slice(-1);
    await page.locator('canvas').click({ position: { x: 120, y: 330 } });
    const [after, ...rest] = (await walkFor(310)).slice(-10);
    expect(Math.hypot(after.x - before.x, after.z - before.z)).toBeGreaterThan(1);
    expect(rest.every(({ x, z }) => Math.hypot(x - after.x, z - after.z) < 0.01)).toBe(true);
  });

  it('who-is-near, the same pairs as by a loop', async () => {
    await open('who-is-near');
    const [text, expected] = await page.evaluate(() => {
      const people = globalThis.observed.scene!.children.find((one) => (one as InstancedMesh).isInstancedMesh);
      const { array, count } = (people as InstancedMesh).instanceMatrix;
      let pairs = 0;
      for (let a = 0; a < count; a++) {
        for (let b = 0; b < a; b++) {
          const [x, z] = [12, 14].map((k) => array[16 * a + k] - array[16 * b + k]);
          pairs += Number(Math.sqrt(x * x + z * z) - 2 * Math.fround(0.4) <= 3);
        }
      }
      return [document.querySelector('output')!.innerText, pairs] as const;
    });
    expect(numbersOf(text)[0]).toBe(expected);
  });

  it('trigger-zones, the same as by a loop', async () => {
    await open('trigger-zones');
    await frameIn(([, , left]) => left > 20);
    const [text, expected] = await page.evaluate(() => {
      const meshes = globalThis.observed.scene!.children.filter((one) => (one as Mesh).isMesh) as Mesh[];
      const zones = meshes.filter(({ geometry }) => geometry.type === 'CircleGeometry');
      const people = meshes.filter((one) => !zones.includes(one));
      let inside = 0;
      for (const { position: zone } of zones)
        for (const { position } of people) {
          const [x, z] = [position.x - zone.x, position.z - zone.z];
          inside += Number(x * x + z * z <= 49);
        }
      return [document.querySelector('output')!.innerText, inside] as const;
    });
    const [present, entered, left] = numbersOf(text);
    expect([present, entered - left]).toEqual([expected, expected]);
  });

  it('game-server: a line of its map for each pair', async () => {
    await open('game-server');
    const [strokes, pairs] = await page.evaluate(
      () =>
        new Promise<[number, number]>((resolve) => {
          const context = document.querySelector('canvas')!.getContext('2d')!;
          const stroke = context.stroke.bind(context);
          let strokes = 0;
          const shown = document.querySelector('output')!;
          context.stroke = (path?: Path2D) => (strokes++, stroke(path!));
          new MutationObserver(() => resolve([strokes, Number(/(\d+) pairs/.exec(shown.innerText)![1])])).observe(
            shown,
            { childList: true },
          );
        }),
    );
    expect(strokes).toBe(pairs);
    expect(pairs).toBeGreaterThan(100);
  });

  it('react: a click turns one tile', async () => {
    await open('react');
    await page.locator('canvas').click({ position: { x: 200, y: 220 } });
    await until(
      page,
      () => outputOf(page),
      (text) => text === '1 of 2000 tiles are up',
    );
  });

  it('webgpu', async () => {
    const { text, calls, numbers } = await open('webgpu');
    expect(text).toContain('WebGL 2');
    expect(numbers.slice(-3)).toEqual([calls, 2000, 6000]);
  });

  it('editor: duplicates, undoes, deletes, saves and loads', async () => {
    await open('editor');
    const shows = (boxes: number, changes: number) =>
      until(
        page,
        async () => numbersOf(await outputOf(page)),
        (now) => now[0] === boxes && now[1] === changes,
      );
    const press = (name: string) => page.locator('button', { hasText: name }).click();
    await page.mouse.click(200, 230);
    await press('Duplicate');
    await shows(201, 1);
    await press('Undo');
    await shows(200, 0);
    await page.mouse.click(200, 230);
    await press('Delete');
    await shows(199, 1);
    await press('Save');
    await press('Undo');
    await shows(200, 0);
    await press('Load');
    await shows(199, 0);
    await page.evaluate(() => localStorage.clear());
  });
});

describe('the page of a small example', () => {
  it.each(sampleFrom(SIZES, 2))(
    'shows the picture beside or above its source, $width wide, copies it, and axe finds nothing',
    async (viewport) => {
      const { page, problems } = await openTestPage('examples/small/crane.html', {
        viewport,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const [picture, source] = await Promise.all(['iframe', 'main'].map((one) => page.locator(one).boundingBox()));
      if (viewport.width > 800) expect(source!.x).toBeGreaterThanOrEqual(picture!.x + picture!.width);
      else expect(source!.y).toBeGreaterThanOrEqual(picture!.y + picture!.height);
      expect(picture!.height).toBeGreaterThan(300);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.locator('#copy').click();
      await untilSaid(page, 'Copied');
      // Other tests do not write to the clipboard, which is one for all pages.
      expect(`${await page.evaluate(() => navigator.clipboard.readText())}\n`).toBe(
        readFileSync('examples/small/crane.ts', 'utf8'),
      );
      expect(await problemsOfAxe(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  itLong('posts a project to StackBlitz that builds', async () => {
    const { page } = await openTestPage('examples/small/react.html');
    let posted = '';
    await page.context().route('https://stackblitz.com/**', (route) => {
      posted = route.request().postData() ?? '';
      return route.fulfill({ body: 'opened' });
    });
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.locator('#stackblitz').click()]);
    await opened.getByText('opened').waitFor();
    expect(opened.url()).toBe('https://stackblitz.com/run?file=src%2Freact.tsx');
    await opened.close();
    await page.context().unrouteAll();
    const folder = 'node_modules/.cache/posted-project';
    rmSync(folder, { recursive: true, force: true });
    for (const [name, value] of new URLSearchParams(posted)) {
      const path = /^project\[files\]\[(.+)\]$/.exec(name)?.[1];
      if (path === undefined) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), value);
    }
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies)).toEqual(['three', 'react', '@react-three/fiber']);
    // A form ends lines with CRLF.
    expect(readFileSync(join(folder, 'src/react.tsx'), 'utf8').replaceAll('\r\n', '\n')).toBe(
      readFileSync('examples/small/react.tsx', 'utf8'),
    );
    await build({ root: folder, configFile: join(folder, 'vite.config.js'), logLevel: 'error' });
    expect(existsSync(join(folder, 'dist/index.html'))).toBe(true);
  });
});
