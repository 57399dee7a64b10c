// The boxes that hide in the place of solid parts lie inside them, whatever the matrix.

import { Box3, BoxGeometry, Matrix3, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import type { OrientedBoxLike, SolidBoxLike } from '../../../src/core.ts';
import { innerBoxes, SolidShape } from '../../../src/occlusion/culling/solid-shape.ts';
import { occluded } from '../../support/occluded-scene.ts';
import { createRandom, type Random } from '../../support/random.ts';

const EVERYTHING = new Box3(new Vector3().setScalar(-1e9), new Vector3().setScalar(1e9));

function randomVector(random: Random, reach: number): Vector3 {
  return new Vector3(random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach));
}

const isTurned = (box: SolidBoxLike): box is OrientedBoxLike => 'halfSize' in box;

function volume(box: SolidBoxLike): number {
  const size = isTurned(box) ? new Vector3().copy(box.halfSize).multiplyScalar(2) : new Vector3().copy(box.max);
  if (!isTurned(box)) size.sub(box.min);
  return size.x * size.y * size.z;
}

function corners(box: SolidBoxLike): Vector3[] {
  return Array.from({ length: 8 }, (_, k) => {
    if (!isTurned(box)) {
      const { min, max } = box;
      return new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
    }
    const sides = new Vector3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1).multiply(box.halfSize);
    return sides.applyMatrix3(new Matrix3().fromArray(box.rotation.elements)).add(box.center);
  });
}

describe('innerBoxes', () => {
  it.each([
    ['turned about y', 1],
    ['turned about any axis', 2],
    ['sheared and mirrored', 3],
  ])('lie inside a box that is %s', (_, kind) => {
    const random = createRandom(kind);
    for (let k = 0; k < 2000; k++) {
      const size = new Vector3(random.between(0.1, 20), random.between(0.1, 20), random.between(0.1, 20));
      const geometry = new BoxGeometry(size.x, size.y, size.z);
      const shape = new SolidShape('test', true, geometry);
      const axis = kind === 1 ? new Vector3(0, 1, 0) : randomVector(random, 1).normalize();
      const matrix = new Matrix4().compose(
        randomVector(random, 1000),
        new Quaternion().setFromAxisAngle(axis, random.between(-4, 4)),
        kind === 3 ? randomVector(random, 3) : new Vector3(1, 1, 1),
      );
      if (kind === 3) matrix.multiply(new Matrix4().makeShear(random.between(-1, 1), 0, 0, 0.3, 0, 0));
      const boxes = innerBoxes(shape.partsOf(geometry)!, matrix, EVERYTHING, null);
      expect(boxes).toHaveLength(1);
      const back = matrix.clone().invert();
      geometry.computeBoundingBox();
      const local = geometry.boundingBox!.clone().expandByScalar(1e-9);
      for (const corner of corners(boxes[0])) expect(local.containsPoint(corner.applyMatrix4(back))).toBe(true);
      // All of the part where its edges stay perpendicular.
      const share = volume(boxes[0]) / (volume(local) * Math.abs(matrix.determinant()));
      if (kind < 3) expect(share).toBeGreaterThan(1 - 1e-6);
      expect(share).toBeGreaterThan(0);
    }
  });

  it('are the box itself where axes stay parallel', () => {
    const geometry = new BoxGeometry(2, 4, 6);
    const parts = new SolidShape('test', true, geometry).partsOf(geometry)!;
    const matrix = new Matrix4().makeRotationY(Math.PI / 2).setPosition(10, 0, 0);
    const [box] = innerBoxes(parts, matrix, EVERYTHING, null) as Box3[];
    for (const [k, value] of [7, -2, -1].entries()) expect(box.min.toArray()[k]).toBeCloseTo(value, 9);
    for (const [k, value] of [13, 2, 1].entries()) expect(box.max.toArray()[k]).toBeCloseTo(value, 9);
  });

  it('take turned boxes, and lie inside the bounds', () => {
    const geometry = new BoxGeometry(20, 20, 20);
    const rotation = new Matrix3().setFromMatrix4(new Matrix4().makeRotationY(Math.PI / 6));
    const obb = { center: new Vector3(1, 2, 3), halfSize: new Vector3(4, 5, 2), rotation };
    const parts = new SolidShape(
      'test',
      [obb, new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1))],
      geometry,
    ).partsOf(geometry)!;
    const turnedBack = new Matrix4().makeRotationY(-Math.PI / 6);
    const [box, second] = innerBoxes(parts, turnedBack, EVERYTHING, null);
    const size = (box as Box3).getSize(new Vector3());
    for (const [k, value] of [8, 10, 4].entries()) expect(size.toArray()[k]).toBeCloseTo(value, 6);
    expect((second as OrientedBoxLike).halfSize.y).toBeCloseTo(1, 9);
    const bounds = new Box3(new Vector3(-100, 3, -100), new Vector3(100, 4, 100));
    expect(innerBoxes(parts, turnedBack, bounds, null)).toEqual([]);
    // Both become smaller, and keep their shape.
    const narrow = new Box3(new Vector3(-100, -0.5, -100), new Vector3(0.25, 100, 100));
    const smaller = innerBoxes(parts, turnedBack, narrow, null);
    expect(smaller).toHaveLength(2);
    for (const one of smaller) for (const corner of corners(one)) expect(narrow.containsPoint(corner)).toBe(true);
    for (const one of smaller) expect(Math.max(...corners(one).map(({ x }) => x))).toBeCloseTo(0.25, 9);
    const { halfSize } = smaller[1] as OrientedBoxLike;
    expect(halfSize.z / halfSize.y).toBeCloseTo(1, 9);
  });

  it('do not exist for a matrix that is flat or holds a NaN', () => {
    const geometry = new BoxGeometry(2, 4, 6);
    const parts = new SolidShape('test', true, geometry).partsOf(geometry)!;
    for (const matrix of [
      new Matrix4().makeScale(1, 0, 1),
      new Matrix4().makeScale(NaN, 1, 1),
      new Matrix4().makeScale(0, 0, 0),
      // All points fall on one line.
      new Matrix4().set(1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1),
    ])
      expect(innerBoxes(parts, matrix, EVERYTHING, null)).toEqual([]);
  });
});

it('axes of boxes are perpendicular, also of parts that a matrix makes nearly flat', () => {
  const geometry = new BoxGeometry(2, 4, 6);
  const parts = new SolidShape('test', true, geometry).partsOf(geometry)!;
  for (let exponent = 0; exponent < 60; exponent++) {
    const flat = new Matrix4().makeScale(1, 2 ** -exponent, 1).multiply(new Matrix4().makeRotationZ(Math.PI / 4));
    for (const box of innerBoxes(parts, flat, EVERYTHING, null).filter(isTurned)) {
      const [x, y, z] = [0, 3, 6].map((at) => new Vector3().fromArray(box.rotation.elements, at));
      for (const [a, b] of [
        [x, y],
        [y, z],
        [z, x],
      ])
        expect(Math.abs(a.dot(b)), `2^-${exponent}`).toBeLessThan(1e-9);
    }
  }
});

/** A cube with a part that leaves it by a share of its size. */
function shapeWith(excess: number): SolidShape {
  const half = 100;
  const part = new Box3(new Vector3().setScalar(-half), new Vector3(half * (1 + excess), half, half));
  return new SolidShape('test', [part], new BoxGeometry(2 * half, 2 * half, 2 * half));
}

it('a part may leave the box around the vertices by rounding errors, and not by more', () => {
  expect(() => shapeWith(7e-7)).not.toThrow();
  expect(() => shapeWith(1.5e-6)).toThrow(/must lie inside the box around the vertices/);
});

describe('an occluder', () => {
  it('that is turned hides as one that is not, also with a container that is turned', () => {
    const { wall, small, group, occlusion, drawn } = occluded();
    // At 45 degrees, the box parallel to the axes inside it has a seventh of its width.
    wall.geometry = new BoxGeometry(20, 20, 4);
    for (const angle of [0, 0.3, Math.PI / 4, -0.9])
      for (const container of [0, -angle, 0.5]) {
        wall.rotation.set(0, angle, 0);
        group.rotation.set(0, container, 0);
        small.position.set(5, 0, -25).applyAxisAngle(new Vector3(0, 1, 0), -container);
        drawn();
        occlusion.finish();
        expect(drawn(), `${angle} ${container}`).toEqual(['wall']);
      }
  });

  it.each([
    ['inside its sphere hides', [0, 0, 0], 0.55, ['wall']],
    ['whose corners leave its sphere hides nothing', [0, 0, 0], 0.58, ['small', 'wall']],
    ['at its left end hides nothing', [-4, 0, 0], 0.5, ['small', 'wall']],
    ['at its lower end hides nothing', [0, -4, 0], 0.5, ['small', 'wall']],
    ['at its upper end hides nothing', [0, 4, 0], 0.5, ['small', 'wall']],
    ['at its far end hides nothing', [0, 0, -4], 0.5, ['small', 'wall']],
  ])('of a mesh that is a sphere: a box %s', (_, place, half, expected) => {
    const { wall, small, occlusion, group, drawn } = occluded();
    // The body of the mesh is a sphere: a box of 0.577 of its radius has its corners on it.
    wall.geometry = new SphereGeometry(9, 24, 16) as never;
    wall.geometry.computeBoundingSphere();
    // Not around 0, where the signs of coordinates do not show.
    group.position.set(-7, -5, -3);
    wall.position.set(7, 5, 3);
    small.position.set(7, 5, -10);
    const size = new Vector3().setScalar(18 * half);
    occlusion.setOccluder(wall, new Box3().setFromCenterAndSize(new Vector3(...place), size));
    drawn();
    occlusion.finish();
    expect(group.octree.bodyAt(0).kind).toBe('sphere');
    expect(drawn()).toEqual(expected);
  });
});
