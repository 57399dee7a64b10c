/**
 * The search for triangles in a region of the screen. Bodies are found by the box around the region, as a frustum.
 * Nodes of trees are left out by its planes in local space of each mesh, and for a lasso by the box that they cover on
 * the screen. Every comparison of boxes is conservative.
 */

import { Box3, Matrix4, Plane, Vector3, type Camera } from 'three';
import { WalkSignal } from '../../tree/traverse/walk-nodes.ts';
import { clippingPlanesOf, type ClippingRenderer } from '../../three/picking/clipping.ts';
import { normalDot, sideOf } from '../kernels/sides.ts';
import type { SceneMesh } from '../scene-mesh.ts';
import type { QueriedMesh } from '../triangle-options.ts';
import { NODE_STRIDE, type TreeRoot } from '../triangle-tree.ts';
import { TriangleSearch } from '../triangle-search.ts';
import { BOX_ERROR, visitAll, visitLeaf, WORLD_ERROR } from '../triangle-walk.ts';
import { clip, type ScreenRegion } from './screen-region.ts';

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

/**
 * What near, far and clipping planes leave of some points of a triangle, a polygon, a segment or a point: one part for
 * each plane of a material with `clipIntersection`, else one. Parts may overlap.
 */
export function partsOf(
  { object, material, triangles }: SceneMesh,
  corner: number,
  { region, renderer }: View,
  points: readonly Vector3[],
): (readonly Vector3[])[] {
  const { any, all } = clippingPlanesOf(object, triangles!.materialOf(corner, material) ?? undefined, renderer);
  const part = [...region.depthPlanes, ...any].reduce(clip, points);
  return (all.length === 0 ? [part] : all.map((plane) => clip(part, plane))).filter(({ length }) => length > 0);
}

/** Where a node is. */
const AWAY = 0;
const CROSSING = 1;
const WITHIN = 2;

export abstract class ScreenSearch extends TriangleSearch {
  /** The corners of the triangle that is visited. */
  protected readonly corners = [new Vector3(), new Vector3(), new Vector3()];
  protected view!: View;
  private readonly eye = new Float64Array(3);
  /** The planes of the region in local space of the mesh, moved outward by all errors, and these errors. */
  private planes: { readonly plane: Plane; readonly error: number }[] = [];
  private readonly toScreen = new Matrix4();
  private readonly stack: number[] = [];

  /** Visits all meshes near the region: first those outside the octree, then by index. */
  protected visitRegion(view: View): void {
    const { octree, list } = this;
    const { region, camera } = view;
    this.view = view;
    // What is drawn counts.
    this.options = { ...this.options, side: this.options.side ?? 'material' };
    this.eye.set(camera.matrixWorld.elements.slice(12, 15));
    if (region.edgePlanes.length === 0) return;
    this.visitUnculled();
    let reach = 0;
    octree.walk(({ fitted: { min, max } }) => {
      reach = Math.max(...[...this.eye, ...min, ...max].map(Math.abs));
      return WalkSignal.Stop;
    });
    const planes = [...region.edgePlanes, ...region.depthPlanes].map(
      ({ normal, constant }) => new Plane(normal, constant + SAFETY * WORLD_ERROR * reach),
    );
    octree.collectFrustum({ planes }, list, this.queryOptions);
    list.array.subarray(0, list.length).sort();
    for (let k = 0; k < list.length; k++) this.visitBody(list.array[k]);
  }

  /** The mesh that is visited, for results. */
  protected meshNow(): QueriedMesh {
    const { object, instanceId, body } = this;
    return { object, instanceId, body };
  }

  /** Whether nothing in a node is of interest; `isWithin`: the node lies in the region. */
  protected abstract skips(isWithin: boolean): boolean;

  /** Visits the triangles of the mesh whose boxes are near the region. */
  protected walk(): void {
    const { stack } = this;
    const triangles = this.mesh.triangles!;
    const { tree } = triangles;
    if (tree === null) visitAll(triangles, this, this);
    else
      for (const root of tree.roots) {
        const margin = this.setLocal(root);
        stack.length = 0;
        stack.push(0);
        for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
          this.nodesVisited++;
          const place = this.placeOf(new Box3().setFromArray(root.boxes.subarray(node, node + 6)), margin);
          if (place === AWAY || this.skips(place === WITHIN)) continue;
          if (root.isLeaf(node)) visitLeaf(triangles, tree, root, node, this, this);
          else stack.push(root.rightOf(node), node + NODE_STRIDE);
        }
      }
  }

  /** Reads the corners of a triangle. Returns whether the side of it that counts is towards the camera. */
  protected readCorners(corner: number): boolean {
    const { mesh, triangle } = this;
    const { camera } = this.view;
    mesh.triangles!.readTriangle(corner, mesh.matrix, triangle);
    for (let k = 0; k < 3; k++) this.corners[k].fromArray(triangle, 3 * k);
    const { elements } = camera.matrixWorld;
    // The eye of an orthographic camera is infinitely far away.
    const isOrthographic = camera.projectionMatrix.elements[11] === 0;
    const side = isOrthographic
      ? normalDot(triangle, elements[8], elements[9], elements[10])
      : sideOf(triangle, this.eye);
    return this.isSideRight(corner, side);
  }

  /** Brings the region to local space. Returns the error of boxes there. */
  private setLocal({ boxes }: TreeRoot): number {
    const { mesh, eye } = this;
    const { region } = this.view;
    const { matrix: m } = mesh;
    const magnitude = Math.max(...boxes.subarray(0, 6).map(Math.abs));
    let reach = Math.max(...eye.map(Math.abs));
    for (let k = 0; k < 16; k++) reach += Math.abs(m[k]) * (k < 12 ? magnitude : 1);
    const worldError = SAFETY * WORLD_ERROR * reach;
    this.toScreen.fromArray(m).premultiply(region.matrix);
    this.planes = [...region.edgePlanes, ...region.depthPlanes].map(({ normal: { x, y, z }, constant }) => {
      const [a, b, c, d] = [0, 4, 8, 12].map((k) => x * m[k] + y * m[k + 1] + z * m[k + 2]);
      const error = worldError + BOX_ERROR * magnitude * (Math.abs(a) + Math.abs(b) + Math.abs(c));
      return { plane: new Plane().setComponents(a, b, c, constant + d + error), error };
    });
    return BOX_ERROR * magnitude + worldError * Math.max(...mesh.rowLengths);
  }

  private placeOf(box: Box3, margin: number): number {
    const { planes, mesh } = this;
    const { region } = this.view;
    const { min, max } = box;
    let [isInBox, isInDepth] = [true, true];
    for (const [k, { plane, error }] of planes.entries()) {
      const { x, y, z } = plane.normal;
      const most =
        plane.constant +
        Math.max(x * min.x, x * max.x) +
        Math.max(y * min.y, y * max.y) +
        Math.max(z * min.z, z * max.z);
      const least =
        plane.constant +
        Math.min(x * min.x, x * max.x) +
        Math.min(y * min.y, y * max.y) +
        Math.min(z * min.z, z * max.z);
      if (most < 0) return AWAY;
      if (least >= 2 * error) continue;
      if (k < 4) isInBox = false;
      else isInDepth = false;
    }
    if (region.isBox) return isInBox && isInDepth ? WITHIN : CROSSING;
    if (!isInDepth || mesh.isSkewed) return CROSSING;
    box.expandByScalar(margin).applyMatrix4(this.toScreen);
    const rectangle = [min, new Vector3(max.x, min.y), max, new Vector3(min.x, max.y)];
    return !region.touches(rectangle) ? AWAY : region.contains(rectangle) ? WITHIN : CROSSING;
  }
}

/** Errors of the world are multiplied by it, because planes and projections have errors of their own. */
const SAFETY = 16;
