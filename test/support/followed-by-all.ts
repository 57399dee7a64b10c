/** All features of scenes on one group. */

import type { PerspectiveCamera, Scene } from 'three';
import { OcclusionCulling, ShadowUpdates, StaticBatches, ViewChanges, type OctreeGroup } from '../../src/three.ts';
import type { FakeRenderer } from './change-towns.ts';

/** Has all features follow a group and draw its static children. Returns what tells of changes of the picture. */
export function followedByAll(
  scene: Scene,
  group: OctreeGroup,
  camera: PerspectiveCamera,
  renderer: FakeRenderer,
): ViewChanges {
  new StaticBatches(group).finish();
  new OcclusionCulling(group, camera, { minRemoved: 0 }).finish();
  new ShadowUpdates(scene, renderer, [group]).setStill(camera, false);
  return new ViewChanges(scene, renderer, [group]);
}
