// Takes the files of own bodies from the file field, or dropped on the page.

import type { BodiesFile } from './messages.ts';

const MAX_BYTES = 512e6;

/** @param take Called with the two files. @param refuse Called with a sentence if they are not what they should be. */
export function acceptFiles(field: HTMLInputElement, take: (file: BodiesFile) => void, refuse: (reason: string) => void): void {
  const read = async (files: Iterable<File> | null): Promise<void> => {
    try {
      take(await readPair([...(files ?? [])]));
    } catch (error) {
      refuse(error instanceof Error ? error.message : String(error));
    }
  };
  field.addEventListener('change', () => void read(field.files));
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
    void read(event.dataTransfer?.files ?? null);
  });
}

/** @throws {Error} With a sentence for the user. */
export async function readPair(files: readonly File[]): Promise<BodiesFile> {
  const [json, bin] = ['.json', '.bin'].map((ending) => files.find(({ name }) => name.endsWith(ending)));
  if (json === undefined || bin === undefined) throw new Error('Choose both files of a scene together: name.json and name.bin.');
  if (json.size + bin.size > MAX_BYTES) throw new Error(`The files are larger than ${MAX_BYTES / 1e6} MB: leave out some bodies.`);
  return { name: json.name.replace(/\.json$/, ''), header: await json.text(), bytes: await bin.arrayBuffer() };
}
