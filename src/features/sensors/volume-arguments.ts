/** Checks the volumes that users pass to sensors, and copies them into the volumes that sensors keep. */

import type { Workspace } from '../../octree/queries/workspace.ts';
import { SensorVolume, type VolumeKind } from './sensor-volume.ts';
import { requireObject } from '../../octree/input/input-checks.ts';
import { readFrustum, type FrustumLike } from '../../octree/input/query-shapes.ts';
import {
  readBox,
  readPoint,
  readSphere,
  type BoxLike,
  type PointLike,
  type SphereLike,
} from '../../octree/input/shapes.ts';

/** Shaped like three's `Box3`, `Sphere` or `Frustum`. */
export type SensorShape = BoxLike | SphereLike | FrustumLike;

const REMEDY = 'pass a Box3, a Sphere or a Frustum';

/** Checks a volume and returns a copy for a sensor. */
export function createVolume(
  where: string,
  volume: SensorShape,
  categories: number,
  workspace: Workspace,
): SensorVolume {
  const kind = readVolume(where, volume, workspace);
  const copy = new SensorVolume(kind, categories, kind === 'sphere' ? [workspace.values[3]] : []);
  writeVolume(workspace, copy);
  return copy;
}

/** Checks a volume of the same kind as before, and writes it to `target`. */
export function moveVolume(where: string, volume: SensorShape, workspace: Workspace, target: SensorVolume): void {
  const kind = readVolume(where, volume, workspace);
  if (kind !== target.kind)
    throw new TypeError(
      `${where}: volume must be a ${target.kind} as before, but is a ${kind}; stop this sensor and watch the new volume.`,
    );
  if (kind === 'sphere') target.setRadius(0, workspace.values[3]);
  writeVolume(workspace, target);
}

/** Checks the centre of distance bands, and writes it to `target`. */
export function moveCenter(where: string, point: PointLike, { values }: Workspace, target: SensorVolume): void {
  readPoint(where, 'point', '', point, values);
  target.setCenter(values);
}

/** Reads a volume into the workspace: a frustum into its planes, other volumes into its numbers. */
function readVolume(where: string, volume: SensorShape, { values, frustumQuery }: Workspace): VolumeKind {
  requireObject(where, 'volume', volume, REMEDY);
  if ('planes' in volume) {
    readFrustum(where, volume, frustumQuery.planes);
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
  throw new TypeError(
    `${where}: volume must have min and max, center and radius, or planes, but has none of them; ${REMEDY}.`,
  );
}

/** Writes the volume that was read into the workspace, but not the radius of a sphere. */
function writeVolume({ values, frustumQuery }: Workspace, target: SensorVolume): void {
  if (target.kind === 'box') target.setBox(values);
  else if (target.kind === 'sphere') target.setCenter(values);
  else target.setPlanes(frustumQuery.planes);
}
