/**
 * The seam for what leaves out hidden bodies (see the folder occlusion): a container asks it in each camera pass, in
 * place of a frustum query.
 */

import type { Camera, Frustum } from 'three';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { MinScreenSize } from './min-screen-size.ts';

export interface PassOcclusion {
  /**
   * Lists the bodies that a camera may see, in no particular order. Returns false if it does not apply to the pass: then
   * the list holds nothing of use, and the container culls by the frustum.
   *
   * @param frustum That of the camera, in world space.
   * @param screenSize Leaves out what looks too small.
   */
  collect(camera: Camera, frustum: Frustum, screenSize: MinScreenSize, list: IndexList): boolean;
  /**
   * A number that changes whenever `collect` may find other bodies although camera and bodies are as before. For
   * containers that keep the result of a pass.
   */
  keyIn(camera: Camera): number;
}
