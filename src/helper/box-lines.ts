/** BoxLines: the edges of many boxes, in buffers that grow with their number. */

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments, type Color } from 'three';
import { throwRange } from '../octree/input/input-checks.ts';
import type { PointLike } from '../octree/input/shapes.ts';

const CORNERS = 8;
/** Pairs of corners; bit 0 of a corner is set on the +x side, bit 1 on +y, bit 2 on +z. */
const EDGES = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];
/** Boxes. */
const FIRST_CAPACITY = 64;

/**
 * The edges of many axis-aligned boxes as lines, each box in its own colour, in one draw call. To draw other boxes:
 * `begin`, `addBox` for each box, `end`.
 *
 * @example
 * ```ts
 * import { Color, Vector3 } from 'three';
 * import { BoxLines } from 'scene-octree/three';
 *
 * const lines = new BoxLines(1000); // at most
 * lines.begin();
 * lines.addBox(new Vector3(0, 0, 0), new Vector3(1, 2, 1), new Color('gold'), 1);
 * lines.end();
 * scene.add(lines);
 * ```
 */
export class BoxLines extends LineSegments<BufferGeometry, LineBasicMaterial> {
  /** Boxes added since `begin`. */
  boxCount = 0;
  /** Greatest number of boxes. `addBox` ignores further ones. */
  readonly limit: number;

  private positions = new BufferAttribute(new Float32Array(), 3);
  private colors = new BufferAttribute(new Uint8Array(), 4, true);

  /**
   * @param limit Greatest number of boxes.
   * @throws {RangeError} If the limit is not an integer from 1.
   */
  constructor(limit: number) {
    super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    if (!Number.isInteger(limit) || limit < 1)
      throwRange('BoxLines', 'limit', 'be an integer from 1', limit, 'pass the greatest number of boxes');
    this.limit = limit;
    // The vertices change without a new bounding sphere, so three would cull by an old one.
    this.frustumCulled = false;
    this.grow(Math.min(FIRST_CAPACITY, limit));
    this.end();
  }

  /** Whether the limit is reached. */
  get isFull(): boolean {
    return this.boxCount === this.limit;
  }

  /** Removes all boxes. They are drawn until `end`. */
  begin(): void {
    this.boxCount = 0;
  }

  /**
   * Adds a box, unless the limit is reached. Allocates only if there are more boxes than ever before.
   *
   * @param opacity 0 to 1.
   */
  addBox(min: PointLike, max: PointLike, color: Color, opacity: number): void {
    if (this.isFull) return;
    if ((this.boxCount + 1) * CORNERS > this.positions.count) this.grow(Math.min(2 * this.boxCount, this.limit));
    const { positions, colors } = this;
    const { r, g, b } = color;
    for (let corner = 0, at = this.boxCount * CORNERS; corner < CORNERS; corner++, at++) {
      positions.setXYZ(at, corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z);
      colors.setXYZW(at, r, g, b, opacity);
    }
    this.boxCount++;
  }

  /** Draws the boxes added since `begin`. Only their vertices are uploaded to the GPU. */
  end(): void {
    for (const attribute of [this.positions, this.colors]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.boxCount * CORNERS * attribute.itemSize);
      attribute.needsUpdate = true;
    }
    this.geometry.setDrawRange(0, this.boxCount * EDGES.length);
  }

  /** Never hit: the lines only visualise. */
  override raycast(): void {}

  override dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }

  private grow(capacity: number): void {
    const { positions, colors } = this;
    this.positions = new BufferAttribute(new Float32Array(capacity * CORNERS * 3), 3).setUsage(DynamicDrawUsage);
    this.colors = new BufferAttribute(new Uint8Array(capacity * CORNERS * 4), 4, true).setUsage(DynamicDrawUsage);
    this.positions.array.set(positions.array);
    this.colors.array.set(colors.array);
    const indices = new Uint32Array(capacity * EDGES.length);
    for (let k = 0; k < indices.length; k++)
      indices[k] = Math.floor(k / EDGES.length) * CORNERS + EDGES[k % EDGES.length];
    // GPU buffers cannot grow: disposing of the geometry frees the old ones.
    this.geometry.dispose();
    this.geometry = new BufferGeometry().setAttribute('position', this.positions).setAttribute('color', this.colors);
    this.geometry.setIndex(new BufferAttribute(indices, 1));
  }
}
