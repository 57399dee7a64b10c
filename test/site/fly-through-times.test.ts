import { expect, it } from 'vitest';
import { longestTaskOf, MAX_TASK } from './support/longest-task.ts';
import { probe, untilBuilt, useTimedPages } from './support/open-page.ts';
import { byMajority } from '../support/by-majority.ts';

const openPage = useTimedPages();

it(
  'builds 135,233 bodies with progress, in tasks of less than 100 ms of CPU time',
  byMajority(async () => {
    const longest = await longestTaskOf('fly-through', openPage, async () => {
      // A far plane at 500 keeps the number of software-rendered bodies low; the build is the same.
      const { page, problems } = await openPage(
        'examples/fly-through.html?data=cities&far=500&path=off',
        undefined,
        (page) =>
          page.addInitScript(() => {
            const seen: number[] = [];
            Object.assign(globalThis, { seen });
            addEventListener('DOMContentLoaded', () => {
              // The script of the page creates the bar later.
              new MutationObserver((changes) => {
                const bar = changes.map(({ target }) => target).find((target) => target instanceof HTMLProgressElement);
                if (bar) seen.push(bar.value);
              }).observe(document.querySelector<HTMLElement>('#progress')!, {
                subtree: true,
                attributeFilter: ['value'],
              });
            });
          }),
      );
      await untilBuilt(page);
      const progress = await page.evaluate(() => (globalThis as typeof globalThis & { seen: number[] }).seen);
      const report = await probe(page);
      expect(report.total).toBe(135_233);
      expect(report.doAgree).toBe(true);
      expect(progress.length).toBeGreaterThan(3);
      expect([...progress].sort((a, b) => a - b)).toEqual(progress);
      expect(problems).toEqual([]);
      await page.close();
    });
    expect(longest).toBeLessThan(MAX_TASK);
  }),
);
