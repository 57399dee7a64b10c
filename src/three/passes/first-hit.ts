/** `raycaster.firstHitOnly`, a convention of three-mesh-bvh: only the nearest hit is wanted. */

import type { Raycaster } from 'three';

export function wantsFirstHitOnly(raycaster: Raycaster): boolean {
  return (raycaster as { firstHitOnly?: boolean }).firstHitOnly === true;
}
