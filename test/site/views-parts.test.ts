import { Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { FrustumLoop } from '../../examples/src/shared/frustum-loop.ts';
import { runInSlices } from '../../examples/src/shared/slices.ts';
import { Cascades, splitAt, SUN } from '../../examples/src/views/cascades.ts';
import { MAX_HEIGHT, planCity } from '../../examples/src/views/city-plan.ts';
import { buildCity } from '../../examples/src/views/city.ts';
import { setColours, viewColours } from '../../examples/src/views/colours.ts';
import { Comparison } from '../../examples/src/views/comparison.ts';
import { readSettings } from '../../examples/src/views/settings.ts';
import { QueryReader } from '../../examples/src/shared/query-reader.ts';

const read = (query: string) => readSettings(new QueryReader(query, false));
const CAMERA = 1;

describe('the city', () => {
  it.each([1, 7, 1000, 5000])('has exactly %i buildings, each in a lot of its own', async (count) => {
    const { bounds, half } = await runInSlices(planCity(count));
    expect(bounds).toHaveLength(count * 6);
    for (let offset = 0; offset < bounds.length; offset += 6) {
      const [x, y, z, maxX, maxY, maxZ] = bounds.subarray(offset, offset + 6);
      expect(x > -half && maxX < half && z > -half && maxZ < half && x < maxX && z < maxZ).toBe(true);
      expect(y === 0 && maxY > 0 && maxY <= MAX_HEIGHT).toBe(true);
      // In its lot.
      expect(Math.max(maxX - x, maxZ - z)).toBeLessThan(22);
    }
  });
});

describe('the cascades', () => {
  const camera = new PerspectiveCamera(50, 1.5, 2, 400);
  camera.position.set(10, 90, -30);
  camera.rotation.set(-0.3, 1.1, 0, 'YXZ');
  camera.updateMatrixWorld();

  it('split the depth from the near to the far plane', () => {
    expect(splitAt(camera, 0)).toBeCloseTo(2, 9);
    expect(splitAt(camera, 1)).toBeCloseTo(400, 9);
    expect(splitAt(camera, 0.5)).toBeGreaterThan(splitAt(camera, 0.25));
  });

  it.each([1, 2, 3, 4])('%i of them contain every point of the frustum, and what throws a shadow on it', (count) => {
    const cascades = new Cascades(MAX_HEIGHT);
    cascades.fit(camera, count);
    const frusta = cascades.cameras
      .slice(0, count)
      .map((sun) =>
        new Frustum().setFromProjectionMatrix(
          new Matrix4().multiplyMatrices(sun.projectionMatrix, sun.matrixWorldInverse),
        ),
      );
    const slope = Math.tan((25 * Math.PI) / 180);
    for (const depth of [2.01, 5, 20, 60, 150, 399]) {
      const slice = frusta.findIndex((_, k) => depth <= splitAt(camera, (k + 1) / count));
      for (const [x, y] of [
        [0, 0],
        [0.99, 0.99],
        [-0.99, 0.99],
        [0.99, -0.99],
        [-0.99, -0.99],
      ]) {
        const point = new Vector3(x * slope * 1.5 * depth, y * slope * depth, -depth).applyMatrix4(camera.matrixWorld);
        expect(frusta[slice].containsPoint(point)).toBe(true);
        expect(frusta[slice].containsPoint(point.addScaledVector(SUN, MAX_HEIGHT))).toBe(true);
      }
    }
  });
});

describe('City', () => {
  it.each([1, 4])(
    'lists for the camera, %i cascades and the minimap what a loop finds, all along the path',
    async (cascades) => {
      const settings = read(`cascades=${cascades}&far=300&buildings=1500`);
      const views = await runInSlices(buildCity(settings.buildings));
      const loop = new FrustumLoop(views.bounds);
      for (let step = 0; step < 12; step++) {
        views.flight.advance(7);
        views.place(settings, 1.5, 0.6);
        views.cull();
        views.writeSets();
        expect(views.active.map(({ name }) => name)).toEqual(
          ['camera', 'cascade-1', 'cascade-2', 'cascade-3', 'cascade-4'].slice(0, cascades + 1).concat('minimap'),
        );
        const sets = new Uint8Array(settings.buildings);
        for (const { bit, frustum, list } of views.active) {
          loop.cull(frustum);
          expect([...list.array.subarray(0, list.length)].sort((a, b) => a - b)).toEqual([
            ...loop.found.subarray(0, loop.count),
          ]);
          for (const body of loop.found.subarray(0, loop.count)) sets[body] |= bit;
        }
        expect(views.sets).toEqual(sets);
        expect(views.unseen).toBe(sets.filter((set) => set === 0).length);
        expect(views.found).toBe(views.active.reduce((sum, { list }) => sum + list.length, 0));
        // Each building in front of the camera is in a cascade, which contains the camera's slice.
        expect(sets.some((set) => set & CAMERA)).toBe(true);
        expect(sets.every((set) => !(set & CAMERA) || (set & ~CAMERA & 0b11110) > 0)).toBe(true);
      }
    },
  );

  it('is compared with a loop in every fourth of 60 frames per second, which notices a list of other buildings', async () => {
    const settings = read('buildings=1500');
    const views = await runInSlices(buildCity(settings.buildings));
    const comparison = new Comparison(views);
    for (let frame = 0; frame < 8; frame++) {
      views.flight.advance(0.5);
      views.place(settings, 1.5);
      comparison.cull(views, frame * 16);
      expect(comparison.doAgree).toBe(true);
      expect([comparison.octree.countAt(frame * 16), comparison.loop.countAt(frame * 16)]).toEqual(
        frame < 4 ? [1, 1] : [2, 2],
      );
    }
    views.octree.removeMany([views.all[0].list.array[0]]);
    comparison.cull(views, 8 * 16);
    expect(comparison.doAgree).toBe(false);
  });
});

describe('the colours', () => {
  it('are those of the view for one view, and differ between the camera, cascades, the minimap and none', () => {
    expect(setColours).toHaveLength(64);
    for (const view of [0, 1, 2, 3, 4]) expect(setColours[1 << view].equals(viewColours[view])).toBe(true);
    expect(new Set([0, 1, 2, 4, 8, 16, 32, 3, 6].map((set) => setColours[set].getHexString())).size).toBe(9);
  });
});

describe('the settings in the query string', () => {
  it('are clamped to their ranges, and invalid values keep the default', () => {
    expect(read('')).toEqual({ cascades: 4, far: 600, buildings: 5000, isPaused: false });
    expect(read('cascades=9&far=1&buildings=x&pause=on')).toEqual({
      cascades: 4,
      far: 100,
      buildings: 5000,
      isPaused: true,
    });
    expect(readSettings(new QueryReader('', true)).isPaused).toBe(true);
  });
});
