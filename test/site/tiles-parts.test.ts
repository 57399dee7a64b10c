import { type Mesh, Vector3 } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { blocksWithin, centreDistance } from '../../examples/src/shared/city-plan.ts';
import { runInSlices } from '../../examples/src/shared/slices.ts';
import { cityObjects } from '../../examples/src/tiles/city.ts';
import { CITY_EDGE, createGround } from '../../examples/src/tiles/ground.ts';
import { SlowLine } from '../../examples/src/tiles/slow-line.ts';

describe('the city of tiles', () => {
  it('has 100,000 houses with an address each, on blocks that the ground has', async () => {
    const objects = cityObjects();
    expect(objects).toHaveLength(100_000);
    expect(new Set(objects.map(({ id }) => id)).size).toBe(100_000);
    expect(new Set(objects.map(({ name }) => name)).size).toBe(100_000);
    let lots = 0;
    for (const block of blocksWithin(9800))
      if (typeof block !== 'number' && centreDistance(block) <= CITY_EDGE) lots += block.columns * block.rows;
    expect(lots).toBeGreaterThanOrEqual(100_000);
    expect(lots).toBeLessThan(100_024);

    const ground = await runInSlices(createGround(20_000));
    const hit = (x: number, z: number): boolean =>
      objects.length > 0 && quadsOf(ground).some(([x0, z0, x1, z1]) => x0 <= x && x <= x1 && z0 <= z && z <= z1);
    for (let k = 0; k < objects.length; k += 9973)
      expect(hit(objects[k].positions[0], objects[k].positions[2])).toBe(true);
  });

  it('has walls and roofs that face outwards, and no floor', () => {
    for (const object of cityObjects(9000)
      .slice(0, 9000)
      .filter((_, k) => k % 3 === 0)) {
      const positions = Array.from(object.positions);
      const index = Array.from(object.index!);
      const at = (corner: number): Vector3 => new Vector3().fromArray(positions, 3 * index[corner]);
      const count = positions.length / 3;
      const middle = new Vector3();
      for (let k = 0; k < count; k++) middle.add(new Vector3().fromArray(positions, 3 * k));
      middle.divideScalar(count);
      for (let corner = 0; corner < index.length; corner += 3) {
        const [a, b, c] = [at(corner), at(corner + 1), at(corner + 2)];
        const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
        expect(normal.y).toBeGreaterThanOrEqual(0);
        expect(normal.dot(a.sub(middle))).toBeGreaterThan(0);
      }
    }
  });
});

/** Least and largest x and z of each quad of the ground, whose quads are two triangles each. */
function quadsOf(ground: Mesh): number[][] {
  const { array } = ground.geometry.attributes.position;
  // The first one is the fields.
  return Array.from({ length: array.length / 18 - 1 }, (_, k) => {
    const quad = array.slice(18 * (k + 1), 18 * (k + 2));
    const [x, z] = [quad.filter((_, at) => at % 3 === 0), quad.filter((_, at) => at % 3 === 2)];
    return [Math.min(...x), Math.min(...z), Math.max(...x), Math.max(...z)];
  });
}

describe('a slow line', () => {
  afterEach(() => void vi.useRealTimers());

  it('takes the time of the bytes, and shares it among files', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const start = performance.now();
    const line = new SlowLine(8);
    const ends: number[] = [];
    const carry = (bytes: number): Promise<number> =>
      line.carry(bytes, null).then(() => ends.push(performance.now() - start));
    const all = Promise.all([carry(100_000), carry(100_000), carry(16_384)]);
    await vi.advanceTimersByTimeAsync(1000);
    await all;
    // 1000 bytes take a millisecond.
    expect(Math.max(...ends)).toBeGreaterThan(20 + 216 - 8);
    expect(Math.max(...ends)).toBeLessThan(20 + 216 + 8);
    expect(ends[0]).toBeLessThan(20 + 60);
    expect(line.bytes).toBe(216_384);
    const left = line.carry(100, AbortSignal.abort(new Error('left'))).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await left).toBe('Error: left');
  });
});
