import { beforeAll, describe, expect, it } from 'vitest';
import { compareWithRays } from '../support/occlusion-cities.ts';
import { ASKED, SEED } from '../support/history-profile.ts';
import { createRandom } from '../support/random.ts';
import { CAMERA_KINDS } from '../support/occlusion-truth.ts';
import { IS_LONG } from '../support/sampled.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

/** `npm run test:long` runs more of them. */
const CITIES = IS_LONG || ASKED ? 200 : 8;
const POSES = 10;

describe('collectVisible, any city and any camera', () => {
  it(`never leaves out what a ray sees, from ${CITIES * POSES} poses`, { timeout: 1_800_000 }, () => {
    const random = createRandom(2026 + SEED);
    let removed = 0;
    for (let k = 0; k < CITIES; k++) {
      const kind = random.pick(CAMERA_KINDS);
      const origin = random.pick([1, 1, 1e5, 1e7, -1e9]);
      const found = compareWithRays(
        1000 + SEED + k,
        1,
        POSES,
        {
          exact: random.next() < 0.3,
          minOccluderArea: random.pick([0, 0.0005]),
          ...random.pick([{}, {}, { bufferWidth: 24 }, { bufferWidth: 128 }]),
        },
        {
          origin: [origin, -origin / 7, origin / 3].map(Math.round),
          turned: random.pick([0, 0.3, 1]),
          octree: { simdFrom: random.pick([0, Infinity]) },
          prepare(camera) {
            kind(camera);
            camera.updateProjectionMatrix();
          },
        },
      );
      expect(`city ${k}: ${found.wrong} wrong`).toBe(`city ${k}: 0 wrong`);
      removed += found.removed;
    }
    expect(removed).toBeGreaterThan(CITIES * POSES * 30);
  });
});
