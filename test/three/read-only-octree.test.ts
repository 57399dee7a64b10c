// The octree of a container is read-only: only the container writes to it.

import { Box3, BoxGeometry, Matrix4, Mesh, MeshBasicMaterial, Object3D, Ray, Raycaster, Sphere, Vector3 } from 'three';
import { beforeEach, describe, expect, it } from 'vitest';
import { validate } from '../../src/debug/index.ts';
import {
  castSphere,
  idOf,
  IndexList,
  moveManyById,
  nearest,
  Octree,
  OctreeNode,
  removeManyById,
  setMaskManyById,
  trackContacts,
  translate,
  watch,
  type Body,
  type IntersectionRecord,
} from '../../src/index.ts';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';

const box = new Box3(new Vector3(0, 0, 0), new Vector3(1, 1, 1));
const sphere = new Sphere(new Vector3(), 1);

/** Three cubes in a row, at x = 0, 3 and 6. */
function group(): OctreeGroup {
  const made = new OctreeGroup();
  for (const x of [0, 3, 6]) made.add(new Mesh(new BoxGeometry())).children.at(-1)!.position.x = x;
  return made;
}

function instances(): OctreeInstances {
  const made = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 3);
  for (const id of [0, 1, 2]) made.setMatrixAt(id, new Matrix4().makeTranslation(3 * id, 0, 0));
  return made;
}

/** Every write that a user can make. JavaScript does not see the type, so the tests do not either. */
const WRITES: Readonly<Record<string, (octree: Octree, body: Body<unknown>) => unknown>> = {
  'Octree.insert': (octree) => octree.insert(box, 'mine'),
  'Octree.insertMany': (octree) => octree.insertMany(new Float64Array(6), { kind: 'box' }),
  'Octree.moveMany': (octree) => octree.moveMany([0], new Float64Array(6)),
  'Octree.setMaskMany': (octree) => octree.setMaskMany([0], 2),
  'Octree.removeMany': (octree) => octree.removeMany([0]),
  'Octree.clear': (octree) => octree.clear(),
  'Octree.update': (octree) => octree.update(),
  'Octree.remove': (octree, body) => octree.remove(body),
  'Body.remove': (_, body) => body.remove(),
  'Body.setBox': (_, body) => body.setBox(box),
  'Body.setSphere': (_, body) => body.setSphere(sphere),
  'Body.setCenter': (_, body) => body.setCenter(sphere.center),
  'Body.setMask': (_, body) => body.setMask(2),
  translate: (octree) => translate(octree, { x: 1, y: 0, z: 0 }),
  moveManyById: (octree) => moveManyById(octree, [idOf(octree, 0)], new Float64Array(6)),
  setMaskManyById: (octree) => setMaskManyById(octree, [idOf(octree, 0)], 2),
  removeManyById: (octree) => removeManyById(octree, [idOf(octree, 0)]),
};

const remove = (body: Body<unknown>): boolean => body.remove();

/** The compiler checks that these are errors. */
function writeInTypeScript({ octree }: OctreeGroup | OctreeInstances): void {
  // As an argument it is an Octree.
  const read: Octree = octree;
  // @ts-expect-error -- read-only
  octree.update();
  // @ts-expect-error -- read-only
  octree.clear();
  // @ts-expect-error -- read-only
  octree.insert(box, read);
}

/** The compiler checks that each write of a body that the octree gives out is an error. */
export function writeBodiesInTypeScript({ octree }: OctreeGroup): void {
  const body = octree.bodyAt(0);
  // @ts-expect-error -- read-only
  body.remove();
  // @ts-expect-error -- read-only
  body.setBox(box);
  // @ts-expect-error -- read-only
  for (const each of octree) each.setSphere(sphere);
  // @ts-expect-error -- read-only
  octree.firstHit(new Ray())?.body.setCenter(sphere.center);
  // @ts-expect-error -- read-only
  nearest(octree, sphere.center, 1)[0].body.setMask(2);
  // @ts-expect-error -- read-only
  watch(octree, sphere, { onEnter: (entered) => void entered.remove() });
}

/**
 * The compiler checks that what reads takes those bodies and records, and that records of either octree are targets.
 */
export function readBodiesInTypeScript({ octree }: OctreeGroup): void {
  const kept: Body<Object3D> = octree.bodyAt(0);
  const records: IntersectionRecord<Object3D>[] = octree.intersectRay(new Ray());
  octree.intersectRay(new Ray(), { except: kept, filter: (body: Body<Object3D>) => body.index > 0 }, records);
  octree.visitNodes(() => {}, new OctreeNode<Object3D>());
  new Octree<Object3D>().insert(box, new Object3D()).remove();
}

describe.each([
  { name: 'OctreeGroup', create: group, remedy: 'change its children' },
  { name: 'OctreeInstances', create: instances, remedy: 'use setMatrixAt, addInstance or deleteInstance' },
])('the octree of an $name', ({ name, create, remedy }) => {
  let container: OctreeGroup | OctreeInstances;
  let octree: Octree;
  beforeEach(() => {
    container = create();
    octree = container.octree;
  });
  const rowOfBoxes = (): number[] => Array.from(octree, (body) => body.getBox().getCenter(new Vector3()).x);
  const hit = (x: number): boolean =>
    container.raycastFirst(new Raycaster(new Vector3(x, 0.1, 9), new Vector3(0, 0, -1))) !== null;

  it.each(Object.keys(WRITES))('refuses %s, which changes nothing', (where) => {
    expect(() => WRITES[where](octree, octree.bodyAt(0))).toThrow(
      new Error(`${where}: the octree of an ${name} is read-only; ${remedy}.`),
    );
    expect(rowOfBoxes()).toEqual([0, 3, 6]);
    expect([0, 3, 6].map(hit)).toEqual([true, true, true]);
    validate(octree);
  });

  it('has every method of an Octree, so that each write throws that sentence', () => {
    const missing = Object.getOwnPropertyNames(Octree.prototype).filter((method) => !(method in octree));
    expect(missing).toEqual([]);
  });

  it('refuses a write in a filter of a query, too', () => {
    expect(() => octree.intersectBox(box, { filter: remove })).toThrow(/^Body\.remove: .* is read-only/);
    expect(rowOfBoxes()).toEqual([0, 3, 6]);
  });

  it('answers every query, and functions that only read', () => {
    const around = new Box3(new Vector3(2, -9, -9), new Vector3(9, 9, 9));
    expect(octree.intersectBox(around).length).toBe(2);
    expect(octree.collectBox(around, new IndexList())).toBe(2);
    expect(nearest(octree, { x: 6, y: 0, z: 0 }, 1)[0].distance).toBe(0);
    expect(castSphere(octree, new Sphere(new Vector3(-9, 0, 0), 0.1), new Vector3(9, 0, 0))!.body).toBe(
      octree.bodyAt(0),
    );
    expect([octree.size, octree.has(octree.bodyAt(1)), octree.statistics.bodies]).toEqual([3, true, 3]);
  });

  it('reports contacts to its readers: the container updates it', () => {
    const contacts = trackContacts(octree);
    if (container instanceof OctreeGroup) container.children[1].position.x = 0.5;
    else container.setMatrixAt(1, new Matrix4().makeTranslation(0.5, 0, 0));
    container.updateMatrixWorld();
    expect(contacts.began.length / 2).toBe(1);
  });

  it('follows the writes of its container', () => {
    if (container instanceof OctreeGroup) {
      container.children[2].position.x = 9;
      container.children[0].removeFromParent();
      container.add(new Mesh(new BoxGeometry()));
      container.updateMatrixWorld();
    } else {
      container.setMatrixAt(2, new Matrix4().makeTranslation(9, 0, 0)).deleteInstance(0);
      container.addInstance(new Matrix4());
      // Other bounds: all bodies are inserted again.
      container.geometry = new BoxGeometry(1, 1, 2);
    }
    expect(container.octree).toBe(octree);
    expect(rowOfBoxes().sort((a, b) => a - b)).toEqual([0, 3, 9]);
    expect([0, 3, 6, 9].map(hit)).toEqual([true, true, false, true]);
    validate(octree);
  });

  it('has a type without the writes', () => {
    expect(() => writeInTypeScript(container)).toThrow(/is read-only/);
  });
});

it('an octree of the user is not read-only, also beside containers', () => {
  group().updateMatrixWorld();
  const own = new Octree<string>();
  own.insert(box, 'a').setCenter({ x: 5, y: 0, z: 0 });
  own.update();
  own.clear();
  expect(own.insert(box, 'b').remove()).toBe(true);
});
