/**
 * The search for triangles in a region of the screen. Bodies are found by the box around the region, as a frustum.
 * Nodes of trees are left out by its planes in the space of their boxes, and for a lasso by the box that they cover on
 * the screen. Every comparison of boxes is conservative.
 */

import { Box3, FrontSide, Matrix4, Plane, Vector3, type Camera, type Material, type Side } from 'three';
import { clippingPlanesOf, type ClippingRenderer } from '../../three/picking/clipping.ts';
import { transformAxis } from '../geometry-triangles.ts';
import { normalDot, sideOf } from '../kernels/sides.ts';
import type { SceneMesh } from '../scene-mesh.ts';
import type { TreeRoot } from '../triangle-tree.ts';
import { TriangleSearch } from '../triangle-search.ts';
import { BOX_ERROR, magnitudeOf, NOTHING, WORLD_ERROR, type Volume } from '../triangle-walk.ts';
import { clip, isBehind, type ScreenRegion } from './screen-region.ts';

/** What is seen: a region of the image of a camera. */
export interface View {
  readonly region: ScreenRegion;
  readonly camera: Camera;
  readonly renderer: ClippingRenderer | undefined;
}

/** Whether the camera can see a mesh, by its layers. */
export function isOnLayers({ object }: SceneMesh, { camera }: View): boolean {
  return object === null || object.layers.test(camera.layers);
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
  /** `NODE_WITHIN` for all boxes near the region, `NODE_CROSSING` for those at its edge, `NOTHING` for none. */
  limit = NODE_WITHIN;
  /** The corners of the triangle that is visited. */
  protected readonly corners = [new Vector3(), new Vector3(), new Vector3()];
  /** The materials that draw it. */
  protected drawn: readonly (Material | undefined)[] = [];
  protected view!: View;
  private readonly eye = new Float64Array(3);
  /** The planes of the region in the space of the boxes, moved outward by all errors, and these errors. */
  private planes: { readonly plane: Plane; readonly error: number }[] = [];
  private readonly toScreen = new Matrix4();
  /** The error of boxes. */
  private margin = 0;

  /** Visits all meshes near the region: first those outside the octree, then by index. */
  protected visitRegion(view: View): void {
    const { octree, list } = this;
    const { region, camera } = view;
    this.view = view;
    // What is drawn counts.
    this.options = { ...this.options, side: this.options.side ?? 'material' };
    this.eye.set(camera.matrixWorld.elements.slice(12, 15));
    if (region.planes.length === 0) return;
    this.visitUnculled();
    const reach = Math.max(magnitudeOf(this.octree), ...this.eye.map(Math.abs));
    const planes = region.planes.map(
      ({ normal, constant }) => new Plane(normal, constant + SAFETY * WORLD_ERROR * reach),
    );
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

  /** Brings the region to the space of the boxes. */
  enter(mesh: SceneMesh, root: TreeRoot): void {
    const { eye } = this;
    const { region } = this.view;
    const { matrix, toWorld: m, stretches } = mesh;
    const { magnitude } = root;
    let reach = Math.max(...eye.map(Math.abs));
    for (let k = 0; k < 16; k++) reach += Math.abs(matrix[k]) * (k < 12 ? magnitude : 1);
    const worldError = SAFETY * WORLD_ERROR * reach;
    this.toScreen.fromArray(m).premultiply(region.matrix);
    this.planes = region.planes.map(({ normal: { x, y, z }, constant }) => {
      const [a, b, c, d] = [0, 4, 8, 12].map((k) => x * m[k] + y * m[k + 1] + z * m[k + 2]);
      const growth = Math.abs(a) * stretches[0] + Math.abs(b) * stretches[1] + Math.abs(c) * stretches[2];
      const error = worldError + BOX_ERROR * magnitude * growth;
      return { plane: new Plane().setComponents(a, b, c, constant + d + error), error };
    });
    this.margin = BOX_ERROR * magnitude * Math.max(...stretches) + worldError * Math.max(...mesh.rowLengths);
  }

  boundOf(boxes: Float32Array | Float64Array, at: number): number {
    const { region } = this.view;
    const box = new Box3().setFromArray(boxes.subarray(at, at + 6));
    const { min, max } = box;
    let [isInBox, isInDepth] = [true, true];
    for (const [k, { plane, error }] of this.planes.entries()) {
      const { x, y, z } = plane.normal;
      corner.set(x > 0 ? max.x : min.x, y > 0 ? max.y : min.y, z > 0 ? max.z : min.z);
      if (isBehind(corner, plane)) return NOTHING;
      corner.set(x > 0 ? min.x : max.x, y > 0 ? min.y : max.y, z > 0 ? min.z : max.z);
      if (plane.distanceToPoint(corner) >= 2 * error) continue;
      if (k < 4) isInBox = false;
      else isInDepth = false;
    }
    if (region.isBox) return isInBox && isInDepth ? NODE_WITHIN : NODE_CROSSING;
    if (!isInDepth) return NODE_CROSSING;
    box.expandByScalar(this.margin).applyMatrix4(this.toScreen);
    const rectangle = [min, new Vector3(max.x, min.y), max, new Vector3(min.x, max.y)];
    return !region.touches(rectangle) ? NOTHING : region.contains(rectangle) ? NODE_WITHIN : NODE_CROSSING;
  }

  place(local: Float64Array, matrix: Float64Array, triangle: Float64Array): boolean {
    for (let k = 0; k < 3; k++) transformAxis(local, matrix, k, triangle);
    return true;
  }
}

const corner = /* @__PURE__ */ new Vector3();
/** Errors of the world are multiplied by it, because planes and projections have errors of their own. */
const SAFETY = 16;
