// Memory is missing for the n-th allocation of a call of scene-octree/three, save, tiles or debug-three, for every n
// (in `npm test` for each third). After that the state is that before or after the call, a retry works, and passes and
// rays equal those of a twin without the error.

import { expect, it, vi } from 'vitest';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { callsOf, ENTRIES, entryCall } from '../support/entry-calls.ts';
import { sampleOf } from '../support/sampled.ts';
import { THREE_CALLS, threeCall, type ThreeCall } from '../support/three-calls.ts';

const make = ({ arguments: values, call }: ThreeCall): unknown => call(...(values as never[]));

/** How far a call has got, and what is drawn and hit from then on. */
const seen = ({ state, picture }: ThreeCall): string => `${state()}\n${picture()}\n${picture()}`;

/** What is refused whatever the value is: the tests of wrong arguments cover them. */
const REFUSED = ['OctreeInstances.instanceMatrix=', 'OctreeInstances.instanceColor='];
/** Files, and comparisons of pictures: they go on in other tasks, and keep nothing. */
const ASYNCHRONOUS = ['writeTiles', 'verify'];
const CALLS: readonly { readonly title: string; readonly create: () => ThreeCall }[] = [
  ...THREE_CALLS.filter((name) => !REFUSED.includes(name)).map((name) => ({
    title: name,
    create: () => threeCall(name)!,
  })),
  ...ENTRIES.flatMap((entry) =>
    callsOf(entry)
      .filter((name) => !ASYNCHRONOUS.includes(name))
      .map((name) => ({ title: `${entry.split('/')[1]}: ${name}`, create: () => entryCall(entry, name)! })),
  ),
];

it.each(CALLS.map((call, row) => ({ ...call, row })))('$title, without memory in between', ({ create, row }) => {
  // A pass without bounds draws all, and says so.
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const before = create().state();
  // The first call allocates what all share.
  make(create());
  const twin = create();
  const { allocations } = withFault(0, () => make(twin));
  const after = twin.state();
  const expected = seen(twin);
  for (const n of sampleOf(allocations, 6, row)) {
    const own = create();
    const { error } = withFault(n, () => make(own));
    const when = `allocation ${n} of ${allocations}`;
    expect(error === undefined || error instanceof MemoryFault, `${when}: ${String(error)}`).toBe(true);
    expect([before, after], when).toContain(own.state());
    if (error !== undefined && own.state() === before) make(own);
    expect(seen(own), when).toBe(expected);
  }
  warn.mockRestore();
});
