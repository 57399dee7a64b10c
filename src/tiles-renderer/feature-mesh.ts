/**
 * A mesh of a tile, cut into features: which triangles each has, and the box around them. Objects of a tile are merged
 * by material, so a mesh holds many, and an object has triangles in several meshes.
 */

import {
  Box3,
  MathUtils,
  type BufferAttribute,
  type Intersection,
  type Mesh,
  type Raycaster,
  type TypedArray,
} from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { withCapacity } from '../math/typed-arrays.ts';

type Numbers = ArrayLike<number>;
type Attribute = BufferAttribute & { readonly data?: { readonly array: Numbers; readonly stride: number }; offset?: 0 };

/** Numbers of a run: where it begins in the index, how many indices it has, and the next run of the same feature. */
const RUN_STRIDE = 3;
const NONE = -1;

export class FeatureMesh {
  readonly mesh: Mesh;
  /** Number of features. 1 if the mesh has no ids, or ids that are none of a table. */
  readonly count: number;
  /** The number of the feature of each vertex. */
  private ids: Plain;
  /** By feature: the box around its triangles in the space of the geometry. */
  private readonly boxes: Float64Array;
  /** By feature: its first run of triangles, or `NONE`. */
  private readonly first: Int32Array;
  private runs = new Int32Array(0);
  private runCount = 0;
  /** Whether only some features are drawn, or none. */
  private isPartial = false;
  private isHidden = false;

  /** @param ids The number of the feature of each vertex, from 0 to `count` - 1. Null: the mesh is one feature. */
  constructor(mesh: Mesh, ids: BufferAttribute | null, count: number) {
    this.mesh = mesh;
    this.ids = ids === null ? NO_IDS : numbersOf(ids);
    this.count = count;
    this.first = new Int32Array(count);
    this.boxes = new Float64Array(BOX_STRIDE * count);
    if (!this.readRuns()) {
      this.ids = NO_IDS;
      this.count = 1;
      this.readRuns();
    }
    this.readBoxes();
  }

  /** Whether it is one object. */
  get isWhole(): boolean {
    return this.ids === NO_IDS;
  }

  /** The feature of a triangle of a hit. */
  featureOf({ face }: Intersection): number {
    return typeof face?.a === 'number' ? this.featureAt(face.a) : 0;
  }

  /** Whether it draws triangles of a feature, were all shown. */
  has(feature: number): boolean {
    // False beyond the end, too: meshes of one table may have different numbers of features.
    return this.boxes[BOX_STRIDE * feature] < Infinity;
  }

  /** Grows a box in world units by that of a feature. */
  expand(box: Box3, feature: number): void {
    if (!this.has(feature)) return;
    const { position } = this.mesh.geometry.attributes;
    const { min, max } = own.makeEmpty();
    min.fromArray(this.boxes, BOX_STRIDE * feature);
    max.fromArray(this.boxes, BOX_STRIDE * feature + 3);
    // The quotient is rounded as that of each vertex, and rounding keeps the order.
    if (position.normalized)
      for (const corner of [min, max])
        for (const axis of AXES) corner[axis] = MathUtils.denormalize(corner[axis], position.array as never);
    box.union(own.applyMatrix4(this.mesh.matrixWorld));
  }

  /** Appends the hits of the triangles of a feature, as `Mesh.raycast` finds them. */
  raycast(feature: number, raycaster: Raycaster, hits: Intersection[]): void {
    const { mesh, runs } = this;
    if (!this.has(feature) || (mesh.raycast as unknown) === null || !mesh.layers.test(raycaster.layers)) return;
    const { drawRange } = mesh.geometry;
    const { start, count } = drawRange;
    const found: Intersection[] = [];
    try {
      for (let run = this.first[feature]; run !== NONE; run = runs[run + 2]) {
        drawRange.start = runs[run];
        drawRange.count = runs[run + 1];
        mesh.raycast(raycaster, found);
      }
    } finally {
      drawRange.start = start;
      drawRange.count = count;
    }
    // A `raycast` in place of three's, such as that of three-mesh-bvh, may hit triangles outside of the draw range.
    for (const hit of found) if (this.featureOf(hit) === feature) hits.push(hit);
  }

  /**
   * Draws some features only: their triangles move to the front of the index, and the draw range ends behind them.
   * Returns whether anything has changed.
   *
   * @param isShown By feature; null shows all.
   */
  show(isShown: ((feature: number) => boolean) | null): boolean {
    const { mesh, first, isHidden } = this;
    const { geometry } = mesh;
    if (isShown === null && !this.isPartial) return false;
    this.isPartial = isShown !== null;
    if (geometry.index === null)
      geometry.setIndex(Array.from({ length: geometry.attributes.position.count }, (_, k) => k));
    if (!wholes.has(geometry.index!)) {
      // An index of its own from now on: other geometries may have the same one. Renderers see a newer version.
      const { array, version } = geometry.index!;
      geometry.setIndex(geometry.index!.clone());
      geometry.index!.version = version;
      wholes.set(geometry.index!, array);
    }
    const index = geometry.index!;
    index.array.set(wholes.get(index)!);
    const shown = first.map((_, feature) => Number(isShown?.(feature) ?? true));
    let end = 0;
    for (let at = 0; at + 2 < index.count; at += 3) {
      if (shown[this.featureAt(index.array[at])] === 0) continue;
      if (at > end) index.array.copyWithin(end, at, at + 3);
      end += 3;
    }
    geometry.setDrawRange(0, isShown === null ? Infinity : end);
    index.needsUpdate = true;
    this.isHidden = end === 0;
    if (this.isHidden !== isHidden) mesh.visible = isHidden;
    this.readRuns();
    return true;
  }

  /** Reads which feature each drawn triangle has. Returns whether all ids are numbers of features. */
  private readRuns(): boolean {
    const { index, attributes, drawRange } = this.mesh.geometry;
    const indices = index?.array;
    const end = Math.min(index?.count ?? attributes.position.count, drawRange.count);
    this.first.fill(NONE);
    this.runCount = 0;
    for (let at = 0, last = NONE; at + 2 < end; at += 3) {
      const feature = this.featureAt(indices?.[at] ?? at);
      if ((this.first[feature] as number | undefined) === undefined) return false;
      if (feature !== last) this.beginRun(feature, at);
      last = feature;
      this.runs[RUN_STRIDE * this.runCount - 2] += 3;
    }
    return true;
  }

  private readBoxes(): void {
    const { boxes, runs, runCount } = this;
    const { index, attributes } = this.mesh.geometry;
    const indices = index?.array;
    const { array: positions, step, offset } = numbersOf(attributes.position as Attribute);
    for (let k = 0; k < boxes.length; k++) boxes[k] = k % BOX_STRIDE < 3 ? Infinity : -Infinity;
    for (let run = 0; run < RUN_STRIDE * runCount; run += RUN_STRIDE) {
      const begin = runs[run];
      const end = begin + runs[run + 1];
      const box = BOX_STRIDE * this.featureAt(indices?.[begin] ?? begin);
      for (let axis = 0; axis < 3; axis++) {
        let min = boxes[box + axis];
        let max = boxes[box + axis + 3];
        for (let at = begin; at < end; at++) {
          const value = positions[offset + axis + step * (indices === undefined ? at : indices[at])];
          if (value < min) min = value;
          if (value > max) max = value;
        }
        boxes[box + axis] = min;
        boxes[box + axis + 3] = max;
      }
    }
  }

  private featureAt(vertex: number): number {
    const { array, step, offset } = this.ids;
    return array[offset + step * vertex];
  }

  private beginRun(feature: number, at: number): void {
    const run = RUN_STRIDE * this.runCount++;
    this.runs = withCapacity(this.runs, run + RUN_STRIDE);
    this.runs[run] = at;
    this.runs[run + 1] = 0;
    this.runs[run + 2] = this.first[feature];
    this.first[feature] = run;
  }
}
/** By index of a geometry of which some features were hidden: its numbers before. Meshes may share the geometry. */
const wholes = /* @__PURE__ */ new WeakMap<BufferAttribute, TypedArray>();
const own = /* @__PURE__ */ new Box3();
const AXES = ['x', 'y', 'z'] as const;
/** All vertices are of feature 0. */
const NO_IDS: Plain = { array: [0], step: 0, offset: 0 };

/** The numbers of an attribute as they are stored, those from one vertex to the next, and the first of them. */
interface Plain {
  readonly array: Numbers;
  readonly step: number;
  readonly offset: number;
}

function numbersOf({ array, data, itemSize, offset = 0 }: Attribute): Plain {
  return data === undefined ? { array, step: itemSize, offset: 0 } : { array: data.array, step: data.stride, offset };
}
