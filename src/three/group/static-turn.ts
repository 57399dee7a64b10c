/**
 * Static members whose change was not reported. Each update compares some of them, in turn, so that it finds such a
 * change after 256 updates at most. No copy of a transform is kept: the matrix of a static object must be that of its
 * position, rotation and scale, bit by bit, and its bounds those of its body.
 */

import { Box3, Matrix4, Object3D, Sphere } from 'three';
import { boundsInSpace } from '../bounds/body-space.ts';
import { growByFloat32Error, MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import { ObjectBounds } from '../bounds/bounds-of.ts';
import { hasPlainMatrices, isPlainLeaf } from '../bounds/object-traits.ts';
import type { MemberBodies } from './member-bodies.ts';
import type { Member } from './member.ts';

/** Updates until each member has had its turn. */
const UPDATES_PER_TURN = 256;

export class StaticTurn {
  private readonly bodies: MemberBodies;
  /** Index in the order of the members; of a small group an update advances it by a fraction. */
  private next = 0;
  /** The last node that was looked at and is where its transform says, as are all nodes above it. */
  private placed: Object3D | null = null;
  private readonly bounds = new ObjectBounds();

  constructor(bodies: MemberBodies) {
    this.bodies = bodies;
  }

  /** Calls back for the next static members with a body. */
  visit(visitor: (member: Member) => void): void {
    const { ordered, detector } = this.bodies;
    const { items } = ordered;
    const end = Math.min(this.next + Math.max(detector.staticPerUpdate, items.length / UPDATES_PER_TURN), items.length);
    this.placed = null;
    for (let k = Math.floor(this.next); k < Math.floor(end); k++) {
      const member = items[k];
      if (member?.body && member.isStatic) visitor(member);
    }
    this.next = end < items.length ? end : 0;
  }

  /**
   * The highest object that was moved since its matrix was computed, of a member and the static nodes above; null if
   * none.
   */
  movedNode({ object, child, compound, owner: { tree } }: Member): Object3D | null {
    if (object.parent !== this.placed) {
      let moved: Object3D | null = null;
      for (let node = object; node !== child && node.parent !== null;) {
        node = node.parent;
        // The next update finds the move of a node that is not static.
        if (!isInPlace(node) && tree?.isPassedOver(tree.rangeOf(node)[0])) moved = node;
      }
      if (moved !== null) return moved;
      this.placed = object.parent;
    }
    return (compound?.nodes ?? [object]).find((node) => !isInPlace(node)) ?? null;
  }

  /** Whether the bounds of a member come from something else than those of its body. */
  hasOtherBounds(member: Member): boolean {
    const { object, compound } = member;
    if (!member.isUpToDate || (compound === null ? !isPlainLeaf(object) : !compound.hasSameStructure)) return true;
    const { space, octree } = this.bodies;
    // The same bounds in the space of a group that has moved since are rounded in another way.
    if (!space.isWorld) return false;
    const { index, kind } = member.body!;
    const bounds = compound?.boundsIn(space, this.bounds) ?? boundsInSpace(space, object, this.bounds);
    if (bounds === null) return true;
    growByFloat32Error(this.bounds);
    return bounds instanceof Box3
      ? kind === 'sphere' || !bounds.equals(octree.getBoxAt(index, bodyBox))
      : kind !== 'sphere' || !bounds.equals(octree.getSphereAt(index, bodySphere));
  }
}
const bodyBox = /* @__PURE__ */ new Box3();
const bodySphere = /* @__PURE__ */ new Sphere();

/**
 * Whether the matrices of an object are those that three computes: from its transform, unless it is written by hand,
 * and from the matrix of its parent.
 */
function isInPlace(node: Object3D): boolean {
  const { parent, position, quaternion, scale, pivot } = node;
  const matrix = computed;
  // A class may compute its matrix in a way of its own.
  if (node.matrixAutoUpdate && node.updateMatrix === Object3D.prototype.updateMatrix) {
    if (pivot) node.updateMatrix.call({ matrix, position, quaternion, scale, pivot } as Object3D);
    else matrix.compose(position, quaternion, scale);
    if (!equals(matrix, node.matrix)) return false;
  }
  if (!hasPlainMatrices(node) || parent === null) return true;
  return equals(matrix.multiplyMatrices(parent.matrixWorld, node.matrix), node.matrixWorld);
}
const computed = /* @__PURE__ */ new Matrix4();

/** Whether matrices are equal, also where both have a NaN. */
function equals({ elements }: Matrix4, { elements: others }: Matrix4): boolean {
  for (let k = 0; k < MATRIX_STRIDE; k++)
    if (elements[k] !== others[k] && !Object.is(elements[k], others[k])) return false;
  return true;
}
