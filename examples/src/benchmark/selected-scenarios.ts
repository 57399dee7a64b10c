// The scenarios of the page: the most significant ones of the full benchmark.

import { allPairs, queryScenarios } from '../../../test/bench/scenarios/queries.ts';
import type { TimedScenario } from '../../../test/bench/scenarios/scenario.ts';
import { tickScenarios } from '../../../test/bench/scenarios/ticks.ts';
import { build } from './build-scenario.ts';

export const selectedScenarios: readonly TimedScenario[] = [
  ...queryScenarios,
  ...tickScenarios.filter(({ name }) => name.endsWith('% move, one cull')),
  allPairs,
  build,
];
