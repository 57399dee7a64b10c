import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, describe, expect, it } from 'vitest';
import { hideFigures, OF_THE_MACHINE } from '../../scripts/picture-figures.mjs';
import { problemsOfAxe } from './support/accessibility.ts';
import {
  animatedGlb,
  cubeGrid,
  cubesAndGlassGlb,
  cubesGlb,
  dracoGlb,
  fileOf,
  glbOf,
  ktx2Glb,
  ktx2Of,
  meshoptGlb,
  Sections,
  type TestFile,
} from './support/gltf-files.ts';
import { textCopiedBy } from './support/copied-text.ts';
import { expectTidyLayout } from './support/layout.ts';
import { pictureOf, useTestPages } from './support/open-page.ts';
import { until, untilSaid } from './support/waits.ts';
import { choose, probe, untilMeasured, untilShown, VIEWPORT } from './support/your-scene-page.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
/** A small town, which does not turn and is not measured. */
const QUIET = 'examples/your-scene.html?town=0.1&turn=off&measure=off';
const folder = mkdtempSync(join(tmpdir(), 'your-scene-'));
afterAll(() => rmSync(folder, { recursive: true }));
const WINDOWS = [
  [390, 844],
  [844, 390],
  [640, 420],
] as const;

const itLong = it.runIf(IS_LONG);

describe('bring your own scene', () => {
  it('starts with a town, measures it with both, and reports it', async () => {
    const { page, problems } = await openPage('examples/your-scene.html?town=0.2&turn=off', VIEWPORT);
    await untilMeasured(page);
    const { name, meshes, bodies, unculled, measurement, report, boxes } = await probe(page);
    expect([name, meshes > 100, bodies, unculled, boxes > 20]).toEqual(['Generated town', true, meshes, 0, true]);
    const { watched, still, picks } = measurement!;
    const { inside, outside, away } = watched;
    expect([outside.plainDrawCalls, outside.octreeDrawCalls, away.plainDrawCalls, away.octreeDrawCalls]).toEqual([
      meshes,
      meshes,
      0,
      0,
    ]);
    expect(inside.octreeDrawCalls).toBeLessThanOrEqual(inside.plainDrawCalls);
    expect(inside.plainDrawCalls).toBeLessThan(meshes);
    expect(Math.min(inside.plainMs, inside.octreeMs, outside.plainMs, outside.octreeMs)).toBeGreaterThan(0);
    expect([picks.equal, picks.hits > 5]).toEqual([picks.rays, true]);
    expect(Math.min(picks.octreePerSecond, picks.plainPerSecond)).toBeGreaterThan(0);
    // It was seen before it was measured.
    expect((await probe(page)).framesBeforeMeasurement).toBeGreaterThan(0);
    expect([still!.outside.octreeDrawCalls, still!.inside.octreeDrawCalls]).toEqual([meshes, inside.octreeDrawCalls]);
    expect(Math.min(still!.inside.octreeMs, still!.away.octreeMs)).toBeGreaterThan(0);
    const advice = await page.locator('[data-figure=advice]').innerText();
    expect(advice).toMatch(/^(Use OctreeGroup, static(, with StaticBatches)?\.|Your [\d,]+ meshes need no octree)/);
    expect(report).toContain(`**${advice}**`);
    expect(report).toContain('| | three alone | OctreeGroup, watched | OctreeGroup, static | static, StaticBatches |');
    expect(report).toContain(`${meshes.toLocaleString('en')} meshes`);
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(50);

    await page.locator('#open-report').click();
    expect(await page.locator('#report-text').innerText()).toBe(report);
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(await textCopiedBy(page, () => page.locator('#copy-report').click())).toBe(report);
    await untilSaid(page, 'Copied');
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);

    // The picture of the gallery has the draw calls, and no time or rate of the machine that drew it.
    await page.evaluate(hideFigures, OF_THE_MACHINE);
    const shown = await page.locator('#statistics').innerText();
    expect(shown).toMatch(/draw calls/);
    expect(shown).not.toMatch(/ms|picks \/ s|less CPU time/);
  });

  it('draws the same scene in batches: draw calls, memory, what is not merged, and the lines to copy', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    await untilShown(page, 'Generated town');
    await choose(page, [fileOf('glass.glb', cubesAndGlassGlb(200, 30))]);
    await untilShown(page, 'glass.glb');
    await page.locator('#measure').click();
    await untilMeasured(page);
    const { measurement, report } = await probe(page);
    const { watched, batched, picks } = measurement!;
    expect(watched.outside.plainDrawCalls).toBe(230);
    // 200 cubes in one batch, seen in one range, and 30 panes of glass.
    expect(batched!.frames.outside.octreeDrawCalls).toBe(31);
    expect(batched!.frames.inside.octreeDrawCalls).toBeLessThan(watched.inside.octreeDrawCalls);
    expect(batched!.frames.away.octreeDrawCalls).toBe(0);
    expect(batched!.batches).toMatchObject({
      batched: 200,
      batches: 1,
      unmerged: [['transparent: drawn by distance', 30]],
    });
    // Of a cube: 24 vertices of a position, and 36 indices.
    expect(batched!.batches.bytes).toBe(200 * (24 * 12 + 36 * 4));
    expect(picks.equal).toBe(picks.rays);
    const figure = (name: string) => page.locator(`[data-figure=${name}]`).innerText();
    expect([await figure('outside-plain-calls'), await figure('outside-batched-calls')]).toEqual(['230', '31']);
    expect([await figure('geometry-bytes'), await figure('batch-bytes')]).toEqual(['0.4 kB', '86 kB']);
    expect(await figure('batches')).toBe('200 of 230 meshes in 1 batch');
    expect(await figure('unmerged')).toBe('30 not: transparent: drawn by distance');
    expect(report).toContain('200 of 230 meshes in 1 batch; 30 not: transparent: drawn by distance');

    // The code follows the advice.
    const advice = await figure('advice');
    const code = page.locator('#code');
    expect(await code.isVisible()).toBe(!advice.includes('no octree'));
    expect((await code.textContent())!.includes('StaticBatches')).toBe(advice.includes('StaticBatches'));
    if (await code.isVisible()) {
      const copied = await textCopiedBy(page, () => page.locator('#copy-code').click());
      expect(copied).toBe(await code.textContent());
      await untilSaid(page, 'Copied');
    }
    // Afterwards the scene is drawn without batches, as before.
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(4);
    expect(problems).toEqual([]);
  });

  it('loads a GLB without compression, with Draco and with meshopt, each mesh a body, and uses no network', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    await untilShown(page, 'Generated town');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const [name, glbOf] of [
      ['plain.glb', cubesGlb],
      ['draco.glb', dracoGlb],
      ['meshopt.glb', meshoptGlb],
    ] as const) {
      await choose(page, [fileOf(name, glbOf(49))]);
      await untilShown(page, name);
      expect(await probe(page)).toMatchObject({
        meshes: 49,
        bodies: 49,
        triangles: 49 * 12,
        problem: '',
        isAnimated: false,
      });
      // A cube stands at the centre of the grid.
      await page.locator('#camera-view').click({ position: await centreOf(page) });
      expect(await page.locator('[data-figure=picked]').innerText()).toBe('cube 24');
    }
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(4);
    expect(
      requests.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(new URL('../', page.url()).href)),
    ).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('draws KTX2 textures, and fetches the transcoder once a file needs it', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    await untilShown(page, 'Generated town');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await choose(page, [fileOf('plain.glb', cubesGlb(9))]);
    await untilShown(page, 'plain.glb');
    expect([
      (await pictureOf(page, '#camera-view', WOOD)).colourShare,
      requests.filter((url) => /basis|KTX2/i.test(url)),
    ]).toEqual([0, []]);
    await choose(page, [fileOf('wood.glb', ktx2Glb(9, ktx2Of(...WOOD)))]);
    await untilShown(page, 'wood.glb');
    expect(await probe(page)).toMatchObject({ meshes: 9, problem: '' });
    expect((await pictureOf(page, '#camera-view', WOOD)).colourShare).toBeGreaterThan(0.05);
    if (!IS_LONG) return;
    // The same texture as a file of its own, and one that was not dropped.
    const glTF = {
      ...cubeGrid(9, new Sections()),
      materials: [0, 1].map((index) => ({
        pbrMetallicRoughness: { baseColorTexture: { index } },
        extensions: { KHR_materials_unlit: {} },
      })),
      textures: [0, 1].map((source) => ({ extensions: { KHR_texture_basisu: { source } } })),
      images: [{ uri: 'wood.ktx2' }, { uri: 'gone.ktx2' }],
      extensionsUsed: ['KHR_texture_basisu', 'KHR_materials_unlit'],
    };
    const sections = new Sections();
    cubeGrid(9, sections);
    const [primitive] = (glTF as unknown as { meshes: { primitives: object[] }[] }).meshes[0].primitives;
    Object.assign(glTF, {
      bufferViews: sections.views,
      buffers: [{ uri: 'cubes.bin', byteLength: sections.bytes.length }],
      meshes: [{ primitives: [primitive, { ...primitive, material: 1 }] }],
    });
    await choose(page, [
      fileOf('cubes.gltf', JSON.stringify(glTF)),
      fileOf('cubes.bin', sections.bytes),
      fileOf('wood.ktx2', ktx2Of(...WOOD)),
    ]);
    await untilShown(page, 'cubes.gltf');
    expect(await probe(page)).toMatchObject({ meshes: 18, problem: '' });
    expect(await page.locator('[data-figure=notes]').innerText()).toBe('One texture was not dropped: gone.ktx2.');
    expect(
      requests.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(new URL('../', page.url()).href)),
    ).toEqual([]);
    expect(problems).toEqual([]);
    // The transcoder logs the fault, too.
    const damaged = ktx2Of(...WOOD).fill(255, 104 + 12, 104 + 13);
    await choose(page, [fileOf('damaged.glb', ktx2Glb(9, damaged))]);
    await untilShown(page, 'damaged.glb');
    expect((await probe(page)).problem).toContain(
      'damaged.glb has a texture that could not be read: wood (damaged). Export again, or with textures as PNG',
    );
  });

  it('draws skins and morph targets, and plays the animation in both copies', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    await untilShown(page, 'Generated town');
    await choose(page, [fileOf('bar.glb', animatedGlb())]);
    await untilShown(page, 'bar.glb');
    expect(await probe(page)).toMatchObject({ meshes: 2, isAnimated: true });
    const still = await pictureOf(page, '#camera-view');
    expect((await pictureOf(page, '#camera-view')).digest).toBe(still.digest);
    await page.getByLabel('play animation').check();
    await untilMeasured(page);
    const { picks } = (await probe(page)).measurement!;
    expect(picks.equal).toBe(picks.rays);
    expect((await probe(page)).report).toContain('animation playing');
    expect((await pictureOf(page, '#camera-view')).digest).not.toBe(still.digest);
    expect(problems).toEqual([]);
  });

  itLong('loads a folder with a .gltf, its .bin and a texture, and names a texture that is missing', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    const sections = new Sections();
    const json = cubeGrid(5, sections);
    const full = {
      ...json,
      bufferViews: sections.views,
      buffers: [{ uri: 'data/all%20cubes.bin', byteLength: sections.bytes.length }],
      images: [{ uri: 'wood.png' }, { uri: 'gone.png' }],
      textures: [{ source: 0 }, { source: 1 }],
    };
    Object.assign(full, {
      materials: [
        { pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 }, emissiveTexture: { index: 1 } },
      ],
    });
    write('scene/cubes.gltf', JSON.stringify(full));
    write('scene/data/all cubes.bin', sections.bytes);
    write(
      'scene/wood.png',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
        'base64',
      ),
    );
    write('scene/models/other.glb', cubesGlb(1));
    await untilShown(page, 'Generated town');
    await page.locator('#folder').setInputFiles(join(folder, 'scene'));
    await untilShown(page, 'cubes.gltf');
    expect(await probe(page)).toMatchObject({ meshes: 5, problem: '' });
    expect(await page.locator('[data-figure=notes]').innerText()).toBe('One texture was not dropped: gone.png.');
    expect(problems).toEqual([]);
  });

  itLong('takes files that are dropped, and shows where', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    await untilShown(page, 'Generated town');
    const transfer = await page.evaluateHandle(
      (text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'three.json'));
        return data;
      },
      JSON.stringify({ boxes: [0, 0, 0, 1, 1, 1, 2, 0, 0, 3, 1, 1], spheres: [[5, 0, 0, 1]] }),
    );
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
    expect(await page.locator('#drop').isVisible()).toBe(true);
    await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
    await untilShown(page, 'three.json');
    expect(await page.locator('#drop').isVisible()).toBe(false);
    expect(await probe(page)).toMatchObject({ meshes: 3, bodies: 3 });
    expect(problems).toEqual([]);
  });

  it('says what is wrong with a bad file, and keeps the scene that is there', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    await untilShown(page, 'Generated town');
    for (const [files, message] of sampleFrom(BAD_FILES, 3)) {
      await choose(page, files);
      const { name } = await until(
        page,
        () => probe(page),
        ({ problem, isBusy }) => problem.includes(message) && !isBusy,
      );
      expect(name).toBe('Generated town');
      expect(await page.locator('#problem').innerText()).toContain(message);
    }
    expect(await problemsOfAxe(page)).toEqual([]);
    await page.locator('#close-problem').click();
    expect(await page.locator('#problem').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  itLong('is cancelled while it loads and while it measures; the scene stays', async () => {
    const { page, problems } = await openPage(QUIET, VIEWPORT);
    await untilShown(page, 'Generated town');
    // A script in the page clicks the button, because the work may end before a click from the test arrives.
    await page.evaluate(() => {
      const bar = document.querySelector('progress')!;
      new MutationObserver(() => {
        if (bar.value > 0.15) document.querySelector<HTMLButtonElement>('#progress button')!.click();
      }).observe(bar, { attributeFilter: ['value'] });
    });
    await choose(page, [fileOf('cubes.glb', cubesGlb(2000))]);
    await untilSaid(page, 'Stopped');
    await page.waitForFunction(() => !globalThis.yourSceneProbe!.isBusy);
    await page.locator('#measure').click();
    await page.waitForFunction(() => document.querySelector('#toast')!.textContent === 'Stopped measuring.');
    expect(await probe(page)).toMatchObject({ name: 'Generated town', measurement: null });
    // A setting that changes during a measurement begins another one.
    await page.reload();
    await untilShown(page, 'Generated town');
    await choose(page, [fileOf('bar.glb', animatedGlb())]);
    await untilShown(page, 'bar.glb');
    await page.locator('#measure').click();
    await page.getByLabel('play animation').check();
    await untilMeasured(page);
    expect((await probe(page)).measurement!.still).toBe(null);
    expect(await page.locator('[data-figure=inside-static-time]').innerText()).toBe('-');
    expect((await pictureOf(page, '#camera-view')).colours).toBeGreaterThan(4);
    expect(problems).toEqual([]);
  });

  it('has no overlaps from 390 to 1280 pixels, and nothing serious for axe in a light system', async () => {
    const { page } = await openPage(QUIET, { viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    await untilShown(page, 'Generated town');
    await expectTidyLayout(page, 1280, 800);
    expect(await problemsOfAxe(page)).toEqual([]);
    // The panel of a narrow window is closed at its start.
    for (const [width, height] of sampleFrom(WINDOWS, 3)) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await untilShown(page, 'Generated town');
      await expectTidyLayout(page, width, height);
      // The table is behind the button "more", so that the scene is seen.
      const { width: cardWidth, height: cardHeight } = (await page.locator('#statistics').boundingBox())!;
      expect((cardWidth * cardHeight) / (width * height)).toBeLessThan(1 / 3);
      await page.locator('#statistics .more').click();
      expect(await page.locator('#measure').isVisible()).toBe(true);
      // There is none until the scene has been measured.
      expect(await page.locator('#statistics table').isVisible()).toBe(false);
      await page.locator('#measure').click();
      await untilMeasured(page);
      expect(await page.locator('#statistics table').isVisible()).toBe(true);
      await page.locator('#statistics .more').click();
      expect(await page.locator('#statistics table').isVisible()).toBe(false);
      await page.locator('#statistics .more').click();
      const open = (await page.locator('#statistics').boundingBox())!;
      expect(open.y + open.height).toBeLessThanOrEqual(height);
    }
    expect(await problemsOfAxe(page)).toEqual([]);
  });
});

const emptyGlb = glbOf({ asset: { version: '2.0' }, scenes: [{ nodes: [] }] }, new Sections());
const lightsOnly = glbOf(
  { asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes: [{ name: 'nothing' }] },
  new Sections(),
);
const needing = (extension: string) =>
  glbOf(
    {
      asset: { version: '2.0' },
      extensionsUsed: [extension],
      extensionsRequired: [extension],
      scenes: [{ nodes: [0] }],
      nodes: [{}],
    },
    new Sections(),
  );
const withBin = JSON.stringify({
  asset: { version: '2.0' },
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [] }],
  buffers: [{ uri: 'a/cubes.bin', byteLength: 4 }],
  images: [{ uri: 'wood.png' }],
});

/** Place of the second chunk of a .glb. */
const secondChunk = (glb: Buffer): number => 20 + glb.readUInt32LE(12);

function withoutBuffer(glb: Buffer): Buffer {
  const half = glb.subarray(0, secondChunk(glb));
  half.writeUInt32LE(half.length, 8);
  return half;
}

function withLongBuffer(glb: Buffer): Buffer {
  glb.writeUInt32LE(1e6, secondChunk(glb));
  return glb;
}

/** A colour that the tone mapping of the page does not change. */
const WOOD = [180, 90, 0] as const;

/** A KTX2 file with another number in its header. */
function ktx2With(place: number, value: number): Buffer {
  const file = ktx2Of(...WOOD);
  file.writeUInt32LE(value, place);
  return file;
}

/** Files, and a part of the message that they cause. */
const BAD_FILES: readonly (readonly [files: readonly TestFile[], message: string])[] = [
  [[fileOf('photo.png', 'x')], 'photo.png is not a scene that this page can read. Drop a .glb'],
  [[fileOf('a.png', 'x'), fileOf('b.bin', 'x')], 'None of the 2 files is a scene'],
  [[fileOf('a.glb', 'x'), fileOf('b.gltf', 'x')], 'There are 2 scenes: a.glb, b.gltf. Drop one of them'],
  [[fileOf('empty.glb', '')], 'empty.glb is empty.'],
  [[fileOf('text.glb', 'hello world')], 'text.glb is not a glTF file'],
  [[fileOf('short.glb', cubesGlb(3).subarray(0, 500))], 'short.glb is truncated: its header says'],
  [
    [fileOf('half.glb', withoutBuffer(cubesGlb(3)))],
    'half.glb is damaged: it has no second chunk with the content of its buffer.',
  ],
  [
    [fileOf('chunk.glb', withLongBuffer(cubesGlb(3)))],
    'chunk.glb is damaged: its second chunk is not the content of its buffer.',
  ],
  [
    [fileOf('old.glb', Buffer.concat([Buffer.from('glTF'), Buffer.from([1, 0, 0, 0]), Buffer.alloc(20)]))],
    'old.glb is a binary glTF of version 1',
  ],
  [[fileOf('bad.gltf', '{ "asset": ')], 'bad.gltf is not valid JSON'],
  [[fileOf('other.gltf', '{ "name": "x" }')], 'other.gltf is not a glTF file: it has no "asset"'],
  [[fileOf('old.gltf', '{ "asset": { "version": "1.0" } }')], 'old.gltf is a glTF of version 1.0'],
  [
    [fileOf('png.glb', ktx2Glb(1, Buffer.from('PNG')))],
    'png.glb has a texture that could not be read: wood (not a KTX2 file). Export again, or with textures as PNG, JPEG or WebP.',
  ],
  [[fileOf('short-texture.glb', ktx2Glb(1, ktx2Of(...WOOD).subarray(0, 150)))], 'wood (truncated)'],
  [[fileOf('cube-map.glb', ktx2Glb(1, ktx2With(36, 6)))], 'wood (not a single 2D image)'],
  [[fileOf('bc7.glb', ktx2Glb(1, ktx2With(12, 145)))], 'wood (vkFormat 145, instead of Basis Universal'],
  [[fileOf('odd.glb', needing('VENDOR_odd'))], 'odd.glb requires VENDOR_odd'],
  [[fileOf('void.glb', emptyGlb)], 'void.glb is empty: it has no scene with a node'],
  [[fileOf('lights.glb', lightsOnly)], 'lights.glb has no meshes'],
  [
    [fileOf('cubes.gltf', withBin)],
    'cubes.gltf needs a/cubes.bin, wood.png, which were not dropped with it. Drop the whole folder.',
  ],
  [[fileOf('bodies.json', '{ "boxes": [1, 2')], 'bodies.json is not valid JSON'],
  [[fileOf('bodies.json', '{ "boxes": [] }')], 'bodies.json holds no bodies'],
  [[fileOf('bodies.json', '{ "things": [] }')], 'bodies.json has neither "boxes" nor "spheres"'],
  [
    [fileOf('bodies.json', '{ "boxes": [0, 0, 0, 1, 1] }')],
    'bodies.json: "boxes" holds 5 numbers, which is not a multiple of 6',
  ],
  [
    [fileOf('bodies.json', '{ "boxes": [0, 0, 0, 1, -1, 1] }')],
    'bodies.json, box 1: its minimum is greater than its maximum',
  ],
  [[fileOf('bodies.csv', '0,0,0,1\n0,0,zero,1')], 'bodies.csv, sphere 2: NaN is not a finite number'],
  [[fileOf('bodies.csv', '0,0,0,1\n1,2')], 'bodies.csv, line 2: 2 values'],
  [[fileOf('head.json', '{ "kind": "box", "count": 2, "sections": [] }')], 'head.json needs head.bin'],
  [
    [
      fileOf(
        'head.json',
        '{ "kind": "box", "count": 2, "sections": [{ "name": "bounds", "type": "f32", "byteOffset": 0, "byteLength": 48 }] }',
      ),
      fileOf('head.bin', 'x'),
    ],
    'The .bin of head.json is truncated',
  ],
];

/** The middle of the part of the view that the figures leave free. */
async function centreOf(page: Page): Promise<{ x: number; y: number }> {
  const { width, height } = page.viewportSize()!;
  const figures = (await page.locator('#statistics').boundingBox())!;
  return { x: (figures.x + figures.width + width) / 2, y: height / 2 };
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
