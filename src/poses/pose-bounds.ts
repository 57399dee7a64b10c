/** Lets the bounds of the skinned meshes of an OctreeGroup follow their poses. */

import { Box3, Sphere, type SkinnedMesh } from 'three';
import { refusesBox } from '../three/bounds/material-traits.ts';
import type { Compound } from '../three/group/compound.ts';
import type { GroupChildren } from '../three/group/group-children.ts';
import type { MemberFollower } from '../three/group/member-drawing.ts';
import type { Member } from '../three/group/member.ts';
import { requireGroup, type OctreeGroup } from '../three/group/octree-group.ts';
import { boneBoxesOf, boxAroundPose } from './bone-boxes.ts';

/** The groups with a PoseBounds. */
const taken = /* @__PURE__ */ new WeakSet<GroupChildren>();

/** The skinned meshes of a member, as long as it has this compound. */
interface Posed {
  readonly compound: Compound | null;
  readonly meshes: readonly SkinnedMesh[];
}

/**
 * Culls the skinned meshes of an `OctreeGroup` by the poses that they have:
 *
 *     const poses = new PoseBounds(group);
 *
 * three culls a skinned mesh by its `boundingSphere`, which belongs to the pose of its first frame; it disappears when
 * it walks out of it. From now on, in each frame, the `boundingSphere` of each skinned mesh in the group contains its
 * pose, and the octree has the same bounds: no vertex is outside. It is the sphere around the boxes of all bones. Leave
 * `frustumCulled` true.
 *
 * - **Which meshes.** All skinned meshes among the children of the group and below them, also those that are added
 *   later. Their bones may be anywhere in the scene. The matrices of bones below a static child are computed only after
 *   `reportMove`.
 * - **Morph targets** count, with their influences.
 * - **A missing bone** of a skeleton counts as the identity, as renderers draw it.
 * - **As before, by the sphere of three,** are meshes with negative weights or with indices beyond their bones, and
 *   materials that move vertices. Of a changed geometry, the attributes `position`, `skinIndex` and `skinWeight` are
 *   noticed if they are replaced or get `needsUpdate`.
 * - **Cost.** The boxes of the bones are computed once for each geometry. In each frame 0.3 to 0.45 microseconds for
 *   each bone with vertices, whether the mesh is in view or not, the move in the octree included: 12 to 18 microseconds
 *   for 40 bones, where their matrices take 18 to 21, and `computeBoundingSphere` of 2,000 vertices 400.
 *
 * @example
 * ```ts
 * import { OctreeGroup, PoseBounds } from 'scene-octree/three';
 *
 * const crowd = new OctreeGroup().addTree(gltf.scene);
 * const poses = new PoseBounds(crowd); // all skinned meshes in it, also those that are added later
 * scene.add(crowd);
 * addEventListener('pagehide', () => poses.dispose()); // three computes the spheres again
 * ```
 */
export class PoseBounds {
  private readonly children: GroupChildren;
  private readonly posed = new Map<Member, Posed>();
  /** Whether matrices have changed since the last pass. */
  private isStale = true;
  private readonly follower: MemberFollower;
  private readonly box = new Box3();
  private readonly sphere = new Sphere();

  /**
   * @param group Its skinned meshes follow their poses from now on.
   * @throws {TypeError} If the group is not an OctreeGroup.
   * @throws {Error} If the group has a PoseBounds already.
   */
  constructor(group: OctreeGroup) {
    requireGroup('PoseBounds', group, 'create one');
    this.children = group.groupChildren;
    if (taken.has(this.children)) throw new Error('PoseBounds: group has a PoseBounds already; dispose it first.');
    taken.add(this.children);
    this.follower = {
      added: (member) => this.rememberMeshes(member),
      moving: (member) => this.rememberMeshes(member),
      removed: (member) => void this.posed.delete(member),
      updated: () => (this.isStale = true),
      beginPass: () => this.update(),
    };
    this.children.bodies.followers.add(this.follower);
    for (const member of this.children.allMembers) if (member.body !== null) this.rememberMeshes(member);
  }

  /** Leaves the meshes to three again, which computes a `boundingSphere` for the pose of the next frame. */
  dispose(): void {
    if (!this.children.bodies.followers.delete(this.follower)) return;
    taken.delete(this.children);
    for (const { meshes } of this.posed.values())
      for (const mesh of meshes as readonly { boundingSphere: Sphere | null }[]) mesh.boundingSphere = null;
    this.posed.clear();
  }

  /** Remembers the skinned meshes of a member with a body. */
  private rememberMeshes(member: Member): void {
    const { compound } = member;
    // A skinned mesh is a compound, because three culls it by a sphere of its own.
    if (this.posed.get(member)?.compound !== compound) {
      const meshes = compound?.drawn.filter((object): object is SkinnedMesh => 'isSkinnedMesh' in object) ?? [];
      if (meshes.length === 0) this.posed.delete(member);
      else this.posed.set(member, { compound, meshes });
    }
    // A new member has had no pass yet.
    this.isStale ||= this.posed.has(member);
  }

  /** Once per frame, when a pass begins: then the matrices of the whole scene are up to date. */
  private update(): void {
    if (!this.isStale) return;
    const { bodies } = this.children;
    // With a sphere, the next attempt to find bounds succeeds.
    for (const { object } of bodies.unculled)
      object.traverse((each) => void ('isSkinnedMesh' in each && this.follow(each as SkinnedMesh)));
    for (const [member, { meshes }] of this.posed) {
      let hasMoved = false;
      for (const mesh of meshes) if (this.follow(mesh)) hasMoved = true;
      if (hasMoved && !member.owner.isDue) bodies.updateBody(member);
    }
    this.isStale = false;
  }

  /** Sets the sphere of a mesh to its pose. Returns whether it has changed. */
  private follow(mesh: SkinnedMesh): boolean {
    const boxes = refusesBox(mesh.material) ? null : boneBoxesOf(mesh);
    if (boxes === null) return false;
    boxAroundPose(mesh, boxes, this.box).getBoundingSphere(this.sphere);
    if (mesh.boundingSphere?.equals(this.sphere)) return false;
    mesh.boundingSphere = (mesh.boundingSphere ?? new Sphere()).copy(this.sphere);
    return true;
  }
}
