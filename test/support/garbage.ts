/** Garbage collection on demand, for tests of what is held. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects all that nothing holds. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // The task that has created a WeakRef, or read it, holds its target.
  await new Promise((resolve) => setTimeout(resolve));
  // The first may end a collection that began earlier, which leaves what was let go meanwhile.
  collect();
  collect();
  // What is collected is told in a task of its own.
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Number of objects that something still holds. Collects again, up to ten times, while there are any: among other tests
 * V8 may hold what compiled code has seen a little longer.
 */
export async function countHeld(references: readonly WeakRef<object>[]): Promise<number> {
  let held = references.length;
  for (let round = 0; round < 10 && held > 0; round++) {
    await collectGarbage();
    held = references.filter((each) => each.deref() !== undefined).length;
  }
  return held;
}
