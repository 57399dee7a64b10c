/**
 * A generated city with streets, seen by a camera: what is in the frustum, and what is left of it where houses are
 * occluders. The city has as many bodies as the scene of the benchmark.
 */

import { Frustum, Matrix4, PerspectiveCamera } from 'three';
import { createRandom, type Random } from '../../support/random.ts';
import type { Rival } from '../rivals/rival.ts';
import type { TimedScenario } from './scenario.ts';

const VIEWS = 20;
/** Metres: a block with the street beside it, and the street. */
const BLOCK = [94, 54] as const;
const STREET = 14;
/** Houses of a block: two rows of six. */
const HOUSES = 12;
/** Metres: the far distance of the cameras. */
const FAR = 2000;

interface StreetView {
  readonly camera: PerspectiveCamera;
  readonly frustum: Frustum;
  readonly matrix: Matrix4;
}

/** Houses wall to wall along both sides of each block, six numbers each. */
function makeCity(count: number): Float64Array {
  const random = createRandom(8);
  const boxes = new Float64Array(count * 6);
  const columns = Math.ceil(Math.sqrt(count / HOUSES));
  const width = (BLOCK[0] - STREET) / (HOUSES / 2);
  const depth = (BLOCK[1] - STREET) / 2;
  for (let k = 0; k < count; k++) {
    const block = Math.floor(k / HOUSES);
    const house = k % HOUSES;
    const x = (block % columns) * BLOCK[0] + (house >> 1) * width;
    const z = Math.floor(block / columns) * BLOCK[1] + (house & 1) * depth;
    const box = [x, 0, z, x + width, random.between(6, 25), z + depth];
    boxes.set(box.map(Math.fround), k * 6);
  }
  return boxes;
}

/** In the middle of streets and crossings, at the height of eyes or above the roofs. */
function makeViews(count: number, height: number, pitch: number): StreetView[] {
  const random: Random = createRandom(9);
  const columns = Math.ceil(Math.sqrt(count / HOUSES));
  const rows = Math.floor(count / HOUSES / columns);
  return Array.from({ length: VIEWS }, () => {
    const camera = new PerspectiveCamera(60, 16 / 9, 0.1, FAR);
    const x = random.below(columns) * BLOCK[0] - STREET / 2;
    camera.position.set(x, height, random.below(rows) * BLOCK[1] + random.between(0, BLOCK[1]));
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
      const city = makeCity(scene.boxes.length / 6);
      const views = makeViews(city.length / 6, height, pitch);
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
