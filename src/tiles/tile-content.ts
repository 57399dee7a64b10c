/** The content of a tile: its objects merged by material, on a grid, as one binary glTF. */

import { GlbBuilder, type AttributeArray, type MeshEncoderLike } from './glb.ts';
import type { MaterialLibrary } from './materials.ts';
import { addPropertyTable, type TableRow } from './property-table.ts';
import { lengthOf, MAX_STEPS, storedPositions, type TileGrid } from './grid.ts';
import { ATTRIBUTES, isFlat, type ObjectMesh } from './scene-object.ts';

const FEATURE_IDS = '_FEATURE_ID_0';

/** An object of a tile. */
export interface TilePart {
  readonly mesh: ObjectMesh;
  readonly material: number;
  readonly row: TableRow;
}

/** Objects with one material and the same attributes, and their rows. */
type Primitive = (TilePart & { readonly place: number })[];

/** The bytes of the file of a tile; yields images before that. */
export async function* writeContent(
  parts: readonly TilePart[],
  grid: TileGrid,
  library: MaterialLibrary,
  encoder: MeshEncoderLike | undefined,
  hasNumbers: boolean,
): AsyncGenerator<{ path: string; bytes: Uint8Array<ArrayBuffer> }, Uint8Array<ArrayBuffer>> {
  const primitives = new Map<string, Primitive>();
  parts.forEach((part, place) => {
    const key = `${part.material}/${part.mesh.sizes.join()}`;
    if (!primitives.has(key)) primitives.set(key, []);
    primitives.get(key)!.push({ ...part, place });
  });
  const rows = parts.map(({ row }) => row);
  const glb = new GlbBuilder(encoder);
  const materials = [...new Set(parts.map(({ material }) => material))];
  yield* library.write(glb, materials);
  glb.use('KHR_mesh_quantization', true);
  glb.use('EXT_mesh_features');
  const isSmall = rows.every(({ max }) => Math.max(...max) <= MAX_STEPS);
  const { step, origin } = grid;
  const translation = origin.map((place) => place * step);
  Object.assign(glb.json, {
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, translation, scale: [step, step, step] }],
    meshes: [
      {
        primitives: Array.from(primitives.values(), (primitive) => ({
          ...writePrimitive(glb, primitive, grid, isSmall, encoder),
          material: materials.indexOf(primitive[0].material),
        })),
      },
    ],
  });
  addPropertyTable(glb, rows, hasNumbers, isSmall);
  return glb.finish();
}

/** Each array is written once, as it stands in the file, so few copies of a tile are in memory at a time. */
function writePrimitive(
  glb: GlbBuilder,
  parts: Primitive,
  grid: TileGrid,
  isSmall: boolean,
  encoder: MeshEncoderLike | undefined,
): object {
  const { sizes } = parts[0].mesh;
  const total = parts.reduce((sum, { mesh }) => sum + mesh.vertices.length / mesh.stride, 0);
  const positions = new (isSmall ? Uint16Array : Float32Array)(3 * total);
  const rows = new Uint16Array(total);
  const values = sizes.map((size) => new Float32Array(size * total));
  const corners = new Uint32Array(parts.reduce((sum, { mesh }) => sum + mesh.index.length, 0));
  let [first, length] = [0, 0];
  for (const { mesh, place } of parts) {
    const { vertices, stride, index } = mesh;
    const stored = storedPositions(mesh, grid);
    const next = first + vertices.length / stride;
    positions.set(stored, 3 * first);
    rows.fill(place, first, next);
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
  // A second set of texture coordinates needs a first one.
  if ('TEXCOORD_1' in attributes) attributes.TEXCOORD_0 ??= attributes.TEXCOORD_1;
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
