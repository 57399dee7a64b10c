/** Whether code of the user runs while an object is drawn. */

import { Object3D } from 'three';

/** Whether a renderer calls code of the user when it draws an object. That code may move the object, or count on being called. */
export function hasDrawCallbacks(object: Object3D): boolean {
  const { prototype } = Object3D;
  return (
    object.onBeforeRender !== prototype.onBeforeRender ||
    object.onAfterRender !== prototype.onAfterRender ||
    object.onBeforeShadow !== prototype.onBeforeShadow ||
    object.onAfterShadow !== prototype.onAfterShadow
  );
}
