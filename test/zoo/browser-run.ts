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

/** What a test says of a fault. */
interface Verdict {
  /** Its name and its error; null if it passes. */
  readonly failure: string | null;
  /** False if it fails without the fault too, when it runs once more. */
  readonly repeats: boolean;
  /** It fails without a fault: what runs after it may fail, too. */
  readonly isBroken: boolean;
}

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

/** Stands for the name of the file in the arguments of a call. */
const FILE = Symbol('file');

/**
 * The tests of one file, in a page of their own: a page may hold few contexts of WebGL, and the oldest ones are lost.
 */
class TestPage {
  private page: Page | null = null;
  private readonly openPage: () => Promise<Page>;
  private readonly file: string;
  private readonly broken = new Set<number>();

  constructor(openPage: () => Promise<Page>, file: string) {
    this.openPage = openPage;
    this.file = file;
  }

  /**
   * Calls a function of the page with the name of the file and other values. Returns `'hangs'` if that takes too long.
   */
  async call<T>(name: string, ...values: readonly unknown[]): Promise<T | 'hangs'> {
    this.page ??= await this.openPage();
    const call = `globalThis.${name}(${values.map((value) => JSON.stringify(value === FILE ? this.file : value)).join()})`;
    const hang = new Promise<'hangs'>((done) => setTimeout(() => done('hangs'), HANG).unref());
    return Promise.race([this.page.evaluate<T>(call), hang]);
  }

  async close(): Promise<void> {
    await this.page?.close();
    this.page = null;
  }

  /** What test `k` says of a fault; null if it passes. */
  async failure(fault: string, k: number): Promise<string | null> {
    if (this.broken.has(k)) return null;
    const verdict = await this.call<Verdict>('runTest', fault, FILE, k);
    if (verdict === 'hangs') {
      await this.close();
      return verdict;
    }
    if (verdict.isBroken) {
      this.broken.add(k);
      console.log(`fails without a fault: ${verdict.failure}`);
      await this.close();
      return null;
    }
    if (verdict.repeats) return verdict.failure;
    // A test that changes what the next run of it meets: with the fault, and without it, in new pages.
    const failures: (string | null)[] = [];
    for (const each of [fault, '']) {
      await this.close();
      failures.push(await this.call<string | null>('runOnce', each, FILE, k));
    }
    await this.close();
    return failures[1] === null ? failures[0] : null;
  }
}
/** Runs the tests of one file with each of the faults that none has caught. */
async function tryFile(browser: Browser, server: ViteDevServer, file: string, names: readonly string[]): Promise<void> {
  if (names.every((name) => caughtBy.has(name))) return;
  const page = new TestPage(() => open(browser, server), file);
  const count = await page.call<number>('countTests', FILE);
  for (const name of names)
    for (let k = 0; k < Number(count) && !caughtBy.has(name); k++) {
      const failure = await page.failure(name, k);
      if (failure === null) continue;
      caughtBy.set(name, failure);
      console.log(`${name.padEnd(34)} ${failure}`);
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
