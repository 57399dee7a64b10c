// The page of a small example: copies its source, and opens it as a project in StackBlitz.

import { element, find } from './shared/elements.ts';
import { copyText } from './shared/copy-text.ts';
import { showToast } from './shared/toast.ts';
import { postProject } from './small/post-project.ts';
import { projectOf } from './small/project.ts';

const code = find('pre code', HTMLElement);

element('copy').addEventListener('click', () => {
  void copyText(code, 'The source').then((problem) => showToast(problem ?? 'Copied.'));
});

element('stackblitz').addEventListener('click', () => {
  void openProject().catch(() => showToast('The library could not be loaded. Try again.'));
});

async function openProject(): Promise<void> {
  const library = (await (await fetch('library.json')).json()) as Record<string, string>;
  const title = find('h1', HTMLElement).innerText;
  const file = find('.file', HTMLElement).innerText;
  postProject(`scene-octree: ${title}`, `src/${file}`, projectOf(title, file, `${code.innerText}\n`, library));
}
