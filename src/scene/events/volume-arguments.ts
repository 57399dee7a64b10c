/** The volumes of sensors: checked, and copied into the shapes that sensors keep. */

import type { Workspace } from '../../query/workspace.ts';
import { WatchShape, type VolumeKind } from '../../query/tracking/watch-shape.ts';
import { requireObject } from '../input/input-checks.ts';
import { readFrustum, type FrustumLike } from '../input/query-shapes.ts';
import { readBox, readPoint, readSphere, type BoxLike, type PointLike, type SphereLike } from '../input/shapes.ts';

/** Shaped like three's `Box3`, `Sphere` or `Frustum`. */
export type Volume = BoxLike | SphereLike | FrustumLike;

const REMEDY = 'pass a Box3, a Sphere or a Frustum';

/** Checks a volume and returns a shape with it. */
export function createShape(where: string, volume: Volume, categories: number, workspace: Workspace): WatchShape {
  const kind = readVolume(where, volume, workspace);
  const shape = new WatchShape(kind, categories, kind === 'sphere' ? [workspace.values[3]] : []);
  setShape(shape, workspace);
  return shape;
}

/** Checks a volume of the same kind as before, and gives it to the shape. */
export function moveShape(where: string, shape: WatchShape, volume: Volume, workspace: Workspace): void {
  const kind = readVolume(where, volume, workspace);
  if (kind !== shape.kind) throw new TypeError(`${where}: volume must be a ${shape.kind} as before, but is a ${kind}; stop this sensor and watch the new volume.`);
  if (kind === 'sphere') shape.setRadius(0, workspace.values[3]);
  setShape(shape, workspace);
}

/** Checks the centre of bands, and gives it to the shape. */
export function moveCenter(where: string, shape: WatchShape, point: PointLike, { values }: Workspace): void {
  readPoint(where, 'point', '', point, values);
  shape.setCenter(values);
}

/** Reads a volume into the workspace: a frustum into its planes, other volumes into its numbers. */
function readVolume(where: string, volume: Volume, { values, frustum }: Workspace): VolumeKind {
  requireObject(where, 'volume', volume, REMEDY);
  if ('planes' in volume) {
    readFrustum(where, volume, frustum.planes);
    return 'frustum';
  }
  if ('center' in volume) {
    readSphere(where, 'volume', volume, values);
    return 'sphere';
  }
  if ('min' in volume) {
    readBox(where, 'volume', volume, values);
    return 'box';
  }
  throw new TypeError(`${where}: volume must have min and max, center and radius, or planes, but has none of them; ${REMEDY}.`);
}

function setShape(shape: WatchShape, { values, frustum }: Workspace): void {
  if (shape.kind === 'box') shape.setBox(values);
  else if (shape.kind === 'sphere') shape.setCenter(values);
  else shape.setPlanes(frustum.planes);
}
