import { Frustum, Matrix4, OrthographicCamera, PerspectiveCamera, type Camera } from 'three';
import { describe, expect, it } from 'vitest';
import type { FrustumOptions, FrustumView, QueryStats } from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import { BruteForce } from '../../src/debug/index.ts';
import { octreeOf } from '../support/octrees.ts';
import { errorOf, expectRejection } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, planesOfBox, sphereOf } from '../support/shapes.ts';

/** All bodies, and none. */
const EVERYTHING = { planes: [] };
const NOTHING = planesOf([[1, 0, 0, -1e9]]);

function frustumOf(camera: Camera): Frustum {
  camera.updateMatrixWorld();
  return new Frustum().setFromProjectionMatrix(new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
}

/** A camera, a light with four cascades around it, two eyes and the six faces of a cube: planes that are parallel, shared or opposite. */
function cameras(): Frustum[] {
  const camera = new PerspectiveCamera(60, 1.6, 0.5, 120);
  camera.position.set(-40, 5, -30);
  camera.lookAt(0, 0, 0);
  const cascades = [8, 20, 50, 110].map((half) => {
    const light = new OrthographicCamera(-half, half, half, -half, 1, 300);
    light.position.set(20, 120, 10);
    light.lookAt(0, 0, 0);
    return light;
  });
  const eyes = [-0.03, 0.03].map((offset) => camera.clone().translateX(offset));
  const faces = [[1, 0, 0], [-1, 0, 0], [0, 1, 1e-3], [0, -1, 1e-3], [0, 0, 1], [0, 0, -1]].map(([x, y, z]) => {
    const face = new PerspectiveCamera(90, 1, 0.5, 60);
    face.lookAt(x, y, z);
    return face;
  });
  return [camera, ...cascades, ...eyes, ...faces].map(frustumOf);
}

function viewsOf(frusta: readonly Frustum[], options: readonly FrustumOptions<number>[] = []): FrustumView<number>[] {
  return frusta.map((frustum, k) => ({ frustum, list: new IndexList(), ...(options.length > 0 && { options: options[k % options.length] }) }));
}

function indicesIn({ array, length }: IndexList): number[] {
  return [...array.subarray(0, length)];
}

/** What `collectFrustum` gives for each view alone. */
function alone(octree: Octree<number>, views: readonly FrustumView<number>[]): number[][] {
  return views.map(({ frustum, options }) => {
    const list = new IndexList();
    octree.collectFrustum(frustum, list, options);
    return indicesIn(list);
  });
}

describe('octree.collectViews', () => {
  it.each([
    ['in WebAssembly', 0],
    ['in JavaScript', Infinity],
  ])('gives each view what collectFrustum gives it alone, in the same order: %s', (_name, simdFrom) => {
    const { octree, bodies } = octreeOf(uniform(1500, 4), { simdFrom });
    for (const body of bodies) body.setMask(1 << (body.data % 3));
    const stats = {} as QueryStats;
    const options: FrustumOptions<number>[] = [{}, { mask: 5 }, { filter: ({ data }) => data % 2 === 0 }, { exact: true }, { minSize: 1 }, { except: bodies[7], stats }, { mask: 0 }, { candidates: true }];
    // Enough views for 32 and more; one option after the other for each frustum.
    const views = [...viewsOf(cameras(), options), ...viewsOf(cameras(), options.slice(1)), ...viewsOf(cameras())];
    expect(views.length).toBeGreaterThan(32);
    const found = octree.collectViews(views);
    const lists = views.map(({ list }) => indicesIn(list));
    expect(lists).toEqual(alone(octree, views));
    expect(found).toBe(lists.flat().length);
    expect(lists.filter((list) => list.length > 0).length).toBeGreaterThan(20);
  });

  it('equals the loop over all bodies', () => {
    const shapes = uniform(300, 9);
    const { octree } = octreeOf(shapes);
    const bruteForce = new BruteForce();
    for (const [k, shape] of shapes.entries()) {
      if (shape.length === 4) bruteForce.setSphere(k, shape);
      else bruteForce.setBox(k, shape);
    }
    const views = viewsOf(cameras(), [{}, { exact: true }, { minSize: 2 }]);
    octree.collectViews(views);
    const expected = views.map(({ frustum, options }) => bruteForce.frustum(frustum.planes.map(({ normal: { x, y, z }, constant }) => [x, y, z, constant]), options as object));
    expect(views.map(({ list }) => indicesIn(list).sort((a, b) => a - b))).toEqual(expected.map((results) => results.map(({ index }) => index)));
  });

  it('takes no view, a view of everything, one of nothing, the same frustum twice, and an empty octree', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1), cube(9, 0, 0, 1)]);
    expect(octree.collectViews([])).toBe(0);
    const near = planesOf(planesOfBox(cube(0, 0, 0, 2)));
    const views = [EVERYTHING, NOTHING, near, near].map((frustum) => ({ frustum, list: new IndexList() }));
    expect(octree.collectViews(views)).toBe(4);
    expect(views.map(({ list }) => indicesIn(list))).toEqual([[0, 1], [], [0], [0]].map((list, k) => (k === 0 ? alone(octree, views)[0] : list)));
    expect(new Octree<number>().collectViews(views)).toBe(0);
    expect(views.map(({ list }) => list.length)).toEqual([0, 0, 0, 0]);
  });

  it('fills stats of each view with its own costs', () => {
    const { octree } = octreeOf(uniform(1500, 4));
    const stats = [{} as QueryStats, {} as QueryStats];
    octree.collectViews(viewsOf(cameras().slice(0, 2), stats.map((one) => ({ stats: one }))));
    const single = {} as QueryStats;
    for (const [k, frustum] of cameras().slice(0, 2).entries()) {
      octree.collectFrustum(frustum, new IndexList(), { stats: single });
      expect(stats[k]).toEqual(single);
    }
  });

  it('shows all views the octree as it is at the call, and runs inside a filter of its own', () => {
    const { octree } = octreeOf(uniform(1200, 6));
    octree.insert(sphereOf([500, 0, 0, 1]), -1);
    const inner = [EVERYTHING, NOTHING].map((frustum) => ({ frustum, list: new IndexList() }));
    let calls = 0;
    const filter = ({ index }: { index: number }): boolean => {
      if (calls++ === 0) {
        octree.bodyAt(index).remove();
        octree.insert(sphereOf([400, 0, 0, 1]), -2);
      }
      if (calls < 5) octree.collectViews(inner);
      return true;
    };
    const outer = [{ frustum: EVERYTHING, list: new IndexList(), options: { filter } }, { frustum: EVERYTHING, list: new IndexList() }];
    expect(octree.collectViews(outer)).toBe(2 * 1201);
    expect(indicesIn(outer[0].list)).toEqual(indicesIn(outer[1].list));
    expect(inner.map(({ list }) => list.length)).toEqual([1201, 0]);
    // Once the call has ended, the writes of the filter count: one body less, one more.
    expect(octree.collectViews(inner)).toBe(1201);
    expect(indicesIn(inner[0].list).map((index) => octree.dataAt(index))).toContain(-2);
  });

  it('stays usable after a filter that throws', () => {
    const { octree } = octreeOf(uniform(100, 2));
    const views = [{ frustum: EVERYTHING, list: new IndexList(), options: { filter: (): boolean => fail() } }, { frustum: EVERYTHING, list: new IndexList() }];
    expect(errorOf(() => octree.collectViews(views))).toEqual(new Error('mine'));
    expect(octree.collectViews([views[1]])).toBe(100);
    expect(octree.validate()).toEqual([]);
  });

  it('takes views with other fields, but no option beside the frustum', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1)]);
    const view = { name: 'camera', frustum: EVERYTHING, list: new IndexList() };
    expect(octree.collectViews([view])).toBe(1);
    expectRejection(octree, () => octree.collectViews([{ ...view, mask: 1 } as typeof view]), TypeError, /views\[0\]: mask is 1 beside the frustum; pass it in options/);
  });

  it('rejects what is invalid in any view, before a list changes', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 1)]);
    const other = new Octree<number>();
    const stranger = other.insert(boxOf(cube(0, 0, 0, 1)), 0);
    const first = { frustum: EVERYTHING, list: new IndexList() };
    first.list.push(77);
    const rejects = (second: unknown, error: ErrorConstructor, sentence: RegExp): void => {
      expectRejection(octree, () => octree.collectViews([first, second as FrustumView<number>]), error, sentence);
      expect(indicesIn(first.list)).toEqual([77]);
    };
    rejects({ frustum: NOTHING, list: first.list }, RangeError, /views\[1\]\.list must be a list of its own, but is the list of views\[0\]; make one IndexList per view/);
    rejects({ frustum: planesOf([[0, NaN, 0, 1]]), list: new IndexList() }, RangeError, /views\[1\]: frustum\.planes\[0\]\.normal\.y must be finite, but is NaN/);
    rejects({ frustum: NOTHING, list: [] }, TypeError, /views\[1\]: list must be an IndexList, but is an array/);
    rejects({ frustum: NOTHING }, TypeError, /views\[1\]: list must be an object, but is undefined/);
    rejects({ list: new IndexList() }, TypeError, /views\[1\]: frustum must be an object, but is undefined/);
    rejects(null, TypeError, /views\[1\]: the view must be an object, but is null/);
    rejects({ frustum: NOTHING, list: new IndexList(), options: { masks: 1 } }, TypeError, /views\[1\]: unknown option masks/);
    rejects({ frustum: NOTHING, list: new IndexList(), options: { minSize: -1 } }, RangeError, /views\[1\]: options\.minSize must be 0 or more/);
    rejects({ frustum: NOTHING, list: new IndexList(), options: { except: stranger } }, RangeError, /views\[1\]: options\.except is body 0 of another octree/);
    expectRejection(octree, () => octree.collectViews({ 0: first } as never), TypeError, /views must be an array, but is an object/);
  });
});

function fail(): never {
  throw new Error('mine');
}
