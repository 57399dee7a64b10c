/** `<OctreeInstances>`: an OctreeInstances as an element of react-three-fiber. */

import { extend, type ThreeElement } from '@react-three/fiber';
import { createElement, type ReactElement } from 'react';
import { OctreeInstances as OctreeInstancesObject } from '../three.ts';

/**
 * The props of `<OctreeInstances>`: the props of an Object3D, the properties of the class such as `geometry` and
 * `material`, and `args` with the arguments of the constructor: geometry, material, number of instances, options.
 * Geometry and material may be children instead: then pass undefined in `args`.
 */
export type OctreeInstancesProps = ThreeElement<typeof OctreeInstancesObject>;

const InstancesElement = /* @__PURE__ */ extend(OctreeInstancesObject);

/**
 * In place of `<instancedMesh>`: each render pass draws only the instances that it can see. Set the matrices by its
 * `ref`, which is the `OctreeInstances`. An event has the `instanceId`; its cost is one ray through the octree.
 *
 * @param props Those of an `<instancedMesh>`, and those of the class.
 *
 * @example
 * ```tsx
 * import { useEffect, useRef } from 'react';
 * import { OctreeInstances } from 'scene-octree/react';
 * import type { OctreeInstances as Instances } from 'scene-octree/three';
 *
 * export function Forest({ count }: { count: number }) {
 *   const trees = useRef<Instances>(null);
 *   useEffect(() => {
 *     for (let id = 0; id < count; id++) trees.current?.setMatrixAt(id, matrixOf(id));
 *   }, [count]);
 *   return <OctreeInstances ref={trees} args={[geometry, material, count]} />;
 * }
 * ```
 */
export function OctreeInstances(props: OctreeInstancesProps): ReactElement {
  return createElement(InstancesElement, props);
}
