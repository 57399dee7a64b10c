/** Reports changes of static children to their group, after React has rendered them. */

import { Matrix4, type Mesh, type Object3D } from 'three';
import { throwType } from '../octree/input/input-checks.ts';
import { OctreeGroup } from '../three.ts';

const composed = /* @__PURE__ */ new Matrix4();

/** The fields of objects that are compared, beside material, layers, children and the transform. */
const FIELDS = /* @__PURE__ */ [
  'geometry visible castShadow receiveShadow frustumCulled renderOrder count occlusionTest matrixWorldAutoUpdate raycast',
  'customDepthMaterial customDistanceMaterial onBeforeRender onAfterRender onBeforeShadow onAfterShadow',
].flatMap((names) => names.split(' '));

/**
 * Reports a change of an object to the OctreeGroup above it: `group.reportMove(object)`. For `onUpdate` of an element
 * that a component changes by its own state, below a static child:
 * `<mesh onUpdate={reportMove} position={position} />`. react-three-fiber calls `onUpdate` after it has set changed
 * props. Changes that come from above the `<OctreeGroup>` are found without it. Does nothing if no OctreeGroup is above
 * the object.
 *
 * @param object What has changed, below an `<OctreeGroup>`.
 * @throws {TypeError} If it is no Object3D.
 *
 * @example
 * ```tsx
 * import { OctreeGroup, reportMove } from 'scene-octree/react';
 *
 * // A door in a static group, opened by the state of a component.
 * export const Hall = ({ isOpen }: { isOpen: boolean }) => (
 *   <OctreeGroup hasStaticChildren>
 *     <mesh position={[isOpen ? 2 : 0, 0, 0]} onUpdate={reportMove}>
 *       <boxGeometry />
 *     </mesh>
 *   </OctreeGroup>
 * );
 * ```
 */
export function reportMove(object: Object3D): void {
  if ((object as Object3D | null | undefined)?.isObject3D !== true)
    throwType('reportMove', 'object', 'be an Object3D', object, 'pass what has changed');
  let child = object;
  while (child.parent !== null && !(child.parent instanceof OctreeGroup)) child = child.parent;
  if (child.parent instanceof OctreeGroup) child.parent.reportMove(object);
}

/**
 * Finds what has changed in static children since the last call. An object has moved if its `matrix` is not composed of
 * its position, rotation and scale as they are now; without `matrixAutoUpdate`, if its matrix differs from that of the
 * last call.
 */
export class MoveReports {
  private readonly group: OctreeGroup;
  /** What is compared, but for the transform; and a matrix that is not composed. */
  private readonly contents = new WeakMap<Object3D, readonly unknown[]>();

  constructor(group: OctreeGroup) {
    this.group = group;
  }

  /** Cost: in proportion to the number of static children and their descendants. */
  report(): void {
    const { group } = this;
    for (const child of group.children) {
      if (!group.isStatic(child)) continue;
      // A child that was just added needs no report.
      const isNew = !this.contents.has(child);
      child.traverse((object) => void (this.hasChanged(object) && !isNew && group.reportMove(object)));
    }
  }

  private hasChanged(object: Object3D): boolean {
    const before = this.contents.get(object);
    const { children, layers, position, quaternion, scale, matrix, matrixAutoUpdate } = object;
    const { material } = object as Partial<Mesh>;
    const now: unknown[] = FIELDS.map((name) => Reflect.get(object, name));
    now.push(layers.mask, children.length, Array.isArray(material), ...[material].flat());
    if (!matrixAutoUpdate) now.push(...matrix.elements);
    this.contents.set(object, now);
    return (
      before?.length !== now.length ||
      !now.every((value, k) => Object.is(value, before[k])) ||
      (matrixAutoUpdate && !composed.compose(position, quaternion, scale).equals(matrix))
    );
  }
}
