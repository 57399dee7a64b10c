// Each kind of change alone, of a mesh that is watched, static and reported, or static and not reported: whether a
// picture and a shadow map count as changed, and when.

import { expect, it } from 'vitest';
import { ANY, AT_ONCE, KindScene, kinds, LATE, MODES, NEVER } from '../../support/change-kinds.ts';

/** More frames than the turn of the static meshes takes. */
const FRAMES = 4;

it.each(Object.entries(kinds))('%s', (_, kind) => {
  for (const mode of MODES) {
    const scene = new KindScene(mode, kind);
    expect([mode, scene.frame()]).toEqual([mode, { views: false, shadows: false }]);
    kind.change(scene);
    if (mode === 'reported') scene.group.reportMove(scene.mesh);
    const frames = Array.from({ length: FRAMES }, () => scene.frame());
    const expected = (when: string): string => (mode === 'not reported' && when === AT_ONCE ? kind.unreported : when);
    for (const what of ['views', 'shadows'] as const) {
      const told = frames.map((frame) => frame[what]);
      const when = told[0] ? AT_ONCE : told.includes(true) ? LATE : NEVER;
      const wanted = expected(kind[what]);
      if (wanted === ANY) continue;
      // The turn may begin with this mesh; a report alone may count.
      const isRight = when === wanted || (when === AT_ONCE && wanted === LATE) || mode === 'reported';
      expect([mode, what, isRight ? wanted : when]).toEqual([mode, what, wanted]);
      if (mode === 'reported' && wanted === AT_ONCE) expect([mode, what, when]).toEqual([mode, what, AT_ONCE]);
      const isUnknown = kind.isUnknown === true && wanted !== NEVER;
      expect([mode, what, 'rests', told.at(-1)]).toEqual([mode, what, 'rests', isUnknown]);
    }
  }
});
