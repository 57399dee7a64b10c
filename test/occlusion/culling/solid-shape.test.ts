// The boxes that hide in the place of solid parts lie inside them, whatever the matrix.

import { Box3, BoxGeometry, Matrix3, Matrix4, Quaternion, SphereGeometry, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { innerBoxes, SolidShape } from '../../../src/occlusion/culling/solid-shape.ts';
import { occluded } from '../../support/occluded-scene.ts';
import { createRandom, type Random } from '../../support/random.ts';

const EVERYTHING = new Box3(new Vector3().setScalar(-1e9), new Vector3().setScalar(1e9));

function randomVector(random: Random, reach: number): Vector3 {
  return new Vector3(random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach));
}

const volume = (box: Box3): number =>
  box
    .getSize(new Vector3())
    .toArray()
    .reduce((product, edge) => product * edge);

function corners({ min, max }: Box3): Vector3[] {
  return Array.from(
    { length: 8 },
    (_, k) => new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z),
  );
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
      const boxes = innerBoxes(shape.partsOf(geometry)!, matrix, EVERYTHING);
      expect(boxes).toHaveLength(1);
      const back = matrix.clone().invert();
      geometry.computeBoundingBox();
      const local = geometry.boundingBox!.clone().expandByScalar(1e-9);
      for (const corner of corners(boxes[0])) expect(local.containsPoint(corner.applyMatrix4(back))).toBe(true);
      // Not needlessly small: a quarter of the volume remains at 45 degrees about y.
      const share = volume(boxes[0]) / (volume(local) * Math.abs(matrix.determinant()));
      const { x, z } = size;
      if (kind === 1) expect(share).toBeGreaterThan(0.25 * (Math.min(x, z) / Math.max(x, z)));
      expect(share).toBeGreaterThan(0);
    }
  });

  it('are the box itself where axes stay parallel', () => {
    const geometry = new BoxGeometry(2, 4, 6);
    const parts = new SolidShape('test', true, geometry).partsOf(geometry)!;
    const matrix = new Matrix4().makeRotationY(Math.PI / 2).setPosition(10, 0, 0);
    const [box] = innerBoxes(parts, matrix, EVERYTHING);
    for (const [k, value] of [7, -2, -1].entries()) expect(box.min.toArray()[k]).toBeCloseTo(value, 9);
    for (const [k, value] of [13, 2, 1].entries()) expect(box.max.toArray()[k]).toBeCloseTo(value, 9);
  });

  it('take turned boxes, and are cut to the bounds', () => {
    const geometry = new BoxGeometry(20, 20, 20);
    const rotation = new Matrix3().setFromMatrix4(new Matrix4().makeRotationY(Math.PI / 6));
    const obb = { center: new Vector3(1, 2, 3), halfSize: new Vector3(4, 5, 2), rotation };
    const parts = new SolidShape(
      'test',
      [obb, new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1))],
      geometry,
    ).partsOf(geometry)!;
    const turnedBack = new Matrix4().makeRotationY(-Math.PI / 6);
    const [box, second] = innerBoxes(parts, turnedBack, EVERYTHING);
    const size = box.getSize(new Vector3());
    for (const [k, value] of [8, 10, 4].entries()) expect(size.toArray()[k]).toBeCloseTo(value, 6);
    expect(second.getSize(new Vector3()).y).toBeCloseTo(2, 9);
    const bounds = new Box3(new Vector3(-100, 3, -100), new Vector3(100, 4, 100));
    const cut = innerBoxes(parts, turnedBack, bounds);
    expect(cut).toHaveLength(1);
    expect(bounds.containsBox(cut[0])).toBe(true);
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
      expect(innerBoxes(parts, matrix, EVERYTHING)).toEqual([]);
  });
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
