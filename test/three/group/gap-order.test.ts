import { describe, expect, it } from 'vitest';
import { Mesh } from 'three';
import { OctreeGroup } from '../../../src/three.ts';
import { GapOrder } from '../../../src/three/group/gap-order.ts';

interface Item {
  order: number;
}

function filled(count: number): { gapOrder: GapOrder<'order', Item>; items: Item[] } {
  const gapOrder = new GapOrder<'order', Item>('order');
  const items = Array.from({ length: count }, () => ({ order: -1 }));
  for (const item of items) gapOrder.append(item);
  return { gapOrder, items };
}

describe('GapOrder', () => {
  it('keeps the order of all other items when one is removed, and no reference to it', () => {
    const { gapOrder, items } = filled(4);
    gapOrder.remove(items[1]);
    expect(items.map(({ order }) => order)).toEqual([0, -1, 2, 3]);
    expect(gapOrder.items).toEqual([items[0], null, items[2], items[3]]);
    gapOrder.append(items[1]);
    expect(gapOrder.items).toEqual([items[0], null, items[2], items[3], items[1]]);
  });

  it('is rebuilt once it has more gaps than items, and more than 64', () => {
    const { gapOrder, items } = filled(200);
    const before = gapOrder.items;
    const restore = (): void => gapOrder.restore((visitor) => items.forEach(visitor));
    for (let k = 0; k < 100; k++) gapOrder.remove(items.shift()!);
    restore();
    expect(gapOrder.items).toBe(before);
    gapOrder.remove(items.shift()!);
    restore();
    expect(gapOrder.items).toEqual(items);
    expect(items.map(({ order }) => order)).toEqual(items.map((_, k) => k));
    for (let k = 0; k < 64; k++) gapOrder.remove(items.shift()!);
    restore();
    expect(gapOrder.items).toHaveLength(99);
    gapOrder.remove(items.shift()!);
    restore();
    expect(gapOrder.items).toEqual(items);
  });

  it('is rebuilt in the order of the visit once it was invalidated', () => {
    const { gapOrder, items } = filled(3);
    gapOrder.invalidate();
    const [a, b, c] = items;
    gapOrder.restore((visitor) => [c, a, b].forEach(visitor));
    expect(gapOrder.items).toEqual([c, a, b]);
    expect(items.map(({ order }) => order)).toEqual([1, 2, 0]);
    const { items: rebuilt } = gapOrder;
    gapOrder.restore(() => expect.unreachable());
    expect(gapOrder.items).toBe(rebuilt);
  });
});

it('a group that is never drawn keeps no gaps of the children that have left', () => {
  const group = new OctreeGroup();
  for (let k = 0; k < 500; k++) {
    const mesh = new Mesh();
    group.add(mesh);
    group.updateMatrixWorld();
    if (k > 0) group.remove(group.children[0]);
  }
  expect(group.children.length).toBe(1);
  expect(group.groupChildren.bodies.ordered.items.length).toBeLessThan(70);
});
