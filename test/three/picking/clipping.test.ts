// Clipping planes: what they cut away is not picked; what is behind it is.

import {
  BoxGeometry,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Plane,
  PlaneGeometry,
  Raycaster,
  ShaderMaterial,
  ShadowMaterial,
  Vector2,
  Vector3,
  type Material,
} from 'three';
import { ClippingGroup } from 'three/webgpu';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances, pick, pickWithin, type ClippingRenderer } from '../../../src/three.ts';
import { createRandom } from '../../support/random.ts';

const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 200, height: 200 }) };
const camera = new PerspectiveCamera(90, 1, 0.1, 100);
camera.position.z = 10;
camera.updateMatrixWorld();
/** The pixel of a world point. */
function at(x: number, y: number, z = 0): { clientX: number; clientY: number } {
  const place = new Vector3(x, y, z).project(camera);
  return { clientX: 100 * (place.x + 1), clientY: 100 * (1 - place.y) };
}
const CENTRE = at(0, 0);
/** Cut away what lies on the negative side: below, left, or in front of a coordinate. */
const above = (y: number): Plane => new Plane(new Vector3(0, 1, 0), -y);
const rightOf = (x: number): Plane => new Plane(new Vector3(1, 0, 0), -x);
const behind = (z: number): Plane => new Plane(new Vector3(0, 0, -1), z);
const webGpu: ClippingRenderer = { domElement: null };
const webGl = (clippingPlanes: Plane[], localClippingEnabled = true): ClippingRenderer => ({
  domElement: null,
  clippingPlanes,
  localClippingEnabled,
});

function box(z: number, clippingPlanes: Plane[] | null = null, clipIntersection = false): Mesh {
  const mesh = new Mesh(
    new BoxGeometry(2, 2, 2),
    new MeshBasicMaterial({ clippingPlanes, clipIntersection, side: DoubleSide }),
  );
  mesh.position.z = z;
  return mesh;
}

describe('pick and clipping planes', () => {
  it('returns the next hit behind what the planes of a material have cut away', () => {
    const group = new OctreeGroup().add(box(0, [behind(-5)]), box(-4));
    const hit = pick(CENTRE, camera, element, group)!;
    expect([hit.object, hit.point.z]).toEqual([group.children[1], -3]);
  });

  it('returns the inner side of a mesh that is cut open', () => {
    const group = new OctreeGroup().add(box(0, [behind(0.5)]), box(-4));
    const hit = pick(CENTRE, camera, element, group)!;
    expect([hit.object, hit.point.z]).toEqual([group.children[0], -1]);
  });

  it('counts what is exactly on a plane as shown, as renderers do', () => {
    const group = new OctreeGroup().add(box(0, [behind(1)]));
    expect(pick(CENTRE, camera, element, group)!.point.z).toBe(1);
  });

  it.each([
    ['one of two planes is cut away', false, [above(1), rightOf(-1)], undefined],
    ['no plane is not', false, [above(-1), rightOf(-1)], 1],
    ['one of two planes is not, with clipIntersection', true, [above(1), rightOf(-1)], 1],
    ['both planes is cut away, with clipIntersection', true, [above(1), rightOf(1)], undefined],
  ])('a hit behind %s', (_, clipIntersection, planes, expected) => {
    const group = new OctreeGroup().add(box(0, planes, clipIntersection));
    expect(pick(CENTRE, camera, element, group)?.point.z).toBe(expected);
  });

  it('reads the planes of the material that is hit', () => {
    const [open, cut] = [new MeshBasicMaterial(), new MeshBasicMaterial({ clippingPlanes: [behind(-5)] })];
    const mesh = new Mesh(new BoxGeometry(2, 2, 2), [cut, cut, cut, cut, open, cut]);
    expect(pick(CENTRE, camera, element, new OctreeGroup().add(mesh))!.face!.materialIndex).toBe(4);
    mesh.material = [open, open, open, open, cut, open];
    expect(pick(CENTRE, camera, element, new OctreeGroup().add(mesh))).toBeNull();
  });

  it('reads the planes of a WebGLRenderer, and whether it clips by those of materials', () => {
    const group = new OctreeGroup().add(box(0, [behind(-5)]), box(-4), box(-8));
    const picked = (renderer?: ClippingRenderer): unknown =>
      pick(CENTRE, camera, element, group, renderer === undefined ? {} : { renderer })?.point.z;
    expect(picked()).toBe(-3);
    expect(picked(webGl([]))).toBe(-3);
    expect(picked(webGl([], false))).toBe(1);
    expect(picked(webGl([behind(-6)]))).toBe(-7);
    expect(picked(webGl([behind(-6)], false))).toBe(-7);
    expect(picked(webGl([behind(-20)]))).toBeUndefined();
    // WebGPURenderer reads no planes of materials.
    expect(picked(webGpu)).toBe(1);
  });

  it.each([
    ['a ShaderMaterial', new ShaderMaterial(), {}, true],
    ['a ShaderMaterial', new ShaderMaterial(), { renderer: webGl([behind(-5)]) }, true],
    ['a ShaderMaterial that asks for planes', new ShaderMaterial({ clipping: true }), {}, false],
    [
      'a ShaderMaterial that asks for planes',
      new ShaderMaterial({ clipping: true }),
      { renderer: webGl([behind(-5)]) },
      false,
    ],
    ['a ShadowMaterial', new ShadowMaterial(), { renderer: webGl([behind(-5)]) }, true],
    ['a ShadowMaterial of WebGPURenderer', new ShadowMaterial(), { renderer: webGpu }, false],
  ])('is clipped as its shader is: %s (%#)', (_, material, options, isShown) => {
    material.clippingPlanes = [behind(-5)];
    const front = new Mesh(new BoxGeometry(2, 2, 2), material);
    const parent = new ClippingGroup();
    parent.clippingPlanes = [behind(-5)];
    const group = new OctreeGroup().add(front, box(-4));
    parent.add(group);
    expect(pick(CENTRE, camera, element, group, options)!.object === front).toBe(isShown);
    expect(pickWithin(at(-1, -1), at(1, 1), camera, element, group, options)).toHaveLength(isShown ? 2 : 1);
  });

  it('reads ClippingGroups, by which WebGPURenderer clips and WebGLRenderer does not', () => {
    const inner = new ClippingGroup();
    const outer = new ClippingGroup();
    const group = new OctreeGroup().add(outer.add(inner.add(box(0))), box(-4));
    const picked = (renderer?: ClippingRenderer): unknown =>
      pick(CENTRE, camera, element, group, renderer === undefined ? {} : { renderer })?.point.z;
    expect(picked()).toBe(1);
    outer.clippingPlanes = [behind(-5)];
    expect([picked(), picked(webGpu), picked(webGl([]))]).toEqual([-3, -3, 1]);
    outer.enabled = false;
    expect(picked()).toBe(1);
    // The planes of nested groups with clipIntersection clip together.
    outer.enabled = outer.clipIntersection = inner.clipIntersection = true;
    inner.clippingPlanes = [above(-1)];
    expect(picked()).toBe(1);
    inner.clippingPlanes = [above(1)];
    expect(picked()).toBe(-3);
    // Without clipIntersection one plane of several is enough.
    outer.clipIntersection = inner.clipIntersection = false;
    [outer.clippingPlanes, inner.clippingPlanes] = [[behind(-5), above(-1)], []];
    expect(picked()).toBe(-3);
  });

  it('reads no planes of an object that is enabled and no ClippingGroup', () => {
    const group = new OctreeGroup().add(Object.assign(new Group(), { enabled: true }).add(box(0)));
    expect(pick(CENTRE, camera, element, group)!.point.z).toBe(1);
  });

  it('returns the next instance', () => {
    const material = new MeshBasicMaterial({ clippingPlanes: [behind(-5)] });
    const instances = new OctreeInstances(new BoxGeometry(2, 2, 2), material, 3);
    for (const id of [0, 1, 2]) instances.setMatrixAt(id, new Matrix4().makeTranslation(0, 0, -4 * id));
    expect(pick(CENTRE, camera, element, instances)!.instanceId).toBe(2);
    expect(pick(CENTRE, camera, element, new OctreeGroup().add(instances))!.instanceId).toBe(2);
    material.clippingPlanes = null;
    expect(pick(CENTRE, camera, element, instances)!.instanceId).toBe(0);
  });

  it('finds the second hit of an object although the raycaster has firstHitOnly, as with three-mesh-bvh', () => {
    const mesh = box(0, [behind(0.5)]);
    mesh.raycast = (raycaster, hits) => {
      const all: typeof hits = [];
      Mesh.prototype.raycast.call(mesh, raycaster, all);
      all.sort((a, b) => a.distance - b.distance);
      hits.push(...((raycaster as { firstHitOnly?: boolean }).firstHitOnly === true ? all.slice(0, 1) : all));
    };
    const raycaster = Object.assign(new Raycaster(), { firstHitOnly: true });
    const hit = pick(CENTRE, camera, element, new OctreeGroup().add(mesh), { raycaster });
    expect(hit!.point.z).toBe(-1);
    expect(raycaster.firstHitOnly).toBe(true);
  });

  it.each([null, 'webgl', 7])('refuses the renderer %s', (renderer) => {
    for (const call of [
      () => pick(CENTRE, camera, element, new OctreeGroup(), { renderer: renderer as never }),
      () => pickWithin(CENTRE, CENTRE, camera, element, new OctreeGroup(), { renderer: renderer as never }),
    ])
      expect(call).toThrow(/^pick(Within)?: options\.renderer must be a renderer, but is .*; pass the one that draws/);
  });
});

/** 25 quads of edge 1 in the plane z = 0, at x and y from -4 to 4. */
function quads(material: Material | Material[]): OctreeGroup {
  const group = new OctreeGroup();
  for (let x = -4; x <= 4; x += 2)
    for (let y = -4; y <= 4; y += 2) {
      const mesh = new Mesh(new PlaneGeometry(), material);
      mesh.position.set(x, y, 0);
      mesh.name = `${x} ${y}`;
      group.add(mesh);
    }
  return group;
}

/** The names of the quads for which a test holds. */
const where = (test: (x: number, y: number) => boolean): string[] =>
  quads(new MeshBasicMaterial())
    .children.filter(({ position: { x, y } }) => test(x, y))
    .map(({ name }) => name)
    .sort();

describe('pickWithin and clipping planes', () => {
  const all = [at(-9, -9), at(9, 9)] as const;
  const names = (group: OctreeGroup, options = {}, [from, to] = all): string[] =>
    pickWithin(from, to, camera, element, group, options)
      .map(({ object }) => object.name)
      .sort();
  it('leaves out what is cut away completely', () => {
    const group = quads(new MeshBasicMaterial({ clippingPlanes: [above(0), rightOf(1)] }));
    expect(names(group)).toEqual(where((x, y) => y >= 0 && x >= 2));
    expect(names(group, { renderer: webGl([], false) }).length).toBe(25);
    expect(names(group, { renderer: webGl([above(1)]) })).toEqual(where((x, y) => y >= 2 && x >= 2));
  });

  it('leaves out only what is behind all planes, with clipIntersection', () => {
    const group = quads(new MeshBasicMaterial({ clippingPlanes: [above(0), rightOf(1)], clipIntersection: true }));
    expect(names(group)).toEqual(where((x, y) => y >= 0 || x >= 2));
  });

  it('leaves out by planes of the renderer and of a material together, as many of each', () => {
    const group = quads(new MeshBasicMaterial({ clippingPlanes: [above(0)], clipIntersection: true }));
    expect(names(group, { renderer: webGl([rightOf(1)]) })).toEqual(where((x, y) => y >= 0 && x >= 2));
  });

  it('asks the octree once more for each set of planes', () => {
    const [plane, other] = [above(0), rightOf(1)];
    const sets = [[plane], [other], [plane, other], [other, plane], [rightOf(1)], [plane]];
    const materials = sets.map((clippingPlanes) => new MeshBasicMaterial({ clippingPlanes }));
    const group = quads(materials[0]);
    (group.children as Mesh[]).forEach((mesh, k) => (mesh.material = materials[k % materials.length]));
    const cuts = group.children.filter(({ position: { x, y } }, k) =>
      sets[k % sets.length].some((each) => (each === plane ? y < 0 : x < 1)),
    );
    group.updateMatrixWorld();
    const ask = vi.spyOn(group.octree, 'intersectFrustum');
    expect(names(group)).toEqual(where((x, y) => !cuts.some(({ name }) => name === `${x} ${y}`)));
    // The first one without planes, and one for each of five sets.
    expect(ask).toHaveBeenCalledTimes(6);
  });

  it('leaves out an object of which only a part outside the rectangle remains', () => {
    const wide = new Mesh(new PlaneGeometry(18, 1), new MeshBasicMaterial({ clippingPlanes: [rightOf(0)] }));
    const group = new OctreeGroup().add(wide);
    expect(names(group, {}, [at(-8, -1), at(-4, 1)])).toEqual([]);
    expect(names(group, {}, [at(4, -1), at(8, 1)]).length).toBe(1);
    wide.material.clippingPlanes = null;
    expect(names(group, {}, [at(-8, -1), at(-4, 1)]).length).toBe(1);
  });

  it('an object is inside the rectangle by its bounds without clipping', () => {
    const group = quads(new MeshBasicMaterial({ clippingPlanes: [rightOf(0)] }));
    expect(names(group, { inside: true }, [at(-5, -5), at(5, 5)])).toEqual(where((x) => x >= 0));
    expect(names(group, { inside: true }, [at(-0.2, -5), at(5, 5)])).toEqual(where((x) => x >= 2));
  });

  it.each([null, undefined])('takes an array of materials with a gap: %s', (gap) => {
    const geometry = new BoxGeometry(2, 2, 2);
    geometry.clearGroups();
    geometry.addGroup(0, 36, 1);
    const mesh = new Mesh(geometry, [gap, new MeshBasicMaterial()] as Material[]);
    const group = new OctreeGroup().add(mesh);
    group.updateMatrixWorld();
    const [left, right] = [at(-5, 5), at(5, -5)];
    expect(pickWithin(left, right, camera, element, group).map(({ object }) => object)).toEqual([mesh]);
  });

  it('keeps an object with a material that is not cut', () => {
    const group = quads([new MeshBasicMaterial({ clippingPlanes: [above(9)] }), new MeshBasicMaterial()]);
    expect(names(group).length).toBe(25);
  });

  it('descendants, and instances', () => {
    const cut = new MeshBasicMaterial({ clippingPlanes: [above(0)] });
    const compound = new Group().add(...quads(cut).children.slice());
    const parent = new Mesh(new PlaneGeometry(), cut).add(compound);
    parent.name = 'parent';
    expect(names(new OctreeGroup().add(parent))).toEqual([...where((_, y) => y >= 0), 'parent'].sort());
    const instances = new OctreeInstances(new PlaneGeometry(), cut, 9);
    for (let id = 0; id < 9; id++) instances.setMatrixAt(id, new Matrix4().makeTranslation(0, id - 4, 0));
    const ids = pickWithin(...all, camera, element, instances).map(({ instanceId }) => instanceId);
    expect(ids.map(String).sort()).toEqual(['4', '5', '6', '7', '8']);
  });

  it('a plane with a NaN cuts nothing away', () => {
    const group = quads(new MeshBasicMaterial({ clippingPlanes: [new Plane(new Vector3(NaN, 0, 0), 1)] }));
    expect(names(group).length).toBe(25);
    expect(pick(CENTRE, camera, element, group)).not.toBeNull();
  });
});

it('picks as a loop over all objects: random boxes and planes', () => {
  const random = createRandom(5);
  const between = (low: number, high: number): number => random.between(low, high);
  let clipped = 0;
  for (let round = 0; round < 60; round++) {
    const group = new OctreeGroup();
    const planes = Array.from({ length: 1 + random.below(3) }, () =>
      new Plane().setFromNormalAndCoplanarPoint(
        new Vector3(between(-1, 1), between(-1, 1), between(-1, 1)).normalize(),
        new Vector3(between(-4, 4), between(-4, 4), between(-4, 4)),
      ),
    );
    const material = new MeshBasicMaterial({
      clippingPlanes: planes,
      clipIntersection: random.next() < 0.5,
      side: DoubleSide,
    });
    for (let k = 0; k < 40; k++) {
      const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
      mesh.position.set(between(-6, 6), between(-6, 6), between(-6, 6));
      group.add(mesh);
    }
    group.updateMatrixWorld();
    const pointer = at(between(-5, 5), between(-5, 5));
    const raycaster = new Raycaster();
    raycaster.setFromCamera(new Vector2(pointer.clientX / 100 - 1, 1 - pointer.clientY / 100), camera);
    const hits = raycaster.intersectObjects([...group.children]);
    const isCut = (point: Vector3): boolean => {
      const cuts = planes.map((plane) => plane.normal.dot(point) + plane.constant < 0);
      return material.clipIntersection ? !cuts.includes(false) : cuts.includes(true);
    };
    const expected = hits.find(({ point }) => !isCut(point));
    if (expected !== hits[0]) clipped++;
    expect(pick(pointer, camera, element, group)?.distance).toBe(expected?.distance);
  }
  expect(clipped).toBeGreaterThan(10);
});
