// Takes the files of own bodies from the file field, or dropped on the page.

import type { OwnFiles } from './messages.ts';

const MAX_BYTES = 256e6;

/** @param take Called with the files. @param refuse Called with a sentence if they cannot be used. */
export function acceptFiles(
  field: HTMLInputElement,
  take: (files: OwnFiles) => void,
  refuse: (reason: string) => void,
): void {
  const read = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    const [binary, text] = [true, false].map((isBinary) =>
      files.find(({ name }) => name.toLowerCase().endsWith('.bin') === isBinary),
    );
    if (text === undefined) refuse('Choose the header with the .bin: name.json and name.bin.');
    else if (files.some(({ size }) => size > MAX_BYTES))
      refuse(`The file is larger than ${MAX_BYTES / 1e6} MB: leave out some bodies.`);
    else take({ text, binary: binary ?? null });
  };
  field.addEventListener('change', () => {
    read(field.files);
    // So that the same file can be chosen again.
    field.value = '';
  });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('is-drop-target');
  });
  addEventListener('dragleave', (event) => {
    // Not when the pointer enters an element of the page.
    if (event.relatedTarget === null) document.body.classList.remove('is-drop-target');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('is-drop-target');
    read(event.dataTransfer?.files);
  });
}
