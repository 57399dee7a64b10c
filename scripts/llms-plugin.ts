// Vite plugin that writes texts for language models into the site: llms.txt (https://llmstxt.org), an index of the
// guides, llms-full.txt with their full text, and the guides as Markdown. Made of the README and the guides, so that
// they say the same.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const REPOSITORY_TEXTS = ['docs/architecture.md', 'docs/glossary.md', 'docs/benchmark.md', 'CHANGELOG.md'];
const GUIDES = 'docs/guides';

/** Texts by their path in the site. */
export function llmsTexts(): Map<string, string> {
  const readme = readFileSync('README.md', 'utf8');
  const api = readFileSync(`${GUIDES}/api.md`, 'utf8').trim();
  const { description } = JSON.parse(readFileSync('package.json', 'utf8')) as { description: string };
  const texts = new Map<string, string>();
  const guides = guideRows().map(([title, path, purpose]) => ({
    path: `guides/${path}`,
    text: linkPages(readFileSync(`${GUIDES}/${path}`, 'utf8')),
    line: `- [${title}](guides/${path}): ${purpose}`,
  }));
  const others = REPOSITORY_TEXTS.map((path) => ({
    path: `guides/${path.split('/').at(-1)!}`,
    text: readFileSync(path, 'utf8'),
  }));
  texts.set(
    'llms.txt',
    [
      '# scene-octree',
      `> ${description}`,
      sectionOf(readme, 'Install'),
      sectionOf(readme, 'What it does'),
      sectionOf(readme, 'Your own objects'),
      api.replace(/^# /, '## ').replaceAll(/\n## /g, '\n### '),
      sectionOf(readme, 'Guarantees'),
      '## Guides',
      guides.map(({ line }) => line).join('\n'),
      '## Optional',
      [
        ...others.map(linkTo),
        '- [All of it](llms-full.txt): the README and the guides in one file',
        '- [API reference](reference/index.html): all names, from their doc comments',
      ].join('\n'),
    ].join('\n\n') + '\n',
  );
  texts.set('llms-full.txt', [linkPages(readme), ...guides.map(({ text }) => text)].join('\n\n'));
  for (const { path, text } of [...guides, ...others]) texts.set(path, text);
  return texts;
}

export function llmsPlugin(): Plugin {
  return {
    name: 'llms',
    apply: ({ build }, { command, isSsrBuild }) =>
      command === 'serve' || (isSsrBuild !== true && build?.lib === undefined),
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const text = llmsTexts().get((request.url ?? '').slice(1));
        if (text === undefined) next();
        else response.setHeader('Content-Type', 'text/plain; charset=utf-8').end(text);
      });
    },
    generateBundle() {
      for (const [fileName, source] of llmsTexts()) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

/** Leads links to examples, which in the repository are their files, to their pages in the site. */
export const linkPages = (text: string): string =>
  text
    .replaceAll('](../../examples/', '](../examples/')
    .replaceAll(/(\]\((?:\.\.\/)?examples\/small\/[\w-]+)\.tsx?\)/g, '$1.html)');

/** The rows of the table of guides: title, file name, and what the guide is for. */
function guideRows(): string[][] {
  return [...readFileSync(`${GUIDES}/README.md`, 'utf8').matchAll(/^\| \[(.+?)\]\(([\w-]+\.md)\) \| (.+) \|$/gm)].map(
    ([, ...row]) => row,
  );
}

/** A section of a document, with its heading, without links to files of the repository. */
function sectionOf(text: string, heading: string): string {
  const section = text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined)
    throw new Error(`llms.txt: README.md has no section "${heading}"; name another one in scripts/llms-plugin.ts`);
  return section.trim();
}

/** A link with the heading of a document and the first sentence below it. */
function linkTo({ path, text }: { path: string; text: string }): string {
  const [, title, body] = /^# (.+)\n+([\s\S]*)$/.exec(text)!;
  const [paragraph] = body.split(/\n\s*\n/);
  const [sentence] = /^.*?[.:!?](?=\s|$)/s.exec(paragraph) ?? [paragraph];
  return `- [${title.replaceAll('`', '')}](${path}): ${sentence.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')}`;
}
