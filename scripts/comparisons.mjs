// Makes the pictures of the guides, without a feature and with it: `node scripts/comparisons.mjs [guide ...]` draws
// scripts/comparisons/comparisons.ts in Chromium and writes examples/images/guides/<guide>.webp.

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { chromiumArgs, findBrowser } from './browser.mjs';
import { writeWebp } from './write-webp.mjs';

const ROOT = 'scripts/comparisons';
const OUT_DIR = resolve('node_modules/.cache/comparisons');
const IMAGES = 'examples/images/guides';

const alias = [
  { find: /^scene-octree$/, replacement: resolve('src/index.ts') },
  { find: /^scene-octree\/three$/, replacement: resolve('src/three.ts') },
];
await build({
  configFile: false,
  logLevel: 'warn',
  root: ROOT,
  base: './',
  resolve: { alias },
  build: { outDir: OUT_DIR, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 2000 },
});
const server = await preview({
  configFile: false,
  logLevel: 'warn',
  root: ROOT,
  build: { outDir: OUT_DIR },
  preview: { port: 0, host: '127.0.0.1' },
});
const browser = await chromium.launch({ args: chromiumArgs, executablePath: findBrowser() });
mkdirSync(IMAGES, { recursive: true });
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 500 } });
  page.on('pageerror', (error) => console.error(error.message));
  let guides = process.argv.slice(2);
  for (let k = 0; k < Math.max(1, guides.length); k++) {
    await page.goto(`${server.resolvedUrls.local[0]}?${guides[k] ?? 'culling'}`);
    await page.locator('body[data-ready]').waitFor({ timeout: 120_000 });
    if (guides.length === 0) guides = (await page.locator('body').getAttribute('data-ready')).split(' ');
    await writeWebp(browser, `${IMAGES}/${guides[k]}.webp`, await page.locator('body').screenshot({ timeout: 60_000 }));
  }
} finally {
  await browser.close();
  await server.close();
}
