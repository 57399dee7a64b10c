/** Finds solid boxes of one mesh after the other, in steps of about a thousand triangles. */

import { BOX_STRIDE } from '../../math/box.ts';
import type { PlainBox, PlainPoint } from '../../octree/input/math-types.ts';
import { BoxChoice, scoreOf } from './box-choice.ts';
import { growBox } from './box-growth.ts';
import { ClosedMesh, type SolidRequest } from './closed-mesh.ts';
import { turnToFootprint } from './footprint.ts';
import { MeshReader, TRIANGLES_PER_STEP } from './mesh-reader.ts';
import { NearTriangles } from './solid-proof.ts';
import { Voxels } from './voxels.ts';

/** Least score of a box, as a part of that of the box around the mesh: less hides next to nothing. */
const MIN_SCORE = 0.002;
/** Cosine and sine. */
const NO_TURN = [1, 0] as const;

/**
 * A box of any orientation, shaped like the addon `OBB` of three. Its second axis is the one that points up, for
 * `up: 'y'` the axis y.
 */
export interface SolidBox {
  /** The middle of the box. */
  readonly center: PlainPoint;
  /** Half the size along each of its own axes. */
  readonly halfSize: PlainPoint;
  /** Turns the box from the axes of the mesh to its own. */
  readonly rotation: {
    /** Nine numbers, column by column: the columns are the axes of the box. */
    readonly elements: number[];
  };
}

export class SolidBoxFinder {
  private readonly reader = new MeshReader();
  private readonly mesh = new ClosedMesh();
  private readonly voxels = new Voxels();
  private readonly choice = new BoxChoice();
  private readonly near = new NearTriangles();
  private readonly bounds = new Float64Array(BOX_STRIDE);
  private readonly box = new Float64Array(BOX_STRIDE);

  /** Checks a mesh and finds its boxes. Call `next` until it is done. */
  *find(where: string, geometry: unknown, request: SolidRequest): Generator<void, SolidBox[]> {
    const { reader, mesh, voxels, choice, bounds } = this;
    const boxes: SolidBox[] = [];
    yield* reader.read(where, geometry);
    if (reader.triangleCount === 0) return boxes;
    yield* mesh.find(reader, request);
    if (mesh.triangleCount === 0) return boxes;
    const turn = request.isAxisAligned ? NO_TURN : yield* turnToFootprint(mesh);
    if (!mesh.writeBounds(bounds)) return boxes;
    yield;
    voxels.begin(bounds, request.resolution, mesh.margin);
    for (let from = 0; from < mesh.triangleCount; from += TRIANGLES_PER_STEP) {
      voxels.add(mesh, from, Math.min(from + TRIANGLES_PER_STEP, mesh.triangleCount));
      yield;
    }
    voxels.finish();
    choice.begin(voxels);
    const least = MIN_SCORE * scoreOf(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
    while (boxes.length < request.maxBoxes && choice.next() && choice.score >= least) {
      yield;
      if (yield* this.fit()) boxes.push(this.boxOf(request.up, turn));
    }
    return boxes;
  }

  /** Grows the chosen box and proves it. */
  private *fit(): Generator<void, boolean> {
    const { mesh, voxels, choice, bounds, box, near } = this;
    const { margin } = mesh;
    const { low, size } = voxels;
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = low[axis] + choice.cells[2 * axis] * size[axis];
      box[axis + 3] = low[axis] + (choice.cells[2 * axis + 1] + 1) * size[axis];
    }
    yield* growBox(box, mesh, bounds, size, near);
    yield;
    // Edges on the lowest plane are left out up to `margin` above it.
    box[1] = Math.max(box[1], margin);
    for (let axis = 0; axis < 3; axis++) {
      box[axis] += margin;
      box[axis + 3] -= margin;
      if (!(box[axis] < box[axis + 3])) return false;
    }
    // At least half of the margin from each triangle.
    return !near.touch(box.map((value, k) => value + (k < 3 ? -margin : margin) / 2));
  }

  /** The box in the space of the mesh under the matrix of the request. */
  private boxOf(up: number, [cosine, sine]: readonly [number, number]): SolidBox {
    const { box } = this;
    const { origin } = this.mesh;
    const u = (box[0] + box[3]) / 2;
    const w = (box[2] + box[5]) / 2;
    const center = [
      origin[0] + cosine * u - sine * w,
      origin[1] + (box[1] + box[4]) / 2,
      origin[2] + sine * u + cosine * w,
    ];
    const axes = [cosine, 0, sine, 0, 1, 0, -sine, 0, cosine];
    const elements = axes.map((_, k) => axes[k - (k % 3) + placeOf(k % 3, up)]);
    return {
      center: pointOf((axis) => center[placeOf(axis, up)]),
      halfSize: pointOf((axis) => (box[axis + 3] - box[axis]) / 2),
      rotation: { elements },
    };
  }
}

/** The box of a solid box whose axes are those of the space. */
export function alignedBoxOf({ center, halfSize }: SolidBox, up: number): PlainBox {
  const middle = [center.x, center.y, center.z];
  const own = [halfSize.x, halfSize.y, halfSize.z];
  return {
    min: pointOf((axis) => middle[axis] - own[placeOf(axis, up)]),
    max: pointOf((axis) => middle[axis] + own[placeOf(axis, up)]),
  };
}

/** Where an axis of the space is in the order of the vertices, which has the axis that points up in the middle. */
function placeOf(axis: number, up: number): number {
  return (axis + 4 - up) % 3;
}

function pointOf(valueOf: (axis: number) => number): PlainPoint {
  return { x: valueOf(0), y: valueOf(1), z: valueOf(2) };
}
