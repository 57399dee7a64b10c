/**
 * What solid boxes find in a real town: reads meshes in the format "bodies-v1" from a path, finds boxes in all of them,
 * and compares what they hide with a picture of all triangles.
 *
 *     vite build --ssr test/bench/solid-boxes.ts --outDir node_modules/.cache/bench --logLevel warn
 *     node node_modules/.cache/bench/solid-boxes.js PATH/rotterdam-meshes [poses] [maxBoxes] [resolution]
 *
 * `found` is the share of the meshes in the frustum without a visible pixel that the boxes hide, `wrong` the number of
 * meshes with a visible pixel that they hide. `bound` is what the true depths would find in the same small buffer: no
 * occluders can find more. On streets the eye is at most 20 m from a house.
 */

import { readFileSync } from 'node:fs';
import { Frustum, Matrix4, PerspectiveCamera, Box3, Vector3 } from 'three';
import { solidBoxes, type SolidBox } from '../../src/core.ts';

const [, , path, poses = '60', maxBoxes = '2', resolution = '16'] = process.argv;
const WIDTH = 1920;
const HEIGHT = 1080;
/** Cells of the small depth buffer. */
const COLUMNS = 512;
const ROWS = 288;
/** Least part of the screen of the rectangle of an occluder. */
const MIN_AREA = 0.0001;

const header = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as {
  sections: { name: string; byteOffset: number; byteLength: number }[];
};
const { buffer } = new Uint8Array(readFileSync(`${path}.bin`));
const section = <T>(name: string, of: new (buffer: ArrayBuffer, at: number, length: number) => T): T => {
  const { byteOffset, byteLength } = header.sections.find((one) => one.name === name)!;
  return new of(buffer, byteOffset, byteLength / 4);
};
const ranges = section('range', Uint32Array);
const positions = section('positions', Float32Array);

interface House {
  readonly positions: Float32Array;
  readonly bounds: Box3;
  boxes: SolidBox[];
}

const houses = Array.from({ length: ranges.length / 2 }, (_, k): House => {
  const own = positions.subarray(3 * ranges[2 * k], 3 * (ranges[2 * k] + ranges[2 * k + 1]));
  return { positions: own, bounds: new Box3().setFromArray(own), boxes: [] };
});
const options = { maxBoxes: Number(maxBoxes), resolution: Number(resolution) };

const times: number[] = [];
for (let round = 0; round < 3; round++) {
  for (const [k, house] of houses.entries()) {
    const start = performance.now();
    house.boxes = solidBoxes({ positions: house.positions }, options);
    const time = performance.now() - start;
    times[k] = Math.min(times[k] ?? Infinity, time);
  }
}
const sorted = [...times].sort((a, b) => a - b);
const quantile = (part: number): string => sorted[Math.floor(part * (sorted.length - 1))].toFixed(3);
const counts = [0, 0, 0, 0, 0, 0, 0, 0, 0];
for (const { boxes } of houses) counts[boxes.length]++;
console.log(`${houses.length} meshes, boxes per mesh: ${counts.join(' ')}`);
console.log(
  `ms a mesh: median ${quantile(0.5)}, 99 % ${quantile(0.99)}, largest ${quantile(1)}; all ${sorted.reduce((a, b) => a + b, 0).toFixed(0)} ms`,
);

/** mulberry32 */
function randomFrom(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Depths (1 / w) and houses of the picture of all triangles. */
const nearest = new Float64Array(WIDTH * HEIGHT);
const owners = new Int32Array(WIDTH * HEIGHT);

function drawHouse(id: number, product: ArrayLike<number>, near: number): void {
  const own = houses[id].positions;
  const clip: number[][] = [];
  for (let at = 0; at < own.length; at += 9) {
    clip.length = 0;
    for (let corner = 0; corner < 9; corner += 3) {
      const [x, y, z] = [own[at + corner], own[at + corner + 1], own[at + corner + 2]];
      clip.push(
        [0, 1, 3].map((row) => product[row] * x + product[row + 4] * y + product[row + 8] * z + product[row + 12]),
      );
    }
    const kept: number[][] = [];
    for (let k = 0; k < 3; k++) {
      const [a, b] = [clip[k], clip[(k + 1) % 3]];
      if (a[2] >= near) kept.push(a);
      if (a[2] >= near !== b[2] >= near) {
        const part = (near - a[2]) / (b[2] - a[2]);
        kept.push(a.map((value, axis) => value + part * (b[axis] - value)));
      }
    }
    const screen = kept.map(([x, y, w]) => [((x / w + 1) * WIDTH) / 2, ((y / w + 1) * HEIGHT) / 2, 1 / w]);
    for (let k = 2; k < screen.length; k++) drawTriangle(id, screen[0], screen[k - 1], screen[k]);
  }
}

function drawTriangle(id: number, a: number[], b: number[], c: number[]): void {
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  // Back faces are not drawn.
  if (!(area > 0)) return;
  const x0 = Math.max(0, Math.floor(Math.min(a[0], b[0], c[0])));
  const x1 = Math.min(WIDTH - 1, Math.ceil(Math.max(a[0], b[0], c[0])));
  const y0 = Math.max(0, Math.floor(Math.min(a[1], b[1], c[1])));
  const y1 = Math.min(HEIGHT - 1, Math.ceil(Math.max(a[1], b[1], c[1])));
  for (let y = y0; y <= y1; y++) {
    const py = y + 0.5;
    let [first, last] = [x0 + 0.5, x1 + 0.5];
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      // (q - p) x (point - p) >= 0
      const slope = p[1] - q[1];
      const base = (q[0] - p[0]) * (py - p[1]) + (q[1] - p[1]) * p[0];
      if (slope > 0) first = Math.max(first, -base / slope);
      else if (slope < 0) last = Math.min(last, -base / slope);
      else if (base < 0) last = -1;
    }
    const from = Math.ceil(first - 0.5);
    const to = Math.floor(last - 0.5);
    if (from > to) continue;
    const gradX = ((b[2] - a[2]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[2] - a[2])) / area;
    const gradY = ((b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0])) / area;
    let depth = a[2] + gradX * (from + 0.5 - a[0]) + gradY * (py - a[1]);
    for (let x = from, at = y * WIDTH + from; x <= to; x++, at++, depth += gradX) {
      if (depth > nearest[at]) {
        nearest[at] = depth;
        owners[at] = id;
      }
    }
  }
}

/** The small depth buffer: 1 / w by cell. */
const cells = new Float64Array(COLUMNS * ROWS);

/** Rows x, y and w of a map from the world to cells, for points relative to the eye: (u w, v w, w). */
function cellRows(product: ArrayLike<number>): number[][] {
  const row = (k: number): number[] => [product[k], product[k + 4], product[k + 8]];
  const [x, y, w] = [row(0), row(1), row(3)];
  return [x.map((value, k) => ((value + w[k]) * COLUMNS) / 2), y.map((value, k) => ((value + w[k]) * ROWS) / 2), w];
}

/** The cells around a box of corners relative to the eye and the greatest 1 / w; null if it reaches the near plane. */
function project(corners: number[][], rows: number[][], near: number): number[] | null {
  let [u0, v0, u1, v1, w0] = [Infinity, Infinity, -Infinity, -Infinity, Infinity];
  for (const corner of corners) {
    const [u, v, w] = rows.map((row) => row[0] * corner[0] + row[1] * corner[1] + row[2] * corner[2]);
    if (w <= near) return null;
    u0 = Math.min(u0, u / w);
    u1 = Math.max(u1, u / w);
    v0 = Math.min(v0, v / w);
    v1 = Math.max(v1, v / w);
    w0 = Math.min(w0, w);
  }
  if (u1 < 0 || v1 < 0 || u0 >= COLUMNS || v0 >= ROWS) return null;
  return [
    Math.max(0, Math.floor(u0)),
    Math.max(0, Math.floor(v0)),
    Math.min(COLUMNS - 1, Math.floor(u1)),
    Math.min(ROWS - 1, Math.floor(v1)),
    1 / w0,
  ];
}

function isHidden(depths: Float64Array, rectangle: number[]): boolean {
  const [left, bottom, right, top, depth] = rectangle;
  for (let y = bottom; y <= top; y++)
    for (let at = y * COLUMNS + left; at <= y * COLUMNS + right; at++) if (depths[at] <= depth) return false;
  return true;
}

/** The picture of all triangles in the cells of the small buffer. */
function trueDepths(): Float64Array {
  const depths = new Float64Array(COLUMNS * ROWS).fill(Infinity);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const at = Math.floor((y * ROWS) / HEIGHT) * COLUMNS + Math.floor((x * COLUMNS) / WIDTH);
      depths[at] = Math.min(depths[at], nearest[y * WIDTH + x]);
    }
  }
  return depths;
}

function fill(
  { center, halfSize, rotation: { elements: r } }: SolidBox,
  eye: Vector3,
  rows: number[][],
  near: number,
): boolean {
  const axes = [r.slice(0, 3), r.slice(3, 6), r.slice(6, 9)];
  const half = [halfSize.x, halfSize.y, halfSize.z];
  const offset = [center.x - eye.x, center.y - eye.y, center.z - eye.z];
  const middle = axes.map((axis) => axis[0] * offset[0] + axis[1] * offset[1] + axis[2] * offset[2]);
  const corners = Array.from({ length: 8 }, (_, k) =>
    [0, 1, 2].map(
      (i) => offset[i] + axes.reduce((sum, axis, j) => sum + ((k >> j) & 1 ? half[j] : -half[j]) * axis[i], 0),
    ),
  );
  let [left, bottom, right, top] = [0, 0, COLUMNS - 1, ROWS - 1];
  const rectangle = project(corners, rows, near);
  if (rectangle !== null) [left, bottom, right, top] = rectangle;
  if ((right - left + 1) * (top - bottom + 1) < MIN_AREA * COLUMNS * ROWS) return false;
  // The direction of the ray through a place (u, v, 1), along the axes of the box.
  const inverse = new Matrix4().set(
    ...([...rows[0], 0, ...rows[1], 0, ...rows[2], 0, 0, 0, 0, 1] as Parameters<Matrix4['set']>),
  );
  const world = inverse.invert().elements;
  const along = axes.map((axis) =>
    [0, 4, 8].map((column) => axis[0] * world[column] + axis[1] * world[column + 1] + axis[2] * world[column + 2]),
  );
  const front = middle.map((m, k) => (m - half[k] > 1e-9 ? -1 : m + half[k] < -1e-9 ? 1 : 0));
  const faces = front.flatMap((side, k) =>
    side === 0 ? [] : [along[k].map((value) => value / (middle[k] + side * half[k]))],
  );
  if (faces.length === 0) return false;
  const edges: number[][] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [-1, 1])
      for (const other of [-1, 1]) {
        const isFront = front[i] === side;
        if (isFront === (front[j] === other)) continue;
        const [p, s, q, t] = isFront ? [i, side, j, other] : [j, other, i, side];
        const depth = middle[p] + s * half[p];
        const place = middle[q] + t * half[q];
        const sign = depth * t > 0 ? 1 : -1;
        edges.push([0, 1, 2].map((k) => sign * (place * along[p][k] - depth * along[q][k])));
      }
  }
  for (const f of [...edges, ...faces]) f[2] += Math.min(f[0], 0) + Math.min(f[1], 0);
  let changes = false;
  for (let y = bottom; y <= top; y++) {
    let [first, last] = [left, right];
    for (const e of edges) {
      const base = e[1] * y + e[2];
      if (e[0] > 0) first = Math.max(first, Math.ceil(-base / e[0]));
      else if (e[0] < 0) last = Math.min(last, Math.floor(-base / e[0]));
      else if (base < 0) last = -1;
    }
    for (let x = first; x <= last; x++) {
      let depth = Infinity;
      for (const f of faces) depth = Math.min(depth, f[0] * x + f[1] * y + f[2]);
      if (depth > cells[y * COLUMNS + x]) {
        cells[y * COLUMNS + x] = depth;
        changes = true;
      }
    }
  }
  return changes;
}

const area = new Box3();
for (const { bounds } of houses) area.union(bounds);

const isNearHouse = (position: Vector3, reach: number): boolean =>
  reach === Infinity || houses.some(({ bounds }) => bounds.distanceToPoint(position) < reach);

function measure(label: string, count: number, height: number, pitch: number, reach: number): void {
  let [inFrustum, hidden, found, wrong, used, bound] = [0, 0, 0, 0, 0, 0];
  for (let pose = 0; pose < count; pose++) {
    const camera = new PerspectiveCamera(60, WIDTH / HEIGHT, 0.1, 2000);
    const { position } = camera;
    do {
      position.set(
        area.min.x + (0.1 + 0.8 * random()) * (area.max.x - area.min.x),
        height,
        area.min.z + (0.1 + 0.8 * random()) * (area.max.z - area.min.z),
      );
    } while (houses.some(({ bounds }) => bounds.distanceToPoint(position) < 0.5) || !isNearHouse(position, reach));
    camera.rotation.order = 'YXZ';
    camera.rotation.set((pitch * Math.PI) / 180, random() * 2 * Math.PI, 0);
    camera.updateMatrixWorld();
    const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const frustum = new Frustum().setFromProjectionMatrix(matrix);
    const seen = houses.flatMap(({ bounds }, k) => (frustum.intersectsBox(bounds) ? [k] : []));
    nearest.fill(0);
    owners.fill(-1);
    for (const k of seen) drawHouse(k, matrix.elements, camera.near);
    const visible = new Set(owners);
    const ideal = trueDepths();
    cells.fill(0);
    const rows = cellRows(matrix.elements);
    const ordered = seen
      .map((k) => ({ k, distance: houses[k].bounds.distanceToPoint(position) }))
      .sort((a, b) => a.distance - b.distance);
    for (const { k, distance } of ordered) {
      const { bounds, boxes } = houses[k];
      const corners = Array.from({ length: 8 }, (_, c) => [
        (c & 1 ? bounds.max.x : bounds.min.x) - position.x,
        (c & 2 ? bounds.max.y : bounds.min.y) - position.y,
        (c & 4 ? bounds.max.z : bounds.min.z) - position.z,
      ]);
      const rectangle = project(corners, rows, camera.near);
      const isCulled = rectangle !== null && isHidden(cells, rectangle);
      inFrustum++;
      if (!visible.has(k) && rectangle !== null && isHidden(ideal, rectangle)) bound++;
      if (!visible.has(k)) hidden++;
      if (isCulled) {
        if (visible.has(k)) wrong++;
        else found++;
      } else if (distance > 0.5) for (const box of boxes) if (fill(box, position, rows, camera.near)) used++;
    }
  }
  const per = (total: number): string => (total / count).toFixed(0);
  console.log(
    `${label}: found ${((100 * found) / hidden).toFixed(1)} % (bound ${((100 * bound) / hidden).toFixed(1)}), wrong ${wrong}; a pose: ${per(inFrustum)} in the frustum, ` +
      `${per(inFrustum - hidden)} visible, ${per(used)} boxes drawn`,
  );
}

const random = randomFrom(7);
measure('street, 2 m', Number(poses), 2, 0, 20);
measure('30 m, pitch -10', Math.ceil((2 * Number(poses)) / 3), 30, -10, Infinity);
measure('150 m, pitch -25', Math.ceil(Number(poses) / 3), 150, -25, Infinity);
measure('anywhere, 2 m', Number(poses), 2, 0, Infinity);
