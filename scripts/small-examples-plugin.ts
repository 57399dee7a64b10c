// Vite plugin for the small examples, examples/small/*.ts: a page for each from one template, with its source in
// colours and its picture in a frame, and the built library as files, which their StackBlitz projects contain.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  bundledLanguages,
  bundledThemes,
  codeToTokensWithThemes,
  createOnigurumaEngine,
  createShikiInternal,
  loadBuiltinWasm,
} from '@gerrit0/mini-shiki';
import { build, type Plugin, type Rolldown } from 'vite';
import { type ListedExample, listedExamples, sourceOf } from './example-list.ts';

const FOLDER = 'examples/small';
/** The pages of a small example: that with its source, and the picture alone. */
const PAGE = /^examples\/small\/(frame\/)?([\w-]+)\.html$/;
/** The files of the library by their path, as JSON. */
const LIBRARY = `${FOLDER}/library.json`;
const THEME = 'github-dark-default';
/** The entry points of the package, for `import ... from 'scene-octree/three'`. */
const ENTRIES = /^scene-octree(?:\/(core|three|tsl|save|tiles|triangles|react|debug))?$/;
const SOURCES: Readonly<Record<string, string>> = {
  save: 'save/index.ts',
  tiles: 'tiles/index.ts',
  triangles: 'triangles/index.ts',
  react: 'react/index.ts',
  debug: 'debug/index.ts',
};

export const smallExamples = (): ListedExample[] => listedExamples().filter(({ slug }) => slug.startsWith('small/'));

/** Paths of their pages, from the root of the site. */
export const smallPages = (): string[] =>
  smallExamples().flatMap(({ slug }) => [
    `examples/${slug}.html`,
    `examples/${slug.replace('small/', 'small/frame/')}.html`,
  ]);

export function smallExamplesPlugin(): Plugin {
  return {
    name: 'small-examples',
    apply: ({ build }, { isSsrBuild }) => isSsrBuild !== true && build?.lib === undefined,
    async resolveId(source) {
      const [, entry = 'index'] = ENTRIES.exec(source) ?? [];
      if (ENTRIES.test(source)) return resolve('src', SOURCES[entry] ?? `${entry}.ts`);
      return PAGE.test(source) ? resolve(source) : undefined;
    },
    load(id) {
      const page = relativePath(id);
      return PAGE.test(page) ? pageOf(page) : undefined;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1);
        const send = (type: string, text: Promise<string>): void => {
          text.then((sent) => response.setHeader('Content-Type', type).end(sent), next);
        };
        if (path === LIBRARY) send('application/json', buildLibrary());
        // The templates of the pages are files, which the pages import.
        else if (PAGE.test(path) && !existsSync(path))
          send(
            'text/html',
            pageOf(path).then((html) => server.transformIndexHtml(`/${path}`, html)),
          );
        else next();
      });
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: LIBRARY, source: await buildLibrary() });
    },
  };
}

const relativePath = (id: string): string => id.slice(resolve('.').length + 1).replaceAll('\\', '/');

/** The HTML of a page. */
async function pageOf(path: string): Promise<string> {
  const [, frame, name] = PAGE.exec(path)!;
  const examples = smallExamples();
  const at = examples.findIndex(({ slug }) => slug === `small/${name}`);
  const { title, line } = examples[at];
  const source = sourceOf(examples[at]);
  const file = source.split('/').at(-1)!;
  const template = readFileSync(`${FOLDER}/${frame === undefined ? 'page' : 'frame'}.html`, 'utf8');
  if (frame !== undefined) return template.replace('%TITLE%', title).replace('/src/main.ts', `../${file}`);
  const neighbours = [at - 1, at + 1].map((k) => examples[(k + examples.length) % examples.length]);
  const values: Readonly<Record<string, string>> = {
    TITLE: title,
    LINE: line,
    NAME: name,
    FILE: file,
    NEIGHBOURS: ['Previous', 'Next']
      .map(
        (word, k) =>
          `<a href="${neighbours[k].slug.replace('small/', '')}.html" title="${neighbours[k].title}">${word}</a>`,
      )
      .join(' '),
    CODE: await colour(readFileSync(source, 'utf8')),
  };
  return template.replaceAll(/%([A-Z]+)%/g, (text, key: string) => values[key] ?? text);
}

let highlighter: ReturnType<typeof createHighlighter> | undefined;
async function createHighlighter() {
  await loadBuiltinWasm();
  return createShikiInternal({
    themes: [bundledThemes[THEME]],
    langs: [bundledLanguages.tsx],
    engine: createOnigurumaEngine(),
  });
}

/** Source as HTML with a colour for each token. Lines that use what is imported from the library are marked. */
async function colour(source: string): Promise<string> {
  const code = source.trimEnd();
  // Without the limit of time the first call, which compiles the grammar, would leave lines without colours.
  const options = { lang: 'tsx', themes: { dark: THEME }, tokenizeTimeLimit: 0 };
  const lines = codeToTokensWithThemes(await (highlighter ??= createHighlighter()), code, options);
  const names = [...code.matchAll(/^import (?:type )?\{([^}]*)\} from 'scene-octree/gm)].flatMap(([, list]) =>
    list.split(',').map((name) => name.replace('type', '').trim()),
  );
  const usesLibrary = new RegExp(`\\b(?:${names.filter((name) => name !== '').join('|')})\\b`);
  const isComment = /^\s*(?:\/\/|\/?\*)/;
  return lines
    .map((tokens) => {
      const text = tokens.map(({ content }) => content).join('');
      const html = tokens
        .map(({ content, variants }) => `<span style="color:${variants.dark.color}">${escapeHtml(content)}</span>`)
        .join('');
      return usesLibrary.test(text) && !isComment.test(text) ? `<mark>${html}</mark>` : html;
    })
    .join('\n');
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The files of the built library by their name, as JSON: `{"three.js": "..."}`. */
async function buildLibrary(): Promise<string> {
  const built = (await build({
    mode: 'lib',
    logLevel: 'error',
    build: { write: false, minify: true, rolldownOptions: { output: { comments: false } } },
  })) as Rolldown.RolldownOutput[];
  const files: Record<string, string> = {};
  for (const { output } of built)
    for (const file of output) if (file.type === 'chunk') files[file.fileName] = file.code;
  return JSON.stringify(files);
}
