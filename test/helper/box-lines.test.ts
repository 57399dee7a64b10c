import { Color, type BufferAttribute } from 'three';
import { expect, it } from 'vitest';
import { BoxLines } from '../../src/three.ts';
import { errorOf } from '../support/rejects.ts';
import { point } from '../support/shapes.ts';

it('has the edges of each box up to its limit, in its colour', () => {
  const lines = new BoxLines(2);
  lines.begin();
  for (const [x, color] of [
    [0, 'red'],
    [10, 'lime'],
    [20, 'blue'],
  ] as const)
    lines.addBox(point([x, 0, 0]), point([x + 1, 2, 4]), new Color(color), 0.6);
  lines.end();
  expect([lines.boxCount, lines.isFull, lines.geometry.drawRange]).toEqual([2, true, { start: 0, count: 48 }]);
  const { position, color } = lines.geometry.attributes as Record<string, BufferAttribute>;
  const edges = new Set<string>();
  const index = lines.geometry.index!;
  for (let k = 0; k < 48; k += 2) {
    const [from, to] = [index.getX(k), index.getX(k + 1)];
    const step = [0, 1, 2].map((axis) => Math.abs(position.getComponent(to, axis) - position.getComponent(from, axis)));
    // Along one axis, by the whole size.
    expect(step.filter((length) => length > 0)).toHaveLength(1);
    expect([1, 2, 4][step.findIndex((length) => length > 0)]).toBe(Math.max(...step));
    edges.add(`${Math.min(from, to)} ${Math.max(from, to)}`);
    const isFirst = position.getX(from) < 5;
    expect([0, 1, 2, 3].map((part) => color.getComponent(from, part))).toEqual(
      isFirst ? [1, 0, 0, 0.6] : [0, 1, 0, 0.6],
    );
  }
  expect(edges.size).toBe(24);
});

it('is drawn as transparent lines wherever it is, is hit by no ray, and gives back what it holds', () => {
  const lines = new BoxLines(1);
  const { vertexColors, transparent, depthWrite } = lines.material;
  expect([vertexColors, transparent, depthWrite, lines.frustumCulled]).toEqual([true, true, false, false]);
  const disposed: string[] = [];
  for (const part of [lines.geometry, lines.material]) part.addEventListener('dispose', () => disposed.push(part.type));
  lines.dispose();
  expect(disposed).toEqual(['BufferGeometry', 'LineBasicMaterial']);
});

it.each([0, -1, 0.5, NaN])('refuses %s as limit', (limit) => {
  expect(String(errorOf(() => new BoxLines(limit)))).toBe(
    `RangeError: BoxLines: limit must be an integer from 1, but is ${limit}; pass the greatest number of boxes.`,
  );
});
