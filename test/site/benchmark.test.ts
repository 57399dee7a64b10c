import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { duration, ratio } from '../../examples/src/shared/amounts.ts';
import { browserName } from '../../examples/src/shared/browser-name.ts';
import { readStoredRun } from '../../examples/src/benchmark/stored-run.ts';
import { toMarkdown } from '../../examples/src/benchmark/markdown.ts';
import { problemsOfAxe } from './support/accessibility.ts';
import { textCopiedBy } from './support/copied-text.ts';
import { SMALL, useTestPages } from './support/open-page.ts';
import { clickOnceThereIs, untilSaid } from './support/waits.ts';

const openPage = useTestPages();

const ROWS = [
  'cull, far 1500',
  'cull, far 6000',
  'ray, first hit',
  'ray bundle, first hits',
  'ray, any hit',
  'ray, all hits',
  'sphere cast, first hit',
  'box, 30 results',
  'sphere, 30 results',
  '8 nearest',
  '1 % move, one cull',
  '10 % move, one cull',
  '100 % move, one cull',
  'all pairs',
  'build',
];

describe('the benchmark page', () => {
  it('runs all scenarios with correct results, stays responsive, and copies the table', async () => {
    const { page, problems } = await openPage('examples/benchmark.html?bodies=500&rounds=2&warmup=5', SMALL);
    await page.evaluate(() => {
      const count = (): void => {
        document.body.dataset.frames = String(Number(document.body.dataset.frames ?? 0) + 1);
        requestAnimationFrame(count);
      };
      count();
    });
    await page.locator('#start').click();
    await page.locator('#progress').waitFor();
    await untilDone(page);

    const rows = await page.locator('#results li').evaluateAll((items) =>
      items.map((item) => ({
        scenario: item.dataset.scenario,
        lines: [...item.querySelectorAll<HTMLElement>('.line')].map(({ dataset }) =>
          [dataset.ratio, dataset.checked, dataset.wrong].map(Number),
        ),
      })),
    );
    expect(rows.map(({ scenario }) => scenario)).toEqual(ROWS);
    for (const { scenario, lines } of rows) {
      for (const [ratio, checked, wrong] of lines) {
        expect(ratio).toBeGreaterThan(0);
        expect(checked > 0).toBe(scenario !== 'build');
        expect(wrong).toBe(0);
      }
    }
    expect(rows.at(-1)!.lines[1][0]).toBe(1);
    expect(await page.locator('.summary').innerText()).toMatch(
      /^The octree is faster than brute force in \d+ of 14 rows\. [\d,]+ results checked, none wrong\.$/,
    );
    expect(Number(await page.evaluate(() => document.body.dataset.frames))).toBeGreaterThan(20);

    const copied = await textCopiedBy(page, () => page.locator('#copy').click());
    await untilSaid(page, 'Copied');
    expect(copied).toMatch(
      /^500 boxes, uniform; \d{4}-\d\d-\d\d, Chrome \d+, \d+ cores, three r\d+\n\n\| scenario \| brute force \|/,
    );
    expect(copied.trim().split('\n')).toHaveLength(ROWS.length + 4);
    expect(await problemsOfAxe(page)).toEqual([]);
    expect(problems).toEqual([]);

    await page.setViewportSize({ width: 360, height: 740 });
    expect(await countWideLines(page)).toBe(0);
  });

  it('shows the stored run of docs/benchmark.md until a run is made', async () => {
    const { page, problems } = await openPage('examples/benchmark.html?bodies=200&rounds=2&warmup=5', SMALL);
    expect(await page.locator('#results .is-done').count()).toBe(ROWS.length);
    expect(await page.locator('.summary').innerText()).toMatch(/^Stored run: 100,000 uniform boxes, Node .* Press Run/);
    const cull = page.locator('[data-scenario="cull, far 1500"]');
    const text = readFileSync('docs/benchmark.md', 'utf8');
    const [, ours] = /\| cull, far 1500 \| [^|]*\| ([^|]*) \|/.exec(text)!;
    expect(await cull.locator('.ours .time').innerText()).toBe(ours);
    // The same number as in the README and in the gallery, although the rounded times give another.
    const [, ratio] = /\| cull, far 1500 \|.*\| (\d+x) \|/.exec(text)!;
    expect(await cull.locator('.ours b').innerText()).toBe(ratio);
    await page.locator('#start').click();
    expect(await cull.locator('.ours .time').innerText()).not.toBe(ours);
    // The run may have ended.
    await page.locator('#progress button').dispatchEvent('click');
    await untilDone(page);
    expect(problems).toEqual([]);
  });

  it('runs without cross-origin isolation, stops on request and keeps the results so far', async () => {
    const { page } = await openPage('examples/benchmark.html?bodies=500&scene=clustered', SMALL, (page) =>
      page.route('**/benchmark.html*', async (route) => {
        const response = await route.fetch();
        const headers = Object.fromEntries(
          Object.entries(response.headers()).filter(([name]) => !name.startsWith('cross-origin')),
        );
        await route.fulfill({ response, headers });
      }),
    );
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(false);
    await clickOnceThereIs(page, '#results .is-done', '#progress button');
    await page.locator('#start').click();
    await untilDone(page);
    await untilSaid(page, 'Stopped');
    const done = await page.locator('#results .is-done').count();
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(ROWS.length);
    expect(await page.locator('#table').textContent()).toContain('500 boxes, clustered');
    expect(await page.locator('#start').isEnabled()).toBe(true);
    expect(await page.locator('#results .is-current').count()).toBe(0);
  });

  it('marks wrong results', async () => {
    const falsifyVerdicts =
      'const send = self.postMessage.bind(self);' +
      'self.postMessage = (reply) => send(reply.verdict ? { ...reply, verdict: { checked: 9, wrong: 3 } } : reply);';
    const { page } = await openPage('examples/benchmark.html?bodies=200&rounds=2&warmup=5', SMALL, (page) =>
      page.route('**/rival-worker*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${falsifyVerdicts}${await response.text()}` });
      }),
    );
    await clickOnceThereIs(page, '#results .is-done', '#progress button');
    await page.locator('#start').click();
    await untilDone(page);
    expect(await page.locator('.ours .time').first().innerText()).toBe('3 of 9 wrong');
    expect(await page.locator('.summary').innerText()).toMatch(/ wrong\.$/);
    expect(await page.locator('.summary').innerText()).not.toContain('none wrong');
  });

  it('shows an error message when a worker does not load', async () => {
    const { page } = await openPage('examples/benchmark.html?bodies=200', SMALL, (page) =>
      page.route('**/rival-worker*', (route) => route.abort()),
    );
    await page.locator('#start').click();
    await page.locator('.missing h1').waitFor();
    expect(await page.locator('.missing').innerText()).toContain('its worker did not load');
  });

  it('is never wider than the window, from 360 pixels to 4K', async () => {
    const { page } = await openPage('examples/benchmark.html', { viewport: { width: 360, height: 740 } });
    await page.locator('#results li').first().waitFor();
    for (const [width, height] of [
      [360, 740],
      [390, 844],
      [1280, 720],
      [3840, 2160],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(await countWideLines(page)).toBe(0);
    }
  });
});

describe('the stored run', () => {
  it('has the times of docs/benchmark.md, and those of its ratios where it has no times', () => {
    const text = [
      '## Results: 100,000 uniform boxes',
      '',
      '1 May 2026, Node 20.1.2, two cores; three 1',
      '',
      '| scenario | brute force | scene-octree | three-mesh-bvh | to brute force |',
      '|---|---|---|---|---|',
      '| build | - | 14 ms | 28 ms | - |',
      '| cull | 1 ms | 20 us | 0.1 ms | 50x |',
      '',
      '## Results: casts, batches and other volumes',
      '',
      '| scenario | 100,000 | to brute force | to the best exact peer | 10,000 | to brute force | to the best exact peer |',
      '|---|---|---|---|---|---|---|',
      '| batch | 2.00 us | 100x | 4x jolt | 1 us | 3x | 4x three-mesh-bvh |',
      '| any | 1.00 us | 500x | 6.00x three-mesh-bvh | 1 us | 3x | - |',
      '',
    ].join('\n');
    const { origin, rows } = readStoredRun(text, ['cull', 'none', 'any', 'batch', 'build']);
    expect(origin).toBe('Stored run: 100,000 uniform boxes, Node 20.1.2, two cores, 1 May 2026.');
    const values = rows.map(({ scenario, entries }) => [
      scenario,
      ...['brute force', 'scene-octree', 'three-mesh-bvh'].map((rival) => entries[rival]?.value.toPrecision(4)),
    ]);
    expect(rows.map(({ ratio }) => ratio)).toEqual([50, 500, 100, undefined]);
    expect(values).toEqual([
      ['cull', '1.000', '0.02000', '0.1000'],
      ['any', '0.5000', '0.001000', '0.006000'],
      ['batch', '0.2000', '0.002000', undefined],
      ['build', undefined, '14.00', '28.00'],
    ]);
  });
});

describe('the table of the benchmark', () => {
  it('has a dash for a rival that does not take part, and marks wrong results', () => {
    const markdown = toMarkdown('head', [
      {
        scenario: 'cull',
        unit: 'ms',
        entries: { 'brute force': entry(2), 'scene-octree': entry(0.01), 'three-mesh-bvh': entry(0.02, 3) },
      },
      { scenario: 'build', unit: 'ms', entries: { 'scene-octree': entry(30), 'three-mesh-bvh': entry(15) } },
    ]);
    expect(markdown).toBe(
      [
        'head',
        '',
        '| scenario | brute force | scene-octree | three-mesh-bvh | to brute force | to three-mesh-bvh |',
        '| --- | --- | --- | --- | --- | --- |',
        '| cull | 2.00 ms | 10.0 us | 20.0 us !3/7 | 200x | 2.0x |',
        '| build | - | 30.0 ms | 15.0 ms | - | 0.50x |',
        '',
      ].join('\n'),
    );
  });

  it('formats numbers with significant digits only', () => {
    expect([0.0001234, 0.0999, 0.1, 12.345, 1234.5].map(duration)).toEqual([
      '0.123 us',
      '99.9 us',
      '0.100 ms',
      '12.3 ms',
      '1235 ms',
    ]);
    expect([0.456, 1, 9.96, 123.4].map(ratio)).toEqual(['0.46x', '1.0x', '10.0x', '123x']);
  });

  it('names the browser', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    expect(browserName(chrome)).toBe('Chrome 156');
    expect(browserName(`${chrome} Edg/155.0.0.0`)).toBe('Edge 155');
    expect(
      browserName('Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/27.1 Safari/605.1.15'),
    ).toBe('Safari 27');
    expect(browserName('Mozilla/5.0 (X11; rv:150.0) Gecko/20100101 Firefox/150.0')).toBe('Firefox 150');
    expect(browserName('')).toBe('an unknown browser');
  });
});

const entry = (value: number, wrong = 0) => ({ value, fastest: value, wrong, checked: 7 });

/** Number of result lines with content wider than its box. */
const countWideLines = (page: Page) =>
  page
    .locator('.line, .line > *')
    .evaluateAll((parts) => parts.filter((part) => part.scrollWidth > part.clientWidth).length);

const untilDone = (page: Page) => page.waitForFunction(() => !document.body.classList.contains('is-running'));
