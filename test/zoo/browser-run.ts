/**
 * `npm run zoo -- --browser [--anywhere] [name ...]`: plants the faults of `browser-bugs.ts` as switches into the
 * sources, loads the tests of `test/browser` once into a page of Chromium, and runs them with one fault after the other
 * on. `--anywhere` tries the other drawing tests too: a fault that they catch should name their file.
 */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { createServer, type ViteDevServer } from 'vite';
import { chromiumArgs, findBrowser } from '../../scripts/browser.mjs';
import { BROWSER_BUGS } from './browser-bugs.ts';
import { switchedIn } from './planted-fault.ts';

/** A test that takes longer hangs. Milliseconds. */
const HANG = 180_000;

async function serve(): Promise<ViteDevServer> {
  const server = await createServer({
    logLevel: 'error',
    cacheDir: 'node_modules/.cache/zoo-browser',
    server: { port: 0, hmr: false, watch: null },
    optimizeDeps: { include: ['@vitest/expect', '@vitest/spy'] },
    plugins: [
      {
        name: 'switched-faults',
        enforce: 'pre',
        resolveId: (id) => (id === 'vitest' ? resolve('scripts/mutation/vitest.ts') : undefined),
        transform: (code, id) => switchedIn(code, id, BROWSER_BUGS),
        configureServer: ({ middlewares }) => {
          middlewares.use('/zoo.html', (_, response) => {
            response.setHeader('Content-Type', 'text/html');
            response.end('<!doctype html><body><script type="module" src="/test/zoo/browser-page.ts"></script>');
          });
        },
      },
    ],
  });
  return server.listen();
}

async function open(browser: Browser, server: ViteDevServer): Promise<Page> {
  const page = await browser.newPage();
  page.on('console', (message) => {
    if (message.text().startsWith('fails without')) console.log(message.text());
  });
  await page.goto(`${server.resolvedUrls!.local[0]}zoo.html`, { waitUntil: 'commit', timeout: HANG });
  await page.waitForFunction('globalThis.runTest !== undefined', undefined, { timeout: HANG });
  return page;
}

/** Names of the files that draw, without those that compare times. */
function drawingTests(): string[] {
  const files = readdirSync('test/browser').filter((file) => file.endsWith('.test.ts') && !file.includes('times'));
  return files.map((file) => file.replace('.test.ts', '')).filter((file) => file !== 'soak' && file !== 'golden');
}

/** What catches a fault, by its name. */
const caughtBy = new Map<string, string>();

/** Runs the tests of one file with each of the faults that none has caught. */
async function tryFile(browser: Browser, server: ViteDevServer, file: string, names: readonly string[]): Promise<void> {
  if (names.every((name) => caughtBy.has(name))) return;
  // A page of its own: a page may hold few contexts of WebGL, and the oldest ones are lost.
  let page = await open(browser, server);
  const count = await page.evaluate<number>(`globalThis.countTests(${JSON.stringify(file)})`);
  for (const name of names)
    for (let k = 0; k < count && !caughtBy.has(name); k++) {
      const call = `globalThis.runTest(${JSON.stringify(name)}, ${JSON.stringify(file)}, ${k})`;
      const hang = new Promise<string>((done) => setTimeout(() => done('hangs'), HANG).unref());
      const failure = await Promise.race([page.evaluate<string | null>(call), hang]);
      if (failure === null) continue;
      caughtBy.set(name, failure);
      console.log(`${name.padEnd(34)} ${failure}`);
      if (failure !== 'hangs') continue;
      await page.close();
      page = await open(browser, server);
    }
  await page.close();
}

/** Returns whether all were caught. */
export async function runInBrowser(names: readonly string[], anywhere: boolean): Promise<boolean> {
  const chosen = BROWSER_BUGS.filter(({ name }) => names.length === 0 || names.includes(name));
  const server = await serve();
  const executablePath = findBrowser();
  const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath ? { executablePath } : {}) });
  for (const file of new Set(chosen.flatMap(({ tests }) => tests)))
    await tryFile(
      browser,
      server,
      file,
      chosen.filter(({ tests }) => tests.includes(file)).map(({ name }) => name),
    );
  if (anywhere)
    for (const file of drawingTests())
      await tryFile(
        browser,
        server,
        file,
        chosen.map(({ name }) => name),
      );
  for (const { name } of chosen) if (!caughtBy.has(name)) console.log(`${name.padEnd(34)} NOT CAUGHT`);
  console.log(`${caughtBy.size} of ${chosen.length} caught`);
  await browser.close();
  await server.close();
  return caughtBy.size === chosen.length;
}
