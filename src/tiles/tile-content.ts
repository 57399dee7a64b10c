/** The content of a tile: its objects merged by material, on a grid, as one binary glTF. */

import { GlbBuilder, type AttributeArray, type MeshEncoderLike } from './glb.ts';
import type { MaterialLibrary } from './materials.ts';
import { addPropertyTable, type TableRow } from './property-table.ts';
import { lengthOf, MAX_STEPS, storedPositions, type TileGrid } from './grid.ts';
import { ATTRIBUTES, isFlat, type ObjectMesh } from './scene-object.ts';

const FEATURE_IDS = '_FEATURE_ID_0';

/** What is drawn with one material, and has the same attributes. */
class Primitive {
  readonly sizes: readonly number[];
  readonly positions: number[] = [];
  /** The numbers of `ATTRIBUTES`, by attribute. */
  readonly values: number[][] = ATTRIBUTES.map(() => []);
  readonly rows: number[] = [];
  readonly index: number[] = [];

  constructor(sizes: readonly number[]) {
    this.sizes = sizes;
  }

  /** Adds vertices on the grid, and triangles. Returns least and largest position. */
  add(mesh: ObjectMesh, grid: TileGrid, row: number): number[] {
    const { positions } = this;
    const { vertices, stride, index } = mesh;
    const first = positions.length / 3;
    const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    storedPositions(mesh, grid).forEach((value, at) => {
      positions.push(value);
      bounds[at % 3] = Math.min(bounds[at % 3], value);
      bounds[3 + (at % 3)] = Math.max(bounds[3 + (at % 3)], value);
    });
    for (let from = 0; from < vertices.length; from += stride) {
      let at = from + 3;
      for (let k = 0; k < this.sizes.length; k++)
        for (let part = 0; part < this.sizes[k]; part++) this.values[k].push(vertices[at++]);
      this.rows.push(row);
    }
    const length = this.index.length;
    for (let corner = 0; corner < index.length; corner += 3) {
      const [a, b, c] = [first + index[corner], first + index[corner + 1], first + index[corner + 2]];
      if (!isFlat(positions, a, b, c)) this.index.push(a, b, c);
    }
    // An object that is smaller than the grid is in the file, too.
    if (this.index.length === length) this.index.push(first + index[0], first + index[1], first + index[2]);
    return bounds;
  }
}

/** Collects the objects of a tile. */
export class TileContent {
  readonly grid: TileGrid;
  private readonly primitives = new Map<string, { readonly material: number; readonly primitive: Primitive }>();
  private readonly rows: TableRow[] = [];

  constructor(grid: TileGrid) {
    this.grid = grid;
  }

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  /** Adds an object. Its boxes are in the units of the scene. */
  add(
    mesh: ObjectMesh,
    material: number,
    { id, name = '' }: { id: string | number; name?: string },
    solidBoxes: readonly number[],
  ): void {
    const key = `${material}/${mesh.sizes.join()}`;
    let entry = this.primitives.get(key);
    if (entry === undefined) this.primitives.set(key, (entry = { material, primitive: new Primitive(mesh.sizes) }));
    const bounds = entry.primitive.add(mesh, this.grid, this.rows.length);
    this.rows.push({ name, id, min: bounds.slice(0, 3), max: bounds.slice(3), solidBoxes });
  }

  /** The bytes of the file; yields images before that. */
  async *write(
    library: MaterialLibrary,
    encoder: MeshEncoderLike | undefined,
    hasNumbers: boolean,
  ): AsyncGenerator<{ path: string; bytes: Uint8Array<ArrayBuffer> }, Uint8Array<ArrayBuffer>> {
    const { step, origin } = this.grid;
    const glb = new GlbBuilder(encoder);
    const entries = [...this.primitives.values()].sort((a, b) => a.material - b.material);
    const places = [...new Set(entries.map(({ material }) => material))];
    yield* library.write(glb, places);
    glb.use('KHR_mesh_quantization', true);
    glb.use('EXT_mesh_features');
    const isSmall = this.rows.every(({ max }) => Math.max(...max) <= MAX_STEPS);
    const primitives = entries.map(({ material, primitive }) => ({
      ...writePrimitive(glb, primitive, isSmall, encoder),
      material: places.indexOf(material),
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

function writePrimitive(
  glb: GlbBuilder,
  primitive: Primitive,
  isSmall: boolean,
  encoder: MeshEncoderLike | undefined,
): object {
  const { positions, values, rows, sizes } = primitive;
  const index = Uint32Array.from(primitive.index);
  // The encoder writes the new places into the index, too. Without it, vertices are in the order of their objects.
  const [places, count] = encoder?.reorderMesh(index, true, true) ?? [rows.map((_, vertex) => vertex), rows.length];
  const order = new Uint32Array(count);
  places.forEach((place, vertex) => {
    if (place < count) order[place] = vertex;
  });
  const pick = (source: ArrayLike<number>, size: number): number[] => {
    const picked: number[] = [];
    for (const vertex of order) for (let part = 0; part < size; part++) picked.push(source[size * vertex + part]);
    return picked;
  };
  const attributes: Record<string, number> = {};
  const drawn = pick(positions, 3);
  const [min, max] = [drawn.slice(0, 3), drawn.slice(0, 3)];
  drawn.forEach((value, at) => {
    min[at % 3] = Math.min(min[at % 3], value);
    max[at % 3] = Math.max(max[at % 3], value);
  });
  const stored = isSmall ? Uint16Array.from(drawn) : Float32Array.from(drawn);
  attributes.POSITION = glb.addAttribute('POSITION', { values: stored, size: 3 }, count, { min, max });
  ATTRIBUTES.forEach(({ semantic }, k) => {
    if (sizes[k] > 0)
      attributes[semantic] = glb.addAttribute(
        semantic,
        quantised(pick(values[k], sizes[k]), sizes[k], semantic),
        count,
      );
  });
  attributes[FEATURE_IDS] = glb.addAttribute(FEATURE_IDS, { values: Uint16Array.from(pick(rows, 1)), size: 1 }, count);
  const features = { featureCount: new Set(rows).size, attribute: 0, propertyTable: 0 };
  return {
    attributes,
    indices: glb.addIndex(count > MAX_STEPS ? index : Uint16Array.from(index)),
    extensions: { EXT_mesh_features: { featureIds: [features] } },
  };
}

/** Normals in 8 bits; other numbers in 16 bits if they are from 0 to 1, else in 32. */
function quantised(numbers: number[], size: number, semantic: string): AttributeArray {
  if (semantic === 'NORMAL') {
    const values = new Int8Array(numbers.length);
    for (let at = 0; at < values.length; at += 3) {
      const length = lengthOf(numbers[at], numbers[at + 1], numbers[at + 2]);
      for (let axis = 0; axis < 3; axis++) values[at + axis] = Math.round((127 * numbers[at + axis]) / (length || 1));
      if (length === 0) values[at + 1] = 127;
    }
    return { values, size, normalized: true };
  }
  if (numbers.some((value) => value < 0 || value > 1)) return { values: Float32Array.from(numbers), size };
  return { values: Uint16Array.from(numbers, (value) => Math.round(MAX_STEPS * value)), size, normalized: true };
}
