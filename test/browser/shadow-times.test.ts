// Shadow draws and CPU time of a frame with ShadowUpdates, compared with the same town whose maps are always drawn:
// 10,000 meshes, and a light with shadows over each corner. Nothing moves, or 1 % in one corner, or everything.

import { BoxGeometry, Mesh, MeshLambertMaterial, PerspectiveCamera, Scene, SpotLight } from 'three';
import { expect, it } from 'vitest';
import { OctreeGroup, ShadowUpdates } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { meanOfFastest, useTimedRenderer } from '../support/timed-renderer.ts';
import { byMajority } from '../support/by-majority.ts';

const COUNT = 10_000;
const EDGE = 400;
/** Frames of which each contestant's faster half counts, because other processes disturb the rest. They alternate. */
const ROUNDS = 40;
const WARM_UP = 20;
const { renderer, waitForDrawing } = useTimedRenderer();
const camera = new PerspectiveCamera(50, 1, 0.1, 120);
camera.position.set(0, 30, 0);
camera.lookAt(40, 0, 0);

interface Town {
  readonly scene: Scene;
  readonly lights: readonly SpotLight[];
  /** In the order of their distance from the first corner. */
  readonly meshes: readonly Mesh[];
  readonly group: OctreeGroup;
}

const fromCorner = ({ position: { x, z } }: Mesh): number => Math.max(x, z);

function createTown(): Town {
  const random = createRandom(1);
  const scene = new Scene();
  const group = new OctreeGroup();
  const geometries = Array.from({ length: 12 }, (_, k) => new BoxGeometry(1, 2 + k, 1));
  const materials = Array.from({ length: 8 }, () => new MeshLambertMaterial());
  const meshes = Array.from({ length: COUNT }, (_, k) => {
    const mesh = new Mesh(geometries[k % 12], materials[k % 8]);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.position.set(random.between(-EDGE / 2, EDGE / 2), 0, random.between(-EDGE / 2, EDGE / 2));
    return mesh;
  });
  for (const mesh of meshes) group.add(mesh);
  meshes.sort((a, b) => fromCorner(a) - fromCorner(b));
  const lights = [-1, 1].flatMap((x) =>
    [-1, 1].map((z) => {
      const light = new SpotLight(0xffffff, 1000, 200, 0.6);
      light.position.set((x * EDGE) / 3.5, 80, (z * EDGE) / 3.5);
      light.target.position.set(light.position.x, 0, light.position.z);
      light.castShadow = true;
      light.shadow.mapSize.set(64, 64);
      scene.add(light, light.target);
      return light;
    }),
  );
  scene.add(group);
  return { scene, lights, meshes, group };
}

/** Milliseconds of `renderer.render` in each town: the mean of the faster half. */
function timesOf(towns: readonly Town[], change: (town: Town, round: number) => void): number[] {
  const times = towns.map((): number[] => []);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const k of round % 2 === 0 ? [0, 1] : [1, 0]) {
      change(towns[k], round);
      const start = performance.now();
      renderer.render(towns[k].scene, camera);
      const time = performance.now() - start;
      if (round >= 0) times[k].push(time);
      waitForDrawing();
    }
  }
  return times.map((each) => meanOfFastest(each, ROUNDS / 2));
}

const report = (what: string, [withUpdates, without]: number[]): number => {
  const ratio = withUpdates / without;
  console.log(`${what}: ${withUpdates.toFixed(2)} ms in place of ${without.toFixed(2)}: ${ratio.toFixed(2)}`);
  return ratio;
};

const step = ({ meshes }: Town, count: number, round: number): void => {
  for (let k = 0; k < count; k++) meshes[k].position.y = (round % 7) / 10;
};

it(
  'draws no shadow map of a town at rest, one of four if 1 % move in a corner, and takes as long as without it if all move',
  byMajority(() => {
    const towns = [createTown(), createTown()];
    const [town] = towns;
    const shadows = new ShadowUpdates(town.scene, renderer, [town.group]);
    const draws = (each: Town): number => {
      renderer.info.reset();
      renderer.render(each.scene, camera);
      return renderer.info.render.calls;
    };
    /** Draws of shadow maps, with and without updates. */
    const shadowDraws = (): number[] => {
      const all = towns.map(draws);
      for (const { scene } of towns) scene.traverse((object) => 'isLight' in object && (object.castShadow = false));
      const main = towns.map(draws);
      for (const { lights } of towns) for (const light of lights) light.castShadow = true;
      return all.map((count, k) => count - main[k]);
    };
    for (let k = 0; k < 3; k++) for (const each of towns) draws(each);
    const [none, all] = shadowDraws();
    expect(none).toBe(0);
    expect(all).toBeGreaterThan(400);
    for (let k = 0; k < 3; k++) for (const each of towns) draws(each);
    expect(
      report(
        'still',
        timesOf(towns, () => {}),
      ),
    ).toBeLessThan(0.8);
    expect(shadows.due).toEqual([]);

    const corner = timesOf(towns, (each, round) => step(each, COUNT / 100, round));
    expect(shadows.due).toEqual([town.lights[0]]);
    expect(report('1 % move', corner)).toBeLessThan(0.95);
    // Measured: 1.00 to 1.04; the rest is allowance for busy machines.
    const moving = timesOf(towns, (each, round) => step(each, COUNT, round));
    expect(shadows.due.length).toBe(4);
    expect(report('all move', moving)).toBeLessThan(1.15);
  }),
);
