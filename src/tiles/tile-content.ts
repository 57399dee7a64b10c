/** The content of a tile: its objects merged by material, on a grid, as one binary glTF. */

import { GlbBuilder, minMaxOf, type AttributeArray, type MeshEncoderLike } from './glb.ts';
import type { MaterialLibrary } from './materials.ts';
import { addPropertyTable, type TableRow } from './property-table.ts';
import { lengthOf, MAX_STEPS, storedPositions, type TileGrid } from './grid.ts';
import { ATTRIBUTES, isFlat, type ObjectMesh, type SceneObject } from './scene-object.ts';

const FEATURE_IDS = '_FEATURE_ID_0';

/** What is drawn with one material, and has the same attributes. */
interface Primitive {
  readonly material: number;
  /** As of its meshes. */
  readonly sizes: readonly number[];
  /** Meshes and their rows. */
  readonly parts: { readonly mesh: ObjectMesh; readonly row: number }[];
}

/** Collects the objects of a tile. */
export class TileContent {
  readonly grid: TileGrid;
  private readonly primitives = new Map<string, Primitive>();
  private readonly rows: TableRow[] = [];

  constructor(grid: TileGrid) {
    this.grid = grid;
  }

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  /** Adds an object. Its boxes are in the units of the scene. */
  add(mesh: ObjectMesh, material: number, { id, name = '' }: SceneObject, solidBoxes: readonly number[]): void {
    const key = `${material}/${mesh.sizes.join()}`;
    let primitive = this.primitives.get(key);
    if (primitive === undefined) this.primitives.set(key, (primitive = { material, sizes: mesh.sizes, parts: [] }));
    primitive.parts.push({ mesh, row: this.rows.length });
    this.rows.push({ name, id, ...minMaxOf(storedPositions(mesh, this.grid), 3), solidBoxes });
  }

  /** The bytes of the file; yields images before that. */
  async *write(
    library: MaterialLibrary,
    encoder: MeshEncoderLike | undefined,
    hasNumbers: boolean,
  ): AsyncGenerator<{ path: string; bytes: Uint8Array<ArrayBuffer> }, Uint8Array<ArrayBuffer>> {
    const { step, origin } = this.grid;
    const glb = new GlbBuilder(encoder);
    const entries = [...this.primitives.values()];
    const places = [...new Set(entries.map(({ material }) => material))];
    yield* library.write(glb, places);
    glb.use('KHR_mesh_quantization', true);
    glb.use('EXT_mesh_features');
    const isSmall = this.rows.every(({ max }) => Math.max(...max) <= MAX_STEPS);
    const primitives = entries.map((primitive) => ({
      ...writePrimitive(glb, primitive, this.grid, isSmall, encoder),
      material: places.indexOf(primitive.material),
    }));
    const translation = origin.map((place) => place * step);
    Object.assign(glb.json, {
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0, translation, scale: [step, step, step] }],
      meshes: [{ primitives }],
    });
    addPropertyTable(glb, this.rows, hasNumbers, isSmall);
    return glb.finish();
  }
}

/** Each array is written once, as it stands in the file, so few copies of a tile are in memory at a time. */
function writePrimitive(
  glb: GlbBuilder,
  { sizes, parts }: Primitive,
  grid: TileGrid,
  isSmall: boolean,
  encoder: MeshEncoderLike | undefined,
): object {
  const total = parts.reduce((sum, { mesh }) => sum + mesh.vertices.length / mesh.stride, 0);
  const positions = new (isSmall ? Uint16Array : Float32Array)(3 * total);
  const rows = new Uint16Array(total);
  const values = sizes.map((size) => new Float32Array(size * total));
  const corners = new Uint32Array(parts.reduce((sum, { mesh }) => sum + mesh.index.length, 0));
  let [first, length] = [0, 0];
  for (const { mesh, row } of parts) {
    const { vertices, stride, index } = mesh;
    const stored = storedPositions(mesh, grid);
    const next = first + vertices.length / stride;
    positions.set(stored, 3 * first);
    rows.fill(row, first, next);
    for (let vertex = first, from = 3; vertex < next; vertex++, from += 3)
      for (let k = 0; k < sizes.length; k++)
        for (let part = 0; part < sizes[k]; part++) values[k][sizes[k] * vertex + part] = vertices[from++];
    const begin = length;
    for (let corner = 0; corner < index.length; corner += 3) {
      const [a, b, c] = [index[corner], index[corner + 1], index[corner + 2]];
      // An object that is smaller than the grid is in the file, too.
      const isLast = corner + 3 === index.length && length === begin;
      if (isFlat(stored, a, b, c) && !isLast) continue;
      for (const vertex of [a, b, c]) corners[length++] = first + vertex;
    }
    first = next;
  }
  const index = corners.subarray(0, length);
  // The encoder writes the new places into the index, too. Without it, vertices are in the order of their objects.
  const [places, count] = encoder?.reorderMesh(index, true, true) ?? [
    Uint32Array.from(rows, (_, vertex) => vertex),
    total,
  ];
  const order = new Uint32Array(count);
  places.forEach((place, vertex) => {
    if (place < count) order[place] = vertex;
  });
  const attributes: Record<string, number> = {
    POSITION: glb.addAttribute('POSITION', { values: positions, size: 3 }, order),
  };
  ATTRIBUTES.forEach(({ semantic }, k) => {
    if (sizes[k] > 0)
      attributes[semantic] = glb.addAttribute(semantic, quantised(values[k], sizes[k], semantic), order);
  });
  attributes[FEATURE_IDS] = glb.addAttribute(FEATURE_IDS, { values: rows, size: 1 }, order);
  const features = { featureCount: new Set(rows).size, attribute: 0, propertyTable: 0 };
  return {
    attributes,
    indices: glb.addIndex(count > MAX_STEPS ? index : Uint16Array.from(index)),
    extensions: { EXT_mesh_features: { featureIds: [features] } },
  };
}

/** Normals in 8 bits; other numbers in 16 bits if they are from 0 to 1, else in 32. */
function quantised(numbers: Float32Array, size: number, semantic: string): AttributeArray {
  if (semantic === 'NORMAL') {
    const values = new Int8Array(numbers.length);
    for (let at = 0; at < values.length; at += 3) {
      const length = lengthOf(numbers[at], numbers[at + 1], numbers[at + 2]);
      for (let axis = 0; axis < 3; axis++) values[at + axis] = Math.round((127 * numbers[at + axis]) / (length || 1));
      if (length === 0) values[at + 1] = 127;
    }
    return { values, size, normalized: true };
  }
  if (numbers.some((value) => value < 0 || value > 1)) return { values: numbers, size };
  return { values: Uint16Array.from(numbers, (value) => Math.round(MAX_STEPS * value)), size, normalized: true };
}
