// Objects with a `raycast` of their own: the hits are those of a plain Group, and what is known is culled by its
// bounds.

import {
  BoxGeometry,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Line,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Points,
  Raycaster,
  SphereGeometry,
  Vector3,
  type Intersection,
} from 'three';
import { acceleratedRaycast, computeBoundsTree } from 'three-mesh-bvh';
import { describe, expect, it } from 'vitest';
import { boundedRaycasts, OctreeGroup } from '../../../src/three.ts';
import { createRandom } from '../../support/random.ts';

type Raycast = Mesh['raycast'];
const COUNT = 60;
const material = new MeshBasicMaterial();

/** Acts on any object, as far as it has a geometry. */
function testBox(this: Object3D, raycaster: Raycaster, hits: Intersection[]): void {
  Mesh.prototype.raycast.call(this as Mesh, raycaster, hits);
}
/** Hits what is 40 above the object. */
function testAbove(this: Object3D, { ray }: Raycaster, hits: Intersection[]): void {
  const point = new Vector3(0, 40, 0).applyMatrix4(this.matrixWorld);
  if (ray.distanceToPoint(point) < 3) hits.push({ object: this, point, distance: ray.origin.distanceTo(point) });
}
class OwnMesh extends Mesh {
  override raycast(raycaster: Raycaster, hits: Intersection[]): void {
    super.raycast(raycaster, hits);
  }
}
const declaredLater: Raycast = (raycaster, hits) => void hits.push(...raycaster.intersectObject(new Group(), false));
interface AnyMesh extends Mesh {
  isBatchedMesh?: boolean;
  geometry: BufferGeometry & {
    boundsTree?: { raycastObject3D: (mesh: Mesh, t: Raycaster, e: Intersection[]) => void };
  };
}
const { raycast: u } = Mesh.prototype as { raycast: (this: Mesh, t: Raycaster, e: Intersection[]) => void };
/** As bundlers write `acceleratedRaycast` of three-mesh-bvh 0.7 and 0.9. */
function y7(this: AnyMesh, t: Raycaster, e: Intersection[]): void {
  if (this.isBatchedMesh === true) u.call(this, t, e);
  else u.call(this, t, e);
}
function y9(this: AnyMesh, t: Raycaster, e: Intersection[]): void {
  if (this.isBatchedMesh === true) u.call(this, t, e);
  else if (this.geometry.boundsTree) this.geometry.boundsTree.raycastObject3D(this, t, e);
  else u.call(this, t, e);
}

/** A geometry with and without a tree of three-mesh-bvh. */
const plainGeometry = (): BufferGeometry => new SphereGeometry(1, 8, 6);
function treeGeometry(): BufferGeometry {
  const geometry = plainGeometry();
  return Object.assign(geometry, { boundsTree: computeBoundsTree.call(geometry) });
}
const geometries = { plain: plainGeometry(), tree: treeGeometry(), morph: plainGeometry() };
geometries.morph.morphAttributes.position = [
  new Float32BufferAttribute(new Float32Array(3 * geometries.morph.attributes.position.count).fill(2), 3),
];
geometries.morph.morphTargetsRelative = true;

const withRaycast = (object: Object3D, raycast: unknown): Object3D => Object.assign(object, { raycast });
const dots = (): BufferGeometry => new BufferGeometry().setFromPoints([new Vector3(), new Vector3(1, 1, 1)]);

/** Each sibling: whether rays test it only where its bounds are hit. */
const siblings: [string, isBounded: boolean, () => Object3D][] = [
  ['Mesh.raycast', true, () => new Mesh(geometries.plain, material)],
  ['acceleratedRaycast with a tree', true, () => withRaycast(new Mesh(geometries.tree, material), acceleratedRaycast)],
  [
    'acceleratedRaycast without a tree',
    true,
    () => withRaycast(new Mesh(geometries.plain, material), acceleratedRaycast),
  ],
  ['minified acceleratedRaycast, 0.7', true, () => withRaycast(new Mesh(geometries.tree, material), y7)],
  ['minified acceleratedRaycast, 0.9', true, () => withRaycast(new Mesh(geometries.tree, material), y9)],
  ['acceleratedRaycast of points', false, () => withRaycast(new Points(dots()), acceleratedRaycast)],
  ['acceleratedRaycast of a line', false, () => withRaycast(new Line(dots()), acceleratedRaycast)],
  [
    'acceleratedRaycast of instances',
    false,
    () => {
      const mesh = new InstancedMesh(geometries.plain, material, 1);
      mesh.setMatrixAt(0, new Matrix4().makeTranslation(0, 5, 0));
      return withRaycast(mesh, acceleratedRaycast);
    },
  ],
  [
    'acceleratedRaycast with morph targets',
    false,
    () => withRaycast(new Mesh(geometries.morph, material), acceleratedRaycast),
  ],
  ['a declared method', true, () => withRaycast(new Mesh(geometries.plain, material), testBox)],
  ['a class of its own', false, () => new OwnMesh(geometries.plain, material)],
  ['a method that hits elsewhere', false, () => withRaycast(new Mesh(geometries.plain, material), testAbove)],
  ['no method', true, () => withRaycast(new Mesh(geometries.plain, material), null)],
  ['a method that hits nothing', false, () => withRaycast(new Mesh(geometries.plain, material), () => null)],
];

/** The ways in which an object can be in a group. */
const places: [string, (group: Group, object: Object3D) => unknown][] = [
  ['a child', (group, object) => group.add(object)],
  ['below a child', (group, object) => group.add(new Group().add(object))],
  [
    'a part of a tree',
    (group, object) =>
      group instanceof OctreeGroup ? group.addTree(new Group().add(object)) : group.add(new Group().add(object)),
  ],
  ['a level of detail', (group, object) => group.add(new LOD().addLevel(object))],
];

boundedRaycasts.add(testBox);

describe.each(places)('an object with a raycast as %s', (place, put) => {
  it.each(siblings)('%s', (name, isBounded, create) => {
    // Raycaster of three does not know objects without a method.
    const isNull = name === 'no method';
    // An LOD of three does not either.
    if (isNull && place === 'a level of detail') return;
    const made = [new Group(), new OctreeGroup()].map((group) => {
      const random = createRandom(7);
      const objects = Array.from({ length: COUNT }, (_, k) => Object.assign(create(), { name: `${k}` }));
      for (const object of objects) {
        object.position.set(random.between(-90, 90), random.between(-90, 90), random.between(-90, 90));
        if (isNull && !(group instanceof OctreeGroup)) object.raycast = () => {};
        put(group, object);
      }
      group.updateMatrixWorld();
      return { group, objects };
    });
    const [plain, own] = made;
    let tests = 0;
    let found = 0;
    // Counts the tests of the objects, by a getter that each method of a mesh reads.
    for (const object of own.objects) {
      const { matrixWorld } = object;
      Object.defineProperty(object, 'matrixWorld', { get: () => (tests++, matrixWorld) });
    }
    for (const [k, target] of plain.objects.entries()) {
      const aim = target.getWorldPosition(new Vector3()).add(new Vector3(0.1, k % 3 === 0 ? 40 : 0.1, 0));
      const origin = new Vector3(0, 0, 200);
      const ray = (): Raycaster =>
        Object.assign(new Raycaster(origin, aim.clone().sub(origin).normalize()), { firstHitOnly: k % 2 === 0 });
      const [expected, hits] = made.map(({ group }) =>
        ray()
          .intersectObject(group)
          .map(({ object, distance }) => `${object.name} ${distance}`),
      );
      expect(hits).toEqual(expected);
      const [first] = expected;
      const nearest = (own.group as OctreeGroup).raycastFirst(ray());
      expect(nearest === null ? undefined : `${nearest.object.name} ${nearest.distance}`).toBe(first);
      found += hits.length;
    }
    if (!isNull && name !== 'a method that hits nothing') expect(found).toBeGreaterThan(COUNT / 4);
    const perRay = tests / (2 * COUNT);
    if (isBounded) expect(perRay).toBeLessThan(COUNT / 4);
    else if (place === 'a child' && !name.includes('nothing')) expect(perRay).toBeGreaterThan(COUNT / 2);
  });
});

it('a method is declared before the objects that have it', () => {
  const group = new OctreeGroup().add(withRaycast(new Mesh(new BoxGeometry(), material), declaredLater));
  group.updateMatrixWorld();
  const masks = (): number[] => Array.from(group.octree, (body) => body.mask);
  const [unknownMask] = masks();
  boundedRaycasts.add(declaredLater);
  group.reportMove(group.children[0]).updateMatrixWorld();
  expect(masks()[0]).not.toBe(unknownMask);
});
