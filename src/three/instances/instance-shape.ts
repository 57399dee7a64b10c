/** The bounds that all instances share, in the space of one instance, and what becomes of them under an instance's matrix. */

import { Box3, Sphere, Vector3, type BufferAttribute, type BufferGeometry, type Matrix4, type Mesh, type Object3D } from 'three';
import type { BoundsKind } from '../../scene/shapes.ts';
import { cullingSphereOf, cullingBoxOf } from '../bounds/bounds-of.ts';
import { FLOAT32_ERROR } from '../bounds/float32-error.ts';
import { geometryName } from './instance-checks.ts';
import { MATRIX_STRIDE } from './instance-store.ts';
import { vertexBoxOf } from '../bounds/vertex-box.ts';
import { displacesVertices } from '../bounds/vertex-displacement.ts';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

interface Source {
  readonly geometry: BufferGeometry;
  readonly position: unknown;
  readonly version: number;
  /** Whether the box of the vertices tells nothing, as a material moves them. */
  readonly isMoved: boolean;
}

export class InstanceShape {
  /** Null if instances cannot be bounded, and must always be drawn. */
  kind: 'box' | 'sphere' | null = null;

  private readonly center = new Vector3();
  /** From the centre of the box to its corner. */
  private readonly half = new Vector3();
  private radius = 0;
  private sources: Source[] = [];
  private readonly wanted: BoundsKind | null;

  /** @param wanted Boxes, whatever materials do with vertices, or spheres; null for the tighter of what materials allow. */
  constructor(wanted: BoundsKind | null) {
    this.wanted = wanted;
  }

  /** Numbers that `write` writes for an instance. */
  get lanes(): 4 | 6 {
    return this.kind === 'sphere' ? 4 : 6;
  }

  /**
   * Takes the bounds of what instances are drawn as, one mesh for each level of detail, if that has changed; whether it has.
   *
   * @throws {RangeError} If bounds of a geometry hold a NaN; until they do not, everything stays as it was.
   */
  follow(where: string, container: Object3D, meshes: readonly Mesh[]): boolean {
    if (meshes.length === this.sources.length && meshes.every((mesh, k) => isAsBefore(this.sources[k], mesh))) return false;
    const spheres = readSpheres(where, container, meshes);
    const bounded = spheres.filter((sphere) => sphere !== null && sphere.radius >= 0 && sphere.radius < Infinity) as Sphere[];
    const boxes = meshes.map((mesh, k) => this.boxOf(mesh, spheres[k]));
    boxes.forEach((box, k) => {
      if (box !== null && isBroken(box.min, box.max)) blame(where, container, k);
    });
    this.sources = meshes.map((mesh) => {
      const { geometry } = mesh;
      return { geometry, position: geometry.attributes.position, version: versionOf(geometry), isMoved: hasMovedVertices(mesh) };
    });
    if (bounded.length < meshes.length) this.kind = null;
    else if (boxes.includes(null)) this.takeSphere(bounded);
    else {
      const box = (boxes as Box3[]).reduce((all, one) => all.union(one), new Box3());
      const sphere = bounded.reduce((all, one) => all.union(one), new Sphere().makeEmpty());
      const { x, y, z } = box.getSize(this.half);
      if (this.wanted === 'box' || x * y * z <= ((4 * Math.PI) / 3) * sphere.radius ** 3) this.takeBox(box);
      else this.takeSphere([sphere]);
    }
    return true;
  }

  /**
   * Writes the bounds of instances into `target`, one after the other, grown by as much as drawing may be off, so that nothing that
   * shows in a pixel is left out.
   *
   * @param space Leads from the space of the container to that of the bounds.
   */
  write(space: Matrix4, matrices: Float32Array, ids: Uint32Array, count: number, target: Float64Array): void {
    const isBox = this.kind === 'box';
    const { lanes, center, half, radius } = this;
    const s = space.elements.every((element, k) => element === IDENTITY[k]) ? null : space.elements;
    const m = write_matrix;
    for (let k = 0, at = 0; k < count; k++, at += lanes) {
      if (s === null) for (let lane = 0, from = ids[k] * MATRIX_STRIDE; lane < MATRIX_STRIDE; lane++) m[lane] = matrices[from + lane];
      else multiply(s, matrices, ids[k] * MATRIX_STRIDE, m);
      for (let axis = 0; axis < 3; axis++) target[at + axis] = m[axis] * center.x + m[4 + axis] * center.y + m[8 + axis] * center.z + m[12 + axis];
      const origin = Math.max(Math.abs(m[12]), Math.abs(m[13]), Math.abs(m[14]));
      const reach = Math.max(origin, Math.abs(target[at]), Math.abs(target[at + 1]), Math.abs(target[at + 2]));
      if (isBox) {
        const x = Math.abs(m[0]) * half.x + Math.abs(m[4]) * half.y + Math.abs(m[8]) * half.z;
        const y = Math.abs(m[1]) * half.x + Math.abs(m[5]) * half.y + Math.abs(m[9]) * half.z;
        const z = Math.abs(m[2]) * half.x + Math.abs(m[6]) * half.y + Math.abs(m[10]) * half.z;
        const error = FLOAT32_ERROR * (reach + x + y + z);
        target[at + 3] = target[at] + x + error;
        target[at + 4] = target[at + 1] + y + error;
        target[at + 5] = target[at + 2] + z + error;
        target[at] -= x + error;
        target[at + 1] -= y + error;
        target[at + 2] -= z + error;
      } else {
        const reached = radius * stretchOf(m);
        target[at + 3] = reached + FLOAT32_ERROR * (reach + reached);
      }
    }
  }

  private boxOf(mesh: Mesh, sphere: Sphere | null): Box3 | null {
    if (sphere === null || this.wanted === 'sphere') return null;
    return this.wanted === 'box' ? vertexBoxOf(mesh.geometry) : cullingBoxOf(mesh, sphere);
  }

  private takeBox(box: Box3): void {
    this.kind = 'box';
    box.getCenter(this.center);
    box.getSize(this.half).multiplyScalar(0.5);
  }

  private takeSphere(spheres: readonly Sphere[]): void {
    this.kind = 'sphere';
    const all = spheres.reduce((sum, one) => sum.union(one), new Sphere().makeEmpty());
    this.center.copy(all.center);
    this.radius = all.radius;
  }
}
const write_matrix = /* @__PURE__ */ new Float64Array(MATRIX_STRIDE);

/** The spheres that three culls by. */
function readSpheres(where: string, container: Object3D, meshes: readonly Mesh[]): (Sphere | null)[] {
  return meshes.map((mesh, k) => {
    const { geometry } = mesh;
    const isNew = geometry.boundingSphere === null;
    const sphere = cullingSphereOf(mesh);
    if (sphere === null || !(Number.isNaN(sphere.radius) || isBroken(sphere.center, sphere.center))) return sphere;
    // Nobody has asked for it yet: whoever mends the vertices need not know of it.
    if (isNew) geometry.boundingSphere = null;
    return blame(where, container, k);
  });
}

function isBroken(min: Vector3, max: Vector3): boolean {
  return !Number.isFinite(min.x + min.y + min.z + max.x + max.y + max.z);
}

function blame(where: string, container: Object3D, level: number): never {
  const what = `${where}: ${geometryName(container, level)} must lead to finite bounds, but those hold NaN or Infinity`;
  throw new RangeError(`${what}; check its vertices and its boundingSphere.`);
}

function isAsBefore(source: Source, mesh: Mesh): boolean {
  const { geometry } = mesh;
  if (source.geometry !== geometry || source.position !== geometry.attributes.position || source.version !== versionOf(geometry)) return false;
  return source.isMoved === hasMovedVertices(mesh);
}

function hasMovedVertices({ material, customDepthMaterial, customDistanceMaterial }: Mesh): boolean {
  return displacesVertices(material) || displacesVertices(customDepthMaterial) || displacesVertices(customDistanceMaterial);
}

/** Of the positions: what raises it has moved vertices. */
function versionOf({ attributes }: BufferGeometry): number {
  const position = attributes.position as BufferAttribute | { readonly data: { readonly version: number } } | undefined;
  if (position === undefined) return -1;
  return 'data' in position ? position.data.version : position.version;
}

/** What a matrix can stretch a length to at most; see `transformSphere` in bounds-of for why. */
function stretchOf(m: Float64Array): number {
  const ab = Math.abs(m[0] * m[4] + m[1] * m[5] + m[2] * m[6]);
  const bc = Math.abs(m[4] * m[8] + m[5] * m[9] + m[6] * m[10]);
  const ca = Math.abs(m[8] * m[0] + m[9] * m[1] + m[10] * m[2]);
  const aa = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
  const bb = m[4] * m[4] + m[5] * m[5] + m[6] * m[6];
  const cc = m[8] * m[8] + m[9] * m[9] + m[10] * m[10];
  return Math.sqrt(Math.max(aa + ab + ca, bb + ab + bc, cc + bc + ca));
}

/** The product of two affine matrices, the right one at lane `from` of many. */
function multiply(left: ArrayLike<number>, matrices: Float32Array, from: number, target: Float64Array): void {
  for (let column = 0; column < MATRIX_STRIDE; column += 4) {
    const x = matrices[from + column];
    const y = matrices[from + column + 1];
    const z = matrices[from + column + 2];
    const w = matrices[from + column + 3];
    for (let row = 0; row < 3; row++) target[column + row] = left[row] * x + left[row + 4] * y + left[row + 8] * z + left[row + 12] * w;
  }
}
