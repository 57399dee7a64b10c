// The files that a visitor has dropped or chosen, by their paths: which of them is the scene, and where the files are
// that it names.

import { SceneError } from '../shared/scene-error.ts';

export type FileSet = ReadonlyMap<string, File>;

/** The file of a set that holds the scene. */
export interface SceneFile {
  readonly kind: 'gltf' | 'bodies';
  readonly path: string;
  readonly file: File;
}

const GLTF = new Set(['glb', 'gltf']);
const BODIES = new Set(['json', 'csv', 'txt']);
const REMEDY = 'Drop a .glb, a folder with a .gltf, or a bodies file (.json with its .bin, or .csv).';

/**
 * The scene of a set: a glTF file, or else a bodies file. Only the files nearest to the top count, because folders
 * below may hold further models.
 *
 * @throws {SceneError} If there is none, or if there are several.
 */
export function findScene(files: FileSet): SceneFile {
  if (files.size === 0) throw new SceneError(`There is no file in it. ${REMEDY}`);
  const all = [...files].map(([path, file]) => ({ path, file, extension: extensionOf(path) }));
  for (const [kind, extensions] of [
    ['gltf', GLTF],
    ['bodies', BODIES],
  ] as const) {
    const scenes = all.filter(({ path, extension }) => extensions.has(extension) && !nameOf(path).startsWith('.'));
    const depth = Math.min(...scenes.map(({ path }) => path.split('/').length));
    const roots = scenes.filter(({ path }) => path.split('/').length === depth);
    if (roots.length > 1)
      throw new SceneError(
        `There are ${roots.length} scenes: ${listOf(roots.map(({ path }) => nameOf(path)))}. Drop one of them, with the files that it needs.`,
      );
    if (roots.length === 1) return { kind, path: roots[0].path, file: roots[0].file };
  }
  const [first] = all;
  throw new SceneError(
    `${files.size === 1 ? `${nameOf(first.path)} is not a scene` : `None of the ${files.size} files is a scene`} that this page can read. ${REMEDY}`,
  );
}

/**
 * The file that a scene names by a relative address, or undefined. Case does not count. A file elsewhere in the set is
 * taken if no other has its name.
 */
export function findFile(files: FileSet, scenePath: string, address: string): File | undefined {
  const wanted = resolvePath(scenePath, decode(address)).toLowerCase();
  const sameName: File[] = [];
  for (const [path, file] of files) {
    if (path.toLowerCase() === wanted) return file;
    if (nameOf(path).toLowerCase() === nameOf(wanted)) sameName.push(file);
  }
  return sameName.length === 1 ? sameName[0] : undefined;
}

/** The files of an `<input>`. */
export function filesOf(list: Iterable<File>): FileSet {
  return new Map([...list].map((file) => [file.webkitRelativePath || file.name, file]));
}

/** The files of a drop, also in folders. Call it before the event ends, because the list is empty afterwards. */
export async function droppedFiles(items: DataTransferItemList): Promise<FileSet> {
  const files = new Map<string, File>();
  const entries: FileSystemEntry[] = [];
  for (const item of items) {
    const entry = item.webkitGetAsEntry();
    const file = entry === null ? item.getAsFile() : null;
    if (entry) entries.push(entry);
    if (file) files.set(file.name, file);
  }
  for (const entry of entries) await addEntry(entry, files);
  return files;
}

async function addEntry(entry: FileSystemEntry, files: Map<string, File>): Promise<void> {
  if (isFile(entry)) {
    files.set(
      entry.fullPath.replace(/^\//, ''),
      await new Promise<File>((resolve, reject) => entry.file(resolve, reject)),
    );
  } else if (isDirectory(entry)) {
    const reader = entry.createReader();
    // A reader returns at most 100 entries at a time.
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const each of some) await addEntry(each, files);
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1].toLowerCase() ?? '';
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The first names of a list, for a message. */
export function listOf(names: readonly string[]): string {
  const MAX = 4;
  return names.length <= MAX ? names.join(', ') : `${names.slice(0, MAX).join(', ')} and ${names.length - MAX} more`;
}

function resolvePath(from: string, address: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of address.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
