/** The triangles that a pass draws, without a renderer: equal triangles give equal pictures. */

import {
  DataTexture,
  FloatType,
  InstancedMesh,
  Matrix3,
  Matrix4,
  SkinnedMesh,
  Vector3,
  type BufferAttribute,
  type Camera,
  type Color,
  type InterleavedBufferAttribute,
  type Material,
  type Mesh,
  type Object3D,
  type Texture,
} from 'three';
import { frustumOf, projectPass } from './pass-lists.ts';

/** A triangle that is drawn. */
export class Triangle {
  /** Kind of material, shadow settings, order and layers. */
  words: string;
  /** Numbers of its mesh, `stride` for each vertex, and where those of its corners begin. */
  readonly data: Float64Array;
  readonly stride: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;

  constructor(words: string, data: Float64Array, stride: number, a: number, b: number, c: number) {
    this.words = words;
    this.data = data;
    this.stride = stride;
    this.a = a;
    this.b = b;
    this.c = c;
  }

  /**
   * Of each corner in world space: its position, normal, the texture coordinates and colours that are read, its values.
   */
  get numbers(): number[] {
    return [this.a, this.b, this.c].flatMap((at) => [...this.data.subarray(at, at + this.stride)]);
  }
}

/** Float32 has 24 digits. */
const ERROR = 1e-4;
/** Edge of the cells by which equal triangles are found. */
const CELL = 1 / 64;

/** All triangles of a pass. */
export function trianglesOf(root: Object3D, camera: Camera): Triangle[] {
  root.updateMatrixWorld();
  const triangles: Triangle[] = [];
  for (const { object } of projectPass(root, camera, frustumOf(camera)))
    addTriangles(object as Mesh | InstancedMesh, triangles);
  return triangles;
}

/** The number of triangles that a pass draws of meshes with an index, each with one material or with groups. */
export function countTriangles(root: Object3D, camera: Camera): number {
  root.updateMatrixWorld();
  let count = 0;
  for (const { object } of projectPass(root, camera)) {
    const { geometry, material } = object as Mesh;
    const index = geometry.index!;
    const ranges = Array.isArray(material) ? geometry.groups : [{ start: 0, count: index.count }];
    for (const { start, count: length } of ranges)
      for (let k = start; k < start + length; k += 3) {
        const [a, b, c] = [index.getX(k), index.getX(k + 1), index.getX(k + 2)];
        if (a !== b && b !== c && c !== a) count++;
      }
  }
  return count;
}

/** The triangles of `expected` that `found` does not hold, as words and numbers. */
export function missingTriangles(
  found: readonly Triangle[],
  expected: readonly Triangle[],
): { readonly words: string; readonly numbers: readonly number[] }[] {
  // A hash table by the first number: for each place the first triangle there, and for each triangle the next one.
  const heads = new Int32Array(2 ** Math.ceil(Math.log2(found.length + 2))).fill(-1);
  const nexts = new Int32Array(found.length);
  const placeOf = (x: number): number => (Math.floor(x / CELL) * 0x9e3779b1) & (heads.length - 1);
  for (let k = found.length - 1; k >= 0; k--) {
    const place = placeOf(found[k].data[found[k].a]);
    nexts[k] = heads[place];
    heads[place] = k;
  }
  /** Takes a triangle out of the table. */
  const take = (place: number, triangle: Triangle): boolean => {
    for (let k = heads[place], before = -1; k >= 0; before = k, k = nexts[k]) {
      if (!isSame(found[k], triangle)) continue;
      if (before < 0) heads[place] = nexts[k];
      else nexts[before] = nexts[k];
      return true;
    }
    return false;
  };
  const missing = expected.filter((triangle) => {
    const x = triangle.data[triangle.a];
    const [first, last] = [placeOf(x - ERROR), placeOf(x + ERROR)];
    return !take(first, triangle) && (first === last || !take(last, triangle));
  });
  return missing.map(({ words, numbers }) => ({ words, numbers }));
}

function isSame(one: Triangle, other: Triangle): boolean {
  const { stride } = one;
  return (
    stride === other.stride &&
    one.words === other.words &&
    areSame(one.data, one.a, other.data, other.a, stride) &&
    areSame(one.data, one.b, other.data, other.b, stride) &&
    areSame(one.data, one.c, other.data, other.c, stride)
  );
}

function areSame(a: Float64Array, first: number, b: Float64Array, other: number, count: number): boolean {
  for (let k = 0; k < count; k++) {
    const [x, y] = [a[first + k], b[other + k]];
    if (!(Math.abs(x - y) <= ERROR || Object.is(x, y))) return false;
  }
  return true;
}

/** The triangles of an object, whose matrices are up to date. */
export function trianglesOfObject(object: Mesh | InstancedMesh): Triangle[] {
  const triangles: Triangle[] = [];
  addTriangles(object, triangles);
  return triangles;
}

function addTriangles(object: Mesh | InstancedMesh, triangles: Triangle[]): void {
  const { matrixWorld } = object;
  if (!(object instanceof InstancedMesh)) return addTrianglesOfMesh(triangles, object, matrixWorld);
  // Renderers turn the faces of all instances by the matrix of the object.
  const isMirrored = matrixWorld.determinant() < 0;
  for (let k = 0; k < object.count; k++) {
    const matrix = new Matrix4();
    object.getMatrixAt(k, matrix);
    const ofNormals = normalMatrixOfInstance(matrix).premultiply(new Matrix3().getNormalMatrix(matrixWorld));
    addTrianglesOfMesh(triangles, object, matrix.premultiply(matrixWorld), isMirrored, k, ofNormals);
  }
}

/** What shaders turn the normals of an instance by: right for a matrix without shear only. */
function normalMatrixOfInstance({ elements }: Matrix4): Matrix3 {
  const matrix = new Matrix3();
  for (let column = 0; column < 3; column++) {
    const [x, y, z] = elements.slice(4 * column, 4 * column + 3);
    const square = x * x + y * y + z * z;
    for (const [row, value] of [x, y, z].entries()) matrix.elements[3 * column + row] = value / square;
  }
  return matrix;
}

function addTrianglesOfMesh(
  triangles: Triangle[],
  mesh: Mesh,
  matrixWorld: Matrix4,
  isMirrored = matrixWorld.determinant() < 0,
  instance: number | null = null,
  normalMatrix = new Matrix3().getNormalMatrix(matrixWorld),
): void {
  const { geometry, material } = mesh;
  const { index, groups, drawRange, attributes } = geometry;
  const position = attributes.position as BufferAttribute | undefined;
  if (position === undefined) return;
  const { normal, uv, color, uv3 } = attributes;
  const isSkinned = mesh instanceof SkinnedMesh;
  /** What draws triangles with a material. */
  const drawerOf = (drawn: AnyMaterial): ((start: number, count: number) => void) => {
    const words = [drawn.type, mesh.castShadow, mesh.receiveShadow, mesh.renderOrder, mesh.layers.mask].join();
    const hasPalette = [drawn.map, drawn.emissiveMap].some((map) => map && isPalette(map));
    const hasUv = drawn.map && !isPalette(drawn.map) && uv !== undefined;
    const hasColor = drawn.vertexColors && color !== undefined;
    /** Those of the material, or of the vertex before: the vertices of a mesh have the same texel. */
    let values = valuesOf(drawn, hasPalette ? uv3 : undefined, 0);
    let [texelX, texelY] = [NaN, NaN];
    const stride = (normal === undefined ? 3 : 6) + values.length + (hasUv ? 2 : 0) + (hasColor ? 3 : 0);
    const data = new Float64Array(position.count * stride);
    const isKnown = new Uint8Array(position.count);
    /** Where the numbers of a corner begin. */
    const corner = (at: number): number => {
      const vertex = index === null ? at : index.getX(at);
      let to = vertex * stride;
      if (isKnown[vertex] > 0) return to;
      isKnown[vertex] = 1;
      const bone = isSkinned ? boneOf(mesh, vertex) : null;
      vector.fromBufferAttribute(position, vertex);
      if (bone !== null) vector.applyMatrix4(bone);
      to = write(vector.applyMatrix4(matrixWorld), data, to);
      if (normal !== undefined) {
        vector.fromBufferAttribute(normal, vertex);
        if (bone !== null) vector.applyMatrix3(boneOf_linear.setFromMatrix4(bone));
        to = write(vector.applyMatrix3(normalMatrix).normalize(), data, to);
      }
      if (hasPalette) {
        const [x, y] = [uv3.getX(instance ?? vertex), uv3.getY(instance ?? vertex)];
        if (x !== texelX || y !== texelY) [values, texelX, texelY] = [valuesOf(drawn, uv3, instance ?? vertex), x, y];
      }
      for (let k = 0; k < values.length; k++) data[to++] = values[k];
      if (hasUv) {
        data[to++] = uv.getX(vertex);
        data[to++] = uv.getY(vertex);
      }
      if (hasColor) write(vector.fromBufferAttribute(color, vertex), data, to);
      return vertex * stride;
    };
    return (start, count) => {
      const end = Math.min(start + count, index?.count ?? position.count);
      for (let k = start; k + 2 < end; k += 3) {
        const a = corner(k);
        const b = corner(isMirrored ? k + 2 : k + 1);
        const c = corner(isMirrored ? k + 1 : k + 2);
        // Three equal indices draw nothing.
        if (a !== b && b !== c && c !== a) triangles.push(new Triangle(words, data, stride, a, b, c));
      }
    };
  };
  if (!Array.isArray(material)) return drawerOf(material)(drawRange.start, drawRange.count);
  const drawers: ReturnType<typeof drawerOf>[] = [];
  for (const { start, count, materialIndex } of groups)
    (drawers[materialIndex!] ??= drawerOf(material[materialIndex!]))(start, count);
}

const vector = new Vector3();

/** Returns the place after it. */
function write({ x, y, z }: Vector3, data: Float64Array, at: number): number {
  data[at] = x;
  data[at + 1] = y;
  data[at + 2] = z;
  return at + 3;
}

/** The matrix of the bone that moves a vertex, as shaders read it: identity if the mesh is not skinned. */
export function boneOf(mesh: Mesh, vertex: number): Matrix4 {
  if (!(mesh instanceof SkinnedMesh)) return new Matrix4();
  const { skeleton, geometry } = mesh as SkinnedMesh;
  const bone = (geometry.attributes.skinIndex as BufferAttribute).getX(vertex);
  return new Matrix4().fromArray(skeleton.boneMatrices!, 16 * bone);
}
const boneOf_linear = new Matrix3();

type AnyMaterial = Material & { color?: Color; emissive?: Color; map?: Texture | null; emissiveMap?: Texture | null };

/** Whether batches have put values of materials into a texture. */
export function isPalette(texture: Texture): boolean {
  return texture instanceof DataTexture && texture.type === FloatType && texture.channel === 3;
}

/** The colours of a material as a shader computes them, of one vertex or instance. */
export function valuesOf(
  { color, emissive, map, emissiveMap }: AnyMaterial,
  texels: BufferAttribute | InterleavedBufferAttribute | undefined,
  at: number,
): number[] {
  const multiplied = (value: Color | undefined, texture: Texture | null | undefined): number[] => {
    if (value === undefined) return [];
    const numbers = value.toArray();
    if (!texture || !isPalette(texture)) return numbers;
    const { data, width } = texture.image as { data: Float32Array; width: number };
    const texel = Math.floor(texels!.getX(at)) + width * Math.floor(texels!.getY(at));
    return numbers.map((number, k) => number * data[4 * texel + k]);
  };
  return [...multiplied(color, map), ...multiplied(emissive, emissiveMap)];
}
