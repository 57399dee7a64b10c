// Makes the pictures of the gallery: `node scripts/pictures.mjs [slug ...]` builds the site, opens each page in
// Chromium and writes examples/images/<slug>.webp.

import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { chromiumArgs, findBrowser } from './browser.mjs';
import { hideFigures, OF_THE_MACHINE } from './picture-figures.mjs';

const OUT_DIR = 'node_modules/.cache/site-for-pictures';
/** Twice the size of a card, in its proportions. The cards of small examples are half as wide. */
const SIZE = { width: 1280, height: 720 };
const SMALL_SIZE = { width: 640, height: 360 };
const QUALITY = 0.82;
/**
 * How each page looks best: its settings, what to do there, and seconds until the picture is taken. Software rendering
 * runs in slow motion, so some pages need long.
 */
const SCENES = {
  'fly-through': { query: '?data=cities', seconds: 40 },
  'drop-in': { query: '', seconds: 15, act: (page) => page.locator('#compare').click() },
  batch: { query: '?count=3000&turn=off', seconds: 5, act: untilMerged },
  picking: { query: '', seconds: 12, act: selectAndPick },
  bullets: { query: '?rate=1800&speed=200', seconds: 15 },
  contacts: { query: '?stirrers=5&friction=0.9', seconds: 15 },
  react: {
    query: '?count=2200',
    seconds: 5,
    act: (page) =>
      page.waitForFunction(() => globalThis.reactProbe.plainMove > 0 && globalThis.reactProbe.octreeMove > 0, null, {
        timeout: 120_000,
      }),
  },
  // Paused, so that the software has nothing to draw while the picture is taken.
  lights: { query: '', seconds: 20, act: (page) => page.keyboard.press('KeyP') },
  tuning: { query: '?scene=clustered', seconds: 3, act: measureAndScroll },
  'your-scene': {
    query: '',
    seconds: 20,
    act: untilCompared,
  },
  // The stored run, which was made without drawing.
  benchmark: { query: '', seconds: 1 },
};
const OTHERS = { query: '', seconds: 10 };
/** Small examples: the picture alone, without the text over it. */
const SMALL = { query: '', seconds: 4, act: hideText };
const SMALL_SCENES = {
  highlight: (page) => page.mouse.move(330, 190),
  'point-cloud': (page) => page.mouse.move(330, 190),
  rectangle: selectHouses,
  react: turnTiles,
  editor: (page) => page.mouse.click(330, 215),
};

const slugs =
  process.argv.length > 2
    ? process.argv.slice(2)
    : JSON.parse(readFileSync('examples/examples.json', 'utf8')).map(({ slug }) => slug);
await build({ logLevel: 'warn', build: { outDir: OUT_DIR, emptyOutDir: true } });
const server = await preview({ logLevel: 'warn', build: { outDir: OUT_DIR }, preview: { port: 0, host: '127.0.0.1' } });
const browser = await chromium.launch({ args: chromiumArgs, executablePath: findBrowser() });
try {
  for (const slug of slugs) await takePicture(slug);
} finally {
  await browser.close();
  await server.close();
}

/** Whether the city of the page of batches is merged. Runs in the page. */
const isMerged = () => globalThis.batchProbe.batched > 0 && !globalThis.batchProbe.isBuilding;
async function untilMerged(page) {
  await page.waitForFunction(isMerged, null, { timeout: 120_000 });
}

/** Until the scene of the user is measured. The rows of draw calls say of what, because those of times are hidden. */
async function untilCompared(page) {
  await page.waitForFunction(() => globalThis.yourSceneProbe.measurement !== null, null, { timeout: 120_000 });
  await page.evaluate(() => {
    for (const row of document.querySelectorAll('#statistics tr.minor'))
      row.cells[0].textContent = row.previousElementSibling.cells[0].textContent.replace('ms', 'calls');
  });
}

/** Selects houses on the picking page by a Shift drag, and picks a block of flats. */
async function selectAndPick(page) {
  await page.keyboard.down('Shift');
  await page.mouse.move(560, 400);
  await page.mouse.down();
  await page.mouse.move(800, 570, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.mouse.click(630, 325);
}

/** Measures on the tuning page, and shows the recommendation with the first plots. */
async function measureAndScroll(page) {
  await page.locator('#start').click();
  await page.locator('#progress').waitFor({ state: 'hidden', timeout: 300_000 });
  await page.evaluate(() => scrollTo(0, 160));
}

async function hideText(page) {
  const [, name] = /([\w-]+)\.html/.exec(page.url());
  await SMALL_SCENES[name]?.(page);
  await page.evaluate(() => (document.querySelector('aside').hidden = true));
}

async function selectHouses(page) {
  await page.mouse.move(200, 150);
  await page.mouse.down();
  await page.mouse.move(440, 290, { steps: 4 });
}

/** Turns tiles of React along two lines. */
async function turnTiles(page) {
  for (let k = 0; k < 9; k++) {
    await page.mouse.click(180 + k * 35, 120 + k * 22);
    await page.mouse.click(460 - k * 35, 120 + k * 22);
  }
}

async function takePicture(slug) {
  const isSmall = slug.startsWith('small/');
  const { query, seconds, act } = isSmall ? SMALL : (SCENES[slug] ?? OTHERS);
  const size = isSmall ? SMALL_SIZE : SIZE;
  const page = await browser.newPage({ viewport: size, colorScheme: 'dark' });
  // Software draws WebGPU off screen only.
  if (isSmall) await page.addInitScript(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
  const path = slug.replace('small/', 'small/frame/');
  await page.goto(`${server.resolvedUrls.local[0]}examples/${path}.html${query}`);
  await page.waitForTimeout(seconds * 1000);
  if (act) {
    await act(page);
    await page.waitForTimeout(seconds * 1000);
  }
  await page.evaluate(hideFigures, OF_THE_MACHINE);
  // Playwright writes no WebP: the browser converts its own screenshot.
  const address = `data:image/png;base64,${(await page.screenshot({ timeout: 60_000 })).toString('base64')}`;
  await page.goto('about:blank');
  const picture = await page.evaluate(
    async ([source, { width, height }, quality]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', quality);
    },
    [address, size, QUALITY],
  );
  writeFileSync(`examples/images/${slug}.webp`, Buffer.from(picture.split(',')[1], 'base64'));
  console.log(`examples/images/${slug}.webp`);
  await page.close();
}
