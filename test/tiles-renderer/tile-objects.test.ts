import {
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Group,
  InstancedMesh,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PointLight,
  Points,
  Raycaster,
  SkinnedMesh,
  Vector3,
  type Intersection,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { TileObjects, type TileObject } from '../../src/tiles-renderer/tile-objects.ts';
import { errorOf } from '../support/rejects.ts';

const material = new MeshBasicMaterial();

/** A mesh of two boxes side by side, with the numbers 0 and 1. */
function twoBoxes(attribute = 0): Mesh {
  const [first, second] = [new BoxGeometry(), new BoxGeometry().translate(10, 0, 0)].map((box) => box.toNonIndexed());
  const join = (name: string): Float32Array =>
    Float32Array.from([...first.attributes[name].array, ...second.attributes[name].array]);
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(join('position'), 3));
  const ids = Float32Array.from({ length: 72 }, (_, k) => Math.floor(k / 36));
  return new Mesh(geometry.setAttribute(`_feature_id_${attribute}`, new BufferAttribute(ids, 1)), material);
}

/** The objects of a tile whose file has this JSON. */
function objectsOf(
  json: object | undefined,
  meshes: readonly Object3D[],
  places: ReadonlyMap<Object3D, object> = new Map(meshes.map((mesh) => [mesh, { meshes: 0, primitives: 0 }])),
): TileObjects {
  const scene = new Group().add(...meshes);
  scene.updateMatrixWorld(true);
  const parser = { json, associations: places, getDependency: () => Promise.reject(new Error('none')) };
  const metadata = json === undefined ? null : { parser };
  return new TileObjects({ geometricError: 0, engineData: { scene, metadata } }, scene);
}

const primitive = (featureIds: unknown): object => ({
  meshes: [{ primitives: [{ extensions: { EXT_mesh_features: { featureIds } } }] }],
});
const ids = (more: object = {}): object[] => [{ featureCount: 2, attribute: 0, ...more }];
const tables = (propertyTables: unknown): object => ({ extensions: { EXT_structural_metadata: { propertyTables } } });

describe('the objects of a tile', () => {
  it.each<[string, object | undefined, number]>([
    ['without a parser', undefined, 1],
    ['without meshes', {}, 1],
    ['without the mesh', { meshes: [] }, 1],
    ['without the primitive', { meshes: [{ primitives: [] }] }, 1],
    ['without extensions', { meshes: [{ primitives: [{}] }] }, 1],
    ['without features', { meshes: [{ primitives: [{ extensions: {} }] }] }, 1],
    ['without numbers of features', primitive(undefined), 1],
    ['with numbers in a texture', primitive([{ featureCount: 2, texture: {} }]), 1],
    ['with numbers of another attribute', primitive(ids({ attribute: 7 })), 1],
    ['with numbers in a texture and others', primitive([{ featureCount: 9, texture: {} }, ...ids()]), 2],
    ['without a table', primitive(ids()), 2],
    ['with a table that is not there', primitive(ids({ propertyTable: 0 })), 2],
    ['with tables of no extension', { ...primitive(ids({ propertyTable: 0 })), extensions: {} }, 2],
    ['with no tables', { ...primitive(ids({ propertyTable: 0 })), ...tables(undefined) }, 2],
    ['with another table', { ...primitive(ids({ propertyTable: 1 })), ...tables([{ count: 5 }]) }, 2],
    // Rows count, not the features of the mesh.
    ['with a table', { ...primitive(ids({ featureCount: 1, propertyTable: 0 })), ...tables([{ count: 2 }]) }, 2],
    ['with too few rows', { ...primitive(ids({ propertyTable: 0 })), ...tables([{ count: 1 }]) }, 1],
  ])('are features of a file, else meshes: %s', async (_, json, count) => {
    const objects = objectsOf(json, [twoBoxes()]);
    expect(objects.inBoxes.map(({ name, id }) => [name, id])).toEqual(
      Array.from({ length: count }, () => [null, null]),
    );
    expect([objects.unbounded, objects.isLoaded]).toEqual([[], false]);
    await objects.loaded;
    expect(objects.isLoaded).toBe(true);
    const widths = Array.from({ length: count }, (_value, k) => objects.readBoxes().slice(6 * k)).map((box) =>
      Math.round(box[3] - box[0]),
    );
    expect(widths).toEqual(count === 1 ? [11] : [1, 1]);
  });

  it('are one where meshes share a table, and others where a mesh is in no association', () => {
    const meshes = [twoBoxes(), twoBoxes(), twoBoxes()];
    const place = { meshes: 0, primitives: 0 };
    const places = new Map(meshes.slice(0, 2).map((mesh) => [mesh, place]));
    const json = { ...primitive(ids({ propertyTable: 0 })), ...tables([{ count: 2 }]) };
    const { inBoxes, parts } = objectsOf(json, meshes, places);
    expect(parts.map((part) => part.meshes.map(({ mesh }) => meshes.indexOf(mesh)))).toEqual([[0, 1], [2]]);
    expect(inBoxes.map(({ part, feature }) => [parts.indexOf(part), feature])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  it('are hit where a table is missing, and meshes that share it have different numbers of features', () => {
    const meshes = [twoBoxes(), twoBoxes()];
    meshes[1].position.y = 20;
    const numbers = meshes[1].geometry.getAttribute('_feature_id_0') as BufferAttribute;
    for (let vertex = 18; vertex < 72; vertex++) numbers.setX(vertex, vertex < 36 ? 1 : 2);
    const primitives = [2, 3].map((featureCount) => ({
      extensions: { EXT_mesh_features: { featureIds: ids({ featureCount, propertyTable: 0 }) } },
    }));
    const places = new Map(meshes.map((mesh, k) => [mesh, { meshes: 0, primitives: k }]));
    const { inBoxes } = objectsOf({ meshes: [{ primitives }] }, meshes, places);
    expect(inBoxes.map(({ feature }) => feature)).toEqual([0, 1, 2]);
    const raycaster = new Raycaster(new Vector3(10.25, 20, 5), new Vector3(0, 0, -1));
    const hits = inBoxes.map((object) => {
      const found: Intersection[] = [];
      object.raycast(raycaster, found);
      return found.length;
    });
    expect(hits).toEqual([0, 0, 1]);
  });

  it('have no box if they are no plain meshes: each ray tests them, on their layers', () => {
    const morphed = new Mesh(new BoxGeometry(), material);
    morphed.geometry.morphAttributes.position = [morphed.geometry.attributes.position];
    const others: Object3D[] = [
      new Points(new BoxGeometry()),
      new LineSegments(new BoxGeometry()),
      new SkinnedMesh(new BoxGeometry(), material),
      new InstancedMesh(new BoxGeometry(), material, 1),
      new BatchedMesh(1, 8),
      morphed,
      new Mesh(new BufferGeometry(), material),
    ];
    const mesh = new Mesh(new BoxGeometry(), material);
    const objects = objectsOf({}, [...others, mesh, new PointLight(), new Group()]);
    expect(objects.unbounded.map(({ part }) => part.other)).toEqual(others);
    expect(objects.inBoxes.map(({ part }) => part.meshes[0].mesh)).toEqual([mesh]);
    expect(objects.objectOf({ object: others[0] } as never)).toBe(objects.unbounded[0]);
    expect(objects.objectOf({ object: new Group() } as never)).toBe(undefined);
    const [points] = objects.unbounded;
    const raycaster = new Raycaster(new Vector3(0.5, 0.5, 5), new Vector3(0, 0, -1));
    const hitsOf = (object: TileObject): number => {
      const hits: never[] = [];
      object.raycast(raycaster, hits);
      return hits.length;
    };
    expect(hitsOf(points)).toBeGreaterThan(0);
    others[0].layers.set(1);
    expect(hitsOf(points)).toBe(0);
    others[0].layers.set(0);
    others[0].raycast = null as never;
    expect(hitsOf(points)).toBe(0);
  });

  it.each([0, 1, 2])(
    'have a box with room for rounding, unless it is not finite or too far away along axis %i',
    (axis) => {
      const at = (value: number): TileObjects => {
        const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
        mesh.position.setComponent(axis, value);
        return objectsOf({}, [mesh]);
      };
      for (const value of [2 ** 51, -(2 ** 51), NaN, Infinity])
        expect([value, at(value).inBoxes, at(value).unbounded]).toEqual([value, [], []]);
      // Of vertices that are all NaN along an axis, the box is empty along it.
      const flat = new BoxGeometry(2, 2, 2);
      for (let k = axis; k < 72; k += 3) flat.attributes.position.array[k] = NaN;
      expect(objectsOf({}, [new Mesh(flat, material)]).inBoxes).toEqual([]);
      for (const value of [2 ** 40, -1000, 1000, 0]) {
        const objects = at(value);
        expect(objects.inBoxes).toHaveLength(1);
        const box = objects.readBoxes();
        const room = Math.abs(value) + 1;
        for (const [side, exact] of [
          [box[axis], value - 1],
          [box[axis + 3], value + 1],
        ]) {
          const excess = (side - exact) * Math.sign(exact - value);
          expect(excess).toBeGreaterThan(1e-8 * room);
          expect(excess).toBeLessThan(1e-6 * room);
        }
      }
    },
  );

  it('follow what is below the scene, and are shown by ids of a table only', () => {
    const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
    const objects = objectsOf({}, [new Group().add(mesh)]);
    mesh.parent!.position.x = 5;
    expect(Math.round(objects.readBoxes()[0])).toBe(4);
    expect(objects.show(new Set([null]))).toEqual([mesh]);
    expect(mesh.visible).toBe(false);
    expect(objects.show(null)).toEqual([mesh]);
    expect(mesh.visible).toBe(true);
  });

  it('say that a property has no name', () => {
    const [object] = objectsOf({}, [twoBoxes()]).inBoxes;
    expect(String(errorOf(() => object.get(7 as never)))).toBe(
      "TypeError: TileObject.get: property must be a string, but is 7; pass 'name'.",
    );
  });
});
