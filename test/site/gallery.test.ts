import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryAddress } from '../../scripts/example-list.ts';
import examples from '../../examples/examples.json';
import { readFilter, tagsOf, writeFilter } from '../../examples/src/index/filter.ts';
import { examplesOf } from '../support/doc-examples.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { textCopiedBy } from './support/copied-text.ts';
import { dracoGlb, fileOf, ktx2Glb, ktx2Of } from './support/gltf-files.ts';
import { pictureOf, useTestPages } from './support/open-page.ts';
import { OUT_DIR } from './support/site-files.ts';
import { until, untilSaid } from './support/waits.ts';
import { untilShown } from './support/your-scene-page.ts';
import { IS_LONG, sampleFrom } from '../support/sampled.ts';

const openPage = useTestPages();
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const namesIn = (folder: string, extension: RegExp): string[] =>
  readdirSync(folder)
    .filter((file) => extension.test(file))
    .map((file) => file.replace(extension, ''));
const slugs = [
  ...namesIn('examples', /\.html$/),
  ...namesIn('examples/small', /\.tsx?$/).map((name) => `small/${name}`),
];

const FIRST_SCREENS = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
  { width: 640, height: 420 },
];

/** Pages of tables and plots, in which nothing moves. */
const MEASURING = ['benchmark', 'tuning'];

const itLong = it.runIf(IS_LONG);

describe('the gallery', () => {
  it.each(sampleFrom(SIZES, 2))(
    'lists every page of the examples folder with links that load, $width pixels wide, and nothing moves or is serious to axe',
    async (viewport) => {
      const { page, problems } = await openPage('index.html', { viewport }, (page) =>
        page.addInitScript(() => {
          Object.assign(globalThis, { shifts: 0 });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              Object.assign(globalThis, {
                shifts: (Reflect.get(globalThis, 'shifts') as number) + Number(Reflect.get(entry, 'value')),
              });
          }).observe({ type: 'layout-shift', buffered: true });
        }),
      );
      await page.locator('.card').first().waitFor();
      expect(new Set(examples.map(({ slug }) => slug))).toEqual(new Set(slugs));
      const links = await page
        .locator('.card a, #first a')
        .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      expect(links).toHaveLength(slugs.length + 2);
      for (const link of [...links, new URL('llms.txt', links[0].replace(/examples.*/, '')).href])
        expect((await page.request.get(link)).status()).toBe(200);
      expect(await page.evaluate(() => Reflect.get(globalThis, 'shifts') as number)).toBeLessThan(0.01);
      // Pictures below the first screen load when they come near.
      await page.evaluate(() => document.querySelectorAll('img').forEach((image) => (image.loading = 'eager')));
      await page.waitForFunction(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0));
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await problemsOfAxe(page)).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  it.each(sampleFrom(FIRST_SCREENS, 3, 1))(
    'says in the first screen how to install it, one number of the README and where to read, $width x $height; where the window is high also how to begin, what it looks like and where to go on',
    async (viewport) => {
      const { page } = await openPage('index.html', { viewport });
      await page.locator('.card').first().waitFor();
      const bottomOf = async (selector: string) => {
        const box = (await page.locator(selector).first().boundingBox())!;
        return box.y + box.height;
      };
      const high = viewport.height > 600 ? ['.show', '#start', '#next'] : [];
      for (const selector of ['#install', '.number', '#documentation', '#search', ...high])
        expect([selector, await bottomOf(selector)]).toEqual([selector, expect.toSatisfy((y) => y <= viewport.height)]);
      const readme = readFileSync('README.md', 'utf8');
      const cull = /\| cull, far 1500 \|.*\| ([\d.]+) us \| (\d+x) \|/.exec(readme)!;
      expect(await page.locator('.number b').innerText()).toBe(cull[2]);
      expect(await page.locator('.number').innerText()).toContain(`takes ${Math.round(Number(cull[1]))} µs`);
      expect(readme).toContain((await page.locator('#install').innerText()).trim());
      expect(
        await page.locator('#documentation a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      ).toEqual([
        'reference/documents/Getting_started_in_five_minutes.html',
        'reference/documents/Guides.html',
        'reference/index.html',
        repositoryAddress,
        'llms.txt',
      ]);
      expect(await page.locator('#tags button').first().isVisible()).toBe(false);
    },
  );

  it('says that nothing was found, with a link to all', async () => {
    const { page } = await openPage('index.html?q=zeppelin', { viewport: SIZES[0] });
    await page.locator('#nothing').waitFor();
    expect(await page.locator('#nothing').innerText()).toContain('Nothing has these words');
    expect(await page.locator('.card:visible').count()).toBe(0);
    await page.locator('#nothing a').click();
    await page.locator('.card:visible').first().waitFor();
    expect([await page.locator('#nothing').isVisible(), new URL(page.url()).search]).toEqual([false, '']);
  });

  it('opens the tags where the address has one, and copies the command and the code', async () => {
    const { page } = await openPage('index.html?tag=pairs', { viewport: SIZES[0] });
    await page.locator('#tags [aria-pressed=true]').waitFor();
    const [code] = examplesOf('index.html').map((example) => example.code);
    expect(code.trim().split('\n')).toHaveLength(4);
    for (const [button, text] of [
      ['Copy the command', 'npm install scene-octree three'],
      ['Copy the code', code],
    ]) {
      // That of the button before may stand still.
      await page.evaluate(() => document.querySelector('#toast')?.replaceChildren());
      expect(await textCopiedBy(page, () => page.getByRole('button', { name: button }).click())).toBe(text);
      await untilSaid(page, 'Copied.');
    }
  });

  it('shows no field and no button that does nothing without scripts', async () => {
    const { page } = await openPage('index.html', { viewport: SIZES[0], javaScriptEnabled: false });
    expect(await page.locator('#documentation').isVisible()).toBe(true);
    expect(await page.locator('input:visible, button:visible').count()).toBe(0);
  });

  it('has a picture of each example', () => {
    expect(examples.filter(({ slug }) => !existsSync(`examples/images/${slug}.webp`)).map(({ slug }) => slug)).toEqual(
      [],
    );
  });

  describe('the loops of the cards', () => {
    const loops = readdirSync('examples/images', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.webm'),
    );

    it('are there for each example that moves, and weigh at most 300 kB', () => {
      const moving = examples.filter(({ slug }) => !MEASURING.includes(slug)).map(({ slug }) => `${slug}.webm`);
      expect(moving.filter((file) => !loops.includes(file))).toEqual([]);
      expect(loops.filter((file) => statSync(`examples/images/${file}`).size > 300_000)).toEqual([]);
    });

    it('play while the pointer or the focus is on a card, and give way to the picture then', async () => {
      const { page, problems } = await openPage('index.html', { viewport: SIZES[0] });
      const card = page.locator('.card', { hasText: 'Static city, moving crane' });
      expect(await page.locator('.card video').count()).toBe(0);
      for (const [begin, end] of [
        [() => card.hover(), () => page.mouse.move(2, 2)],
        [() => card.locator('a').focus(), () => page.locator('#search').focus()],
      ]) {
        await begin();
        await page.waitForFunction(
          () => (document.querySelector<HTMLVideoElement>('.card video')?.currentTime ?? 0) > 0.1,
        );
        expect(await card.locator('video').evaluate((video: HTMLVideoElement) => [video.loop, video.muted])).toEqual([
          true,
          true,
        ]);
        await end();
        await page.waitForFunction(() => document.querySelector('.card video') === null);
      }
      expect(problems).toEqual([]);
    });

    itLong('play once on a touch screen when the card is in view', async () => {
      const { page } = await openPage('index.html', { viewport: SIZES[1], hasTouch: true, isMobile: true });
      const card = page.locator('.card', { hasText: 'Static city, moving crane' });
      await card.scrollIntoViewIfNeeded();
      // Read at once: it leaves when it has played.
      const playing = await page.waitForFunction(
        (one) => {
          const video = one.querySelector('video');
          return video && { loop: video.loop };
        },
        await card.elementHandle(),
      );
      expect(await playing.jsonValue()).toEqual({ loop: false });
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await card.locator('video').waitFor({ state: 'detached' });
    });

    itLong('play in the first screen until they are paused', async () => {
      const { page, problems } = await openPage('index.html', { viewport: SIZES[0] });
      const isPaused = (wanted: boolean) =>
        page.waitForFunction((paused) => {
          const video = document.querySelector<HTMLVideoElement>('.show video');
          return video !== null && video.currentTime > 0 && video.paused === paused;
        }, wanted);
      for (const [name, paused] of [
        ['Pause', true],
        ['Play', false],
      ] as const) {
        await isPaused(!paused);
        await page.locator('#pause', { hasText: name }).click();
        await isPaused(paused);
      }
      expect(problems).toEqual([]);
    });

    itLong('play in the first screen once the page is in view, if it was opened in the background', async () => {
      const { page, problems } = await openPage('index.html', { viewport: SIZES[0] }, (page) =>
        page.addInitScript(() => {
          const play: () => Promise<void> = Reflect.get(HTMLMediaElement.prototype, 'play');
          HTMLMediaElement.prototype.play = function () {
            HTMLMediaElement.prototype.play = play;
            return Promise.reject(new DOMException('Paused to save power.', 'AbortError'));
          };
        }),
      );
      await page.locator('.show video').waitFor();
      // The rejection has been handled before the next task.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('.show video')!.currentTime > 0.1);
      expect(problems).toEqual([]);
    });

    it('do not play for visitors who want less motion', async () => {
      const { page } = await openPage('index.html', { viewport: SIZES[0], reducedMotion: 'reduce' });
      await page.locator('.card').first().hover();
      await page.locator('.card a').first().focus();
      expect([await page.locator('video').count(), await page.locator('#pause').isVisible()]).toEqual([0, false]);
    });
  });

  it('is light where the system is, as readable', async () => {
    const { page } = await openPage('index.html', { viewport: SIZES[0], colorScheme: 'light' });
    await page.locator('.card').first().waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(245, 247, 250)');
    expect(await problemsOfAxe(page)).toEqual([]);
  });

  it('is used by keyboard alone: search, tags, cards; the address keeps words and tag', async () => {
    const { page } = await openPage('index.html', { viewport: SIZES[0] });
    const found = () => page.locator('#results h2').allInnerTexts();
    await page.locator('#search').focus();
    await page.keyboard.type('fast bullet');
    await page.locator('#results li').first().waitFor();
    expect((await found()).slice(0, 2)).toContain('Fast bullets');
    expect(await page.locator('.card:visible').count()).toBe(0);
    expect(await page.locator('#found').innerText()).toMatch(/^\d+ results?$/);
    expect(new URL(page.url()).search).toBe('?q=fast+bullet');
    await page.reload();
    await page.locator('#results li').first().waitFor();
    await page.keyboard.press('Tab');
    await page.locator('#search').fill('');
    await page.locator('#search').press('Enter');
    await page.locator('.card:visible').first().waitFor();
    const isAtTags = () => page.evaluate(() => document.activeElement!.matches('#tags summary'));
    for (let k = 0; k < 20 && !(await isAtTags()); k++) await page.keyboard.press('Tab');
    expect(await page.locator('#tags button').first().isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const tag = await page.evaluate(() => document.activeElement!.textContent);
    await page.keyboard.press('Space');
    const shown = () => page.locator('.card:visible h3').allInnerTexts();
    expect(await page.locator('#tags [aria-pressed=true]').allInnerTexts()).toEqual([tag]);
    expect(await shown()).toEqual(examples.filter(({ tags }) => tags.includes(tag)).map(({ title }) => title));
    await page.keyboard.press('Space');
    expect(await shown()).toHaveLength(examples.length);
    for (let k = 0; k < tagsOf(examples).length; k++) await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe(examples[0].title);
  });

  it('opens what the search has found, axe finds nothing, and shows the groups in order', async () => {
    const { page, problems } = await openPage('index.html?q=line+of+sight', { viewport: SIZES[1] });
    await page.locator('#results li').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await problemsOfAxe(page)).toEqual([]);
    await page
      .locator('#results a', { hasText: /^Line of sight$/ })
      .first()
      .click();
    await page.waitForURL(/examples\/line-of-sight\.html|reference\//);
    await page.goBack();
    await page.locator('#search').fill('');
    expect(await page.locator('.group > h2').allInnerTexts()).toEqual(['Start here', 'See it', 'Measure it']);
    expect(problems).toEqual([]);
  });

  it('has an icon, a title and a picture for links to each page, on the site that package.json names', async () => {
    const { homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as { homepage: string };
    for (const path of ['index.html', ...slugs.map((slug) => `examples/${slug}.html`)]) {
      const html = readFileSync(join(OUT_DIR, path), 'utf8');
      const meta = (name: string) => new RegExp(`<meta property="og:${name}" content="([^"]+)">`).exec(html)?.[1] ?? '';
      expect([path, meta('title')]).toEqual([path, /<title>(.*)<\/title>/.exec(html)![1]]);
      expect(meta('image').startsWith(homepage)).toBe(true);
      expect(existsSync(join(OUT_DIR, meta('image').slice(homepage.length)))).toBe(true);
      expect(html).toMatch(/<link rel="icon" href="(?!data:,")[^"]+">/);
    }
  });

  it('links guide, API and source from each page of an example, and shows the lines that matter on each demo', async () => {
    const { page } = await openPage('index.html');
    const root = page.url().replace(/index.*/, '');
    for (const { slug } of examples) {
      const html = readFileSync(join(OUT_DIR, `examples/${slug}.html`), 'utf8');
      const [, links] = /<nav class="links"[^>]*>([^]*?)<\/nav>/.exec(html) ?? [];
      expect([slug, links]).toEqual([slug, expect.stringMatching(/Guide<[^]*Source</)]);
      // The text of a small example is beside it; the benchmark is about many.
      if (!slug.startsWith('small/') && slug !== 'benchmark')
        expect([slug, html]).toEqual([
          slug,
          expect.stringMatching(/<nav class="links"[^>]*>\s*<p>The lines that matter<\/p><pre|id="(change|code)"/),
        ]);
      for (const [, address] of links.matchAll(/href="(?!https?:)([^"]+)"/g)) {
        const target = new URL(address, `${root}examples/${slug}.html`).href;
        expect([slug, target, (await page.request.get(target)).status()]).toEqual([slug, target, 200]);
      }
    }
  });
});

describe('the filter', () => {
  it('is written to the address and read from it, without unknown tags', () => {
    expect(writeFilter({ words: '', tag: null })).toBe('');
    const filter = { words: 'a&b c', tag: 'pairs' };
    expect(readFilter(new URLSearchParams(writeFilter(filter)), ['pairs'])).toEqual(filter);
    expect(readFilter(new URLSearchParams('tag=other'), ['pairs'])).toEqual({ words: '', tag: null });
  });
});

describe('the site in a sub-folder, without special headers', () => {
  const TYPES: Readonly<Record<string, string>> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.webp': 'image/webp',
    '.wasm': 'application/wasm',
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname;
    const file = join(OUT_DIR, path.replace('/some/folder/', '/'));
    if (!path.startsWith('/some/folder/') || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => server.close());

  it('opens a page from its card', async () => {
    const { page, problems } = await openPage('index.html', undefined);
    problems.length = 0;
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/index.html`);
    await page.locator('.card a', { hasText: 'Contacts' }).click();
    await page.waitForFunction(() => globalThis.contactsProbe?.figures !== undefined);
    await page.locator('.title > a').click();
    await page.locator('.card').first().waitFor();
    expect(problems).toEqual([]);
  });

  itLong('decodes files of the visitor, with decoders of the site', async () => {
    const { page, problems } = await openPage('index.html', undefined);
    await page.goto(
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/examples/your-scene.html?town=0.1&turn=off&measure=off`,
    );
    await untilShown(page, 'Generated town');
    for (const file of [fileOf('draco.glb', dracoGlb(49)), fileOf('ktx2.glb', ktx2Glb(49, ktx2Of(180, 90, 0)))]) {
      await page.locator('#files').setInputFiles([file]);
      await untilShown(page, file.name);
      expect([await page.evaluate(() => globalThis.yourSceneProbe!.meshes), problems]).toEqual([49, []]);
    }
    await until(
      page,
      () => pictureOf(page, '#camera-view', [180, 90, 0]),
      ({ colourShare }) => colourShare > 0.02,
    );
  });
});
