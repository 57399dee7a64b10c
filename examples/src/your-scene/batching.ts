// The batches of an OctreeGroup: builds them in slices, and says what they hold.

import type { BufferGeometry, InterleavedBufferAttribute, Mesh, Object3D } from 'three';
import { type BatchReport, type OctreeGroup, StaticBatches } from '../../../src/three.ts';
import type { SlicedWork } from '../shared/slices.ts';

/** Updates of the group between two looks at how far the batches are. */
const UPDATES_PER_REPORT = 16;

export interface BatchFigures {
  /** Meshes that are drawn from batches. */
  readonly batched: number;
  readonly batches: number;
  /** Of the batches, on the GPU; and once more in memory. */
  readonly bytes: number;
  /** Of the geometries of the scene, which three alone has on the GPU. */
  readonly geometryBytes: number;
  /** Why objects are drawn one by one, with their number, the most frequent first. */
  readonly unmerged: readonly (readonly [reason: string, count: number])[];
}

export class Batching {
  private readonly group: OctreeGroup;
  private batches: StaticBatches | null = null;
  private report: BatchReport | undefined;

  constructor(group: OctreeGroup) {
    this.group = group;
  }

  /** Draws the static meshes of the group in batches until `dispose`. */
  *build(): SlicedWork<void> {
    const { group } = this;
    this.dispose();
    const batches = (this.batches = new StaticBatches(group));
    let share = 0;
    // The first update of each task builds for a few milliseconds.
    for (let update = 1; batches.isBuilding; update++) {
      group.updateMatrixWorld();
      if (update % UPDATES_PER_REPORT === 0) share = builtShareOf(batches.report());
      yield share;
    }
    this.report = batches.report();
  }

  /** Of the last build. */
  get figures(): BatchFigures {
    const { batched, waiting, chunks, bytes, unmerged } = this.report!;
    const reasons = [...unmerged];
    if (waiting > 0) reasons.push(['fewer than four that can be merged with each other', waiting]);
    return {
      batched,
      batches: chunks,
      bytes,
      geometryBytes: geometryBytesOf(this.group),
      unmerged: reasons.sort(([, a], [, b]) => b - a),
    };
  }

  /** Draws all meshes one by one again. */
  dispose(): void {
    this.batches?.dispose();
    this.batches = null;
  }
}

const builtShareOf = ({ batched, waiting }: BatchReport): number => batched / Math.max(1, batched + waiting);

function geometryBytesOf(root: Object3D): number {
  const arrays = new Set<ArrayBufferView>();
  root.traverse((object) => {
    const { geometry } = object as { geometry?: BufferGeometry } & Partial<Mesh>;
    if (geometry === undefined) return;
    for (const attribute of [geometry.index, ...Object.values(geometry.attributes)])
      if (attribute) arrays.add((attribute as Partial<InterleavedBufferAttribute>).data?.array ?? attribute.array);
  });
  let bytes = 0;
  for (const { byteLength } of arrays) bytes += byteLength;
  return bytes;
}
