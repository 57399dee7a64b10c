/**
 * What occlusion culling costs, and what it removes, beside plain frustum culling: in a generated city of 400,000
 * buildings, or in the boxes of a file in the format "bodies-v1". All are occluders.
 *
 *     vite build --ssr test/bench/occlusion.ts --outDir node_modules/.cache/bench --logLevel warn
 *     node node_modules/.cache/bench/occlusion.js [PATH/tokyo-buildings] [rounds]
 *
 * Each row has 200 poses at random places. The time of a pose is its least of all rounds, in each of which both queries
 * run one after the other. `on` never switches itself off. `by default` it may: 1,000 frames from each of ten
 * poses, one after the other, standing still, and flying ahead at 12 m/s at 60 frames a second.
 */

import { readFileSync } from 'node:fs';
import { Frustum, Matrix4, PerspectiveCamera, Ray, Vector3 } from 'three';
import {
  collectVisible,
  IndexList,
  nearest,
  Octree,
  setOccluder,
  type VisibleOptions,
  type VisibleStats,
} from '../../src/index.ts';
import { createRandom, type Random } from '../support/random.ts';
import { cityBoxes } from './city.ts';

const path = process.argv.slice(2).find((text) => !/^\d+$/.test(text));
const rounds = Number(process.argv.slice(2).find((text) => /^\d+$/.test(text)) ?? 9);
const COUNT = 400_000;
const POSES = 200;
const STAYS = 10;
const FRAMES = 1000;
/** Metres from frame to frame. */
const STEP = 0.2;

function fileBoxes(file: string): Float64Array {
  const header = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as {
    sections: { name: string; byteOffset: number; byteLength: number }[];
  };
  const { byteOffset, byteLength } = header.sections.find(({ name }) => name === 'bounds')!;
  const bytes = readFileSync(`${file}.bin`);
  const from = bytes.byteOffset + byteOffset;
  const halves = new Float32Array(bytes.buffer.slice(from, from + byteLength));
  return Float64Array.from(halves, (_, k) => {
    const at = k - (k % 6) + (k % 3);
    return halves[at] + (k % 6 < 3 ? -1 : 1) * halves[at + 3];
  });
}

const boxes = path === undefined ? cityBoxes(COUNT) : fileBoxes(path);
const octree = new Octree();
octree.insertMany(boxes, { kind: 'box', isStatic: true });
octree.update();
for (const body of octree) setOccluder(octree, body, true);
const { min, max } = (() => {
  const [low, high] = [new Vector3(Infinity, 0, Infinity), new Vector3(-Infinity, 0, -Infinity)];
  for (let k = 0; k < boxes.length; k += 6) {
    low.min(new Vector3(boxes[k], 0, boxes[k + 2]));
    high.max(new Vector3(boxes[k + 3], 0, boxes[k + 5]));
  }
  return { min: low, max: high };
})();

/** In the inner part of the city, outside buildings; in streets at most `reach` from one, with `free` ahead. */
function posesAt(height: number, pitch: number, reach: number, free: number): PerspectiveCamera[] {
  const random: Random = createRandom(9);
  const cameras: PerspectiveCamera[] = [];
  const middle = new Vector3().addVectors(min, max).multiplyScalar(0.5);
  const radius = 0.33 * Math.min(max.x - min.x, max.z - min.z);
  while (cameras.length < POSES) {
    const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 2000);
    const { position } = camera;
    position.set(middle.x + random.between(-radius, radius), height, middle.z + random.between(-radius, radius));
    camera.rotation.set((pitch * Math.PI) / 180, random.between(0, 2 * Math.PI), 0, 'YXZ');
    camera.updateMatrixWorld();
    const isBeyond = Math.hypot(position.x - middle.x, position.z - middle.z) > radius;
    if (isBeyond || octree.intersectPoint(position).length > 0) continue;
    if (reach < Infinity && nearest(octree, position, 1)[0].distance > reach) continue;
    const ahead = new Vector3(0, 0, -1).applyEuler(camera.rotation).setY(0).normalize();
    if (free > 0 && (octree.firstHit(new Ray(position, ahead))?.distance ?? Infinity) < free) continue;
    cameras.push(camera);
  }
  return cameras;
}

const frustumOf = (camera: PerspectiveCamera): Frustum =>
  new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );

const list = new IndexList();
const stats: VisibleStats = {} as VisibleStats;
/** Milliseconds. */
function time(query: () => number): number {
  const start = performance.now();
  query();
  return performance.now() - start;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const micro = (values: readonly number[]): string => ((1000 * sum(values)) / POSES).toFixed(0);

/** Time in times of the plain cull: in all, and of the poses that are switched off but for trials. */
function byDefault(cameras: readonly PerspectiveCamera[], step: number): string {
  let [plain, visible, plainOff, visibleOff, off] = [0, 0, 0, 0, 0];
  for (const pose of cameras.slice(0, STAYS)) {
    // Whether it is switched off is kept for each camera.
    const camera = pose.clone();
    const before = [plain, visible];
    let paused = 0;
    for (let frame = 0; frame < FRAMES; frame++) {
      camera.translateZ(-step);
      camera.position.y = pose.position.y;
      camera.updateMatrixWorld();
      const frustum = frustumOf(camera);
      plain += time(() => octree.collectFrustum(frustum, list));
      visible += time(() => collectVisible(octree, camera, list, { stats }));
      if (stats.isPaused === true) paused++;
    }
    if (paused < 0.95 * FRAMES) continue;
    off++;
    plainOff += plain - before[0];
    visibleOff += visible - before[1];
  }
  const switchedOff = off === 0 ? '' : ` (${off} of ${STAYS} off: ${(visibleOff / plainOff).toFixed(2)})`;
  return `${(visible / plain).toFixed(2)}${switchedOff}`;
}

function measure(name: string, cameras: PerspectiveCamera[]): void {
  const options: VisibleOptions<unknown> = { minRemoved: 0 };
  const frusta = cameras.map(frustumOf);
  const [plain, visible] = [cameras.map(() => Infinity), cameras.map(() => Infinity)];
  let [inFrustum, left] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    cameras.forEach((camera, k) => {
      plain[k] = Math.min(
        plain[k],
        time(() => octree.collectFrustum(frusta[k], list)),
      );
      if (round === 0) inFrustum += list.length;
      visible[k] = Math.min(
        visible[k],
        time(() => collectVisible(octree, camera, list, options)),
      );
      if (round === 0) left += list.length;
    });
  }
  const standing = byDefault(cameras, 0);
  const flying = byDefault(cameras, STEP);
  console.log(
    `${name}: ${(inFrustum / POSES).toFixed(0)} in the frustum, ${(100 * (1 - left / inFrustum)).toFixed(1)} % removed; ` +
      `plain ${micro(plain)} us, on ${micro(visible)} us, ${(sum(visible) / sum(plain)).toFixed(2)} times; ` +
      `by default ${standing} times standing, ${flying} flying`,
  );
}

measure('street, 2 m', posesAt(2, 0, 8, 0));
measure('100 m free ahead', posesAt(2, 0, 30, 100));
measure('30 m, pitch -10', posesAt(30, -10, Infinity, 0));
measure('150 m, pitch -25', posesAt(150, -25, Infinity, 0));
