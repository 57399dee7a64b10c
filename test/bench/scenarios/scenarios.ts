/**
 * All scenarios, in the order in which they run and are printed. Their names are keys of stored runs and never change.
 */

import { build, memoryScenarios } from './build.ts';
import { allPairs, queriesWithoutPeer, queryScenarios } from './queries.ts';
import type { Scenario } from './scenario.ts';
import { streetScenarios } from './streets.ts';
import { tickScenarios } from './ticks.ts';

export const scenarios: readonly Scenario[] = [
  build,
  ...queryScenarios,
  ...queriesWithoutPeer,
  allPairs,
  ...streetScenarios,
  ...tickScenarios,
  ...memoryScenarios,
];
