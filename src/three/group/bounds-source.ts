/** The sources of an object's bounds, without its matrix: geometry, materials, and whether it has draw callbacks. */

import { Mesh, Object3D, type Box3, type BufferGeometry, type Material, type Sphere } from 'three';
import { cullingBoxOf, cullingSphereOf, isCulling, MeshVersion } from '../bounds/bounds-of.ts';
import { hasDrawCallbacks } from '../bounds/object-traits.ts';

export type MaterialValue = Material | Material[];

/** The fields that decide the shape of meshes, lines, points and sprites. Other objects do not have them. */
interface ShapedObject extends Object3D {
  geometry?: BufferGeometry | null;
  material?: MaterialValue | null;
}

/** The sources of a member's bounds, without matrices: of one object, or of all objects of a compound. */
export interface BoundsSource {
  readonly sources: readonly ObjectSource[];
}

/** The bounds of a mesh in local space, from its geometry and its materials. */
class LocalBounds {
  readonly sphere: Sphere;
  /** Null if the mesh may be drawn beyond it. */
  readonly box: Box3 | null;
  readonly version: MeshVersion;

  static of(mesh: Mesh): LocalBounds | null {
    const sphere = cullingSphereOf(mesh);
    return sphere !== null && isCulling(sphere) ? new LocalBounds(mesh, sphere) : null;
  }

  private constructor(mesh: Mesh, sphere: Sphere) {
    this.version = new MeshVersion(mesh);
    this.sphere = sphere.clone();
    this.box = cullingBoxOf(mesh, sphere);
  }
}

/** The source of one object. */
export class ObjectSource implements BoundsSource {
  readonly geometry: ShapedObject['geometry'];
  readonly material: ShapedObject['material'];
  private readonly depthMaterial: Material | undefined;
  private readonly distanceMaterial: Material | undefined;
  /** Whether a renderer calls callbacks of the user when it draws the object. */
  readonly hasCallbacks: boolean;
  private local: LocalBounds | null = null;
  /** Number of the update in which `local` was compared with the geometry and the materials. */
  private comparedIn = -1;

  /** The source of an object. @param recent Returned if the object has the same: many objects of a scene share one. */
  static of(object: Object3D, recent: ObjectSource | null): ObjectSource {
    return recent?.isUpToDate(object) ? recent : new ObjectSource(object);
  }

  private constructor(object: Object3D) {
    this.geometry = (object as ShapedObject).geometry;
    this.material = (object as ShapedObject).material;
    this.depthMaterial = object.customDepthMaterial;
    this.distanceMaterial = object.customDistanceMaterial;
    this.hasCallbacks = hasDrawCallbacks(object);
  }

  /**
   * Whether the object still has the same geometry and material. The detector of the group finds changes within them.
   */
  matches(object: Object3D): boolean {
    const { geometry, material } = object as ShapedObject;
    return geometry === this.geometry && material === this.material;
  }

  /**
   * As `matches`, and whether the object still has the same materials for shadow maps, and callbacks as before. Meshes
   * are read in a branch of their own: see class-comparisons.ts.
   */
  isUpToDate(object: Object3D): boolean {
    const { constructor } = object as { readonly constructor: unknown };
    return constructor === Mesh ? this.isMeshUpToDate(object as Mesh) : this.isOtherUpToDate(object);
  }

  private isMeshUpToDate(mesh: Mesh): boolean {
    const { prototype } = Object3D;
    return (
      mesh.geometry === this.geometry &&
      mesh.material === this.material &&
      mesh.customDepthMaterial === this.depthMaterial &&
      mesh.customDistanceMaterial === this.distanceMaterial &&
      (mesh.onBeforeRender !== prototype.onBeforeRender ||
        mesh.onAfterRender !== prototype.onAfterRender ||
        mesh.onBeforeShadow !== prototype.onBeforeShadow ||
        mesh.onAfterShadow !== prototype.onAfterShadow) === this.hasCallbacks
    );
  }

  private isOtherUpToDate(object: Object3D): boolean {
    return (
      this.matches(object) &&
      object.customDepthMaterial === this.depthMaterial &&
      object.customDistanceMaterial === this.distanceMaterial &&
      hasDrawCallbacks(object) === this.hasCallbacks
    );
  }

  /**
   * The bounds in local space of an object with this source, which is up to date; null if there are none. They are
   * compared with the geometry and the materials once per update, for all members with this source.
   */
  localBoundsOf(object: Mesh, update: number): LocalBounds | null {
    if (this.comparedIn !== update) {
      if (this.local?.version.isOf(object) !== true) this.local = LocalBounds.of(object);
      this.comparedIn = update;
    }
    return this.local;
  }

  /** Also those for shadow maps. */
  get materials(): MaterialValue[] {
    return [this.material, this.depthMaterial, this.distanceMaterial].filter((material) => !!material);
  }

  get sources(): readonly ObjectSource[] {
    return [this];
  }
}
