/**
 * The bounds that all instances have in common, in the local space of one instance: a box or a sphere that contains
 * every level of detail. For each instance, its matrix transforms them to the bounds of its body.
 */

import { Box3, Sphere, Vector3, type BufferGeometry, type Matrix4, type Mesh, type Object3D } from 'three';
import type { BoundsKind } from '../../../octree/input/shapes.ts';
import { cullingBoxOf, cullingSphereOf, isSmaller } from '../../bounds/bounds-of.ts';
import { FLOAT32_ERROR, MATRIX_STRIDE, maxStretchOf } from '../../bounds/bounds-math.ts';
import { vertexBoxOf, VertexVersion } from '../../bounds/vertex-bounds.ts';
import { displacesVertices } from '../../bounds/vertex-displacement.ts';
import { geometryName } from '../instance-checks.ts';
import { morphScaleOf } from '../store/morph-column.ts';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** What the bounds of a level were computed from. */
interface LevelSource {
  readonly geometry: BufferGeometry;
  readonly vertices: VertexVersion;
  /** Whether a material may move vertices: then the box around them is no bound of what is drawn. */
  readonly isDisplaced: boolean;
}

/** What the bounds of single instances depend on. */
export interface BoundedInstances {
  /** 16 numbers for each id. */
  readonly matrices: Float32Array;
  readonly morph: { readonly morphScales: Float32Array } | null;
}

export class LocalBounds {
  /** Null if there are no finite bounds: then every pass draws all instances. */
  kind: 'box' | 'sphere' | null = null;

  private readonly center = new Vector3();
  /** Half the size of the box. */
  private readonly half = new Vector3();
  private radius = 0;
  /** Factor by which the morph target influences that all instances share enlarge the sphere. */
  private sharedMorphScale = 1;
  private sources: LevelSource[] = [];
  private readonly preferred: BoundsKind | null;

  /**
   * @param preferred 'box' or 'sphere': that kind for all materials, but a sphere where there is no vertex box, as with
   *   morph targets. Null: a sphere if a material may move vertices, else the one with the smaller volume.
   */
  constructor(preferred: BoundsKind | null) {
    this.preferred = preferred;
  }

  /** Numbers of the bounds of one instance: min and max of a box, or centre and radius. */
  get stride(): 4 | 6 {
    return this.kind === 'sphere' ? 4 : 6;
  }

  /**
   * Computes the bounds again if the mesh of a level has changed. Returns whether they were computed.
   *
   * @throws {RangeError} If the bounds of a geometry hold NaN or Infinity; then nothing changes here.
   */
  refresh(where: string, container: Object3D, meshes: readonly Mesh[]): boolean {
    const morphScale = sharedMorphScaleOf(meshes[0].morphTargetInfluences);
    if (
      morphScale === this.sharedMorphScale &&
      meshes.length === this.sources.length &&
      meshes.every((mesh, k) => isUnchanged(this.sources[k], mesh))
    )
      return false;
    const spheres = readSpheres(where, container, meshes);
    const bounded = spheres.filter(
      (sphere) => sphere !== null && sphere.radius >= 0 && sphere.radius < Infinity,
    ) as Sphere[];
    const boxes = meshes.map((mesh, k) => this.boxOf(mesh, spheres[k]));
    boxes.forEach((box, k) => {
      if (box !== null && isNotFinite(box.min, box.max)) throwNotFinite(where, container, k);
    });
    this.sharedMorphScale = morphScale;
    this.sources = meshes.map((mesh) => {
      const { geometry } = mesh;
      return { geometry, vertices: new VertexVersion(geometry), isDisplaced: hasDisplacedVertices(mesh) };
    });
    if (bounded.length < meshes.length) this.kind = null;
    else if (boxes.includes(null)) this.setSphere(bounded);
    else {
      const box = (boxes as Box3[]).reduce((all, one) => all.union(one), new Box3());
      const sphere = bounded.reduce((all, one) => all.union(one), new Sphere().makeEmpty());
      if (this.preferred === 'box' || isSmaller(box, sphere)) this.setBox(box);
      else this.setSphere([sphere]);
    }
    return true;
  }

  /**
   * Writes the bounds of the first `count` instances in `ids` to `target`, one after the other. They are enlarged by
   * the rounding error of float32 drawing, so that they contain every pixel that is drawn.
   *
   * @param space Transforms from the container's space to the space of the bounds.
   */
  write(space: Matrix4, store: BoundedInstances, ids: Uint32Array, count: number, target: Float64Array): void {
    const { matrices } = store;
    const morphScales = store.morph?.morphScales ?? null;
    const isBox = this.kind === 'box';
    const { stride, center, half } = this;
    const radius = this.radius * this.sharedMorphScale;
    const s = space.elements.every((element, k) => element === IDENTITY[k]) ? null : space.elements;
    const m = write_matrix;
    for (let k = 0, at = 0; k < count; k++, at += stride) {
      if (s === null) for (let e = 0, from = ids[k] * MATRIX_STRIDE; e < MATRIX_STRIDE; e++) m[e] = matrices[from + e];
      else multiply(s, matrices, ids[k] * MATRIX_STRIDE, m);
      for (let axis = 0; axis < 3; axis++)
        target[at + axis] = m[axis] * center.x + m[4 + axis] * center.y + m[8 + axis] * center.z + m[12 + axis];
      const translation = Math.max(Math.abs(m[12]), Math.abs(m[13]), Math.abs(m[14]));
      // The error grows with every number that takes part: the translation, the centre and the size.
      const magnitude = Math.max(translation, Math.abs(target[at]), Math.abs(target[at + 1]), Math.abs(target[at + 2]));
      if (isBox) {
        const x = Math.abs(m[0]) * half.x + Math.abs(m[4]) * half.y + Math.abs(m[8]) * half.z;
        const y = Math.abs(m[1]) * half.x + Math.abs(m[5]) * half.y + Math.abs(m[9]) * half.z;
        const z = Math.abs(m[2]) * half.x + Math.abs(m[6]) * half.y + Math.abs(m[10]) * half.z;
        const error = FLOAT32_ERROR * (magnitude + x + y + z);
        target[at + 3] = target[at] + x + error;
        target[at + 4] = target[at + 1] + y + error;
        target[at + 5] = target[at + 2] + z + error;
        target[at] -= x + error;
        target[at + 1] -= y + error;
        target[at + 2] -= z + error;
      } else {
        const worldRadius = radius * (morphScales === null ? 1 : morphScales[ids[k]]) * maxStretchOf(m);
        target[at + 3] = worldRadius + FLOAT32_ERROR * (magnitude + worldRadius);
      }
    }
  }

  private boxOf(mesh: Mesh, sphere: Sphere | null): Box3 | null {
    // Morph targets may lie outside the box around the vertices.
    if (sphere === null || this.preferred === 'sphere' || mesh.geometry.morphAttributes.position !== undefined)
      return null;
    return this.preferred === 'box' ? vertexBoxOf(mesh.geometry) : cullingBoxOf(mesh, sphere);
  }

  private setBox(box: Box3): void {
    this.kind = 'box';
    box.getCenter(this.center);
    box.getSize(this.half).multiplyScalar(0.5);
  }

  private setSphere(spheres: readonly Sphere[]): void {
    this.kind = 'sphere';
    const union = spheres.reduce((sum, one) => sum.union(one), new Sphere().makeEmpty());
    this.center.copy(union.center);
    this.radius = union.radius;
  }
}
const write_matrix = /* @__PURE__ */ new Float64Array(MATRIX_STRIDE);

/**
 * The scale of the shared influences, rounded up to a power of two, so that most changes of influences leave the bounds
 * of the instances as they are.
 */
function sharedMorphScaleOf(influences: readonly number[] | undefined): number {
  const scale = influences === undefined ? 1 : morphScaleOf(influences, 0, influences.length);
  let power = 1;
  while (power < scale) power *= 2;
  return power;
}

/**
 * Geometries from whose vertices no finite sphere can be computed: these vertices are not tried again, because three
 * reports an error each time.
 */
const broken = /* @__PURE__ */ new WeakMap<BufferGeometry, VertexVersion>();

/** The sphere by which three culls each level; null for a level without one. */
function readSpheres(where: string, container: Object3D, meshes: readonly Mesh[]): (Sphere | null)[] {
  return meshes.map((mesh, k) => {
    const { geometry } = mesh;
    const isNew = geometry.boundingSphere === null;
    if (isNew && broken.get(geometry)?.isOf(geometry)) throwNotFinite(where, container, k);
    const sphere = cullingSphereOf(mesh);
    if (sphere === null || !(Number.isNaN(sphere.radius) || isNotFinite(sphere.center, sphere.center))) return sphere;
    if (isNew) {
      // This sphere was computed just now, from broken vertices. Set to null, so that three computes a new one once
      // they are corrected.
      geometry.boundingSphere = null;
      broken.set(geometry, new VertexVersion(geometry));
    }
    return throwNotFinite(where, container, k);
  });
}

function isNotFinite(min: Vector3, max: Vector3): boolean {
  return !Number.isFinite(min.x + min.y + min.z + max.x + max.y + max.z);
}

function throwNotFinite(where: string, container: Object3D, level: number): never {
  const what = `${where}: ${geometryName(container, level)} must lead to finite bounds, but those hold NaN or Infinity`;
  throw new RangeError(`${what}; check its vertices and its boundingSphere.`);
}

function isUnchanged({ geometry, vertices, isDisplaced }: LevelSource, mesh: Mesh): boolean {
  return geometry === mesh.geometry && vertices.isOf(geometry) && isDisplaced === hasDisplacedVertices(mesh);
}

function hasDisplacedVertices({ material, customDepthMaterial, customDistanceMaterial }: Mesh): boolean {
  return (
    displacesVertices(material) || displacesVertices(customDepthMaterial) || displacesVertices(customDistanceMaterial)
  );
}

/** The product of two affine matrices; the right one begins at offset `from`. */
function multiply(left: ArrayLike<number>, matrices: Float32Array, from: number, target: Float64Array): void {
  for (let column = 0; column < MATRIX_STRIDE; column += 4) {
    const x = matrices[from + column];
    const y = matrices[from + column + 1];
    const z = matrices[from + column + 2];
    const w = matrices[from + column + 3];
    for (let row = 0; row < 3; row++)
      target[column + row] = left[row] * x + left[row + 4] * y + left[row + 8] * z + left[row + 12] * w;
  }
}
