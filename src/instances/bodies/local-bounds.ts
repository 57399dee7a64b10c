/**
 * The bounds that all instances have in common, in the local space of one instance: a box or a sphere that contains
 * every level of detail. For each instance, its matrix transforms them to the bounds of its body.
 */

import { Box3, Sphere, Vector3, type Matrix4, type Mesh, type Object3D } from 'three';
import type { BoundsKind } from '../../octree/input/shapes.ts';
import { VERTEX_ERROR32 } from '../../math/tolerances.ts';
import { cullingBoxOf, cullingSphereOf, isCulling, isSmaller, MeshVersion } from '../../three/bounds/bounds-of.ts';
import { MATRIX_STRIDE, maxStretchOf } from '../../three/bounds/bounds-math.ts';
import { vertexBoxOf } from '../../three/bounds/vertex-bounds.ts';
import { geometryName } from '../instance-checks.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import { morphScaleOf } from '../store/morph-column.ts';

export class LocalBounds {
  /** Null if there are no finite bounds: then every pass draws all instances. */
  kind: 'box' | 'sphere' | null = null;

  private readonly center = new Vector3();
  /** Half the size of the box. */
  private readonly half = new Vector3();
  private radius = 0;
  /** Factor by which the morph target influences that all instances share enlarge the sphere. */
  private sharedMorphScale = 1;
  /** What the bounds of each level were computed from. */
  private sources: MeshVersion[] = [];
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
    const morphScale = sharedMorphScaleOf((container as Partial<Mesh>).morphTargetInfluences);
    if (
      morphScale === this.sharedMorphScale &&
      meshes.length === this.sources.length &&
      meshes.every((mesh, k) => this.sources[k].isOf(mesh))
    )
      return false;
    const spheres = readSpheres(where, container, meshes);
    const bounded = spheres.filter((sphere) => sphere !== null && isCulling(sphere)) as Sphere[];
    const boxes = meshes.map((mesh, k) => this.boxOf(mesh, spheres[k]));
    boxes.forEach((box, k) => {
      if (box !== null && isNotFinite(box.min, box.max)) throwNotFinite(where, container, k);
    });
    this.sharedMorphScale = morphScale;
    this.sources = meshes.map((mesh) => new MeshVersion(mesh));
    const sphere = bounded.reduce((all, one) => all.union(one), new Sphere().makeEmpty());
    if (bounded.length < meshes.length) this.kind = null;
    else if (boxes.includes(null)) this.setSphere(sphere);
    else {
      const box = (boxes as Box3[]).reduce((all, one) => all.union(one), new Box3());
      if (this.preferred === 'box' || isSmaller(box, sphere)) this.setBox(box);
      else this.setSphere(sphere);
    }
    return true;
  }

  /**
   * Writes the bounds of the first `count` instances in `ids` to `target`, one after the other. They are enlarged by
   * the rounding error of float32 drawing, so that they contain every pixel that is drawn.
   *
   * @param space Transforms from the container's space to the space of the bounds.
   */
  write(space: Matrix4, store: InstanceStore, ids: Uint32Array, count: number, target: Float64Array): void {
    const { matrices } = store;
    const morphScales = store.morph?.morphScales ?? null;
    const isBox = this.kind === 'box';
    const { stride } = this;
    const { x: cx, y: cy, z: cz } = this.center;
    const { x: hx, y: hy, z: hz } = this.half;
    const radius = this.radius * this.sharedMorphScale;
    const s = space.elements;
    const m = write_matrix;
    for (let k = 0, at = 0; k < count; k++, at += stride) {
      const from = ids[k] * MATRIX_STRIDE;
      // The error grows with every number that takes part: the translation, the centre and the size.
      let magnitude = 0;
      let size = 0;
      for (let row = 0; row < 3; row++) {
        const a = s[row];
        const b = s[row + 4];
        const c = s[row + 8];
        const x = a * matrices[from] + b * matrices[from + 1] + c * matrices[from + 2];
        const y = a * matrices[from + 4] + b * matrices[from + 5] + c * matrices[from + 6];
        const z = a * matrices[from + 8] + b * matrices[from + 9] + c * matrices[from + 10];
        const t = a * matrices[from + 12] + b * matrices[from + 13] + c * matrices[from + 14] + s[row + 12];
        const middle = x * cx + y * cy + z * cz + t;
        magnitude = Math.max(magnitude, Math.abs(t), Math.abs(middle));
        target[at + row] = middle;
        if (isBox) {
          const reach = Math.abs(x) * hx + Math.abs(y) * hy + Math.abs(z) * hz;
          size += reach;
          target[at + 3 + row] = reach;
        } else {
          m[row] = x;
          m[4 + row] = y;
          m[8 + row] = z;
        }
      }
      if (isBox) {
        const error = VERTEX_ERROR32 * (magnitude + size);
        for (let axis = at; axis < at + 3; axis++) {
          const reach = target[axis + 3] + error;
          target[axis + 3] = target[axis] + reach;
          target[axis] -= reach;
        }
      } else {
        const worldRadius = radius * (morphScales === null ? 1 : morphScales[ids[k]]) * maxStretchOf(m);
        target[at + 3] = worldRadius + VERTEX_ERROR32 * (magnitude + worldRadius);
      }
    }
  }

  /** As `write`, for one instance: always a box, if need be that around the sphere. */
  writeBox(space: Matrix4, store: InstanceStore, id: number, target: Float64Array): void {
    writeBox_id[0] = id;
    this.write(space, store, writeBox_id, 1, target);
    if (this.kind === 'box') return;
    const radius = target[3];
    for (let axis = 0; axis < 3; axis++) {
      target[3 + axis] = target[axis] + radius;
      target[axis] -= radius;
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

  private setSphere({ center, radius }: Sphere): void {
    this.kind = 'sphere';
    this.center.copy(center);
    this.radius = radius;
  }
}
const writeBox_id = /* @__PURE__ */ new Uint32Array(1);
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

/** The sphere by which three culls each level; null for a level without one. */
function readSpheres(where: string, container: Object3D, meshes: readonly Mesh[]): (Sphere | null)[] {
  return meshes.map((mesh, k) => {
    const sphere = cullingSphereOf(mesh);
    if (sphere !== null && (Number.isNaN(sphere.radius) || isNotFinite(sphere.center, sphere.center)))
      throwNotFinite(where, container, k);
    return sphere;
  });
}

function isNotFinite(min: Vector3, max: Vector3): boolean {
  return !Number.isFinite(min.x + min.y + min.z + max.x + max.y + max.z);
}

function throwNotFinite(where: string, container: Object3D, level: number): never {
  const what = `${where}: ${geometryName(container, level)} must lead to finite bounds, but those hold NaN or Infinity`;
  throw new RangeError(`${what}; check its vertices and its boundingSphere.`);
}
