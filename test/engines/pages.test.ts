import { expect, inject, it, onTestFinished } from 'vitest';
import type { PageMessage } from './serve-pages.ts';

/** Every page of the site. */
const PAGES = Object.keys(import.meta.glob('../../examples/*.html')).map((path) => path.replace('../../', ''));
/** Frames of a page, once it is loaded. */
const FRAMES = 20;

it.each(['index.html', ...PAGES])(`%s: ${FRAMES} frames without an error`, async (path) => {
  expect(PAGES.length).toBeGreaterThan(10);
  const frame = document.createElement('iframe');
  Object.assign(frame.style, { width: '480px', height: '320px' });
  const last = new Promise<PageMessage>((resolve) => {
    const onMessage = ({ data, source }: MessageEvent<PageMessage>): void => {
      if (source === frame.contentWindow && (data.frames >= FRAMES || data.errors.length > 0)) resolve(data);
    };
    addEventListener('message', onMessage);
    onTestFinished(() => {
      removeEventListener('message', onMessage);
      frame.remove();
    });
  });
  frame.src = inject('pagesAddress') + path;
  document.body.append(frame);
  expect((await last).errors).toEqual([]);
});
