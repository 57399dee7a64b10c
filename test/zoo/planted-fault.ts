/** A fault as an edit of the sources, and the plugin of Vite that plants it in a build or in a run of tests. */
import { relative, resolve } from 'node:path';

export interface PlantedFault {
  /** Short and unique, in kebab-case. */
  readonly name: string;
  /** What a user of a library with this bug sees. */
  readonly story: string;
  /** Where it has happened: repository and issue, or the name of the library. */
  readonly source: string;
  /** Each text must stand in its file exactly once. */
  readonly edits: readonly FaultEdit[];
}

export interface FaultEdit {
  /** Path below `src`. */
  readonly file: string;
  readonly find: string;
  readonly plant: string;
}

/** Makes one edit in a text. Throws unless `find` stands in it exactly once. */
export function plantIn(text: string, { name }: PlantedFault, { file, find, plant }: FaultEdit): string {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(
      `fault ${name}: its text must stand in src/${file} exactly once, but stands there ${parts.length - 1} times; change the entry in test/zoo to the code of today:\n${find}`,
    );
  return parts.join(plant);
}

/** A plugin of Vite that plants a fault. `planted` tells how many of its edits were made so far. */
export function plantedFaultPlugin(fault: PlantedFault): {
  readonly name: string;
  readonly enforce: 'pre';
  readonly planted: Set<FaultEdit>;
  transform(code: string, id: string): string | undefined;
} {
  const planted = new Set<FaultEdit>();
  return {
    name: 'planted-fault',
    enforce: 'pre',
    planted,
    transform(code: string, id: string): string | undefined {
      const file = relative(resolve('src'), id.split('?')[0]).replaceAll('\\', '/');
      const edits = fault.edits.filter((edit) => edit.file === file);
      if (edits.length === 0) return undefined;
      for (const edit of edits) {
        code = plantIn(code, fault, edit);
        planted.add(edit);
      }
      return code;
    },
  };
}

/**
 * Plants faults as switches: each edit, of an expression, happens while `globalThis.isPlanted`, called with the name of
 * its fault, returns true.
 */
export function switchedIn(code: string, id: string, faults: readonly PlantedFault[]): string {
  const file = relative(resolve('src'), id.split('?')[0]).replaceAll('\\', '/');
  for (const fault of faults)
    for (const edit of fault.edits) {
      if (edit.file !== file) continue;
      const plant = `(globalThis.isPlanted('${fault.name}') ? (${edit.plant}) : (${edit.find}))`;
      code = plantIn(code, fault, { ...edit, plant });
    }
  return code;
}
