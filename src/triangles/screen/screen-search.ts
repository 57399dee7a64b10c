/**
 * The search for triangles in a region of the screen. Bodies are found by the box around the region, as a frustum.
 * Nodes of trees are left out by its planes, and for a lasso by the box that they cover on the screen. Every comparison
 * of boxes is conservative.
 */

import { Box3, FrontSide, Plane, Vector3, type Camera, type Material, type Side } from 'three';
import { clippingPlanesOf, type ClippingRenderer } from '../../three/picking/clipping.ts';
import { normalDot, sideOf } from '../kernels/sides.ts';
import type { SceneMesh } from '../scene-mesh.ts';
import { TriangleSearch } from '../triangle-search.ts';
import { magnitudeOf, NOTHING, WORLD_ERROR, type Volume } from '../triangle-walk.ts';
import { clip, type ScreenRegion } from './screen-region.ts';

/** What is seen: a region of the image of a camera. */
export interface View {
  readonly region: ScreenRegion;
  readonly camera: Camera;
  readonly renderer: ClippingRenderer | undefined;
}

/** Whether the camera can see a mesh, by its layers. */
export function isOnLayers({ object }: SceneMesh, { camera }: View): boolean {
  return object === null || (object.layers.mask & camera.layers.mask) !== 0;
}

/** The materials that draw a triangle on a side that counts; undefined for a mesh of which none is known. */
export function drawnMaterials(
  { material, triangles }: SceneMesh,
  corner: number,
  isFacing: (side: Side) => boolean,
): (Material | undefined)[] {
  if (material === null) return isFacing(FrontSide) ? [undefined] : [];
  return triangles!.materialsOf(corner, material).filter(({ visible, side }) => visible && isFacing(side));
}

/**
 * What near, far and clipping planes leave of some points of a triangle, a polygon, a segment or a point: for each
 * material one part, or with `clipIntersection` one for each of its planes. Parts may overlap.
 */
export function partsOf(
  { object }: SceneMesh,
  materials: readonly (Material | undefined)[],
  { region, renderer }: View,
  points: readonly Vector3[],
): (readonly Vector3[])[] {
  const parts = materials.flatMap((material) => {
    const { any, all } = clippingPlanesOf(object, material, renderer);
    const part = [...region.depthPlanes, ...any].reduce(clip, points);
    return all.length === 0 ? [part] : all.map((plane) => clip(part, plane));
  });
  return parts.filter(({ length }) => length > 0);
}

/** Where a box is: bounds of a walk, in which boxes at the edge of the region come first. */
export const NODE_CROSSING = 0;
export const NODE_WITHIN = 1;

export abstract class ScreenSearch extends TriangleSearch implements Volume {
  /** The bound of a box outside the region. */
  protected outside = NOTHING;
  /** `NODE_WITHIN` for all boxes near the region, `NODE_CROSSING` for those at its edge, `NOTHING` for none. */
  limit = NODE_WITHIN;
  /** The corners of the triangle that is visited. */
  protected readonly corners = [new Vector3(), new Vector3(), new Vector3()];
  /** The materials that draw it. */
  protected drawn: readonly (Material | undefined)[] = [];
  protected view!: View;
  private readonly eye = new Float64Array(3);
  /** The size of coordinates of bodies and eye. */
  private reach = 0;
  private readonly box = new Box3();
  readonly bound = new Float64Array(1);

  /** Visits all meshes near the region: first those outside the octree, then by index. */
  protected visitRegion(view: View): void {
    const { octree, list } = this;
    const { region, camera } = view;
    this.view = view;
    // What is drawn counts.
    this.options = { ...this.options, side: this.options.side ?? 'material' };
    this.eye.set(camera.matrixWorld.elements.slice(12, 15));
    if (region.planes.length === 0) return;
    this.reach = Math.max(magnitudeOf(this.octree), ...this.eye.map(Math.abs));
    const error = SAFETY * WORLD_ERROR * this.reach;
    const planes = region.planes.map(({ normal, constant }) => new Plane(normal, constant + error));
    this.visitUnculled();
    octree.collectFrustum({ planes }, list, this.queryOptions);
    this.visitList();
  }

  protected visitMesh(): void {
    if (isOnLayers(this.mesh, this.view)) this.visitSeen();
  }

  /** Visits a mesh that the camera can see, by its layers. */
  protected abstract visitSeen(): void;

  /** Reads the corners of a triangle. Returns whether it is drawn, with the side that counts towards the camera. */
  protected readCorners(corner: number): boolean {
    const { triangle } = this;
    const { camera } = this.view;
    for (let k = 0; k < 3; k++) this.corners[k].fromArray(triangle, 3 * k);
    const { elements } = camera.matrixWorld;
    // The eye of an orthographic camera is infinitely far away.
    const isOrthographic = camera.projectionMatrix.elements[11] === 0;
    const side = isOrthographic
      ? normalDot(triangle, elements[8], elements[9], elements[10])
      : sideOf(triangle, this.eye);
    this.drawn = drawnMaterials(this.mesh, corner, (one) => this.isFacing(one, side));
    return this.drawn.length > 0;
  }

  accepts(k: number, low: number, high: number): boolean {
    const { box, bound } = this;
    box.min.setComponent(k, low);
    box.max.setComponent(k, high);
    if (k < 2) return true;
    bound[0] = this.boundOf(box);
    return bound[0] >= 0;
  }

  private boundOf(box: Box3): number {
    const { region } = this.view;
    const { min, max } = box;
    const error = SAFETY * WORLD_ERROR * Math.max(this.reach, min.length(), max.length());
    let [isInBox, isInDepth] = [true, true];
    for (const [k, plane] of region.planes.entries()) {
      const { x, y, z } = plane.normal;
      corner.set(x > 0 ? max.x : min.x, y > 0 ? max.y : min.y, z > 0 ? max.z : min.z);
      if (plane.distanceToPoint(corner) < -error) return this.outside;
      corner.set(x > 0 ? min.x : max.x, y > 0 ? min.y : max.y, z > 0 ? min.z : max.z);
      if (plane.distanceToPoint(corner) >= error) continue;
      if (k < 4) isInBox = false;
      else isInDepth = false;
    }
    if (region.isBox) return isInBox && isInDepth ? NODE_WITHIN : NODE_CROSSING;
    if (!isInDepth) return NODE_CROSSING;
    box.expandByScalar(error).applyMatrix4(region.matrix);
    const rectangle = [min, new Vector3(max.x, min.y), max, new Vector3(min.x, max.y)];
    return !region.touches(rectangle) ? this.outside : region.contains(rectangle) ? NODE_WITHIN : NODE_CROSSING;
  }
}

const corner = /* @__PURE__ */ new Vector3();
/** Errors of the world are multiplied by it, because planes and projections have errors of their own. */
const SAFETY = 16;
