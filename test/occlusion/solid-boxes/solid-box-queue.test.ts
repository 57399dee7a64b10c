import { BoxGeometry, BufferAttribute, BufferGeometry, SphereGeometry } from 'three';
import { describe, expect, it } from 'vitest';
import { solidBoxes, SolidBoxQueue } from '../../../src/core.ts';
import { arraysOf, gabled, insideOut } from '../../support/solid-meshes.ts';

describe('SolidBoxQueue', () => {
  it('finds the boxes of solidBoxes, and keeps them', () => {
    const queue = new SolidBoxQueue({ maxBoxes: 3 });
    const geometries = [new BoxGeometry(), new SphereGeometry(), arraysOf(gabled())];
    expect(geometries.map((geometry) => queue.boxesOf(geometry))).toEqual([null, null, null]);
    expect(queue.waiting).toBe(3);
    expect(queue.run(Infinity)).toBe(true);
    expect(queue.waiting).toBe(0);
    for (const geometry of geometries) {
      expect(queue.boxesOf(geometry)).toEqual(solidBoxes(geometry, { maxBoxes: 3 }));
      expect(queue.boxesOf(geometry)).toBe(queue.boxesOf(geometry));
    }
  });

  it('works in slices: a large mesh takes many', () => {
    const queue = new SolidBoxQueue();
    const geometry = new SphereGeometry(5, 400, 200);
    queue.boxesOf(geometry);
    let slices = 0;
    while (!queue.run(0)) slices++;
    expect(slices).toBeGreaterThan(300);
    expect(queue.boxesOf(geometry)).toHaveLength(2);
  });

  it('keeps the boxes of each side apart', () => {
    const queue = new SolidBoxQueue();
    const geometry = arraysOf(insideOut(gabled()));
    for (const side of ['front', 'back', 'double'] as const) queue.boxesOf(geometry, side);
    queue.run(Infinity);
    expect((['front', 'back', 'double'] as const).map((side) => queue.boxesOf(geometry, side)!.length)).toEqual([
      0, 2, 2,
    ]);
    expect(queue.boxesOf(geometry)).toEqual([]);
  });

  it('examines a changed geometry again, eight times', () => {
    const queue = new SolidBoxQueue();
    const geometry = new BoxGeometry(2, 2, 2);
    const widthOf = (): number => {
      expect(queue.boxesOf(geometry)).toBeNull();
      queue.run(Infinity);
      return queue.boxesOf(geometry)![0].halfSize.x;
    };
    expect(widthOf()).toBeCloseTo(1, 2);
    geometry.scale(3, 1, 1);
    expect(widthOf()).toBeCloseTo(3, 2);
    geometry.setAttribute('position', new BoxGeometry(8, 2, 2).attributes.position);
    expect(widthOf()).toBeCloseTo(4, 2);
    geometry.setDrawRange(0, 30);
    expect(queue.boxesOf(geometry)).toBeNull();
    queue.run(Infinity);
    expect(queue.boxesOf(geometry)).toEqual([]);
    geometry.setDrawRange(0, Infinity);
    for (let change = 4; change <= 8; change++) {
      geometry.attributes.position.needsUpdate = true;
      expect(widthOf()).toBeCloseTo(4, 2);
    }
    geometry.attributes.position.needsUpdate = true;
    expect(queue.boxesOf(geometry)).toEqual([]);
    expect(queue.waiting).toBe(0);
  });

  it('examines a geometry again that changes while it is examined', () => {
    const queue = new SolidBoxQueue();
    const geometry = new SphereGeometry(1, 200, 100);
    queue.boxesOf(geometry);
    queue.run(0);
    geometry.scale(2, 2, 2);
    queue.run(Infinity);
    expect(queue.boxesOf(geometry)).toEqual(solidBoxes(geometry));
  });

  it('has no boxes for a faulty geometry', () => {
    const queue = new SolidBoxQueue();
    const faulty = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(9).fill(NaN), 3));
    const list = [faulty, new BufferGeometry(), { positions: [] }];
    for (const geometry of list) queue.boxesOf(geometry);
    queue.run(Infinity);
    expect(list.map((geometry) => queue.boxesOf(geometry))).toEqual([[], [], []]);
  });

  it.each([
    [() => new SolidBoxQueue({ side: 'front' } as never), /^SolidBoxQueue: unknown option side/],
    [() => new SolidBoxQueue({ maxBoxes: 0 }), /^SolidBoxQueue: options\.maxBoxes must be an integer from 1 to 8/],
    [() => new SolidBoxQueue().boxesOf(null as never), /^SolidBoxQueue\.boxesOf: geometry must be an object/],
    [() => new SolidBoxQueue().boxesOf({ positions: [] }, 2 as never), /^SolidBoxQueue\.boxesOf: side must be 'front'/],
    [() => new SolidBoxQueue().run(NaN), /^SolidBoxQueue\.run: maxTime must be 0 or more, but is NaN/],
  ] as const)('%#: throws a sentence', (call, sentence) => {
    expect(call).toThrow(sentence);
  });
});
