/** Solid boxes of many geometries, found in slices and kept for each geometry. */

import { clock } from '../../math/clock.ts';
import { isObject, requireNotNegative, throwType } from '../../octree/input/input-checks.ts';
import type { KnownOptions } from '../../octree/input/known-options.ts';
import type { SolidRequest, SolidSide } from './closed-mesh.ts';
import type { GeometryLike, TriangleArrays } from './mesh-reader.ts';
import { SolidBoxFinder, type SolidBox } from './solid-box-finder.ts';
import { readSide, readSolidOptions, type SolidBoxesOptions } from './solid-boxes.ts';

/** How a `SolidBoxQueue` finds boxes: for all its geometries. */
export type SolidBoxQueueOptions = Pick<SolidBoxesOptions, 'maxBoxes' | 'resolution' | 'hasGround' | 'up'>;

const OPTIONS: KnownOptions<SolidBoxQueueOptions> = ['maxBoxes', 'resolution', 'hasGround', 'up'];
/** Largest number of changes of a geometry that does not count as animated. Test: solid-box-queue.test. */
const MAX_CHANGES = 8;
/** Milliseconds. */
const DEFAULT_TIME = 2;
const NO_BOXES: readonly SolidBox[] = [];

/** A geometry for one side of its triangles. */
interface Entry {
  readonly geometry: GeometryLike | TriangleArrays;
  readonly side: SolidSide;
  /** Null while they are not found. */
  boxes: readonly SolidBox[] | null;
  version: readonly unknown[];
  changes: number;
  /** Whether the last attempt to find its boxes has thrown. */
  hasFailed: boolean;
}

/**
 * Finds the solid boxes of many geometries in slices, and keeps them until a geometry changes or is no longer used:
 *
 *     const queue = new SolidBoxQueue();
 *     const boxes = queue.boxesOf(mesh.geometry); // null at first
 *     queue.run(); // once a frame: at most 2 ms
 *
 * The boxes are in the space of the geometry, so all its meshes share them. A geometry whose position or index
 * attribute is replaced, or gets `needsUpdate`, or whose draw range is changed, is examined again; after more than
 * eight changes it counts as animated and has no boxes. Of plain arrays only a replaced array is noticed.
 *
 * @example
 * ```ts
 * import { SolidBoxQueue } from 'scene-octree';
 * import { BoxGeometry } from 'three';
 *
 * const queue = new SolidBoxQueue();
 * const house = new BoxGeometry(12, 9, 10);
 * console.log(queue.boxesOf(house)); // prints: null
 * queue.run(Infinity); // behind a loading screen; once a frame: queue.run(2), at most 2 ms
 * console.log(queue.boxesOf(house)?.length); // prints: 1
 * ```
 */
export class SolidBoxQueue {
  private readonly request: SolidRequest;
  private readonly entries = new WeakMap<object, Map<SolidSide, Entry>>();
  private readonly queue = new Set<Entry>();
  private readonly finder = new SolidBoxFinder();
  /** The work on the first entry of the queue; null before it begins. */
  private steps: Iterator<void, SolidBox[]> | null = null;

  /** @throws {RangeError | TypeError} As `solidBoxes`. */
  constructor(options: SolidBoxQueueOptions = {}) {
    this.request = readSolidOptions('SolidBoxQueue', options, OPTIONS);
  }

  /** Number of geometries whose boxes are not found yet. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * The boxes of a geometry; null if they are not found yet: then `run` finds them. Empty if nothing is solid for sure,
   * also of a geometry for which `solidBoxes` would throw. Must not be changed.
   *
   * @param side Which sides of the triangles are drawn. Default `'front'`.
   * @throws {TypeError} If the geometry is no object, or the side another value.
   */
  boxesOf(geometry: GeometryLike | TriangleArrays, side?: SolidSide): readonly SolidBox[] | null {
    const where = 'SolidBoxQueue.boxesOf';
    if (!isObject(geometry)) throwType(where, 'geometry', 'be an object', geometry, 'pass mesh.geometry');
    const known = readSide(where, 'side', side);
    let sides = this.entries.get(geometry);
    if (sides === undefined) this.entries.set(geometry, (sides = new Map<SolidSide, Entry>()));
    let entry = sides.get(known);
    if (entry === undefined) {
      entry = { geometry, side: known, boxes: null, version: versionOf(geometry), changes: 0, hasFailed: false };
      sides.set(known, entry);
      this.queue.add(entry);
    } else if (entry.boxes !== null && entry.changes <= MAX_CHANGES && !isCurrent(entry)) this.renew(entry);
    return entry.boxes;
  }

  /**
   * Goes on finding boxes. A step may exceed the time: by about a millisecond for a mesh of 10,000 triangles, by 5 for
   * 40,000, by 20 for 160,000.
   *
   * @param maxTime Milliseconds, 0 or more; Infinity for all that waits. Default 2.
   * @returns Whether all boxes are found.
   */
  run(maxTime: number = DEFAULT_TIME): boolean {
    requireNotNegative('SolidBoxQueue.run', 'maxTime', maxTime, 'pass milliseconds');
    const deadline = clock.now() + maxTime;
    do {
      if (!this.step()) return true;
    } while (clock.now() < deadline);
    return this.queue.size === 0;
  }

  /** Does a little work; returns false if there is none. */
  private step(): boolean {
    const { value: entry } = this.queue.values().next();
    if (entry === undefined) return false;
    try {
      if (this.steps === null) {
        entry.version = versionOf(entry.geometry);
        this.steps = this.finder.find('SolidBoxQueue', entry.geometry, { ...this.request, side: entry.side });
      }
      const { done, value } = this.steps.next();
      if (!done) return true;
      this.end(entry, value, isCurrent(entry));
    } catch {
      // Memory may have run out for a moment. A faulty geometry, which throws again, hides nothing.
      this.steps = null;
      if (entry.hasFailed) this.end(entry, NO_BOXES, true);
      else entry.hasFailed = true;
    }
    return true;
  }

  private end(entry: Entry, boxes: readonly SolidBox[], isRight: boolean): void {
    this.steps = null;
    entry.hasFailed = false;
    this.queue.delete(entry);
    if (isRight) entry.boxes = boxes;
    else this.renew(entry);
  }

  /** Finds the boxes of a changed geometry again, unless it changes too often. */
  private renew(entry: Entry): void {
    entry.changes++;
    entry.boxes = entry.changes > MAX_CHANGES ? NO_BOXES : null;
    if (entry.boxes === null) this.queue.add(entry);
  }
}

/** Attributes of three with their versions. Interleaved attributes share that of their buffer. */
interface Versioned {
  readonly version?: number;
  readonly data?: { readonly version: number };
}

/** What changes whenever the triangles change. */
function versionOf(geometry: GeometryLike | TriangleArrays): readonly unknown[] {
  if ('positions' in geometry) return [geometry.positions, geometry.index];
  const { attributes, index, drawRange } = geometry;
  const read = [attributes?.position, index] as readonly (Versioned | null | undefined)[];
  const versions = read.map((attribute) => attribute?.data?.version ?? attribute?.version);
  return [...read, ...versions, drawRange?.start, drawRange?.count];
}

function isCurrent({ geometry, version }: Entry): boolean {
  return versionOf(geometry).every((value, k) => value === version[k]);
}
