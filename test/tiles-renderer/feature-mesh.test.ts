import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshBasicMaterial,
  Raycaster,
  Vector3,
  type Intersection,
} from 'three';
import { describe, expect, it } from 'vitest';
import { FeatureMesh } from '../../src/tiles-renderer/feature-mesh.ts';

/** The number of features; 1 and 4 have no triangle. */
const COUNT = 5;
/** By triangle its feature and its place. */
const FEATURES = [0, 2, 0, 3];

/** Numbers of vertices, beside others if they are interleaved. */
function attribute(values: readonly number[], size: number, isInterleaved: boolean): BufferAttribute {
  if (!isInterleaved) return new BufferAttribute(Float32Array.from(values), size);
  const rows = Array.from({ length: values.length / size }, (_, k) => [77, ...values.slice(size * k, size * k + size)]);
  const buffer = new InterleavedBuffer(Float32Array.from(rows.flat()), size + 1);
  return new InterleavedBufferAttribute(buffer, size, 1) as unknown as BufferAttribute;
}

/** Four triangles in a row. */
function meshOf({ hasIndex = true, isInterleaved = false, ids = FEATURES } = {}): { mesh: Mesh; ids: BufferAttribute } {
  const geometry = new BufferGeometry();
  const positions = FEATURES.flatMap((_, k) => [10 * k, 0, 0, 10 * k + 1, 0, 0, 10 * k, 1, 0]);
  geometry.setAttribute('position', attribute(positions, 3, isInterleaved));
  if (hasIndex) geometry.setIndex(Array.from({ length: 12 }, (_, k) => k));
  const numbers = ids.flatMap((id) => [id, id, id]);
  return { mesh: new Mesh(geometry, new MeshBasicMaterial()), ids: attribute(numbers, 1, isInterleaved) };
}

function boxIn(features: FeatureMesh, feature: number): number[] | null {
  const box = new Box3();
  features.expand(box, feature);
  return box.isEmpty() ? null : [...box.min.toArray(), ...box.max.toArray()];
}

/** The places of the triangles that a feature is hit at, by rays at all four. */
function hitsOf(features: FeatureMesh, feature: number, layer = 0): number[] {
  const hits: Intersection[] = [];
  for (const [k] of FEATURES.entries()) {
    const raycaster = new Raycaster(new Vector3(10 * k + 0.25, 0.25, 5), new Vector3(0, 0, -1));
    raycaster.layers.set(layer);
    features.raycast(feature, raycaster, hits);
  }
  return hits.map(({ point }) => Math.floor(point.x / 10));
}

/** The places of the triangles that are drawn. */
function drawnOf({ geometry, visible }: Mesh): number[] {
  const { start, count } = geometry.drawRange;
  const { index } = geometry;
  const corners = Array.from({ length: 12 }, (_, k) => (index === null ? k : index.getX(k)));
  return visible ? corners.slice(start, Math.min(12, start + count)).flatMap((k) => (k % 3 === 0 ? [k / 3] : [])) : [];
}

describe('a mesh of features', () => {
  it.each([
    [true, false],
    [true, true],
    [false, false],
    [false, true],
  ])('knows and shows the triangles of each; with an index: %j, interleaved: %j', (hasIndex, isInterleaved) => {
    const { mesh, ids } = meshOf({ hasIndex, isInterleaved });
    const features = new FeatureMesh(mesh, ids, COUNT);
    const all = [0, 1, 2, 3, 4];
    expect([features.isWhole, features.count]).toEqual([false, COUNT]);
    expect(all.map((feature) => features.has(feature))).toEqual([true, false, true, true, false]);
    expect(all.map((feature) => boxIn(features, feature))).toEqual([
      [0, 0, 0, 21, 1, 0],
      null,
      [10, 0, 0, 11, 1, 0],
      [30, 0, 0, 31, 1, 0],
      null,
    ]);
    expect(all.map((feature) => hitsOf(features, feature))).toEqual([[0, 2], [], [1], [3], []]);
    expect(features.show(null)).toBe(false);
    expect(drawnOf(mesh)).toEqual([0, 1, 2, 3]);
    for (const [shown, places] of [
      [[0], [0, 2]],
      [
        [2, 3],
        [1, 3],
      ],
      [[], []],
      [[1], []],
      [
        [0, 2, 3],
        [0, 1, 2, 3],
      ],
      [[3], [3]],
    ]) {
      const version = mesh.geometry.index?.version ?? -1;
      expect(features.show((feature) => shown.includes(feature))).toBe(true);
      expect([shown, drawnOf(mesh), mesh.visible]).toEqual([shown, places, places.length > 0]);
      expect(mesh.geometry.index!.version).toBeGreaterThan(version);
      expect(all.flatMap((feature) => hitsOf(features, feature)).sort((a, b) => a - b)).toEqual(places);
    }
    expect([features.show(null), features.show(null)]).toEqual([true, false]);
    expect([drawnOf(mesh), mesh.geometry.drawRange.count]).toEqual([[0, 1, 2, 3], Infinity]);
    expect(Array.from(mesh.geometry.index!.array)).toEqual(Array.from({ length: 12 }, (_, k) => k));
  });

  it.each([
    ['without numbers', null],
    ['with a number that is the count', [0, 5, 0, 0]],
    ['with a negative number', [0, -1, 0, 0]],
    ['with a fraction', [0, 0.5, 0, 0]],
    ['with a NaN', [0, NaN, 0, 0]],
  ])('is one feature %s', (_, given) => {
    const { mesh, ids } = meshOf({ ids: given ?? FEATURES });
    const features = new FeatureMesh(mesh, given && ids, given ? COUNT : 1);
    expect([features.isWhole, features.count, features.has(0)]).toEqual([true, 1, true]);
    expect(boxIn(features, 0)).toEqual([0, 0, 0, 31, 1, 0]);
    expect(hitsOf(features, 0)).toEqual([0, 1, 2, 3]);
    expect(features.featureOf({ face: { a: 3 } } as never)).toBe(0);
    features.show(() => false);
    expect(mesh.visible).toBe(false);
    features.show(null);
    expect(drawnOf(mesh)).toEqual([0, 1, 2, 3]);
  });

  it('takes whole triangles of the draw range only', () => {
    for (const [count, places] of [
      [6, [0, 1]],
      [7, [0, 1]],
      [8, [0, 1]],
      [9, [0, 1, 2]],
    ] as const) {
      const { mesh, ids } = meshOf();
      mesh.geometry.setDrawRange(0, count);
      const ranged = new FeatureMesh(mesh, ids, COUNT);
      expect([0, 2, 3].flatMap((feature) => hitsOf(ranged, feature)).sort((a, b) => a - b)).toEqual(places);
      mesh.geometry.setDrawRange(0, Infinity);
      mesh.geometry.setIndex(Array.from({ length: count }, (_, k) => k));
      const cut = new FeatureMesh(mesh, ids, COUNT);
      cut.show(() => true);
      expect(mesh.geometry.drawRange.count).toBe(3 * places.length);
    }
  });

  it('is shown beside meshes whose geometries have the same index, or that have the same geometry', () => {
    const [first, other] = [meshOf(), meshOf({ ids: [2, 0, 3, 0] })];
    other.mesh.geometry.setIndex(first.mesh.geometry.index);
    const copy = new Mesh(first.mesh.geometry, first.mesh.material);
    const meshes = [first.mesh, other.mesh, copy];
    const parts = [first.ids, other.ids, first.ids].map((ids, k) => new FeatureMesh(meshes[k], ids, COUNT));
    for (const part of parts) part.show((feature) => feature === 2);
    expect(meshes.map(drawnOf)).toEqual([[1], [0], [1]]);
    for (const part of parts) part.show(null);
    expect(meshes.map(drawnOf)).toEqual(meshes.map(() => [0, 1, 2, 3]));
    parts[1].show((feature) => feature === 0);
    expect(meshes.map(drawnOf)).toEqual([
      [0, 1, 2, 3],
      [1, 3],
      [0, 1, 2, 3],
    ]);
  });

  it('has one index of its own, whose version grows: WebGLRenderer keeps edges by version, and buffers by index', () => {
    const { mesh, ids } = meshOf();
    const { geometry } = mesh;
    geometry.setIndex(Array.from({ length: geometry.attributes.position.count }, (_, k) => k));
    geometry.index!.version = 5;
    const features = new FeatureMesh(mesh, ids, COUNT);
    const indices = new Set<unknown>();
    const versions = [5];
    for (const shown of [0, null, 2, null, 3]) {
      features.show(shown === null ? null : (feature) => feature === shown);
      indices.add(geometry.index);
      versions.push(geometry.index!.version);
    }
    expect(indices.size).toBe(1);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(drawnOf(mesh)).toEqual([3]);
  });

  it('is hit on its layers, if it can be hit', () => {
    const { mesh, ids } = meshOf();
    const features = new FeatureMesh(mesh, ids, COUNT);
    mesh.layers.set(1);
    expect([hitsOf(features, 0), hitsOf(features, 0, 1)]).toEqual([[], [0, 2]]);
    mesh.raycast = null as never;
    expect(hitsOf(features, 0, 1)).toEqual([]);
  });
});
