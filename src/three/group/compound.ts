/**
 * A compound: a member whose bounds do not come from one geometry alone. It is an object with descendants (a mesh with
 * children, a group, an LOD), or an object that three culls by a sphere of its own (a skinned, instanced or batched
 * mesh). If only one object in it is drawn, the body has the bounds of that object; otherwise it has the box around all
 * drawn objects. three tests each object by itself, so a pass whose frustum misses the body would draw none of them,
 * and may skip the compound.
 */

import { Box3, Sphere, Vector3, type InstancedMesh, type LOD, type Object3D } from 'three';
import { boundsInSpace, type BodySpace } from '../bounds/body-space.ts';
import { cullingSphereOf, ObjectBounds } from '../bounds/bounds-of.ts';
import { isInRange } from '../bounds/bounds-math.ts';
import { hasOwnSphere, isSprite } from '../bounds/object-kinds.ts';
import {
  canBeCulled,
  hasPlainMatrices,
  hasStatelessLod,
  isDrawn,
  isHitWithinBounds,
  isLod,
  runsUserCode,
} from '../bounds/object-traits.ts';
import { ObjectSource, type BoundsSource } from './bounds-source.ts';
import { TreeNodes } from './tree-nodes.ts';

/** An empty sphere of three has a radius of -1. */
const NO_SPHERE = /* @__PURE__ */ new Sphere(/* @__PURE__ */ new Vector3(), -2);

export class Compound extends TreeNodes implements BoundsSource {
  /** Whether a ray that misses the bounds cannot hit any object of the compound. */
  readonly isHitWithinBounds: boolean;
  /** Whether computing the matrices may read or move other objects. */
  readonly runsUserCode: boolean;
  /** Nodes that renderers draw. */
  readonly drawn: Object3D[] = [];
  /** Geometries and materials of `drawn`. */
  readonly sources: ObjectSource[] = [];
  /** By node: whether it, or a descendant, is drawn. Its matrices place what is drawn. */
  readonly arePlacing: boolean[];
  private readonly lods: readonly LOD[];
  /**
   * Drawn nodes that three culls by a sphere that does not come from the geometry, with it as the bounds contain it.
   */
  private readonly spheres: readonly { readonly object: Object3D; readonly sphere: Sphere }[];

  /**
   * The compound of an object and all its descendants as they are now. Null if the object has to be drawn in every
   * pass.
   */
  static of(root: Object3D): Compound | null {
    const compound = new Compound(root);
    return compound.nodes.every(canBeCulled) && compound.drawn.length > 0 ? compound : null;
  }

  private constructor(root: Object3D) {
    super();
    this.collect(root);
    const { nodes, drawn, sources } = this;
    /** By node: the number of drawn nodes before it. */
    const drawnBefore = nodes.map((node) => {
      if (!isDrawn(node)) return drawn.length;
      sources.push(ObjectSource.of(node, sources.at(-1) ?? null));
      return drawn.push(node) - 1;
    });
    this.arePlacing = drawnBefore.map((before, k) => (drawnBefore[this.ends[k]] ?? drawn.length) > before);
    this.lods = nodes.filter(isLod);
    this.spheres = drawn
      .filter((object) => hasOwnSphere(object) || isSprite(object))
      .map((object) => ({ object, sphere: new Sphere() }));
    this.isHitWithinBounds = nodes.every(isHitWithinBounds);
    this.runsUserCode = runsUserCode(root);
  }

  /** Whether a renderer has to choose levels of detail in it. */
  get hasLod(): boolean {
    return this.lods.length > 0;
  }

  /**
   * Computes the bounds of all drawn objects, and stores the spheres that the bounds come from. Null if one has no
   * bounds.
   */
  boundsIn(space: BodySpace, target: ObjectBounds): Box3 | Sphere | null {
    const { drawn } = this;
    for (const { object, sphere } of this.spheres) sphere.copy(ownSphereOf(object));
    if (drawn.length === 1) return boundsInSpace(space, drawn[0], target);
    target.box.makeEmpty();
    for (const object of drawn) {
      const bounds = boundsInSpace(space, object, boundsIn_object);
      if (bounds === null) return null;
      target.box.union(bounds instanceof Box3 ? bounds : bounds.getBoundingBox(boundsIn_object.box));
    }
    // `growByFloat32Error` reads the sphere of the target even if the bounds are its box.
    target.box.getBoundingSphere(target.sphere);
    return target.box;
  }

  /** The first drawn node whose bounds hold a NaN or reach beyond 2^50. */
  drawnOutOfRange(space: BodySpace, target: ObjectBounds): Object3D | null {
    for (const object of this.drawn) {
      const bounds = boundsInSpace(space, object, target);
      if (bounds !== null && !isInRange(bounds)) return object;
    }
    return null;
  }

  /** Whether the compound still consists of the same nodes, geometries and materials, and can be culled. */
  get hasSameStructure(): boolean {
    return this.hasSameNodes && this.drawn.every(({ frustumCulled }) => frustumCulled) && this.isCullable;
  }

  /** Whether all that was collected of the objects is as before. */
  get isAsCollected(): boolean {
    return (
      this.hasSameStructure &&
      this.isUpToDate &&
      this.nodes.every(isHitWithinBounds) === this.isHitWithinBounds &&
      runsUserCode(this.nodes[0]) === this.runsUserCode
    );
  }

  /** Whether it can be culled as before, as far as `firstChanged` does not look at it. */
  get isCullable(): boolean {
    for (const lod of this.lods) if (!hasStatelessLod(lod)) return false;
    // If a `boundingSphere` is set to null, three recomputes it in the next pass that visits the object.
    return !this.spheres.some(({ object }) => hasOwnSphere(object) && object.boundingSphere === null);
  }

  /** Whether other code has moved any drawn node since the last update. The next update takes it as moved. */
  get isMovedByOthers(): boolean {
    return this.arePlacing.filter((isPlacing, k) => isPlacing && this.isNodeMovedByOthers(k)).length > 0;
  }

  /**
   * Whether all drawn nodes follow the parent: their world matrices are that of the parent times the local matrices in
   * between.
   */
  get followsParent(): boolean {
    return this.nodes.every((node, k) => !this.arePlacing[k] || hasPlainMatrices(node));
  }

  /** Whether the sources of the bounds of the drawn nodes are unchanged. */
  get isUpToDate(): boolean {
    const { drawn, sources } = this;
    for (let k = 0; k < drawn.length; k++) if (!sources[k].isUpToDate(drawn[k])) return false;
    return true;
  }

  /** Whether the own sphere of any drawn object has changed since the bounds were computed. */
  get hasNewSphere(): boolean {
    return !this.spheres.every(({ object, sphere }) => sphere.equals(ownSphereOf(object)));
  }

  private collect(node: Object3D): void {
    const index = this.nodes.length;
    this.watch(index, node, node.children.length);
    this.ends.push(0);
    for (const child of node.children) this.collect(child);
    this.ends[index] = this.nodes.length;
  }
}
const boundsIn_object = /* @__PURE__ */ new ObjectBounds();

/** The sphere by which three culls an object whose sphere does not come from its geometry. */
function ownSphereOf(object: Object3D): Sphere {
  return (isSprite(object) ? cullingSphereOf(object) : (object as InstancedMesh).boundingSphere) ?? NO_SPHERE;
}
