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

export interface Triangle {
  /** Kind of material, shadow settings, order and layers. */
  readonly words: string;
  /**
   * Of each vertex in world space: its position, normal, the texture coordinates and colours that are read, its values.
   */
  readonly numbers: readonly number[];
}

/** Float32 has 24 digits. */
const ERROR = 1e-4;

/** All triangles of a pass, sorted by their first number. */
export function trianglesOf(root: Object3D, camera: Camera): Triangle[] {
  root.updateMatrixWorld();
  const triangles: Triangle[] = [];
  for (const { object } of projectPass(root, camera, frustumOf(camera)))
    for (const triangle of trianglesOfObject(object as Mesh | InstancedMesh)) triangles.push(triangle);
  return triangles.sort((a, b) => a.numbers[0] - b.numbers[0]);
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

/** The triangles of `expected` that `found` does not hold. Both are sorted. */
export function missingTriangles(found: readonly Triangle[], expected: readonly Triangle[]): Triangle[] {
  const taken = new Set<Triangle>();
  let first = 0;
  return expected.filter((triangle) => {
    const [x] = triangle.numbers;
    while (first < found.length && found[first].numbers[0] < x - ERROR) first++;
    for (let k = first; k < found.length && found[k].numbers[0] <= x + ERROR; k++)
      if (!taken.has(found[k]) && isSame(found[k], triangle)) {
        taken.add(found[k]);
        return false;
      }
    return true;
  });
}

function isSame({ words, numbers: a }: Triangle, { words: otherWords, numbers: b }: Triangle): boolean {
  if (words !== otherWords || a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (!(Math.abs(a[k] - b[k]) <= ERROR || Object.is(a[k], b[k]))) return false;
  return true;
}

/** The triangles of an object, whose matrices are up to date. */
export function trianglesOfObject(object: Mesh | InstancedMesh): Triangle[] {
  const { matrixWorld } = object;
  if (!(object instanceof InstancedMesh)) return trianglesOfMesh(object, matrixWorld);
  // Renderers turn the faces of all instances by the matrix of the object.
  const isMirrored = matrixWorld.determinant() < 0;
  return Array.from({ length: object.count }, (_, k) => {
    const matrix = new Matrix4();
    object.getMatrixAt(k, matrix);
    const ofNormals = normalMatrixOfInstance(matrix).premultiply(new Matrix3().getNormalMatrix(matrixWorld));
    return trianglesOfMesh(object, matrix.premultiply(matrixWorld), isMirrored, k, ofNormals);
  }).flat();
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

function trianglesOfMesh(
  mesh: Mesh,
  matrixWorld: Matrix4,
  isMirrored = matrixWorld.determinant() < 0,
  instance: number | null = null,
  normalMatrix = new Matrix3().getNormalMatrix(matrixWorld),
): Triangle[] {
  const { geometry, material } = mesh;
  const { index, groups, drawRange, attributes } = geometry;
  const position = attributes.position as BufferAttribute | undefined;
  if (position === undefined) return [];
  const vector = new Vector3();
  const { normal, uv, color, uv3 } = attributes;
  const isSkinned = mesh instanceof SkinnedMesh;
  /** @param values Those of the material, if all vertices have the same. */
  const numbersOf = (vertex: number, { map, vertexColors }: AnyMaterial, values: readonly number[]): number[] => {
    const bone = isSkinned ? boneOf(mesh, vertex) : null;
    vector.fromBufferAttribute(position, vertex);
    if (bone !== null) vector.applyMatrix4(bone);
    vector.applyMatrix4(matrixWorld);
    const numbers = [vector.x, vector.y, vector.z];
    if (normal !== undefined) {
      vector.fromBufferAttribute(normal, vertex);
      if (bone !== null) vector.applyMatrix3(boneOf_linear.setFromMatrix4(bone));
      vector.applyMatrix3(normalMatrix).normalize();
      numbers.push(vector.x, vector.y, vector.z);
    }
    for (let k = 0; k < values.length; k++) numbers.push(values[k]);
    if (map && !isPalette(map) && uv !== undefined) numbers.push(uv.getX(vertex), uv.getY(vertex));
    if (vertexColors && color !== undefined) numbers.push(color.getX(vertex), color.getY(vertex), color.getZ(vertex));
    return numbers;
  };
  const triangles: Triangle[] = [];
  const draw = (start: number, count: number, drawn: AnyMaterial): void => {
    const end = Math.min(start + count, index?.count ?? position.count);
    const words = [drawn.type, mesh.castShadow, mesh.receiveShadow, mesh.renderOrder, mesh.layers.mask].join();
    const hasPalette = [drawn.map, drawn.emissiveMap].some((map) => map && isPalette(map));
    const values = hasPalette ? null : valuesOf(drawn, undefined, 0);
    const known: (number[] | undefined)[] = [];
    /** Those of the vertex before: the vertices of a mesh have the same texel. */
    let texel: number[] = [];
    let [texelX, texelY] = [NaN, NaN];
    const valuesAt = (at: number): number[] => {
      const [x, y] = [uv3.getX(at), uv3.getY(at)];
      if (x !== texelX || y !== texelY) [texel, texelX, texelY] = [valuesOf(drawn, uv3, at), x, y];
      return texel;
    };
    const corner = (at: number): number[] => {
      const vertex = index === null ? at : index.getX(at);
      return (known[vertex] ??= numbersOf(vertex, drawn, values ?? valuesAt(instance ?? vertex)));
    };
    for (let k = start; k + 2 < end; k += 3) {
      const a = corner(k);
      const b = corner(isMirrored ? k + 2 : k + 1);
      const c = corner(isMirrored ? k + 1 : k + 2);
      // Three equal indices draw nothing.
      if (a !== b && b !== c && c !== a) triangles.push({ words, numbers: a.concat(b, c) });
    }
  };
  if (Array.isArray(material)) {
    for (const { start, count, materialIndex } of groups) draw(start, count, material[materialIndex!]);
  } else draw(drawRange.start, drawRange.count, material);
  return triangles;
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
