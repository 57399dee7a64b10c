import { describe, expect, it } from 'vitest';
import { ClosedMesh, type SolidRequest } from '../../../src/occlusion/solid-boxes/closed-mesh.ts';
import { MeshReader } from '../../../src/occlusion/solid-boxes/mesh-reader.ts';
import { isSolid } from '../../../src/occlusion/solid-boxes/solid-proof.ts';
import { arraysOf, block, extruded, insideOut, type Triangle } from '../../support/solid-meshes.ts';

const REQUEST: SolidRequest = {
  maxBoxes: 1,
  resolution: 16,
  hasGround: false,
  side: 'double',
  isAxisAligned: true,
  up: 1,
  matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
};

/** Whether the proof holds for a box, relative to the middle of the floor of a mesh. */
function holds(triangles: readonly Triangle[], box: readonly number[], side: SolidRequest['side'] = 'front'): boolean {
  const reader = new MeshReader();
  const mesh = new ClosedMesh();
  Array.from(reader.read('test', arraysOf(triangles)));
  Array.from(mesh.find(reader, { ...REQUEST, side }));
  return isSolid(Float64Array.from(box), mesh);
}

/** A yard with walls: 10 wide, the yard 6 wide. */
const yard = extruded(
  [
    [-5, -5],
    [5, -5],
    [5, 5],
    [-5, 5],
    [-5, -4.9],
    [-3, -4.9],
    [-3, 3],
    [3, 3],
    [3, -3],
    [-2.9, -3],
    [-2.9, -4.9],
    [-5, -4.95],
  ],
  4,
);

describe('the proof of a box', () => {
  it('holds inside, and not outside or across a triangle', () => {
    const cube = block([-5, 0, -5], [5, 10, 5]);
    expect(holds(cube, [-4, 1, -4, 4, 9, 4])).toBe(true);
    expect(holds(cube, [6, 1, -4, 8, 9, 4])).toBe(false);
    expect(holds(cube, [-4, 11, -4, 4, 12, 4])).toBe(false);
    expect(holds(cube, [-4, -3, -4, 4, -1, 4])).toBe(false);
    expect(holds(cube, [-4, 1, -4, 5.5, 9, 4])).toBe(false);
    // Around all of it: the winding number in the middle is 1.
    expect(holds(cube, [-6, -1, -6, 6, 11, 6])).toBe(false);
    // The centre lies on the diagonals of floor and roof.
    expect(holds(cube, [-4, 1, -4, 4, 9, 4], 'double')).toBe(true);
  });

  it('does not hold in a yard, but in a room that closed walls surround', () => {
    expect(holds(yard, [-2, 1, -2, 2, 3, 2])).toBe(false);
    expect(holds(yard, [3.2, 1, -2, 4.8, 3, 2])).toBe(true);
    const cube = block([-5, 0, -5], [5, 10, 5]);
    const room = insideOut(block([-4, 1, -4], [4, 9, 4]));
    expect(holds([...cube, ...room], [-3, 2, -3, 3, 8, 3])).toBe(true);
    expect(holds([...cube, ...room], [-3, 2, -3, 3, 8, 3], 'double')).toBe(true);
  });
});
