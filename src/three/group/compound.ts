/**
 * Several objects that are shown or left out as one: a mesh with children, a group, an LOD, or a single object that three culls by a
 * sphere of its own. A renderer tests each object by itself, so the whole may be left out of a pass that leaves out every part, and
 * the box around all parts tells of such passes.
 */

import { Box3, type BufferGeometry, type LOD, type Mesh, type Object3D, type Sphere } from 'three';
import type { BodySpace } from '../bounds/body-space.ts';
import { cullingSphereOf, hasOwnSphere, isSprite, ObjectBounds } from '../bounds/bounds-of.ts';
import { NodePlaces } from './node-places.ts';
import { canBeCulled, hasStatelessLod, hasPlainMatrices, isDrawn, isHitWithinBounds, hasLod } from '../bounds/object-traits.ts';

const MATRIX_STRIDE = 16;
const SPHERE_STRIDE = 4;
/** That of no sphere; an empty one has -1. */
const NO_RADIUS = -2;

export class Compound {
  /** Whether a ray that misses the bounds cannot hit any part. */
  readonly isHitWithinBounds: boolean;
  /** Of all nodes. */
  readonly places: NodePlaces;
  /** Of all that is drawn. */
  readonly geometries: BufferGeometry[] = [];

  private readonly root: Object3D;
  private readonly isPlacedFromAbove: boolean;
  private readonly nodes: Object3D[] = [];
  private readonly parents: (Object3D | null)[] = [];
  private readonly childCounts: number[] = [];
  private readonly drawn: Object3D[] = [];
  /** Nodes that place what is drawn: in them, or below. */
  private readonly carriers: Object3D[] = [];
  private readonly matrices: Float64Array;
  private readonly lods: readonly LOD[];
  private readonly hasSpheres: boolean;
  /** Own spheres of what is drawn: centre and radius. */
  private readonly spheres: Float64Array;

  /**
   * What an object is now, with all that is below it; null if it has to be shown in every pass.
   *
   * @param isPlacedFromAbove Whether what is above it may move by itself.
   */
  static of(root: Object3D, isPlacedFromAbove: boolean): Compound | null {
    const compound = new Compound(root, isPlacedFromAbove);
    return compound.nodes.every(canBeCulled) && compound.drawn.length > 0 ? compound : null;
  }

  private constructor(root: Object3D, isPlacedFromAbove: boolean) {
    this.root = root;
    this.isPlacedFromAbove = isPlacedFromAbove;
    this.visit(root);
    this.places = new NodePlaces(this.nodes);
    this.lods = this.nodes.filter(hasLod);
    this.hasSpheres = this.drawn.some((object) => hasOwnSphere(object) || isSprite(object));
    this.isHitWithinBounds = this.nodes.every(isHitWithinBounds);
    this.matrices = new Float64Array(this.carriers.length * MATRIX_STRIDE);
    this.spheres = new Float64Array(this.drawn.length * SPHERE_STRIDE);
  }

  /** Whether a renderer has to choose levels of detail in it. */
  get hasLod(): boolean {
    return this.lods.length > 0;
  }

  /** Takes the bounds of all parts, and notes where they are; null if one has none. */
  boundsIn(space: BodySpace, target: ObjectBounds): Box3 | Sphere | null {
    const { drawn, carriers, matrices, spheres } = this;
    this.places.note();
    for (let k = 0; k < carriers.length; k++) matrices.set(this.placing(carriers[k]), k * MATRIX_STRIDE);
    for (let k = 0; k < drawn.length; k++) {
      const sphere = ownSphereOf(drawn[k]);
      sphere?.center.toArray(spheres, k * SPHERE_STRIDE);
      spheres[k * SPHERE_STRIDE + 3] = sphere?.radius ?? NO_RADIUS;
    }
    if (drawn.length === 1) return space.boundsOf(drawn[0], target);
    target.box.makeEmpty();
    for (const object of drawn) {
      const bounds = space.boundsOf(object, boundsIn_part);
      if (bounds === null) return null;
      target.box.union(bounds instanceof Box3 ? bounds : bounds.getBoundingBox(boundsIn_part.box));
    }
    // As with the bounds of one object, both tell where it is.
    target.box.getBoundingSphere(target.sphere);
    return target.box;
  }

  /** Whether it consists of what it did. */
  get isSame(): boolean {
    const { nodes, parents, childCounts, drawn, geometries, hasSpheres } = this;
    for (let k = 0; k < nodes.length; k++) {
      // Who has as many children and has lost none has the same.
      if (nodes[k].children.length !== childCounts[k] || nodes[k].parent !== parents[k]) return false;
    }
    for (let k = 0; k < drawn.length; k++) if (!drawn[k].frustumCulled || (drawn[k] as Partial<Mesh>).geometry !== geometries[k]) return false;
    for (const lod of this.lods) if (!hasStatelessLod(lod)) return false;
    // Whoever takes a sphere away leaves it to the next pass to compute one.
    return !hasSpheres || !drawn.some((object) => hasOwnSphere(object) && object.boundingSphere === null);
  }

  /** Whether any part is elsewhere than noted. Matrices are up to date. */
  get isMoved(): boolean {
    const { carriers, matrices } = this;
    for (let k = 0; k < carriers.length; k++) {
      const elements = this.placing(carriers[k]);
      for (let lane = 0, at = k * MATRIX_STRIDE; lane < MATRIX_STRIDE; lane++) if (matrices[at + lane] !== elements[lane]) return true;
    }
    return false;
  }

  /** Whether three has another sphere to cull a part by. */
  get isReshaped(): boolean {
    const { drawn, spheres, hasSpheres } = this;
    if (!hasSpheres) return false;
    for (let k = 0, at = 0; k < drawn.length; k++, at += SPHERE_STRIDE) {
      const sphere = ownSphereOf(drawn[k]);
      if (spheres[at + 3] !== (sphere?.radius ?? NO_RADIUS)) return true;
      if (sphere === null) continue;
      const { x, y, z } = sphere.center;
      if (spheres[at] !== x || spheres[at + 1] !== y || spheres[at + 2] !== z) return true;
    }
    return false;
  }

  private visit(node: Object3D): void {
    this.nodes.push(node);
    this.parents.push(node.parent);
    this.childCounts.push(node.children.length);
    const before = this.drawn.length;
    if (isDrawn(node)) {
      this.drawn.push(node);
      this.geometries.push((node as Mesh).geometry);
    }
    for (const child of node.children) this.visit(child);
    if (this.drawn.length > before) this.carriers.push(node);
  }

  /** The numbers that place a node: its own matrix, if that is all that counts, so that they stay when the group moves as a whole. */
  private placing(node: Object3D): readonly number[] {
    const isByItself = hasPlainMatrices(node) && !(this.isPlacedFromAbove && node === this.root);
    return isByItself ? node.matrix.elements : node.matrixWorld.elements;
  }
}
const boundsIn_part = /* @__PURE__ */ new ObjectBounds();

/** The sphere of an object that its geometry does not tell. */
function ownSphereOf(object: Object3D): Sphere | null {
  if (isSprite(object)) return cullingSphereOf(object);
  return hasOwnSphere(object) ? object.boundingSphere : null;
}
