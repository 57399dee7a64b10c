import { describe, expect, it } from 'vitest';
import { SMALL, useSharedPage } from './support/open-page.ts';
import { drawSlowly } from './support/draw-slowly.ts';
import { EMPTY_PAGE } from './support/site-files.ts';
import { sampleFrom } from '../support/sampled.ts';

/** Each visit is a page of its own in the same process, which has compiled three.js. */
const sharedPage = useSharedPage(EMPTY_PAGE, SMALL, (page) => page.addInitScript(drawSlowly));

/** Each page with figures, and the element that changes one of its settings. */
const PAGES: Readonly<
  Record<string, { readonly setting: string; readonly address: RegExp; readonly isSmall: boolean }>
> = {
  batch: { setting: 'colour the ranges', address: /^\?count=3000&ranges=on$/, isSmall: true },
  bullets: { setting: 'automatic aim', address: /^\?patrol=off$/, isSmall: false },
  contacts: { setting: 'pause', address: /^\?balls=2000&pause=on$/, isSmall: true },
  'drop-in': { setting: 'birds fly', address: /^\?count=5000&birds=off$/, isSmall: true },
  'fly-through': { setting: 'freeze cull', address: /^\?count=50000&freeze=on$/, isSmall: true },
  lights: { setting: 'pause', address: /^\?pause=on$/, isSmall: false },
  'line-of-sight': { setting: 'one call for all', address: /^\?batch=off$/, isSmall: false },
  picking: { setting: 'fully inside', address: /^\?count=20000&inside=on$/, isSmall: true },
  react: { setting: 'Use OctreeGroup', address: /^\?count=2500&octree=off$/, isSmall: true },
  sensors: { setting: 'automatic path', address: /^\?people=1000&patrol=off$/, isSmall: true },
  streets: { setting: 'walk by itself', address: /^\?walk=off$/, isSmall: false },
  views: { setting: 'pause', address: /^\?pause=on$/, isSmall: false },
  'your-scene': { setting: 'turn', address: /^\?turn=off$/, isSmall: false },
};

describe('a first visit', () => {
  it.each(sampleFrom(Object.entries(PAGES), 5, 1))(
    'of %s shows all figures, says that it begins small, and keeps a change in its address',
    async (name, { setting, address, isSmall }) => {
      const { page, problems } = await sharedPage();
      problems.length = 0;
      await page.goto(page.url().replace(/(empty|examples.*)\.html.*$/, `examples/${name}.html`));
      const line = page.locator('#small-start');
      if (isSmall)
        expect(await line.innerText()).toMatch(/^This machine draws slowly: [\d,]+ in place of [\d,]+\. Begin/);
      await page.waitForFunction(() => {
        const figures = [...document.querySelectorAll<HTMLElement>('[data-figure]')];
        return figures.every((figure) => !figure.checkVisibility() || !/(^|\s)-(\s|$)/.test(figure.innerText));
      });
      expect(new URL(page.url()).search).toBe('');
      if (!isSmall) expect(await line.count()).toBe(0);
      await page.evaluate((label) => {
        const labels = [...document.querySelectorAll<HTMLElement>('#panel .lil-name, #change label')];
        const found = labels.find(({ textContent }) => textContent.trim() === label)!;
        (found.closest('.lil-controller') ?? found).querySelector('input')!.click();
      }, setting);
      await page.waitForFunction((wanted) => new RegExp(wanted).test(location.search), address.source);
      expect(problems).toEqual([]);
    },
  );
});
