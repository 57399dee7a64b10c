/** `selectWithin`: all meshes under a rectangle or a lasso, by their triangles. */

import type { Camera } from 'three';
import { requireBoolean, throwType } from '../../octree/input/input-checks.ts';
import { requireRenderer, type ClippingRenderer } from '../../three/picking/clipping.ts';
import { ElementImage } from '../../three/picking/element-image.ts';
import { requireView } from '../../three/picking/pickable.ts';
import { requirePointer, type ElementLike, type PointerLike } from '../../three/picking/screen.ts';
import type { QueriedMesh, TriangleOptions } from '../triangle-options.ts';
import type { TriangleScene } from '../triangle-scene.ts';
import { SearchPool } from '../triangle-search.ts';
import { NOTHING } from '../triangle-walk.ts';
import { isBehind, ScreenRegion } from './screen-region.ts';
import { NODE_CROSSING, partsOf, ScreenSearch, NODE_WITHIN, type View } from './screen-search.ts';

/** The options of `selectWithin`. */
export interface SelectOptions<T = unknown> extends TriangleOptions<T> {
  /**
   * True: only meshes whose triangles all lie in the region and between near and far. False: all of which one touches
   * it. Default false.
   */
  readonly inside?: boolean;
  /** The renderer that draws the element, for its clipping planes: see `PickWithinOptions`. */
  readonly renderer?: ClippingRenderer;
}

/**
 * All meshes and instances of which a triangle touches a region of the screen, or whose triangles all lie in it: the
 * rectangle selection and the lasso selection of CAD programs. Those behind others count too. `pickWithin` of
 * scene-octree/three does the same by bounds.
 *
 * Only what the camera draws counts: between near and far, on its layers, not hidden, and of each material the side
 * that is drawn, unless options say otherwise. A mesh is left out if clipping planes cut away all of it in the region;
 * `inside` asks for the triangles as they are without clipping. Of a lasso whose line crosses itself, all that it runs
 * around counts, and `inside` leaves out meshes that a part of the line crosses.
 *
 * Equals a loop over all triangles, by body, then instance. The matrices must be up to date, as they are after a frame.
 * Cost: a frustum query of the octree; of each mesh that is found the way to its first triangle in the region, and of
 * one at the edge of the region the triangles there.
 *
 * @param region Two opposite corners of a rectangle, or the corners of a lasso, three or more, in order; mouse or
 *   pointer events, or other objects with `clientX` and `clientY`. Only the part inside the element counts.
 * @param camera A PerspectiveCamera or an OrthographicCamera, or another camera with a projection matrix.
 * @param element The canvas, or another element that shows the whole image of the camera.
 * @param scene Whose triangles are asked.
 * @param options `inside`, `renderer`, and those of all queries: see `SelectOptions`. `side` is 'material' by default.
 * @throws {TypeError} If an argument is of the wrong type, a region has less than two corners, or an option is unknown.
 * @throws {RangeError} If the position of a corner is not finite, or a matrix of the camera holds a NaN.
 *
 * @example
 * ```ts
 * import { OctreeGroup } from 'scene-octree/three';
 * import { selectWithin, TriangleScene } from 'scene-octree/triangles';
 *
 * const scene = new TriangleScene(new OctreeGroup());
 * const lasso: PointerEvent[] = [];
 * canvas.addEventListener('pointermove', (event) => event.buttons === 1 && lasso.push(event));
 * canvas.addEventListener('pointerup', () => {
 *   if (lasso.length > 1)
 *     for (const { object } of selectWithin(lasso, camera, canvas, scene, { inside: true })) console.log(object?.name);
 *   lasso.length = 0;
 * });
 * ```
 */
export function selectWithin<T>(
  region: readonly PointerLike[],
  camera: Camera,
  element: ElementLike,
  scene: TriangleScene<T>,
  options: SelectOptions<T> = {},
): QueriedMesh<T>[] {
  const where = 'selectWithin';
  requireView(where, camera, ['Camera'], element);
  if (!Array.isArray(region) || region.length < 2)
    throwType(where, 'region', 'be an array of two corners or more', region, 'pass [from, to], or the path of a lasso');
  for (const [k, corner] of region.entries()) requirePointer(where, `region[${k}]`, corner);
  return pool.use(where, scene, options, (search) => {
    const { renderer } = options;
    const isInside = requireBoolean(where, 'options.inside', options.inside);
    requireRenderer(where, renderer);
    const within = new ScreenRegion(where, region, new ElementImage(element), camera);
    return search.run({ region: within, camera, renderer }, isInside) as QueriedMesh<T>[];
  });
}

class SelectSearch extends ScreenSearch {
  private isInside = false;
  /** Of the mesh: whether a triangle touches the region, and whether one is not in it. */
  private isTouched = false;
  private isOutside = false;
  private selected: QueriedMesh[] = [];

  run(view: View, isInside: boolean): QueriedMesh[] {
    const selected: QueriedMesh[] = (this.selected = []);
    this.isInside = isInside;
    this.outside = isInside ? NODE_CROSSING : NOTHING;
    this.visitRegion(view);
    return selected;
  }

  protected visitSeen(): void {
    this.isTouched = this.isOutside = false;
    this.limit = NODE_WITHIN;
    this.visitTriangles(this);
    const { object, instanceId, body } = this.mesh;
    if (this.isTouched && !this.isOutside) this.selected.push({ object, instanceId, body });
  }

  protected visitTriangle(corner: number): void {
    const { corners, view, mesh, isInside } = this;
    const { region } = view;
    if (this.limit < NODE_CROSSING || !this.readCorners(corner)) return;
    if (isInside)
      this.isOutside =
        region.depthPlanes.some((plane) => corners.some((point) => isBehind(point, plane))) ||
        !region.contains(region.project(corners));
    this.isTouched ||= partsOf(mesh, this.drawn, view, corners).some((part) => region.touches(region.project(part)));
    // Once a triangle touches the region, only those count that are not in it, if any.
    if (this.isOutside || this.isTouched) this.limit = this.isOutside || !isInside ? NOTHING : NODE_CROSSING;
  }
}

const pool = /* @__PURE__ */ new SearchPool(SelectSearch, ['inside', 'renderer']);
