// The build scenario. The page cannot use the one in test/bench, because its file also has the memory scenarios, which
// need Node.

import type { ScenarioContext, TimedScenario } from '../../../test/bench/scenarios/scenario.ts';

export const build: TimedScenario = {
  name: 'build',
  unit: 'ms',
  open({ make, scene }: ScenarioContext) {
    let rival = make();
    if (rival.hasNoIndex) return null;
    return {
      operationsPerCall: 1,
      minCalls: 1,
      prepare() {
        rival.dispose?.();
        rival = make();
      },
      call: () => rival.build(scene.boxes, 'static'),
      check: () => null,
      close: () => rival.dispose?.(),
    };
  },
};
