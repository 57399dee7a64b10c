// The examples of the site, and the addresses that pages link: guides, API, repository. package.json has the address of
// the site and of the repository, and no other file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ListedExample {
  /** Its page is examples/<slug>.html. Those of small examples begin with "small/". */
  readonly slug: string;
  /** Where the gallery shows it. */
  readonly group: 'start' | 'see' | 'measure';
  readonly title: string;
  readonly line: string;
  readonly tags: readonly string[];
  /** File of its guide, in docs/guides. */
  readonly guide: string;
  /** Pages of the API reference, without ".html". */
  readonly api: readonly string[];
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const description = readJson('package.json') as { homepage: string; repository: { url: string } };

/** All examples, in the order of the gallery. */
export const listedExamples = (): readonly ListedExample[] => readJson('examples/examples.json') as ListedExample[];

/** The address of the site, with a slash at its end. */
export const siteAddress = description.homepage;

/** The address of the repository for a browser. */
export const repositoryAddress = description.repository.url.replace(/^git\+|\.git$/g, '');

/** The page of a guide in the site, from its root. Typedoc names it after its heading. */
export function guideAddress(guide: string): string {
  return `reference/documents/${titleOf(guide).replaceAll(/[^\w.-]/g, '_')}.html`;
}

/** The first heading of a guide, as text. */
export const titleOf = (guide: string): string =>
  /^# (.+)$/m.exec(readFileSync(join('docs/guides', guide), 'utf8'))![1].replaceAll('`', '');

/** The source file of an example, from the root of the repository. */
export function sourceOf({ slug }: ListedExample): string {
  const folder = slug.startsWith('small/') ? 'examples' : 'examples/src';
  return [`${folder}/${slug}.ts`, `${folder}/${slug}.tsx`].find((path) => existsSync(path))!;
}
