// The page for a scene of one's own: its probe, files to choose, and waiting for a scene.

import type { Page } from 'playwright';
import type { YourSceneProbe } from '../../../examples/src/your-scene/probe.ts';
import type { TestFile } from './gltf-files.ts';

export const VIEWPORT = { viewport: { width: 760, height: 600 } };

export const probe = (page: Page): Promise<YourSceneProbe> => page.evaluate(() => globalThis.yourSceneProbe!);

export const choose = (page: Page, files: readonly TestFile[]): Promise<void> =>
  page.locator('#files').setInputFiles([...files]);

export const untilShown = (page: Page, name: string) =>
  page.waitForFunction((wanted) => {
    const { name, isBusy, problem } = globalThis.yourSceneProbe ?? { name: '', isBusy: true, problem: '' };
    return (name === wanted && !isBusy) || problem !== '';
  }, name);

export const untilMeasured = (page: Page) =>
  page.waitForFunction(
    () => globalThis.yourSceneProbe?.isBusy === false && globalThis.yourSceneProbe.measurement !== null,
  );
