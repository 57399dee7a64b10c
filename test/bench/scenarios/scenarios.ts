import { build, memoryScenarios } from './build.ts';
import { allPairs, questionScenarios } from './queries.ts';
import type { Scenario } from './scenario.ts';
import { tickScenarios } from './ticks.ts';

export const scenarios: readonly Scenario[] = [build, ...questionScenarios, allPairs, ...tickScenarios, ...memoryScenarios];
