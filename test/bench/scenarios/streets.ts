/**
 * A generated city with streets, seen by a camera: what is in the frustum, and what is left of it where houses are
 * occluders. The city has as many bodies as the scene of the benchmark.
 */

import { Frustum, Matrix4, PerspectiveCamera } from 'three';
import { createRandom, type Random } from '../../support/random.ts';
import { cityBoxes } from '../city.ts';
import type { Rival } from '../rivals/rival.ts';
import type { TimedScenario } from './scenario.ts';

const VIEWS = 20;
/** Metres: the far distance of the cameras. */
const FAR = 2000;

interface StreetView {
  readonly camera: PerspectiveCamera;
  readonly frustum: Frustum;
  readonly matrix: Matrix4;
}

/** At the height of eyes or above the roofs, outside buildings, in the inner part of the city; in any direction. */
function makeViews(city: Float64Array, height: number, pitch: number): StreetView[] {
  const random: Random = createRandom(9);
  // The last rows of blocks end where the buildings do.
  const [width, depth] = [3, 5].map((side) =>
    city.reduce((most, value, k) => (k % 6 === side ? Math.max(most, value) : most), 0),
  );
  const isInside = (x: number, z: number): boolean => {
    for (let k = 0; k < city.length; k += 6)
      if (x >= city[k] && x <= city[k + 3] && z >= city[k + 2] && z <= city[k + 5] && height <= city[k + 4])
        return true;
    return false;
  };
  return Array.from({ length: VIEWS }, () => {
    const camera = new PerspectiveCamera(60, 16 / 9, 0.1, FAR);
    let [x, z] = [0, 0];
    do [x, z] = [random.between(0.2, 0.8) * width, random.between(0.2, 0.8) * depth];
    while (isInside(x, z));
    camera.position.set(x, height, z);
    camera.rotation.set(pitch, random.between(0, 2 * Math.PI), 0, 'YXZ');
    camera.updateMatrixWorld();
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return { camera, frustum: new Frustum().setFromProjectionMatrix(matrix), matrix };
  });
}

function streetScenario(
  name: string,
  height: number,
  pitch: number,
  bind: (rival: Rival) => ((view: StreetView) => number) | null,
): TimedScenario {
  return {
    name,
    unit: 'ms',
    open({ make, scene }) {
      const rival = make();
      const query = bind(rival);
      if (query === null || rival.hasNoIndex) return null;
      const city = cityBoxes(scene.boxes.length / 6);
      const views = makeViews(city, height, pitch);
      rival.prepare?.(city);
      rival.build(city, 'static');
      return {
        operationsPerCall: VIEWS,
        minCalls: 1,
        call() {
          for (const view of views) query(view);
        },
        check() {
          let wrong = 0;
          for (const view of views) {
            const count = query(view);
            const found = Array.from({ length: count }, (_, k) => rival.bodyAt(k));
            const inFrustum = rival.cull!(view);
            const all = new Set(Array.from({ length: inFrustum }, (_, k) => rival.bodyAt(k)));
            wrong += Number(count === 0 ? inFrustum > 0 : !found.every((body) => all.has(body)));
          }
          return { wrong, checked: VIEWS };
        },
        close: () => rival.dispose?.(),
      };
    },
  };
}

const cull = (rival: Rival) => (rival.cull ? (view: StreetView) => rival.cull!(view) : null);
const visible = (rival: Rival) => (rival.visible ? (view: StreetView) => rival.visible!(view.camera) : null);

export const streetScenarios: readonly TimedScenario[] = [
  streetScenario('street, in the frustum', 1.7, 0, cull),
  streetScenario('street, not hidden', 1.7, 0, visible),
  streetScenario('above roofs, in the frustum', 30, -0.17, cull),
  streetScenario('above roofs, not hidden', 30, -0.17, visible),
];
