/** The triangles that a pass draws, without a renderer: equal triangles give equal pictures. */

import {
  InstancedMesh,
  Matrix3,
  Matrix4,
  Vector3,
  type BufferAttribute,
  type Camera,
  type Material,
  type Mesh,
  type Object3D,
} from 'three';
import { frustumOf, projectPass } from './pass-lists.ts';

export interface Triangle {
  /** Material, shadow settings, order and layers. */
  readonly words: string;
  /** Of each vertex in world space: its position, normal, and the texture coordinates and colours that are read. */
  readonly numbers: readonly number[];
}

/** Float32 has 24 digits. */
const ERROR = 1e-4;

/** All triangles of a pass, sorted by their first number. */
export function trianglesOf(root: Object3D, camera: Camera): Triangle[] {
  root.updateMatrixWorld();
  return projectPass(root, camera, frustumOf(camera))
    .flatMap(({ object }) => trianglesOfObject(object as Mesh | InstancedMesh))
    .sort((a, b) => a.numbers[0] - b.numbers[0]);
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
    return trianglesOfMesh(object, matrix.premultiply(matrixWorld), isMirrored);
  }).flat();
}

function trianglesOfMesh(mesh: Mesh, matrixWorld: Matrix4, isMirrored = matrixWorld.determinant() < 0): Triangle[] {
  const { geometry, material } = mesh;
  const { index, groups, drawRange, attributes } = geometry;
  const position = attributes.position as BufferAttribute | undefined;
  if (position === undefined) return [];
  const normalMatrix = new Matrix3().getNormalMatrix(matrixWorld);
  const vector = new Vector3();
  const numbersOf = (vertex: number, { map, vertexColors }: AnyMaterial): number[] => {
    const { normal, uv, color } = attributes;
    vector.fromBufferAttribute(position, vertex).applyMatrix4(matrixWorld);
    const numbers = [vector.x, vector.y, vector.z];
    if (normal !== undefined) {
      vector.fromBufferAttribute(normal, vertex).applyMatrix3(normalMatrix).normalize();
      numbers.push(vector.x, vector.y, vector.z);
    }
    if (map && uv !== undefined) numbers.push(uv.getX(vertex), uv.getY(vertex));
    if (vertexColors && color !== undefined) numbers.push(color.getX(vertex), color.getY(vertex), color.getZ(vertex));
    return numbers;
  };
  const triangles: Triangle[] = [];
  const draw = (start: number, count: number, drawn: AnyMaterial): void => {
    const end = Math.min(start + count, index?.count ?? position.count);
    const words = [drawn.name, mesh.castShadow, mesh.receiveShadow, mesh.renderOrder, mesh.layers.mask].join();
    const known: number[][] = [];
    const corner = (at: number): number[] => {
      const vertex = index === null ? at : index.getX(at);
      return (known[vertex] ??= numbersOf(vertex, drawn));
    };
    for (let k = start; k + 2 < end; k += 3) {
      const [a, b, c] = [corner(k), corner(isMirrored ? k + 2 : k + 1), corner(isMirrored ? k + 1 : k + 2)];
      // Three equal indices draw nothing.
      if (a !== b && b !== c && c !== a) triangles.push({ words, numbers: [...a, ...b, ...c] });
    }
  };
  if (Array.isArray(material)) {
    for (const { start, count, materialIndex } of groups) draw(start, count, material[materialIndex!]);
  } else draw(drawRange.start, drawRange.count, material);
  return triangles;
}

type AnyMaterial = Material & { map?: unknown };
