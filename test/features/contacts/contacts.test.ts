import { describe, expect, it } from 'vitest';
import type { IntersectionRecord } from '../../../src/index.ts';
import { dataOf, octreeOf } from '../../support/octrees.ts';
import type { Shape } from '../../support/shapes.ts';
import { boxOf, point, sphereOf } from '../../support/shapes.ts';

function summaryOf(record: IntersectionRecord<number> | undefined): object {
  if (record === undefined) throw new Error('no record');
  const { position, normal, distance, inside } = record;
  return {
    position: position.toArray(),
    normal: normal.toArray().map((value) => value + 0),
    distance: distance + 0,
    inside,
  };
}

function boxContact(body: Shape, query: Shape): object {
  return summaryOf(octreeOf([body]).octree.intersectBox(boxOf(query))[0]);
}

function sphereContact(body: Shape, query: Shape): object {
  return summaryOf(octreeOf([body]).octree.intersectSphere(sphereOf(query))[0]);
}

const unit = [0, 0, 0, 2, 2, 2];

describe('octree.intersectBox', () => {
  it('counts touching at a face, an edge and a corner, and nothing one ulp apart', () => {
    const { octree } = octreeOf([unit]);
    for (const query of [
      [2, 0, 0, 3, 1, 1],
      [2, 2, 0, 3, 3, 1],
      [2, 2, 2, 3, 3, 3],
      [-1, -1, -1, 0, 0, 0],
    ])
      expect(octree.intersectBox(boxOf(query))).toHaveLength(1);
    expect(octree.intersectBox(boxOf([2 + 2 ** -51, 0, 0, 3, 1, 1]))).toHaveLength(0);
  });

  it('tests a sphere body as a sphere: the corner of its box does not count, its surface does', () => {
    const { octree } = octreeOf([[0, 0, 0, 5]]);
    expect(octree.intersectBox(boxOf([4, 4, 4, 6, 6, 6]))).toHaveLength(0);
    expect(octree.intersectBox(boxOf([3, 4, 0, 6, 6, 6]))).toHaveLength(1);
  });

  it('takes a box without volume', () => {
    const { octree } = octreeOf([unit]);
    expect(octree.intersectBox(boxOf([1, 1, 1, 1, 1, 1]))).toHaveLength(1);
    expect(octree.intersectBox(boxOf([-5, 2, -5, 5, 2, 5]))).toHaveLength(1);
  });

  it('reports the smallest axis overlap as a negative distance, along the axis that parts them', () => {
    expect(boxContact(unit, [1.5, -1, -1, 5, 3, 3])).toEqual({
      position: [2, 1, 1],
      normal: [1, 0, 0],
      distance: -0.5,
      inside: false,
    });
    expect(boxContact(unit, [-1, -5, -1, 3, 0.25, 3])).toEqual({
      position: [1, 0, 1],
      normal: [0, -1, 0],
      distance: -0.25,
      inside: false,
    });
    expect(boxContact(unit, [2, 0, 0, 3, 2, 2])).toEqual({
      position: [2, 1, 1],
      normal: [1, 0, 0],
      distance: 0,
      inside: false,
    });
  });

  it('on a tie chooses x before y before z, plus before minus', () => {
    expect(boxContact(unit, unit)).toMatchObject({ normal: [1, 0, 0], distance: -2, position: [2, 1, 1] });
    expect(boxContact(unit, [-9, 1, 1, 9, 9, 9])).toMatchObject({
      normal: [0, 1, 0],
      distance: -1,
      position: [1, 2, 1.5],
    });
  });

  it('reports inside if the query box contains the whole body, touching included', () => {
    expect(boxContact(unit, [0, 0, 0, 2, 2, 2])).toMatchObject({ inside: true });
    expect(boxContact(unit, [0, 0, 0, 2, 2, 1.9])).toMatchObject({ inside: false });
    expect(boxContact([0, 0, 0, 1], [-1, -1, -1, 1, 1, 1])).toMatchObject({ inside: true });
  });

  it('separates a sphere body from the box along the line to the nearest point of the box', () => {
    expect(boxContact([5, 1, 1, 4], [-2, -2, -2, 2, 2, 2])).toEqual({
      position: [1, 1, 1],
      normal: [-1, 0, 0],
      distance: -1,
      inside: false,
    });
    expect(boxContact([1.5, 0, 0, 1], [-2, -2, -2, 2, 2, 2])).toEqual({
      position: [0.5, 0, 0],
      normal: [-1, 0, 0],
      distance: -1.5,
      inside: false,
    });
  });
});

describe('octree.intersectSphere', () => {
  it('counts touching a face, an edge and a corner of a box', () => {
    const { octree } = octreeOf([unit]);
    for (const query of [
      [3, 1, 1, 1],
      [5, 6, 1, 5],
      [-2, -3, -6, 7],
    ])
      expect(octree.intersectSphere(sphereOf(query))).toHaveLength(1);
    for (const query of [
      [3, 1, 1, 0.999],
      [5, 6, 1, 4.999],
      [-2, -3, -6, 6.999],
    ])
      expect(octree.intersectSphere(sphereOf(query))).toHaveLength(0);
  });

  it('counts two spheres that touch, and nothing where only their boxes do', () => {
    const { octree } = octreeOf([[0, 0, 0, 2]]);
    expect(octree.intersectSphere(sphereOf([3, 4, 0, 3]))).toHaveLength(1);
    expect(octree.intersectSphere(sphereOf([3, 4, 0, 2.999]))).toHaveLength(0);
  });

  it('with radius 0 finds the bodies that contain the point', () => {
    const { octree } = octreeOf([unit, [5, 5, 5, 1]]);
    expect(dataOf(octree.intersectSphere(sphereOf([2, 2, 2, 0])))).toEqual([0]);
    expect(dataOf(octree.intersectSphere(sphereOf([5, 6, 5, 0])))).toEqual([1]);
  });

  it('with an enormous radius finds every body, without overflow', () => {
    const { octree } = octreeOf([unit, [5, 5, 5, 1], [2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50, 2 ** 50]]);
    for (const radius of [2 ** 54, 1e154, 1e200, Number.MAX_VALUE]) {
      const records = octree.intersectSphere(sphereOf([-(2 ** 50), 0, 0, radius]));
      expect(dataOf(records)).toEqual([0, 1, 2]);
      expect(records.every(({ inside, distance }) => inside && Number.isFinite(distance))).toBe(true);
      expect(records[0].distance).toBe(2 ** 50 - radius);
    }
  });

  it('separates a box body from a centre outside along the line from its nearest point', () => {
    expect(sphereContact(unit, [4, 1, 1, 3])).toEqual({
      position: [2, 1, 1],
      normal: [1, 0, 0],
      distance: -1,
      inside: false,
    });
    expect(sphereContact(unit, [5, 6, 1, 5])).toEqual({
      position: [2, 2, 1],
      normal: [0.6, 0.8, 0],
      distance: 0,
      inside: false,
    });
  });

  it('moves a centre inside a box out through the nearest face, -x first on a tie', () => {
    expect(sphereContact(unit, [1.5, 1, 1, 0.25])).toEqual({
      position: [2, 1, 1],
      normal: [1, 0, 0],
      distance: -0.75,
      inside: false,
    });
    expect(sphereContact(unit, [1, 1, 1, 0])).toMatchObject({ position: [0, 1, 1], normal: [-1, 0, 0], distance: -1 });
    expect(sphereContact(unit, [2, 1, 1, 1])).toMatchObject({ position: [2, 1, 1], normal: [1, 0, 0], distance: -1 });
  });

  it('separates two spheres along the line of their centres, concentric ones along +x', () => {
    expect(sphereContact([0, 0, 0, 2], [3, 0, 0, 2])).toEqual({
      position: [2, 0, 0],
      normal: [1, 0, 0],
      distance: -1,
      inside: false,
    });
    expect(sphereContact([0, 0, 0, 2], [0, 0, 0, 1])).toEqual({
      position: [2, 0, 0],
      normal: [1, 0, 0],
      distance: -3,
      inside: false,
    });
  });

  it('reports inside if the query sphere contains the whole body, touching included', () => {
    expect(sphereContact([0, 0, 0, 3, 4, 0], [0, 0, 0, 5])).toMatchObject({ inside: true });
    expect(sphereContact([0, 0, 0, 3, 4, 0], [0, 0, 0, 4.999])).toMatchObject({ inside: false });
    expect(sphereContact([1, 0, 0, 1], [0, 0, 0, 2])).toMatchObject({ inside: true });
    expect(sphereContact([1, 0, 0, 1], [0, 0, 0, 1.999])).toMatchObject({ inside: false });
  });
});

describe('octree.intersectPoint', () => {
  it('finds a box from its faces, edges and corners, and nothing one ulp outside', () => {
    const { octree } = octreeOf([unit]);
    for (const at of [
      [2, 1, 1],
      [2, 2, 1],
      [2, 2, 2],
      [0, 0, 0],
      [1, 1, 1],
    ])
      expect(octree.intersectPoint(point(at))).toHaveLength(1);
    expect(octree.intersectPoint({ x: 2 + 2 ** -51, y: 1, z: 1 })).toHaveLength(0);
    expect(octree.intersectPoint({ x: -Number.MIN_VALUE, y: 1, z: 1 })).toHaveLength(0);
  });

  it('finds a sphere from its surface, not from the corner of its box', () => {
    const { octree } = octreeOf([[0, 0, 0, 5]]);
    expect(octree.intersectPoint({ x: 3, y: 4, z: 0 })).toHaveLength(1);
    expect(octree.intersectPoint({ x: 4, y: 4, z: 0 })).toHaveLength(0);
  });

  it('reports the distance to the nearest face', () => {
    const { octree } = octreeOf([unit]);
    expect(summaryOf(octree.intersectPoint({ x: 1, y: 1.75, z: 1 })[0])).toEqual({
      position: [1, 2, 1],
      normal: [0, 1, 0],
      distance: -0.25,
      inside: false,
    });
  });

  it('reports inside for a body that is this point', () => {
    const { octree } = octreeOf([[1, 1, 1, 1, 1, 1], [1, 1, 1, 0], unit]);
    const records = octree.intersectPoint({ x: 1, y: 1, z: 1 }).sort((a, b) => a.body.data - b.body.data);
    expect(records.map(({ inside }) => inside)).toEqual([true, true, false]);
  });
});
