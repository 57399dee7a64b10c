/** `useFramesOnDemand`: renders the frames in which the picture changes, and no others. */

import { useStore } from '@react-three/fiber';
import { useEffect, useRef, type RefObject } from 'react';
import type { Object3D } from 'three';
import { InstanceChanges, OctreeGroup, OctreeInstances, ViewChanges } from '../three.ts';
import { currentOf } from './use-query.ts';

/** A container, or a ref to one. */
export type ChangeSource = OctreeGroup | OctreeInstances | RefObject<OctreeGroup | OctreeInstances | null>;

/** An object, or a ref to one. */
export type ObjectSource = Object3D | RefObject<Object3D | null>;

/**
 * For a `<Canvas frameloop="demand">`: in each frame of the browser it looks for changes of the picture, and calls
 * `invalidate` if there are any. So objects may be moved by any code, at any time, and a page at rest renders nothing.
 * `useFrame` runs in rendered frames only: start an animation by code that moves something, or by `invalidate`.
 *
 * See `ViewChanges` of scene-octree/three for what counts as a change.
 *
 * @param containers The `OctreeGroup`s and `OctreeInstances` whose changes are known.
 * @param still Objects outside of them that do not change, such as the ground.
 * @returns A ref to the `ViewChanges`, for `setStill` and `redrawAll`. It is set once the component is mounted.
 *
 * @example
 * ```tsx
 * import { useState } from 'react';
 * import { OctreeGroup, useFramesOnDemand } from 'scene-octree/react';
 * import type { OctreeGroup as Group } from 'scene-octree/three';
 *
 * // Below a `<Canvas frameloop="demand">`.
 * export function City() {
 *   const [city, setCity] = useState<Group | null>(null);
 *   useFramesOnDemand(city === null ? [] : [city]);
 *   return <OctreeGroup ref={setCity} />;
 * }
 * ```
 */
export function useFramesOnDemand(
  containers: readonly ChangeSource[],
  still: readonly ObjectSource[] = [],
): RefObject<ViewChanges | null> {
  const store = useStore();
  const changes = useRef<ViewChanges>(null);
  const objects = useRef<readonly Object3D[]>([]);
  // Refs are set before effects run, and may hold another object after any render.
  useEffect(() => {
    const now = [...containers, ...still].map(currentOf<Object3D>).filter((object) => object !== null);
    const isSame = now.length === objects.current.length && now.every((object, k) => object === objects.current[k]);
    if (changes.current !== null && isSame) return;
    changes.current?.dispose();
    objects.current = now;
    const { scene, gl } = store.getState();
    const known = now
      .filter(isContainer)
      .map((one) => (one instanceof OctreeInstances ? new InstanceChanges(one) : one));
    const view = new ViewChanges(scene, gl, known);
    for (const object of now) if (!isContainer(object)) view.setStill(object);
    changes.current = view;
  });
  useEffect(() => {
    let request = requestAnimationFrame(function ask() {
      request = requestAnimationFrame(ask);
      const { camera, invalidate } = store.getState();
      if (changes.current?.changedIn(camera)) invalidate();
    });
    return () => {
      cancelAnimationFrame(request);
      changes.current?.dispose();
      changes.current = null;
    };
  }, [store]);
  return changes;
}

function isContainer(object: Object3D): object is OctreeGroup | OctreeInstances {
  return object instanceof OctreeGroup || object instanceof OctreeInstances;
}
