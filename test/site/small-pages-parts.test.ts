import { readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { smallExamplesPlugin, smallPages } from '../../scripts/small-examples-plugin.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void;

/** What `npm start` answers for a path: the HTML of a page, or null if the plugin leaves it to Vite. */
function answerOf(path: string): Promise<string | null> {
  let handler!: Handler;
  const server = {
    middlewares: { use: (given: Handler) => (handler = given) },
    transformIndexHtml: (_: string, html: string) => Promise.resolve(html),
  };
  Reflect.apply(smallExamplesPlugin().configureServer as () => void, undefined, [server]);
  return new Promise((resolve, reject) => {
    const response = { setHeader: () => response, end: resolve };
    const next = (error?: unknown): void => (error === undefined ? resolve(null) : reject(error));
    handler({ url: `/${path}` } as IncomingMessage, response as never, next);
  });
}

it('each page of a small example has HTML of its own', async () => {
  for (const path of smallPages()) expect(await answerOf(path), path).toMatch(/^<!doctype html>/i);
});

// The pages import them as modules.
it('the templates of the pages are no pages', async () => {
  const templates = readdirSync('examples/small').filter((file) => file.endsWith('.html'));
  expect(templates).not.toEqual([]);
  for (const file of templates) expect(await answerOf(`examples/small/${file}?import`), file).toBeNull();
});
