// Makes the pictures of the gallery: `node scripts/pictures.mjs [slug ...]` builds the site, opens each page in
// Chromium and writes examples/images/<slug>.webp, and for pages with motion a loop of a few seconds, <slug>.webm,
// whose middle frame is the picture. The loops need ffmpeg (Debian: `apt-get install ffmpeg`). `--loops` leaves the
// picture as it is and draws a quarter of the pixels, which are all that a loop has. `--built` takes the site that the
// last call has built.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { build, preview, runnerImport } from 'vite';
import { chromiumArgs, findBrowser } from './browser.mjs';
import { hideFigures, OF_THE_MACHINE } from './picture-figures.mjs';
import { writeWebp } from './write-webp.mjs';

const OUT_DIR = 'node_modules/.cache/site-for-pictures';
const FRAMES = 'node_modules/.cache/frames-of-pictures';
/** Twice the size of a card, in its proportions. The cards of small examples are half as wide. */
const SIZE = { width: 1280, height: 720 };
const SMALL_SIZE = { width: 640, height: 360 };
const pictureOf = (slug) => `examples/images/${slug}.webp`;

/** Renders only the loops, as they are small. */
const isOnlyLoops = process.argv.includes('--loops');
const FRAMES_PER_SECOND = isOnlyLoops ? 10 : 15;
const FRAME_MILLISECONDS = 1000 / FRAMES_PER_SECOND;
/** Bytes of a loop at most. A loop that is larger is encoded again, coarser. */
const MAX_LOOP = 300_000;
/** The coarseness of a loop (`-crf` of VP9, 0 to 63): the first that keeps the limit. */
const CRF = [36, 42, 47, 52, 57];
/** Time for a page to build its scene, in milliseconds. */
const MAX_BUILD = 300_000;
/** What lies over the picture of a page. */
const PANELS = 'header, footer, aside, #statistics, #panel, #strip, #change, #modes, .help, .notices, figcaption';

/**
 * How each page looks best: its settings, what to do there, and seconds of its own clock until the picture is taken.
 * `loop`: the seconds of its loop; `isReady`, which runs in the page: what its scene needs besides being built;
 * `frame(page, share)` moves the pointer before a frame; `hasFixedSteps`: each frame of the page moves on by the same
 * time; `drawsAlways`: what was drawn once is seen later. An address with a setting is no first visit, which would
 * begin small.
 */
const SCENES = {
  'fly-through': { query: '?data=cities', seconds: 10, loop: 3 },
  'drop-in': { query: '?count=20000&both=off', seconds: 10, loop: 3 },
  batch: { query: '?count=3000', seconds: 2, loop: 3, isReady: () => globalThis.batchProbe.batched > 0 },
  streets: { query: '', seconds: 10, loop: 3 },
  tiles: {
    query: '?line=open&error=8',
    seconds: 2,
    loop: 3,
    isReady: () => globalThis.tilesProbe.figures?.shown > 8 && globalThis.tilesProbe.figures.loading === 0,
  },
  picking: {
    query: '?world=city',
    seconds: 2,
    loop: 3,
    frame: (page, share) => page.mouse.move(500 + 300 * share, 330),
  },
  fair: { query: '?stalls=108&people=120', seconds: 1, loop: 2 },
  bullets: { query: '?rate=1800&speed=200', seconds: 15, loop: 3 },
  contacts: { query: '?stirrers=5&friction=0.9', seconds: 15, loop: 4 },
  sensors: { query: '?people=5000', seconds: 6, loop: 3 },
  react: {
    query: '?count=2200',
    seconds: 5,
    loop: 3,
    frame: (page, share) =>
      page.mouse.move(640 - 330 * Math.cos(2 * Math.PI * share), 380 + 130 * Math.sin(2 * Math.PI * share)),
  },
  lights: { query: '', seconds: 1, loop: 3, drawsAlways: true, act: startDrag, frame: drag },
  'line-of-sight': { query: '', seconds: 6, loop: 3 },
  views: { query: '?buildings=3000', seconds: 4, loop: 3 },
  tuning: { query: '?scene=clustered', seconds: 3, act: measureAndScroll },
  'your-scene': {
    query: '',
    seconds: 1,
    loop: 3,
    hasFixedSteps: true,
    isReady: () => globalThis.yourSceneProbe.measurement !== null,
  },
  // The stored run, which was made without drawing.
  benchmark: { query: '', seconds: 1 },
};
const OTHERS = { query: '', seconds: 2, loop: 3 };
/** Small examples: the picture alone, without the text over it. */
const SMALL_SCENES = {
  'few-draw-calls': { act: startTurn, frame: turn },
  'fast-bullets': { seconds: 8, hasFixedSteps: true, clip: { x: 130, y: 40, width: 480, height: 270 } },
  'trigger-zones': { seconds: 3, hasFixedSteps: true, clip: { x: 80, y: 45, width: 480, height: 270 } },
  walk: { seconds: 11, hasFixedSteps: true },
  'who-is-near': { hasFixedSteps: true },
  'game-server': { hasFixedSteps: true },
  highlight: { frame: alongEight },
  'point-cloud': { frame: alongEight },
  rectangle: {
    act: (page) => page.mouse.move(200, 150).then(() => page.mouse.down()),
    frame: (page, share) =>
      page.mouse.move(230 + 260 * Math.sin(Math.PI * share), 170 + 150 * Math.sin(Math.PI * share)),
  },
  react: { frame: turnTiles },
  viewer: { act: startTurn, frame: turn },
  editor: { act: grabGizmo, frame: moveGizmo },
};

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const slugs =
  named.length > 0 ? named : JSON.parse(readFileSync('examples/examples.json', 'utf8')).map(({ slug }) => slug);
if (!process.argv.includes('--built')) await build({ logLevel: 'warn', build: { outDir: OUT_DIR, emptyOutDir: true } });
const {
  module: { drawOnDemand },
} = await runnerImport(join(process.cwd(), 'test/support/draw-on-demand.ts'));
const server = await preview({ logLevel: 'warn', build: { outDir: OUT_DIR }, preview: { port: 0, host: '127.0.0.1' } });
const browser = await chromium.launch({ args: chromiumArgs, executablePath: findBrowser() });
try {
  for (const slug of slugs) await takePicture(slug);
} finally {
  await browser.close();
  await server.close();
}

/** Measures on the tuning page, and shows the recommendation with the first plots. */
async function measureAndScroll(page) {
  await page.locator('#start').click();
  await page.locator('#progress').waitFor({ state: 'hidden', timeout: 300_000 });
  await page.evaluate(() => scrollTo(0, 160));
}

/** Turns the camera of a large page by a drag. */
async function startDrag(page) {
  await page.mouse.move(600, 300);
  await page.mouse.down();
}
async function drag(page, share) {
  await page.mouse.move(600 + 90 * Math.sin(2 * Math.PI * share), 300);
}

/** Begins to turn the camera of OrbitControls by a drag. */
async function startTurn(page) {
  await page.mouse.move(240, 180);
  await page.mouse.down();
}
async function turn(page, share) {
  await page.mouse.move(240 + 120 * Math.sin(2 * Math.PI * share), 180);
}

/** The pointer along a lying eight. */
async function alongEight(page, share) {
  await page.mouse.move(320 + 200 * Math.sin(2 * Math.PI * share), 190 + 80 * Math.sin(4 * Math.PI * share));
}

/** Turns tiles of React along two lines. */
async function turnTiles(page, share) {
  const k = share * 9;
  await page.mouse.click(180 + k * 35, 120 + k * 22);
  await page.mouse.click(460 - k * 35, 120 + k * 22);
}

/** Selects a box and takes the middle of its gizmo, which moves it in the plane of the picture. */
async function grabGizmo(page) {
  await page.mouse.click(330, 215);
  await showFrames(page, 2);
  await page.mouse.move(331, 214);
  await showFrames(page, 2);
  await page.mouse.down();
}

async function moveGizmo(page, share) {
  await page.mouse.move(331 + 70 * Math.sin(2 * Math.PI * share), 214 - 60 * Math.sin(Math.PI * share));
}

async function takePicture(slug) {
  const isSmall = slug.startsWith('small/');
  const name = slug.replace('small/', '');
  const scene = isSmall
    ? { query: '', seconds: 1, loop: 3, drawsAlways: true, ...SMALL_SCENES[name] }
    : (SCENES[slug] ?? OTHERS);
  const size = isSmall ? SMALL_SIZE : SIZE;
  const deviceScaleFactor = isOnlyLoops && !isSmall ? 0.5 : 1;
  const page = await browser.newPage({ viewport: size, colorScheme: 'dark', deviceScaleFactor });
  // Software draws WebGPU off screen only.
  if (isSmall) await page.addInitScript(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
  const address = `examples/${isSmall ? `small/frame/${name}` : slug}.html${scene.query}`;
  if (scene.loop !== undefined) {
    await page.addInitScript(drawOnDemand);
    await page.addInitScript(stoppableClock);
    if (scene.drawsAlways) await page.addInitScript(switchDrawing, true);
  }
  await page.goto(server.resolvedUrls.local[0] + address);
  if (scene.loop === undefined) {
    await page.waitForTimeout(scene.seconds * 1000);
    await scene.act?.(page);
    await page.evaluate(hideFigures, OF_THE_MACHINE);
    await writeWebp(browser, pictureOf(slug), await page.screenshot({ timeout: 60_000 }));
  } else {
    await page.waitForFunction(isBuilt, null, { timeout: MAX_BUILD });
    if (scene.isReady !== undefined) await page.waitForFunction(scene.isReady, null, { timeout: MAX_BUILD });
    await page.evaluate(() => globalThis.clockOfPage.stop());
    await showFrames(page, scene.seconds * FRAMES_PER_SECOND);
    await scene.act?.(page);
    await page.evaluate(switchDrawing, true);
    await page.addStyleTag({ content: `${PANELS} { display: none !important }` });
    await writeLoop(slug, scene, page, isSmall);
  }
  await page.close();
}

/** Whether a page has drawn a built scene. Small examples publish nothing. Runs in the page. */
function isBuilt() {
  const probes = Object.keys(globalThis).filter((name) => name.endsWith('Probe'));
  return (
    (probes.length > 0 || location.pathname.includes('/small/')) &&
    probes.every((name) => globalThis[name].frames > 0 && !globalThis[name].isBuilding) &&
    document.querySelector('#progress:not([hidden])') === null
  );
}

/** Runs in the page. A page that draws only what has changed draws anew. */
function switchDrawing(isOn) {
  globalThis.drawing.isOn = isOn;
  dispatchEvent(new Event('resize'));
}

/**
 * Lets a script stop the clock of a page and its frames, and move them on. Timers go on: what is built in slices gets
 * ready at the speed of the machine, and the pictures are the same on a busy one. Within a frame the stopped clock goes
 * on slowly, because pages repeat what they measure until it has moved. Runs in the page.
 */
function stoppableClock() {
  const timeOfMachine = performance.now.bind(performance);
  const requestFrame = requestAnimationFrame.bind(globalThis);
  const waiting = new Map();
  const SLOWNESS = 20;
  let lastId = 0;
  let time = 0;
  let frameBegan = 0;

  function run(now) {
    // A callback that a callback requests runs in the next frame.
    const due = [...waiting.values()];
    waiting.clear();
    for (const callback of due) callback(now);
  }

  globalThis.clockOfPage = {
    isStopped: false,
    stop() {
      time = frameBegan = timeOfMachine();
      this.isStopped = true;
    },
    /** Moves the stopped clock on, and runs a frame. */
    step(milliseconds) {
      time += milliseconds;
      frameBegan = timeOfMachine();
      run(time);
    },
  };
  performance.now = () =>
    globalThis.clockOfPage.isStopped ? time + (timeOfMachine() - frameBegan) / SLOWNESS : timeOfMachine();
  globalThis.requestAnimationFrame = (callback) => {
    if (waiting.size === 0) requestFrame(() => globalThis.clockOfPage.isStopped || run(performance.now()));
    waiting.set(++lastId, callback);
    return lastId;
  };
  globalThis.cancelAnimationFrame = (id) => void waiting.delete(id);
}

/** Shows frames, each when the one before is drawn. The clock of the page is stopped. */
async function showFrames(page, count) {
  for (let k = 0; k < count; k++) {
    await stepClock(page);
    await page.screenshot({ timeout: 60_000, clip: { x: 0, y: 0, width: 8, height: 8 } });
  }
}

async function stepClock(page, hasFixedSteps = false, drawsAlways = true) {
  // Where a frame moves on by a sixtieth of a second, however late it is, the page runs all frames between.
  const steps = hasFixedSteps ? Math.round((FRAME_MILLISECONDS / 1000) * 60) : 1;
  for (let step = 0; step < steps; step++) {
    if (!drawsAlways) await page.evaluate((isOn) => void (globalThis.drawing.isOn = isOn), step === steps - 1);
    await page.evaluate((milliseconds) => globalThis.clockOfPage.step(milliseconds), FRAME_MILLISECONDS / steps);
  }
}

/** Writes the loop of a page, and its middle frame as the picture. */
async function writeLoop(slug, { loop, frame, clip, hasFixedSteps, drawsAlways = false }, page, isSmall) {
  rmSync(FRAMES, { recursive: true, force: true });
  mkdirSync(FRAMES, { recursive: true });
  const count = loop * FRAMES_PER_SECOND;
  for (let k = 0; k < count; k++) {
    await frame?.(page, k / count);
    await stepClock(page, hasFixedSteps, drawsAlways);
    const picture = await page.screenshot({ timeout: 60_000, ...(clip ? { clip } : {}) });
    writeFileSync(join(FRAMES, `${String(k).padStart(3, '0')}.png`), picture);
    if (k === Math.floor(count / 2) && !isOnlyLoops) await writeWebp(browser, pictureOf(slug), picture);
  }
  const file = `examples/images/${slug}.webm`;
  for (const crf of CRF) {
    const input = [
      '-framerate',
      FRAMES_PER_SECOND,
      '-i',
      join(FRAMES, '%03d.png'),
      '-vf',
      `scale=${isSmall ? 480 : 640}:-2`,
    ];
    const output = ['-c:v', 'libvpx-vp9', '-crf', crf, '-b:v', 0, '-row-mt', 1, '-pix_fmt', 'yuv420p', '-an', file];
    execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, ...output].map(String));
    if (statSync(file).size <= MAX_LOOP) break;
  }
  console.log(file, statSync(file).size);
}
