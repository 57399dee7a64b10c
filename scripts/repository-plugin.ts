// Vite plugin that writes the address of the repository, which only package.json names, into the pages: %REPOSITORY%.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

export function repositoryPlugin(): Plugin {
  return {
    name: 'repository',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replaceAll('%REPOSITORY%', () => repositoryAddress()),
    },
  };
}

/** The address of the repository for a browser. */
export function repositoryAddress(): string {
  const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as { repository: { url: string } };
  return repository.url.replace(/^git\+|\.git$/g, '');
}
