import { Ray, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { castBox, castSphere } from '../../src/index.ts';
import { octreeOf } from '../support/octrees.ts';
import { expectRejection } from '../support/rejects.ts';
import { cube, rayOf, sphereOf } from '../support/shapes.ts';

describe('octree.firstHit with a target', () => {
  it('writes all fields of the record again, and returns null without a hit, which leaves it as it is', () => {
    const { octree, bodies } = octreeOf([cube(10, 0, 0, 1), [0, 20, 0, 2]]);
    const record = octree.firstHit(rayOf([0, 0, 0], [1, 0, 0]))!;
    const { position, normal, node, ray } = record;
    expect(octree.firstHit(rayOf([0, 0, 0], [0, 0, 1]), {}, record)).toBeNull();
    expect(record).toMatchObject({ body: bodies[0], distance: 9 });
    expect(octree.firstHit(rayOf([1, 1, 0], [0, 5, 0]), {}, record)).toBe(record);
    const fresh = octree.firstHit(rayOf([1, 1, 0], [0, 5, 0]))!;
    expect(record).toEqual(fresh);
    expect([record.position, record.normal, record.node, record.ray]).toEqual([position, normal, node, ray]);
    expect(record.node).toBe(node);
    expect(record.ray).toBe(ray);
  });

  it('does not change other records that share a node or a ray with the target', () => {
    const { octree } = octreeOf([cube(10, 0, 0, 1), cube(20, 0, 0, 1), cube(0, 500, 0, 1)]);
    const records = octree.intersectRay(rayOf([0, 0, 0], [1, 0, 0]));
    const [target, other] = records;
    const before = [other.node.depth, other.node.bodyCount, other.ray!.origin.clone()];
    expect(target.ray).toBe(other.ray);
    expect(octree.firstHit(rayOf([0, 0, 0], [0, 1, 0]), {}, target)).toBe(target);
    expect([other.node.depth, other.node.bodyCount, other.ray!.origin]).toEqual(before);
    expect(target.ray).not.toBe(other.ray);
    // The record is one of many again: its own node is given up.
    octree.intersectRay(rayOf([0, 0, 0], [1, 0, 0]), {}, [target]);
    const many = octree.intersectRay(rayOf([0, 0, 0], [1, 0, 0]), {}, [target, other]);
    octree.firstHit(rayOf([0, 0, 0], [0, 1, 0]), {}, many[0]);
    expect(many[1].ray!.direction.toArray()).toEqual([1, 0, 0]);
  });

  it('works for shape casts, also with the record of a ray, and rejects anything else', () => {
    const { octree } = octreeOf([cube(10, 0, 0, 1)]);
    const record = octree.firstHit(new Ray(new Vector3(), new Vector3(1, 0, 0)))!;
    expect(castSphere(octree, sphereOf([0, 0, 0, 1]), new Vector3(16, 0, 0), {}, record)).toBe(record);
    expect(record).toMatchObject({ time: 0.5, distance: 8, ray: null });
    expect(castBox(octree, { min: new Vector3(), max: new Vector3(1, 1, 1) }, new Vector3(16, 0, 0), {}, record)).toBe(
      record,
    );
    expectRejection(
      octree,
      () => octree.firstHit(rayOf([0, 0, 0], [1, 0, 0]), {}, [] as never),
      TypeError,
      /^Octree\.firstHit: target must be a record, but is an array; pass one that a query has returned/,
    );
  });
});

describe('octree.firstHitIndex', () => {
  it('without options, and hasHit, sees all bodies with a category, whatever the query before it was', () => {
    const { octree, bodies } = octreeOf([cube(10, 0, 0, 1), cube(20, 0, 0, 1), cube(5, 0, 0, 1)]);
    const ray = rayOf([0, 0, 0], [1, 0, 0]);
    bodies[0].setMask(4);
    bodies[1].setMask(2);
    bodies[2].setMask(0);
    const seen: number[] = [];
    const filter = (): boolean => {
      seen.push(octree.firstHitIndex(ray));
      return false;
    };
    expect(octree.firstHitIndex(ray, { mask: 2, near: 15, far: 25 })).toBe(1);
    expect([octree.firstHitIndex(ray), octree.hasHit(ray), seen]).toEqual([0, true, []]);
    expect(octree.firstHitIndex(ray, { except: bodies[0], filter })).toBe(-1);
    expect([octree.firstHitIndex(ray), seen]).toEqual([0, [0]]);
    octree.removeMany([0, 1]);
    expect([octree.firstHitIndex(ray), octree.hasHit(ray)]).toEqual([-1, false]);
  });

  it('gives the index of the body of firstHit, -1 if there is none', () => {
    const { octree } = octreeOf([cube(20, 0, 0, 1), cube(10, 0, 0, 1)]);
    expect(octree.firstHitIndex(rayOf([0, 0, 0], [1, 0, 0]))).toBe(1);
    expect(octree.firstHitIndex(rayOf([0, 0, 0], [1, 0, 0]), { near: 15 })).toBe(0);
    expect(octree.firstHitIndex(rayOf([0, 0, 0], [-1, 0, 0]))).toBe(-1);
  });
});
