// Whatever compares some members in each update, in turn: members that are watched or reported need not wait for their
// turn, and it takes at most 256 updates to come to each of the others.

import { expect, it } from 'vitest';
import { kinds } from '../../support/change-kinds.ts';
import { KNOWN_LATENESS_IN_TURNS } from '../../support/known-lateness.ts';
import { LargeWorld } from '../../support/lateness-in-large-groups.ts';

/** What features read of each member by itself. */
const OF_MEMBERS = [
  'visible',
  'layers',
  'castShadow',
  'renderOrder',
  'count',
  'static',
  'occlusionTest',
  'frustumCulled',
  'intersectsFrustum of its own',
  'onBeforeRender',
  'onAfterShadow',
  'customDepthMaterial',
  'an element of an array of materials',
  'another geometry',
  'another material',
  'vertices written',
  'draw range',
  'a child',
];

it.each(['watched', 'reported'] as const)(
  'among 5,000 children, all changes of one are found at once: %s',
  async (mode) => {
    const world = new LargeWorld(mode, 5000);
    const found = new Set<string>();
    for (const name of OF_MEMBERS) {
      const late = (await world.lateFor(kinds[name])).map((feature) => `${mode}, ${feature}: late`);
      const known = late.filter((lateness) => KNOWN_LATENESS_IN_TURNS[lateness]?.includes(name));
      expect([name, ...late]).toEqual([name, ...known]);
      for (const lateness of known) found.add(lateness);
    }
    // By luck, the turn of a mesh may come at once, but not with all kinds.
    expect(Array.from(found).sort()).toEqual(
      Object.keys(KNOWN_LATENESS_IN_TURNS)
        .filter((lateness) => lateness.startsWith(mode))
        .sort(),
    );
  },
);

it('among 20,000 static children, a change that was not reported is found after 256 updates', async () => {
  const updates = await new LargeWorld('not reported', 20_000).updatesUntilFound(kinds.onBeforeShadow, 0, 256);
  const late = Array.from(updates.keys()).filter((feature) => updates.get(feature)! > 256);
  expect(late.map((feature) => `not reported, ${feature}: after 256 updates`).sort()).toEqual(
    Object.keys(KNOWN_LATENESS_IN_TURNS)
      .filter((each) => each.startsWith('not reported'))
      .sort(),
  );
});
