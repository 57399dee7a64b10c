import type { Rival, Use } from './rival.ts';

export function buildRival(make: () => Rival, boxes: Float64Array, use: Use): Rival {
  const rival = make();
  rival.prepare?.(boxes);
  rival.build(boxes, use);
  return rival;
}
