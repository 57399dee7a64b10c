// How files come into the page: by a drop anywhere, or by the buttons for files and for a folder.

import { droppedFiles, type FileSet, filesOf } from './dropped-files.ts';

/** @param open Called with the files. @param fail Called if a dropped folder could not be read. */
export function listenForFiles(open: (files: FileSet) => void, fail: (error: unknown) => void): void {
  const overlay = document.querySelector<HTMLElement>('#drop')!;
  let inside = 0;
  const show = (change: number): void => {
    inside = Math.max(0, inside + change);
    overlay.hidden = inside === 0;
  };
  addEventListener('dragenter', (event) => {
    if (hasFiles(event)) show(1);
  });
  addEventListener('dragleave', (event) => {
    if (hasFiles(event)) show(-1);
  });
  // Without this, the browser would open the file in place of the page.
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    show(-inside);
    if (event.dataTransfer && hasFiles(event)) droppedFiles(event.dataTransfer.items).then(open, fail);
  });
  for (const id of ['files', 'folder']) {
    const input = document.querySelector<HTMLInputElement>(`#${id}`)!;
    const button = document.querySelector<HTMLButtonElement>(`#open-${id}`)!;
    button.addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      if (input.files && input.files.length > 0) open(filesOf(input.files));
      // So that the same file can be chosen again.
      input.value = '';
    });
  }
  document.querySelector<HTMLElement>('#open-folder')!.hidden = !('webkitdirectory' in HTMLInputElement.prototype);
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
