/** Boxes with two morph targets, and the influences of single instances. */

import { BoxGeometry, Mesh, type BufferGeometry } from 'three';
import type { Instances } from './instance-twins.ts';
import type { Random } from './random.ts';

/**
 * The first target is longer along x, the second is bent along y; as shapes of their own, or as offsets from the box.
 */
export function morphingBox(isRelative: boolean): BufferGeometry {
  const geometry = new BoxGeometry(2, 1, 3, 2, 2, 2);
  const { position, normal } = geometry.attributes;
  const targets = [position.clone(), position.clone()];
  for (let k = 0; k < position.count; k++) {
    targets[0].setX(k, 4 * position.getX(k));
    targets[1].setY(k, position.getY(k) + position.getX(k) ** 2 + 1);
    if (!isRelative) continue;
    for (const target of targets)
      target.setXYZ(
        k,
        target.getX(k) - position.getX(k),
        target.getY(k) - position.getY(k),
        target.getZ(k) - position.getZ(k),
      );
  }
  geometry.morphAttributes.position = targets;
  if (!isRelative) geometry.morphAttributes.normal = [normal.clone(), normal.clone()];
  geometry.morphTargetsRelative = isRelative;
  return geometry;
}

export function influencing(...influences: number[]): Mesh {
  return Object.assign(new Mesh(), { morphTargetInfluences: influences });
}

/** Sets random influences of all instances, some of them negative or greater than 1. */
export function morphInstances(instances: Instances, random: Random, ids: Iterable<number>): void {
  for (const id of ids)
    instances.setMorphAt(id, influencing(random.pick([0, 1, 0.5, random.between(-1, 3)]), random.between(0, 1)));
  instances.morphTexture!.needsUpdate = true;
}
