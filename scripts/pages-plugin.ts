// Vite plugin for all pages: each gets an icon and what a link to it shows elsewhere (og:title, og:image), demos get
// links to their guide, API page and source, and %REPOSITORY% becomes the address of the repository. The pictures of
// the gallery keep their names in the site, because these links are from outside.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Plugin } from 'vite';
import {
  guideAddress,
  type ListedExample,
  listedExamples,
  repositoryAddress,
  siteAddress,
  sourceOf,
} from './example-list.ts';

const IMAGES = 'examples/images';
/** The lines that matter of each demo. */
const LINES = 'examples/lines.ts';
/** The picture of the landing page. */
const FIRST_IMAGE = 'fly-through';
/** What a page has in the place of its icon and its og: tags. */
const ICON = '<link rel="icon" href="data:,">';

export function pagesPlugin(): Plugin {
  return {
    name: 'pages',
    // Not in the package, nor in what a command runs.
    apply: ({ build }, { command, isSsrBuild }) =>
      command === 'serve' || (isSsrBuild !== true && build?.lib === undefined),
    transformIndexHtml: {
      order: 'pre',
      handler(html, { path }) {
        const page = path.replace(/^\//, '');
        const example = listedExamples().find(({ slug }) => page === `examples/${slug}.html`);
        const toRoot = '../'.repeat(page.split('/').length - 1);
        const titled = example || page === 'index.html' ? html.replace(ICON, headOf(html, page, toRoot)) : html;
        const linked = example ? titled.replace('%LINKS%', () => linesOf(example) + linksOf(example, toRoot)) : titled;
        return linked.replaceAll('%REPOSITORY%', () => repositoryAddress);
      },
    },
    generateBundle() {
      for (const file of readdirSync(IMAGES, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.webp')) continue;
        const fileName = `${IMAGES}/${file.replaceAll('\\', '/')}`;
        this.emitFile({ type: 'asset', fileName, source: readFileSync(fileName) });
      }
    },
  };
}

function headOf(html: string, page: string, toRoot: string): string {
  const [, title] = /<title>(.*)<\/title>/.exec(html)!;
  const [, line] = /<meta name="description" content="(.*)">/.exec(html)!;
  const slug = page === 'index.html' ? FIRST_IMAGE : page.slice('examples/'.length, -'.html'.length);
  return [
    `<link rel="icon" href="${toRoot}examples/icon.svg">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${line}">`,
    `<meta property="og:url" content="${siteAddress}${page === 'index.html' ? '' : page}">`,
    `<meta property="og:image" content="${siteAddress}${IMAGES}/${slug}.webp">`,
    '<meta property="og:type" content="website">',
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n  ');
}

/** The lines that matter of a demo, as HTML: a block of examples/lines.ts. Pages that show their code have none. */
function linesOf({ slug }: ListedExample): string {
  const block = new RegExp(`^// ${slug}\\n\\{\\n([^]*?)^\\}`, 'm').exec(readFileSync(LINES, 'utf8'))?.[1];
  if (block === undefined) return '';
  const code = block.replaceAll(/^ {2}/gm, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').trimEnd();
  return `<p>The lines that matter</p><pre tabindex="0"><code>${code}</code></pre>\n    `;
}

/** Links to the guide of an example, its pages of the API and its source. */
export function linksOf(example: ListedExample, toRoot: string): string {
  const api = example.api.map((page) => [page.split('.').at(-1)!, `${toRoot}reference/${page}.html`]);
  const links = [
    ['Guide', toRoot + guideAddress(example.guide)],
    ...api,
    ['Source', `${repositoryAddress}/blob/main/${posix.normalize(sourceOf(example))}`],
  ];
  return links.map(([text, address]) => `<a href="${address}">${text}</a>`).join('\n    ');
}
