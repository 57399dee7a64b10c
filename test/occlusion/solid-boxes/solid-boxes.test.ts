import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  Float16BufferAttribute,
  IcosahedronGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  PlaneGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';
import { describe, expect, it } from 'vitest';
import { solidBoxes, type SolidBoxesOptions } from '../../../src/core.ts';
import {
  arraysOf,
  block,
  cornersOf,
  extruded,
  faultOf,
  gabled,
  insideOut,
  L_SHAPE,
  mapped,
  placed,
  trianglesOf,
  volumeOf,
  withFlipped,
  withHole,
  withSlit,
  yardBehindSlit,
  type Triangle,
} from '../../support/solid-meshes.ts';

/** A tower whose lower part has more vertices along the seam than the upper one: T-junctions. */
function towerWithTJunctions(): Triangle[] {
  const lower = block([0, 0, 0], [8, 10, 8]).filter((triangle) => !triangle.every(([, y]) => y === 10));
  const upper = block([0, 10, 0], [8, 20, 8]).filter((triangle) => !triangle.every(([, y]) => y === 10));
  // The wall x = 8 of the lower part again, as two halves.
  const rest = lower.filter((triangle) => !triangle.every(([x]) => x === 8));
  const halves = [
    [0, 4],
    [4, 8],
  ].flatMap(([z0, z1]) => block([0, 0, z0], [8, 10, z1]).filter((triangle) => triangle.every(([x]) => x === 8)));
  return [...rest, ...halves, ...upper];
}

const CLEAN: Readonly<Record<string, readonly Triangle[]>> = {
  'a box': block([0, 0, 0], [4, 3, 6]),
  'a flat box': block([0, 0, 0], [40, 0.2, 60]),
  'an L': extruded(L_SHAPE, 8),
  'a house with a gable': gabled(),
  'a turned house, far from 0': placed(gabled(), 0.7, [1500, 20, -900]),
  'a cylinder': trianglesOf(new CylinderGeometry(5, 5, 12, 24)),
  'a cone': trianglesOf(new ConeGeometry(5, 12, 24)),
  'a sphere': trianglesOf(new SphereGeometry(5, 24, 16)),
  'a rock': trianglesOf(new IcosahedronGeometry(5, 2)),
  'a torus': trianglesOf(new TorusGeometry(6, 2.5, 12, 24).rotateX(Math.PI / 2)),
  'a tower with T-junctions': towerWithTJunctions(),
  'two buildings that overlap': [...block([0, 0, 0], [10, 6, 10]), ...block([5, 0, 5], [15, 9, 15])],
  'a house with an open sign': [...gabled(), ...trianglesOf(new PlaneGeometry(2, 1).translate(0, 4, 15))],
};

function hasNone(triangles: readonly Triangle[], options?: SolidBoxesOptions): void {
  expect(solidBoxes(arraysOf(triangles), options)).toEqual([]);
}

function expectClose(point: { x: number; y: number; z: number }, to: readonly number[]): void {
  for (const [k, value] of [point.x, point.y, point.z].entries()) expect(value).toBeCloseTo(to[k], 1);
}

/** A gabled house with one corner of one triangle moved along x. */
function bent(by: number): Triangle[] {
  return gabled().map((triangle, k) =>
    k === 4
      ? (triangle.map(([x, y, z], corner) => [corner === 0 ? x + by : x, y, z]) as unknown as Triangle)
      : triangle,
  );
}

describe('solidBoxes', () => {
  it.each(Object.entries(CLEAN))('finds proven boxes in %s', (name, triangles) => {
    const sides = name === 'a house with an open sign' ? 'front' : 'closed';
    for (const options of [{}, { axisAligned: true }, { resolution: 32, maxBoxes: 4 }, { side: 'double' }] as const) {
      const boxes = solidBoxes(arraysOf(triangles), options);
      expect(boxes.length).toBeGreaterThan(0);
      expect(boxes.map((box) => faultOf(triangles, box, sides))).toEqual(boxes.map(() => null));
    }
  });

  it('fills a building with its room: the walls hide the room', () => {
    const hollow = [...block([0, 0, 0], [10, 6, 10]), ...insideOut(block([1, 1, 1], [9, 5, 9]))];
    const boxes = solidBoxes(arraysOf(hollow));
    expect(boxes).toHaveLength(1);
    expect(volumeOf(boxes[0])).toBeGreaterThan(600 * 0.99);
    expect(faultOf(hollow, boxes[0], 'double')).toBeNull();
  });

  it('fills a box up to a ten-thousandth of its size, whichever way it is turned', () => {
    for (const angle of [0, 0.3, 1, 2.5]) {
      const boxes = solidBoxes(arraysOf(placed(block([0, 0, 0], [4, 3, 6]), angle, [3, 1, 2])));
      expect(boxes).toHaveLength(1);
      expect(volumeOf(boxes[0])).toBeGreaterThan(72 * 0.995);
    }
  });

  it('fills most of a house with two boxes, the second one in its gable or beside the first one', () => {
    const house = solidBoxes(arraysOf(gabled()));
    expect(house).toHaveLength(2);
    // 10 x 14 x 6 below the eaves.
    expect(volumeOf(house[0])).toBeGreaterThan(840 * 0.8);
    const wings = solidBoxes(arraysOf(extruded(L_SHAPE, 8)));
    expect(wings).toHaveLength(2);
    expect(volumeOf(wings[0])).toBeGreaterThan(5 * 14 * 8 * 0.95);
    expect(volumeOf(wings[1])).toBeGreaterThan(12 * 5 * 8 * 0.95);
  });

  it('reads geometries of three: with and without index, interleaved, quantised, half floats, a draw range', () => {
    const geometry = new BoxGeometry(4, 3, 6, 2, 2, 2);
    const { position } = geometry.attributes;
    const interleaved = new BufferGeometry().setIndex(geometry.index);
    const buffer = new InterleavedBuffer(new Float32Array(5 * position.count), 5);
    const quantised = new BufferGeometry().setIndex(geometry.index);
    const short = new BufferAttribute(new Int16Array(3 * position.count), 3, true);
    const half = new BufferGeometry().setIndex(geometry.index);
    const halves = new Float16BufferAttribute(new Uint16Array(3 * position.count), 3);
    interleaved.setAttribute('position', new InterleavedBufferAttribute(buffer, 3, 1));
    quantised.setAttribute('position', short);
    half.setAttribute('position', halves);
    for (let k = 0; k < position.count; k++) {
      const [x, y, z] = [position.getX(k), position.getY(k), position.getZ(k)];
      interleaved.attributes.position.setXYZ(k, x, y, z);
      short.setXYZ(k, x / 8, y / 8, z / 8);
      halves.setXYZ(k, x, y, z);
    }
    const whole = solidBoxes(geometry);
    expect(volumeOf(whole[0])).toBeGreaterThan(72 * 0.995);
    expect(solidBoxes(geometry.toNonIndexed())).toEqual(whole);
    expect(solidBoxes(mergeVertices(geometry.deleteAttribute('normal').deleteAttribute('uv')))).toEqual(whole);
    expect(solidBoxes(interleaved)).toEqual(whole);
    expect(solidBoxes(half)).toEqual(whole);
    expect(volumeOf(solidBoxes(quantised)[0]) * 512).toBeCloseTo(volumeOf(whole[0]), 1);
    geometry.setDrawRange(0, geometry.index!.count - 3);
    expect(solidBoxes(geometry)).toEqual([]);
    geometry.setDrawRange(0, Infinity);
    geometry.morphAttributes.position = [position.clone()];
    expect(solidBoxes(geometry)).toEqual([]);
  });

  it('has boxes parallel to the axes, also under a matrix, mirrored ones included', () => {
    const matrix = new Matrix4().makeRotationZ(Math.PI / 2).setPosition(10, 0, 0);
    const [box] = solidBoxes(arraysOf(block([0, 0, 0], [4, 3, 6])), { axisAligned: true, matrix });
    expectClose(box.min, [7, 0, 0]);
    expectClose(box.max, [10, 4, 6]);
    const mirror = new Matrix4().makeScale(-1, 1, 1);
    expect(solidBoxes(arraysOf(gabled()), { matrix: mirror })).toHaveLength(2);
    expect(solidBoxes(arraysOf(insideOut(gabled())), { matrix: mirror })).toEqual([]);
    const sheared = new Matrix4().set(1, 0.4, 0, 0, 0, 1, 0, 0, 0.2, 0, 1, 0, 0, 0, 0, 1);
    const triangles = mapped(gabled(), (p) => new Vector3(...p).applyMatrix4(sheared).toArray());
    for (const found of solidBoxes(arraysOf(gabled()), { matrix: sheared }))
      expect(faultOf(triangles, found, 'front')).toBeNull();
    expect(solidBoxes(arraysOf(gabled()), { matrix: new Matrix4().makeScale(1, 0, 1) })).toEqual([]);
  });

  it('turns boxes about the axis that points up', () => {
    const upright = placed(gabled(), 0.5, [0, 0, 0]);
    const lying = mapped(upright, ([x, y, z]) => [z, x, y]);
    const boxes = solidBoxes(arraysOf(lying), { up: 'z' });
    expect(boxes).toHaveLength(2);
    const [standing] = solidBoxes(arraysOf(upright));
    expect(volumeOf(boxes[0])).toBeCloseTo(volumeOf(standing), 3);
    for (const box of boxes) {
      expect(box.rotation.elements.slice(3, 6)).toEqual([0, 0, 1]);
      expect(faultOf(lying, box, 'front')).toBeNull();
    }
    for (const box of solidBoxes(arraysOf(lying), { up: 'z', axisAligned: true }))
      expect(faultOf(lying, box, 'front')).toBeNull();
  });

  it('needs a floor, unless there is ground', () => {
    const open = gabled().filter((triangle) => !triangle.every(([, y]) => y === 0));
    expect(solidBoxes(arraysOf(open))).toEqual([]);
    const boxes = solidBoxes(arraysOf(open), { hasGround: true });
    expect(boxes).toHaveLength(2);
    for (const box of boxes) {
      expect(faultOf(gabled(), box, 'front')).toBeNull();
      expect(faultOf(open, box, 'front', 0)).toBeNull();
    }
    // Open above the lowest plane of the mesh: an eye between the two could look into it.
    const floating = [...placed(open, 0, [0, 5, 0]), ...block([20, 0, 0], [21, 1, 1])];
    expect(solidBoxes(arraysOf(floating), { hasGround: true }).map(({ center }) => center.x > 19)).toEqual([true]);
    const withoutRoof = gabled().filter((triangle) => !triangle.some(([, y]) => y === 9));
    expect(solidBoxes(arraysOf(withoutRoof), { hasGround: true })).toEqual([]);
  });
});

describe('damaged meshes', () => {
  it.each([0.001, 0.002, 0.005, 0.02, 0.1, 1])('with a hole of %s have no boxes', (size) => {
    for (const triangles of [gabled(), extruded(L_SHAPE, 8), block([0, 0, 0], [4, 3, 6]), towerWithTJunctions()]) {
      for (let which = 0; which < triangles.length; which++) {
        hasNone(withHole(triangles, which, size));
        hasNone(withHole(triangles, which, size), { side: 'double', resolution: 32 });
      }
    }
  });

  it('with a triangle less, or a slit of a millimetre, have no boxes', () => {
    for (const triangles of [gabled(), trianglesOf(new CylinderGeometry(5, 5, 12, 24))])
      for (let which = 0; which < triangles.length; which++) hasNone(triangles.filter((_, k) => k !== which));
    for (const width of [0.001, 0.01, 0.3]) {
      hasNone(withSlit(gabled(), 5, width));
      hasNone(withSlit(gabled(), -5, width), { side: 'double' });
    }
  });

  it('with a flipped triangle, or inside out, have boxes only where both sides are drawn', () => {
    const triangles = gabled();
    const both = solidBoxes(arraysOf(triangles));
    const hasAll = (damaged: readonly Triangle[], side: 'back' | 'double'): void => {
      const boxes = solidBoxes(arraysOf(damaged), { side });
      expect(boxes).toHaveLength(2);
      for (const [k, box] of boxes.entries()) expect(volumeOf(box)).toBeCloseTo(volumeOf(both[k]), 3);
    };
    hasAll(triangles, 'double');
    for (let which = 0; which < triangles.length; which++) {
      hasNone(withFlipped(triangles, which));
      hasAll(withFlipped(triangles, which), 'double');
    }
    hasNone(insideOut(triangles));
    hasNone(triangles, { side: 'back' });
    hasAll(insideOut(triangles), 'double');
    hasAll(insideOut(triangles), 'back');
  });

  it('have boxes in the walls of a yard behind a slit, but not in the yard', () => {
    for (const width of [0.001, 0.05, 0.4]) {
      const triangles = yardBehindSlit(width);
      const boxes = solidBoxes(arraysOf(triangles), { maxBoxes: 8, resolution: 32 });
      expect(boxes.length).toBeGreaterThan(1);
      for (const box of boxes) {
        expect(faultOf(triangles, box, 'front')).toBeNull();
        const { at } = cornersOf(box);
        const [x, y, z] = at(0.5, 0.5, 0.5);
        expect(Math.abs(x) < 6 && Math.abs(z) < 6 && y < 6).toBe(false);
      }
    }
  });

  it('with shared vertices that differ by more than rounding have no boxes, and by rounding they have', () => {
    // Rounding is 2^-22 of the largest coordinate, 14.
    expect(solidBoxes(arraysOf(bent(2e-6)))).toHaveLength(2);
    hasNone(bent(1e-4));
  });

  it('that are open everywhere, flat, or of one triangle have no boxes', () => {
    hasNone(trianglesOf(new PlaneGeometry(10, 10, 4, 4)));
    hasNone(trianglesOf(new CylinderGeometry(5, 5, 12, 24, 1, true)));
    hasNone([
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
    ]);
    hasNone([
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ],
    ]);
    hasNone([
      [
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 1],
      ],
    ]);
  });
});

const positions = new Float32Array(9);

function faulty(value: unknown, options?: unknown): () => unknown {
  return () => solidBoxes(value as never, options as never);
}

describe('invalid arguments', () => {
  it.each([
    [faulty(5), 'solidBoxes: geometry must be an object, but is 5; pass a BufferGeometry, or {positions, index}.'],
    [
      faulty(new BufferGeometry()),
      'solidBoxes: geometry.attributes.position must be an attribute, but is undefined; pass a BufferGeometry, or {positions, index}.',
    ],
    [
      faulty({ positions: [] }),
      'solidBoxes: geometry.positions must have at least one triangle, but is empty; add vertices first.',
    ],
    [
      faulty(new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(0), 3))),
      'solidBoxes: geometry.attributes.position must have at least one triangle, but is empty; add vertices first.',
    ],
    [
      faulty({ positions: new Float32Array(10) }),
      'solidBoxes: geometry.positions.length must be a multiple of three, but is 10; pass a BufferGeometry, or {positions, index}.',
    ],
    [
      faulty({ positions: [0, 0, 0, 1, NaN, 0, 0, 1, 1] }),
      'solidBoxes: geometry.positions[4], y of vertex 1, must lie within +-2^50, but is NaN; check what wrote the positions.',
    ],
    [
      faulty({ positions, index: [0, 1, 3] }),
      'solidBoxes: geometry.index[2] must be a vertex from 0 to 2, but is 3; check what wrote the index.',
    ],
    [faulty({ positions, index: 'none' }), /^solidBoxes: geometry\.index must be an array/],
    [
      faulty({ positions }, { maxBoxes: 9 }),
      'solidBoxes: options.maxBoxes must be an integer from 1 to 8, but is 9; leave it out if unsure.',
    ],
    [faulty({ positions }, { resolution: 3.5 }), /^solidBoxes: options\.resolution must be an integer from 4 to 32/],
    [faulty({ positions }, { side: 0 }), /^solidBoxes: options\.side must be 'front', 'back' or 'double', but is 0/],
    [faulty({ positions }, { up: 'w' }), /^solidBoxes: options\.up must be 'x', 'y' or 'z'/],
    [faulty({ positions }, { hasGround: 1 }), /^solidBoxes: options\.hasGround must be true or false, but is 1/],
    [faulty({ positions }, { boxes: 1 }), /^solidBoxes: unknown option boxes, which is 1; use maxBoxes, /],
    [
      faulty({ positions }, { matrix: { elements: [1] } }),
      /^solidBoxes: options\.matrix\.elements\[1\] must be a number, but is undefined/,
    ],
    [
      faulty({ positions }, { matrix: new Matrix4().makePerspective(-1, 1, 1, -1, 1, 9) }),
      /^solidBoxes: options\.matrix must have the last row 0, 0, 0, 1/,
    ],
  ] as const)('%#: %o', (call, sentence) => {
    expect(call).toThrow(sentence);
  });
});
