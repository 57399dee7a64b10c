// Waits for what a page shows: each has a limit far below that of a test, and says what the page shows if it is in
// vain.

import type { Page } from 'playwright';
import { expect } from 'vitest';

/**
 * Longest time that a test waits for one thing while nothing changes. On a busy machine a frame of a page takes a
 * second.
 */
export const PATIENCE_MS = 40_000;
/**
 * Longest time that a test waits for one thing while what it reads goes on to change: a page that is slow, not ended.
 */
const LONGEST_MS = 3 * PATIENCE_MS;
const PAUSE_MS = 50;

/**
 * Waits until a condition holds for what is read from a page.
 *
 * It looks every 50 ms at most, so it may miss what holds for a moment: `whileActing` sees that.
 *
 * @param read Undefined while there is nothing yet.
 * @param act Called before each look: holds a key, as a keyboard does that repeats it. A page that has lost the focus
 *   for a moment has released its keys.
 * @returns What was read last.
 * @throws Error with what was read last, after `PATIENCE_MS` without a change of what is read, and after `LONGEST_MS`.
 */
export async function until<T>(
  page: Page,
  read: () => Promise<T | undefined>,
  holds: (value: T) => boolean,
  act?: () => Promise<void>,
): Promise<T> {
  const latest = performance.now() + LONGEST_MS;
  let end = performance.now() + PATIENCE_MS;
  let last = '';
  for (;;) {
    const value = await read();
    if (value !== undefined && holds(value)) return value;
    const now = performance.now();
    const seen = JSON.stringify(value) ?? '';
    if (seen !== last) end = Math.min(latest, now + PATIENCE_MS);
    last = seen;
    if (now > end) {
      const message = `the page never shows ${holds.toString()}, but ${JSON.stringify(value)}`;
      // Vitest prints no error of a test that passes at its second attempt.
      console.error(`${expect.getState().currentTestName}: ${message}`);
      throw new Error(message);
    }
    await act?.();
    await page.waitForTimeout(PAUSE_MS);
  }
}

/**
 * Acts on a page, and waits for a state that the action causes and that may end by itself soon. The page looks for it
 * in each frame, from before the action on.
 */
export async function whileActing(page: Page, isReached: () => boolean, act: () => Promise<unknown>): Promise<void> {
  const reached = page.waitForFunction(isReached);
  await Promise.all([reached, act()]);
}

/**
 * From now on the page clicks a button as soon as it has an element: what goes on may end before a click of the test
 * arrives.
 */
export async function clickOnceThereIs(page: Page, element: string, button: string): Promise<void> {
  await page.evaluate(
    ([awaited, clicked]) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector(awaited) === null) return;
        observer.disconnect();
        document.querySelector<HTMLElement>(clicked)!.click();
      });
      observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] });
    },
    [element, button],
  );
}

/** Waits for a message of the page. It hides after some seconds, and keeps its text. */
export async function untilSaid(page: Page, text: string): Promise<void> {
  await page.waitForFunction((wanted) => document.querySelector('#toast')?.textContent.includes(wanted), text);
}

/** What a page shows: its figures, and the beginning of its text. For the error of a test that fails. */
export async function describePage(page: Page): Promise<string> {
  const read = page.evaluate(() => {
    const probes = Object.keys(globalThis).filter((name) => name.endsWith('Probe'));
    const figures = probes.map((name) => {
      try {
        return `${name} ${JSON.stringify(Reflect.get(globalThis, name)).slice(0, 1500)}`;
      } catch (error) {
        return `${name} (${error as Error})`;
      }
    });
    return [location.href, ...figures, document.body.innerText.slice(0, 500)].join('\n');
  });
  const late = new Promise<string>((resolve) => setTimeout(resolve, 10_000, 'nothing: it does not answer within 10 s'));
  return Promise.race([read.catch((error: unknown) => `nothing: ${String(error)}`), late]);
}
