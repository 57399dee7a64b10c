// What a page copies. The machine has one clipboard, which pages of other tests write, too.

import type { Page } from 'playwright';

/** Runs an action that copies text, and returns the text. */
export async function textCopiedBy(page: Page, act: () => Promise<unknown>): Promise<string> {
  await page.evaluate(() => {
    Reflect.deleteProperty(globalThis, 'copiedText');
    navigator.clipboard.writeText = async (text) => void Reflect.set(globalThis, 'copiedText', text);
  });
  await act();
  const copied = await page.waitForFunction(() => Reflect.get(globalThis, 'copiedText') as string | undefined);
  return (await copied.jsonValue())!;
}
