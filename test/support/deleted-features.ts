/**
 * What is left of src without some folders: the lines of the entry points that name them are taken out, with what
 * depends on these lines there. All other files stay as they are.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** The files that list features, each after those that it imports. */
export const ENTRIES = ['core.ts', 'three-math/octree.ts', 'index.ts', 'three.ts', 'tsl.ts', 'debug/index.ts'];

/**
 * The sources, by their path from src on. Without debug-three: it looks into all features, and loses what it says of
 * them.
 */
export const SOURCES: ReadonlyMap<string, string> = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('/assembly/') && !file.startsWith('debug-three/'))
    .sort()
    .map((file) => [file, readFileSync(join('src', file), 'utf8')]),
);

/** A statement of a file, as far as it is read here. */
interface Statement {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly Specifier[];
  readonly declaration?: Declared | null;
}
interface Specifier {
  readonly start: number;
  readonly end: number;
  readonly local: { readonly name: string };
  readonly imported?: { readonly name: string };
  readonly exported?: { readonly name: string };
}
interface Declared {
  readonly id?: { readonly name: string } | null;
  readonly declarations?: readonly { readonly id: { readonly name: string } }[];
}

const statements = new Map(
  [...SOURCES].map(([file, text]) => [file, parseSync(file, text).program.body as unknown as readonly Statement[]]),
);

/** Without some folders, or files. */
export class Remainder {
  /** The sources that are left, by their path from src on. */
  readonly files = new Map<string, string>();
  /** By entry, the names that it exports no longer. */
  readonly lost = new Map<string, Set<string>>();
  private readonly gone: readonly string[];

  /** @param gone Paths from src on; a folder ends with a slash. */
  constructor(gone: readonly string[]) {
    this.gone = gone;
    for (const [file, text] of SOURCES) if (!this.isGone(file)) this.files.set(file, text);
    for (const entry of ENTRIES) this.strip(entry);
  }

  /** The files, but for the entries, that import from what is gone, or a name that an entry has lost. */
  get dependents(): string[] {
    const depends = (file: string, text: string): boolean =>
      statements.get(file)!.some(({ source, specifiers = [] }) => {
        const target = targetOf(file, source?.value);
        return this.isGone(target) || specifiers.some((one) => this.lost.get(target)?.has(importedName(one)) === true);
      }) || [...text.matchAll(/\bimport\(\s*'([^']+)'/g)].some(([, from]) => this.isGone(targetOf(file, from)));
    return [...this.files]
      .filter(([file, text]) => !ENTRIES.includes(file) && depends(file, text))
      .map(([file]) => file);
  }

  isGone(file: string): boolean {
    return this.gone.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path));
  }

  private strip(entry: string): void {
    const source = this.files.get(entry);
    if (source === undefined) return;
    const lost = new Set<string>();
    /** Names that are declared or imported in the entry, and are no longer. */
    const missing = new Set<string>();
    let text = source;
    let exports = 0;
    /** What replaces parts of the text, the last one first. */
    const cuts: [start: number, end: number, text: string][] = [];
    for (const statement of statements.get(entry)!) {
      const target = targetOf(entry, statement.source?.value);
      const specifiers = statement.specifiers ?? [];
      const without = this.lost.get(target);
      const cut = (one: Specifier): boolean => this.isGone(target) || without?.has(importedName(one)) === true;
      const kept = specifiers.filter((one) => !cut(one));
      for (const one of specifiers.filter(cut)) {
        lost.add(one.exported?.name ?? one.local.name);
        missing.add(one.local.name);
      }
      const own = source.slice(statement.start, statement.end);
      const isCut = specifiers.length > 0 ? kept.length === 0 : [...missing].some((name) => names(own, name));
      if (isCut) {
        cuts.unshift([statement.start, statement.end, '']);
        for (const name of declaredNames(statement)) lost.add(name);
      } else {
        if (statement.type.startsWith('Export')) exports++;
        if (kept.length === specifiers.length) continue;
        const list = kept.map(({ start, end }) => source.slice(start, end)).join(', ');
        cuts.unshift([statement.start, statement.end, own.replace(/\{[^}]*\}/, `{ ${list} }`)]);
      }
    }
    for (const [start, end, replaced] of cuts) text = text.slice(0, start) + replaced + text.slice(end);
    this.lost.set(entry, lost);
    if (exports > 0) this.files.set(entry, text);
    else this.files.delete(entry);
  }
}

/** The files that others import, by their path from src on. */
export function importsOf(files: ReadonlyMap<string, string>): Set<string> {
  const froms = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:from |import\(\s*|import )'(\.[^']+)'/g)].map(([, from]) => targetOf(file, from)),
  );
  return new Set(froms);
}

/** Whether a text has a name, as a word. */
export const names = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

/** The path from src on that a file imports from; '' if that is no source. */
function targetOf(file: string, from: string | undefined): string {
  return from?.startsWith('.') === true ? normalize(join(dirname(file), from)).replaceAll('\\', '/') : '';
}

function importedName({ imported, local }: Specifier): string {
  return imported?.name ?? local.name;
}

function declaredNames({ declaration }: Statement): string[] {
  if (!declaration) return [];
  return [declaration.id?.name, ...(declaration.declarations ?? []).map(({ id }) => id.name)].filter(
    (name) => name !== undefined,
  );
}
