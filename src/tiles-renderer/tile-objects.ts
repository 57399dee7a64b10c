/**
 * The objects of a tile: its features, each with its row of a property table; of a tile without them its meshes. What
 * is neither, such as points and lines, is an object without a box.
 */

import { Box3, type BufferAttribute, type Intersection, type Mesh, type Object3D, type Raycaster } from 'three';
import { VERTEX_ERROR32 } from '../math/tolerances.ts';
import { isCoordinate, throwType } from '../octree/input/input-checks.ts';
import { FeatureMesh } from './feature-mesh.ts';
import { PropertyTable } from './property-table.ts';
import type { GltfParser, LoadedGltf, TileLike } from './tiles-renderer.ts';

/** An object in a tile: what was one object before the tileset was written. The data of the bodies of `objects`. */
export class TileObject {
  /** The tile that draws it. */
  readonly tile: TileLike;
  /** @internal */
  readonly part: TilePart;
  /** @internal Its row in the table. */
  readonly feature: number;

  /** @internal */
  constructor(tile: TileLike, part: TilePart, feature: number) {
    this.tile = tile;
    this.part = part;
    this.feature = feature;
  }

  /** From the property table of the tile. Null if it has none. */
  get name(): string | null {
    const name = this.get('name');
    return name === null ? null : String(name);
  }

  /** From the property table of the tile. Null if it has none. The same in each tile that has the object. */
  get id(): string | number | null {
    return this.get('id');
  }

  /**
   * A value of the property table of the tile. Texts and single numbers are read, and decoded in each call: normalized,
   * scaled as the schema of the table says, with its default in place of `noData`.
   *
   * @param property Its name, or its semantic.
   * @returns Null if there is none.
   * @throws {TypeError} If the property is not a string.
   */
  get(property: string): string | number | null {
    if (typeof property !== 'string') throwType('TileObject.get', 'property', 'be a string', property, "pass 'name'");
    return this.part.table?.get(property, this.feature) ?? null;
  }

  /** @internal The box in world units; false if there is none. */
  readBox(target: Box3): boolean {
    target.makeEmpty();
    for (const mesh of this.part.meshes) mesh.expand(target, this.feature);
    // An object without triangles, or whose coordinates along an axis are all NaN.
    if (target.isEmpty()) return false;
    const { min, max } = target;
    const largest = Math.max(-min.x, -min.y, -min.z, max.x, max.y, max.z);
    // As the bounds of a mesh, see `growByFloat32Error`: a ray that is tested in the space of a mesh is rounded, too.
    target.expandByScalar(VERTEX_ERROR32 * largest);
    // False for a NaN, too.
    return isCoordinate(largest);
  }

  /** @internal Appends the hits of its triangles. */
  raycast(raycaster: Raycaster, hits: Intersection[]): void {
    for (const mesh of this.part.meshes) mesh.raycast(this.feature, raycaster, hits);
    const { other } = this.part;
    if (other?.layers.test(raycaster.layers) && (other.raycast as unknown) !== null) other.raycast(raycaster, hits);
  }
}

/** Objects that share a property table; or an object that has none. */
export interface TilePart {
  readonly table: PropertyTable | null;
  readonly meshes: FeatureMesh[];
  /** What is drawn of an object that is no mesh. */
  readonly other: Object3D | null;
  objects: TileObject[];
}

/** What the scene of a loaded tile holds. */
export class TileObjects {
  readonly scene: Object3D;
  /** Indices of the bodies of `inBoxes`. */
  bodies: Uint32Array = new Uint32Array(0);
  readonly inBoxes: TileObject[] = [];
  /** Objects that every ray tests. */
  readonly unbounded: TileObject[] = [];
  /** Ends when the tables are read: then `isLoaded` is true. */
  readonly loaded: Promise<unknown>;
  isLoaded = false;
  readonly parts: TilePart[] = [];
  private readonly byMesh = new Map<Object3D, { readonly part: TilePart; readonly mesh: FeatureMesh | null }>();

  /** Cost: looks at each triangle. World matrices must be up to date. */
  constructor(tile: TileLike, scene: Object3D) {
    this.scene = scene;
    const { parser } = (tile.engineData.metadata ?? {}) as LoadedGltf;
    const byTable = new Map<number, TilePart>();
    scene.traverse((object) => {
      if ((object as Mesh).material === undefined) return;
      const { mesh = null, table } = isPlainMesh(object) ? featuresOf(parser, object) : {};
      let part = table === undefined ? undefined : byTable.get(table);
      if (part === undefined) {
        const properties = table === undefined ? null : new PropertyTable(parser!, table);
        part = { table: properties, meshes: [], other: mesh === null ? object : null, objects: [] };
        this.parts.push(part);
        if (table !== undefined) byTable.set(table, part);
      }
      if (mesh !== null) part.meshes.push(mesh);
      this.byMesh.set(object, { part, mesh });
    });
    const box = new Box3();
    for (const part of this.parts) {
      const count = Math.max(1, ...part.meshes.map((mesh) => mesh.count));
      part.objects = Array.from({ length: count }, (_, feature) => new TileObject(tile, part, feature));
      for (const object of part.objects)
        if (object.readBox(box)) this.inBoxes.push(object);
        else if (part.other !== null) this.unbounded.push(object);
    }
    this.loaded = Promise.all(this.parts.map(({ table }) => Promise.resolve(table?.load()))).then(
      () => (this.isLoaded = true),
    );
  }

  /** The object of a hit; undefined if it is in another tile. */
  objectOf(hit: Intersection): TileObject | undefined {
    const found = this.byMesh.get(hit.object);
    return found?.part.objects[found.mesh?.featureOf(hit) ?? 0];
  }

  /** The boxes of `inBoxes` in world units. The world matrix of what is above the scene must be up to date. */
  readBoxes(): Float64Array {
    this.scene.updateWorldMatrix(false, true, true);
    const bounds = new Float64Array(6 * this.inBoxes.length);
    const box = new Box3();
    this.inBoxes.forEach((object, k) => {
      object.readBox(box);
      box.min.toArray(bounds, 6 * k);
      box.max.toArray(bounds, 6 * k + 3);
    });
    return bounds;
  }

  /**
   * Draws objects with these ids only.
   *
   * @param ids Null shows all.
   * @returns What is drawn in another way than before.
   */
  show(ids: ReadonlySet<unknown> | null): Object3D[] {
    const changed: Object3D[] = [];
    for (const { table, meshes, objects } of this.parts) {
      const shown = ids === null ? null : objects.map(({ id }) => table !== null && ids.has(id));
      for (const mesh of meshes)
        if (mesh.show(shown === null ? null : (feature) => shown[feature])) changed.push(mesh.mesh);
    }
    return changed;
  }
}

/** Whether the vertices of a mesh are where its matrix puts them. */
function isPlainMesh(object: Object3D): object is Mesh {
  const mesh = object as Mesh & { isSkinnedMesh?: boolean; isInstancedMesh?: boolean; isBatchedMesh?: boolean };
  const isOther = mesh.isSkinnedMesh ?? mesh.isInstancedMesh ?? mesh.isBatchedMesh ?? false;
  return (
    mesh.isMesh &&
    !isOther &&
    (mesh.geometry.attributes.position as unknown) !== undefined &&
    Object.keys(mesh.geometry.morphAttributes).length === 0
  );
}

/** A mesh cut into features, by the first numbers that its vertices have; and the table of these, if there is one. */
function featuresOf(parser: GltfParser | undefined, object: Mesh): { mesh: FeatureMesh; table?: number | undefined } {
  const { meshes = -1, primitives = -1 } = parser?.associations.get(object) ?? {};
  const extensions = parser?.json.meshes?.[meshes]?.primitives[primitives]?.extensions;
  const ids = extensions?.EXT_mesh_features?.featureIds?.find(({ attribute }) => attribute !== undefined);
  const numbers = object.geometry.attributes[`_feature_id_${ids?.attribute}`] as BufferAttribute | undefined;
  if (ids === undefined || numbers === undefined) return { mesh: new FeatureMesh(object, null, 1) };
  const { featureCount, propertyTable: table } = ids;
  // `featureCount` counts those that occur in the mesh, not the rows of the table.
  const rows = parser!.json.extensions?.EXT_structural_metadata?.propertyTables?.[table ?? -1]?.count;
  const mesh = new FeatureMesh(object, numbers, rows ?? featureCount);
  return mesh.isWhole ? { mesh } : { mesh, table };
}
