import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  Color,
  Frustum,
  Group,
  Matrix4,
  PerspectiveCamera,
  Raycaster,
  Vector3,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { Octree as CoreOctree } from '../../src/core.ts';
import { IndexList, Octree, type OctreeNode, WalkSignal } from '../../src/index.ts';
import { BoxLines, OctreeGroup, OctreeHelper, OctreeInstances, type VisitResult } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';
import { cube } from '../support/three-passes.ts';

/** All boxes drawn, and their colours. */
function drawnBoxes(lines: BoxLines): { box: Box3; color: string; opacity: number }[] {
  const position = lines.geometry.getAttribute('position');
  const color = lines.geometry.getAttribute('color');
  return Array.from({ length: lines.geometry.drawRange.count / 24 }, (_, k) => {
    const corners = Array.from({ length: 8 }, (_, corner) =>
      new Vector3().fromBufferAttribute(position, 8 * k + corner),
    );
    return {
      box: new Box3().setFromPoints(corners),
      color: new Color(color.getX(8 * k), color.getY(8 * k), color.getZ(8 * k)).getHexString(),
      opacity: color.getW(8 * k),
    };
  });
}

function nodesOf(octree: Octree<number>): OctreeNode<number>[] {
  const nodes: OctreeNode<number>[] = [];
  octree.visitNodes((node) => void nodes.push(node));
  return nodes;
}

function fill(octree: Pick<CoreOctree<number>, 'insert'>, count: number, seed = 1): void {
  const random = createRandom(seed);
  for (let k = 0; k < count; k++)
    octree.insert({ center: { x: random.below(256), y: random.below(256), z: random.below(256) }, radius: 1 }, k);
}

/** Class and message of the error that a call throws. */
function said(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return String(error);
  }
  return 'nothing';
}

describe('OctreeHelper', () => {
  it('draws the cell of every node, parents first', () => {
    const octree = new Octree<number>();
    fill(octree, 2_000);
    const helper = new OctreeHelper(octree);
    const cells = nodesOf(octree).map(
      ({ cell: { min, edge } }) =>
        new Box3(new Vector3().copy(min as Vector3), new Vector3().copy(min as Vector3).addScalar(edge)),
    );
    expect(cells.length).toBeGreaterThan(100);
    expect(drawnBoxes(helper).map(({ box }) => box)).toEqual(cells);
  });

  it('draws an octree of scene-octree/core, with every outline and query', () => {
    const [plain, octree] = [new CoreOctree<number>(), new Octree<number>()];
    for (const one of [plain, octree]) fill(one, 200);
    const ray = { origin: { x: -1, y: 100, z: 100 }, direction: { x: 1, y: 0, z: 0 } };
    const drawn = [plain, octree].map((one) => drawnBoxes(new OctreeHelper(one, { outline: 'fitted', query: ray })));
    expect(drawn[0].length).toBeGreaterThan(10);
    expect(drawn[0]).toEqual(drawn[1]);
  });

  it('draws the edges of a box: twelve lines, each parallel to an axis', () => {
    const lines = new BoxLines(1);
    lines.addBox({ x: 0, y: 0, z: 0 }, { x: 1, y: 2, z: 4 }, new Color(), 1);
    lines.end();
    const { index } = lines.geometry;
    const position = lines.geometry.getAttribute('position');
    const ends = Array.from({ length: 24 }, (_, k) => new Vector3().fromBufferAttribute(position, index!.getX(k)));
    const lengths = Array.from({ length: 12 }, (_, k) => ends[2 * k].distanceTo(ends[2 * k + 1]));
    expect(lengths.sort((a, b) => a - b)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4]);
    expect(
      new Set(
        Array.from({ length: 12 }, (_, k) =>
          ends[2 * k]
            .clone()
            .add(ends[2 * k + 1])
            .toArray()
            .join(' '),
        ),
      ).size,
    ).toBe(12);
  });

  it('draws fitted boxes, and none for a node without bodies', () => {
    const octree = new Octree<number>();
    fill(octree, 500);
    const helper = new OctreeHelper(octree, { outline: 'fitted' });
    expect(drawnBoxes(helper).map(({ box }) => box)).toEqual(nodesOf(octree).map(({ fitted }) => fitted));
    octree.removeMany(Array.from({ length: 500 }, (_, k) => k));
    // Fitted boxes may shrink a few updates later.
    for (let tick = 0; tick < 5; tick++) octree.update();
    helper.update();
    expect(nodesOf(octree).length).toBeGreaterThan(0);
    expect(helper.boxCount).toBe(0);
  });

  it('draws only a range of depths', () => {
    const octree = new Octree<number>();
    fill(octree, 2_000);
    const helper = new OctreeHelper(octree, { minDepth: 1, maxDepth: 2 });
    const nodes = nodesOf(octree);
    expect(helper.boxCount).toBe(nodes.filter(({ depth }) => depth === 1 || depth === 2).length);
    helper.minDepth = helper.maxDepth = 0;
    helper.update();
    expect(helper.boxCount).toBe(1);
  });

  it('colours by depth: one colour for each depth, another for the next', () => {
    const octree = new Octree<number>();
    fill(octree, 2_000);
    const boxes = drawnBoxes(new OctreeHelper(octree));
    const nodes = nodesOf(octree);
    const colors = new Map<number, Set<string>>();
    nodes.forEach(({ depth }, k) => colors.set(depth, (colors.get(depth) ?? new Set()).add(boxes[k].color)));
    expect([...colors.values()].every(({ size }) => size === 1)).toBe(true);
    expect(new Set([...colors.values()].flatMap((set) => [...set])).size).toBe(colors.size);
  });

  it('colours by lifespan: grey in use, from green to red when empty, gone when expired', () => {
    const octree = new Octree<number>({ region: { min: { x: 0, y: 0, z: 0 }, edge: 256 } });
    fill(octree, 2_000);
    octree.update();
    const helper = new OctreeHelper(octree, { coloring: 'lifespan' });
    expect(new Set(drawnBoxes(helper).map(({ color }) => color)).size).toBe(1);
    const before = helper.boxCount;
    octree.removeMany(Array.from({ length: 1_900 }, (_, k) => k));
    const reds: number[] = [];
    for (let tick = 0; tick < 8; tick++) {
      octree.update();
      helper.update();
      const waiting = drawnBoxes(helper).filter(({ opacity }) => opacity > 0.5);
      if (waiting.length > 0) reds.push(new Color(`#${waiting[0].color}`).r - new Color(`#${waiting[0].color}`).g);
    }
    expect(reds.length).toBeGreaterThan(4);
    expect(reds.every((red, k) => k === 0 || red >= reds[k - 1]) && reds[0] < 0 && reds.at(-1)! > 0).toBe(true);
    for (let tick = 0; tick < 70; tick++) octree.update();
    helper.update();
    expect(helper.boxCount).toBeLessThan(before);
  });

  it('colours by reuse: each doubling of the lifespan has its own colour', () => {
    const octree = new Octree<number>({ region: { min: { x: 0, y: 0, z: 0 }, edge: 256 } });
    fill(octree, 1_000);
    octree.update();
    const helper = new OctreeHelper(octree, { coloring: 'reuse' });
    const colorsOf = (): Map<number, string> => {
      const boxes = drawnBoxes(helper);
      return new Map(nodesOf(octree).map(({ lifespan }, k) => [lifespan, boxes[k].color]));
    };
    expect([...colorsOf().keys()]).toEqual([8]);
    // A corner that a body leaves and enters repeatedly.
    const crowd = octree
      .intersectBox({ min: { x: 192, y: 192, z: 192 }, max: { x: 256, y: 256, z: 256 } })
      .map(({ body }) => body);
    const bounds = crowd.map((body) => body.getSphere());
    for (let time = 0; time < 3; time++) {
      for (const body of crowd) body.setBox({ min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } });
      octree.update();
      crowd.forEach((body, k) => body.setSphere(bounds[k]));
      octree.update();
    }
    helper.update();
    expect(crowd.length).toBeGreaterThan(5);
    const colors = colorsOf();
    expect(colors.size).toBeGreaterThan(1);
    expect(new Set(colors.values()).size).toBe(colors.size);
  });

  it('colours by the visit result of a frustum, and draws no node that the query does not visit', () => {
    const octree = new Octree<number>();
    fill(octree, 4_000);
    const camera = new PerspectiveCamera(60, 1, 1, 200);
    camera.position.set(128, 128, 250);
    camera.updateMatrixWorld();
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    octree.intersectFrustum(frustum, { stats });
    const boxes = drawnBoxes(new OctreeHelper(octree, { query: frustum }));
    const count = (opacity: number): number => boxes.filter((box) => Math.abs(box.opacity - opacity) < 0.01).length;
    const [skipped, contained, split, tested] = [0.25, 0.8, 0.3, 0.9].map(count);
    expect([contained, split + tested]).toEqual([stats.nodesContained, stats.nodesVisited]);
    expect(skipped).toBeGreaterThan(10);
    expect(contained).toBeGreaterThan(3);
    expect(skipped + contained + split + tested).toBe(boxes.length);
    expect(boxes.length).toBeLessThan(octree.statistics.nodes);
  });

  it('colours by the visit result of a ray, up to its far distance', () => {
    const octree = new Octree<number>();
    fill(octree, 4_000);
    const helper = new OctreeHelper(octree, { coloring: 'query' });
    const list = new IndexList();
    const random = createRandom(3);
    const sums = [Infinity, 60].map((far) => {
      let [drawn, visited] = [0, 0];
      for (let k = 0; k < 40; k++) {
        const ray = {
          origin: new Vector3(-10, random.below(256), random.below(256)),
          direction: new Vector3(3, random.between(-2, 2), random.between(-2, 2)),
          far,
        };
        const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
        octree.collectRay(ray, list, { far, stats });
        helper.query = ray;
        helper.update();
        const count = drawnBoxes(helper).filter(({ opacity }) => Math.abs(opacity - 0.25) > 0.01).length;
        expect(count).toBeLessThanOrEqual(stats.nodesVisited);
        drawn += count;
        visited += stats.nodesVisited;
      }
      // The octree's test at `far` is conservative.
      expect(drawn).toBeGreaterThan(0.8 * visited);
      return drawn;
    });
    expect(sums[0]).toBeGreaterThan(2 * sums[1]);
    helper.query = { origin: new Vector3(), direction: new Vector3() };
    expect(() => helper.update()).toThrow(/^OctreeHelper\.update: ray\.direction must not be of length 0/);
  });

  describe('with a function as colouring', () => {
    const octree = new Octree<number>();
    fill(octree, 4_000);
    const nodes = nodesOf(octree);
    const camera = new PerspectiveCamera(60, 1, 1, 200);
    camera.position.set(128, 128, 250);
    camera.updateMatrixWorld();
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    /** The result for a box, by a test of its corners against each plane. */
    const resultOf = ({ fitted, childCount }: OctreeNode<number>): VisitResult => {
      const distances = frustum.planes.map((plane) =>
        Array.from({ length: 8 }, (_, k) =>
          plane.distanceToPoint(
            new Vector3(
              k & 1 ? fitted.max.x : fitted.min.x,
              k & 2 ? fitted.max.y : fitted.min.y,
              k & 4 ? fitted.max.z : fitted.min.z,
            ),
          ),
        ),
      );
      if (distances.some((corners) => Math.max(...corners) < 0)) return 'skipped';
      if (distances.every((corners) => Math.min(...corners) >= 0)) return 'contained';
      return childCount > 0 ? 'split' : 'tested';
    };

    it('draws each node in the colour and with the opacity that it returns, and leaves out those with 0', () => {
      const red = new Color('#f00');
      const helper = new OctreeHelper(octree, {
        coloring: ({ depth, childCount }, color, result) => {
          expect(result).toBe(null);
          color.copy(red);
          return childCount > 0 ? 0 : Math.min(1, depth / 10);
        },
      });
      const leaves = nodes.filter(({ childCount }) => childCount === 0);
      const boxes = drawnBoxes(helper);
      expect(boxes.map(({ box }) => box.min)).toEqual(
        leaves.map(({ cell: { min } }) => new Vector3(min.x, min.y, min.z)),
      );
      expect(
        boxes.every(({ color, opacity }, k) => color === 'ff0000' && Math.abs(opacity - leaves[k].depth / 10) < 0.01),
      ).toBe(true);
    });

    it.each([false, true])(
      'gets the result of the query for each node, also below decided nodes if includesUnvisited is %s',
      (includesUnvisited) => {
        const results: (VisitResult | null)[] = [];
        const helper = new OctreeHelper(octree, {
          query: frustum,
          includesUnvisited,
          coloring: (_, __, result) => results.push(result) && 1,
        });
        const expected: VisitResult[] = [];
        octree.walk((node) => {
          const result = resultOf(node);
          expected.push(result);
          return !includesUnvisited && (result === 'skipped' || result === 'contained')
            ? WalkSignal.Prune
            : WalkSignal.Continue;
        });
        expect(results).toEqual(expected);
        expect(helper.boxCount).toBe(expected.length);
        expect(new Set(expected).size).toBe(4);
        expect(expected.length === nodes.length).toBe(includesUnvisited);
      },
    );

    it('counts only drawn nodes for the limit', () => {
      const helper = new OctreeHelper(octree, { limit: 5, coloring: ({ depth }) => (depth > 0 ? 1 : 0) });
      expect(drawnBoxes(helper).length).toBe(5);
    });

    it.each<[unknown, string]>([
      [
        2,
        'RangeError: OctreeHelper.update: coloring must return an opacity from 0 to 1, but returned 2; return 0 to leave a node out.',
      ],
      [
        NaN,
        'RangeError: OctreeHelper.update: coloring must return an opacity from 0 to 1, but returned NaN; return 0 to leave a node out.',
      ],
      [
        undefined,
        'TypeError: OctreeHelper.update: coloring must return an opacity from 0 to 1, but returned undefined; return 0 to leave a node out.',
      ],
    ])('refuses to draw with an opacity of %s, and can be used again', (opacity, sentence) => {
      const helper = new OctreeHelper(octree);
      helper.coloring = ({ depth }) => (depth < 2 ? 1 : (opacity as number));
      expect(said(() => helper.update())).toBe(sentence);
      expect(drawnBoxes(helper).length).toBe(helper.boxCount);
      helper.coloring = 'depth';
      helper.update();
      expect(helper.boxCount).toBe(nodes.length);
    });
  });

  it('draws with the colouring "query" the nodes that the query does not visit, if told to', () => {
    const octree = new Octree<number>();
    fill(octree, 1_000);
    const query = { origin: { x: -1, y: 100, z: 100 }, direction: { x: 1, y: 0, z: 0 } };
    const helper = new OctreeHelper(octree, { query });
    expect(helper.boxCount).toBeLessThan(octree.statistics.nodes);
    helper.includesUnvisited = true;
    helper.update();
    expect(helper.boxCount).toBe(octree.statistics.nodes);
  });

  it('draws another octree once it is set, and refuses to draw anything else', () => {
    const [few, many] = [new Octree<number>(), new Octree<number>()];
    fill(few, 10);
    fill(many, 1_000);
    const helper = new OctreeHelper(few);
    helper.octree = many;
    helper.update();
    expect(helper.boxCount).toBe(many.statistics.nodes);
    helper.octree = {} as never;
    expect(said(() => helper.update())).toBe(
      'TypeError: OctreeHelper.update: octree must be an Octree or an object with one, but is an object; pass an Octree, an OctreeGroup or an OctreeInstances.',
    );
    expect(helper.boxCount).toBe(many.statistics.nodes);
  });

  it('allocates nothing per node', () => {
    const octree = new Octree<number>();
    fill(octree, 500);
    const lent = new Set<unknown>();
    const walk = vi.spyOn(octree, 'walk');
    const helper = new OctreeHelper(octree);
    for (let k = 0; k < 3; k++) helper.update();
    for (const [visitor, target] of walk.mock.calls) lent.add(visitor).add(target);
    expect(walk).toHaveBeenCalledTimes(4);
    expect(lent.size).toBe(2);
    expect(lent.has(undefined)).toBe(false);
  });

  it('keeps its buffers while they are large enough, and disposes of them when it grows', () => {
    const octree = new Octree<number>();
    fill(octree, 300);
    const helper = new OctreeHelper(octree);
    const { geometry } = helper;
    const position = geometry.getAttribute('position') as BufferAttribute;
    const { array, version } = position;
    helper.update();
    expect([helper.geometry, geometry.getAttribute('position').array]).toEqual([geometry, array]);
    expect(position.version).toBe(version + 1);
    expect(position.updateRanges).toEqual([{ start: 0, count: helper.boxCount * 24 }]);
    let isDisposed = false;
    geometry.addEventListener('dispose', () => (isDisposed = true));
    fill(octree, 3_000, 2);
    helper.update();
    expect(helper.boxCount).toBe(octree.statistics.nodes);
    expect([isDisposed, helper.geometry === geometry]).toEqual([true, false]);
  });

  it('stops at its limit, and refuses a wrong limit', () => {
    const octree = new Octree<number>();
    fill(octree, 2_000);
    expect(new OctreeHelper(octree).limit).toBe(65_536);
    const helper = new OctreeHelper(octree, { limit: 7 });
    expect([helper.boxCount, helper.isFull]).toEqual([7, true]);
    expect(() => new OctreeHelper(octree, { limit: 0 })).toThrow(
      /^BoxLines: limit must be an integer from 1, but is 0/,
    );
  });

  it('refuses values that are no octree and have none', () => {
    const remedy = 'pass an Octree, an OctreeGroup or an OctreeInstances';
    for (const [value, description] of [
      [null, 'null'],
      [undefined, 'undefined'],
      [{ octree: null }, 'an object'],
      [Object.assign(new Group(), { name: 'trees' }), 'the Group "trees"'],
    ] as const) {
      expect(() => new OctreeHelper(value as never)).toThrow(
        new TypeError(
          `OctreeHelper: octree must be an Octree or an object with one, but is ${description}; ${remedy}.`,
        ),
      );
    }
  });

  it('follows a container that moves, or gets another octree', () => {
    const group = new OctreeGroup().add(cube(3));
    const instances = new OctreeInstances(new BoxGeometry(), undefined, 1).translateX(3);
    const containers = [group, instances];
    const helpers = containers.map((container) => new OctreeHelper(container, { outline: 'fitted' }));
    const expectCurrent = (x: number): void => {
      helpers.forEach((helper, k) => {
        helper.update();
        expect(drawnBoxes(helper)).toEqual(drawnBoxes(new OctreeHelper(containers[k].octree, { outline: 'fitted' })));
        expect(drawnBoxes(helper)[0].box.containsPoint(new Vector3(x, 0, 0))).toBe(true);
      });
    };
    expectCurrent(3);
    for (const container of containers) container.translateX(10).updateMatrixWorld();
    expectCurrent(13);
    const { octree } = group;
    group
      .copy(new OctreeGroup({ looseness: 3 }), false)
      .translateX(10)
      .updateMatrixWorld();
    expect(group.octree).not.toBe(octree);
    expectCurrent(13);
  });

  it.each<[unknown, string]>([
    [
      null,
      'TypeError: OctreeHelper: options must be an object, but is null; pass {}, or one with outline, coloring, query, includesUnvisited, minDepth, maxDepth, limit.',
    ],
    [
      { outline: 'x' },
      'TypeError: OctreeHelper: options.outline must be "cell" or "fitted", but is the string "x"; leave it out if unsure.',
    ],
    [
      { coloring: 7 },
      'TypeError: OctreeHelper: options.coloring must be "depth" or "lifespan" or "reuse" or "query" or a function, but is 7; leave it out if unsure.',
    ],
    [
      { includesUnvisited: 1 },
      'TypeError: OctreeHelper: options.includesUnvisited must be true or false, but is 1; pass one of them, or leave it out.',
    ],
    [
      { query: 'all' },
      'TypeError: OctreeHelper: options.query must be an object, but is the string "all"; pass a Frustum or a Ray, or null.',
    ],
    [
      { colouring: 'depth' },
      'TypeError: OctreeHelper: unknown option colouring, which is the string "depth"; use outline, coloring, query, includesUnvisited, minDepth, maxDepth, limit.',
    ],
    [
      { minDepth: '1' },
      'TypeError: OctreeHelper: options.minDepth must be a number, but is the string "1"; the root is at depth 0.',
    ],
    [
      { minDepth: -1 },
      'RangeError: OctreeHelper: options.minDepth must be 0 or more, but is -1; the root is at depth 0.',
    ],
    [
      { maxDepth: NaN },
      'RangeError: OctreeHelper: options.maxDepth must be 0 or more, but is NaN; the root is at depth 0.',
    ],
  ])('refuses the options %j', (options, sentence) => {
    expect(said(() => new OctreeHelper(new Octree<number>(), options as never))).toBe(sentence);
  });

  it('refuses wrong settings in update, and keeps its lines', () => {
    const octree = new Octree<number>();
    fill(octree, 100);
    const helper = new OctreeHelper(octree);
    const { boxCount } = helper;
    helper.outline = 'x' as never;
    expect(said(() => helper.update())).toBe(
      'TypeError: OctreeHelper.update: outline must be "cell" or "fitted", but is the string "x"; leave it out if unsure.',
    );
    helper.outline = 'fitted';
    helper.maxDepth = NaN;
    expect(said(() => helper.update())).toMatch(/^RangeError: OctreeHelper\.update: maxDepth must be 0 or more/);
    expect(helper.boxCount).toBe(boxCount);
    helper.maxDepth = 1;
    helper.update();
    Object.assign(helper, { coloring: 'query', query: { origin: new Vector3(), direction: new Vector3(1), far: -1 } });
    expect(() => helper.update()).toThrow('OctreeHelper.update: query.far must be 0 or more');
    expect(helper.boxCount).toBeGreaterThan(0);
  });

  it('draws the octree of a group and an empty octree, and is not hit by rays', () => {
    const group = new OctreeGroup();
    const helper = new OctreeHelper(group.octree);
    expect(helper.boxCount).toBeLessThanOrEqual(1);
    group.add(cube(3)).updateMatrixWorld();
    helper.update();
    expect(helper.boxCount).toBe(1);
    expect(new Raycaster(new Vector3(3, 0, 9), new Vector3(0, 0, -1)).intersectObject(helper)).toEqual([]);
    helper.dispose();
  });
});
