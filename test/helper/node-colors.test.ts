import { Color } from 'three';
import { expect, it } from 'vitest';
import { PAINTERS, type DrawnNode, type HelperColoring } from '../../src/helper/node-colors.ts';
import type { VisitResult } from '../../src/helper/visit-result.ts';

it.each<[HelperColoring, Partial<DrawnNode>, VisitResult | null, hue: number, rest: number[]]>([
  ['depth', { depth: 0 }, null, 0.08, [0.9, 0.6, 0.6]],
  ['depth', { depth: 1 }, null, 0.08 + 1 / 9, [0.9, 0.6, 0.6]],
  ['depth', { depth: 8 }, null, 0.08 + 8 / 9, [0.9, 0.6, 0.6]],
  ['depth', { depth: 9 }, null, 0.08, [0.9, 0.6, 0.6]],
  // In use: grey.
  ['lifespan', { countdown: -1, lifespan: 8 }, null, 0, [0, 0.6, 0.15]],
  ['lifespan', { countdown: 0, lifespan: 8 }, null, 0, [0.9, 0.55, 0.9]],
  ['lifespan', { countdown: 4, lifespan: 8 }, null, 1 / 6, [0.9, 0.55, 0.9]],
  ['lifespan', { countdown: 8, lifespan: 8 }, null, 1 / 3, [0.9, 0.55, 0.9]],
  // Reused 0 to 3 times.
  ['reuse', { lifespan: 4 }, null, 0.58, [0.3, 0.6, 0.15]],
  ['reuse', { lifespan: 8 }, null, 0.58, [0.3, 0.6, 0.15]],
  ['reuse', { lifespan: 16 }, null, 0.58 + 0.32 / 3, [0.5, 0.6, 0.4]],
  ['reuse', { lifespan: 64 }, null, 0.9, [0.9, 0.6, 0.9]],
  ['reuse', { lifespan: 128 }, null, 0.9, [0.9, 0.6, 0.9]],
  ['query', {}, 'skipped', 0, [0, 0.55, 0.25]],
  ['query', {}, 'contained', 0.37, [0.9, 0.55, 0.8]],
  ['query', {}, 'split', 0.1, [0.9, 0.55, 0.3]],
  ['query', {}, 'tested', 0.14, [0.9, 0.55, 0.9]],
  ['query', {}, null, 0.14, [0.9, 0.55, 0.9]],
])('colours by %s the node %j with the result %s: hue %f; saturation, lightness, opacity %j', (...row) => {
  const [coloring, node, result, hue, [saturation, lightness, opacity]] = row;
  const color = new Color('#123456');
  expect(PAINTERS[coloring](node as DrawnNode, color, result)).toBeCloseTo(opacity, 12);
  const { h, s, l } = color.getHSL({ h: 0, s: 0, l: 0 });
  for (const [is, should] of [
    [h, hue],
    [s, saturation],
    [l, lightness],
  ])
    expect(is).toBeCloseTo(should, 12);
});
