// The build. That of test/bench shares its file with the memory rows, which need Node.

import type { Stage, TimedScenario } from '../../../test/bench/scenarios/scenario.ts';

export const build: TimedScenario = {
  name: 'build',
  unit: 'ms',
  open({ make, scene }: Stage) {
    let rival = make();
    if (rival.hasNoIndex) return null;
    return {
      per: 1,
      least: 1,
      prepare() {
        rival.dispose?.();
        rival = make();
      },
      call: () => rival.build(scene.boxes, 'still'),
      check: () => null,
      close: () => rival.dispose?.(),
    };
  },
};
