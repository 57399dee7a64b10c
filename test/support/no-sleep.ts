/** Set-up of tests: groups do not sleep, however small they are. Those of `sleeping-groups.test.ts` do. */

import { SLEEP } from '../../src/three/group/sleeping-children.ts';

SLEEP.maxObjects = 0;
