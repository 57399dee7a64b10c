/**
 * A region of the image of a camera: a polygon, in the part of the image that an element shows. And the exact tests of
 * a triangle with it: cut by planes in the world, projected, then polygon against polygon. All are closed.
 *
 * Polygons are lists of points. On the screen these are normalized device coordinates, and z is not read.
 */

import { Matrix4, Plane, Vector3, type Camera } from 'three';
import { clamp } from '../../math/box.ts';
import { nameOf } from '../../three/bounds/object-kinds.ts';
import { isValidFrustum } from '../../three/passes/render-pass.ts';
import type { ElementImage } from '../../three/picking/element-image.ts';
import { halfPlanesOf, selectionPlanes, type PointerLike } from '../../three/picking/screen.ts';

type Polygon = readonly Vector3[];

export class ScreenRegion {
  /** From the world to the screen. */
  readonly matrix: Matrix4;
  /**
   * In the world: four that cut away what is outside the box around the region, then near and far. None if the element
   * shows nothing of that.
   */
  readonly planes: readonly Plane[] = [];
  /** Near and far. */
  readonly depthPlanes: readonly Plane[] = [];
  /** Whether the region is the box around it. */
  readonly isBox: boolean;
  private readonly corners: Polygon;
  private readonly image: ElementImage;
  /** The edges of the image on the screen. */
  private readonly imageEdges: readonly Plane[];

  /**
   * @param corners In the window: two opposite ones of a rectangle, or those of a polygon in order. Its lines may
   *   cross: inside is what they run around.
   * @throws {RangeError} If a matrix of the camera holds a NaN.
   */
  constructor(where: string, corners: readonly PointerLike[], image: ElementImage, camera: Camera) {
    const [{ clientX, clientY }, to] = corners;
    const sides = [{ clientX: to.clientX, clientY }, to, { clientX, clientY: to.clientY }];
    this.isBox = corners.length === 2 && !image.isTurned;
    this.corners = (corners.length === 2 ? [corners[0], ...sides] : corners).map((corner) => {
      const { x, y } = image.coordinatesOf(corner);
      return new Vector3(x, y, 0);
    });
    this.image = image;
    this.imageEdges = halfPlanesOf(image).map(({ x, y, constant }) => new Plane(new Vector3(x, y, 0), constant));
    this.matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const [xs, ys] = [this.corners.map(({ x }) => x), this.corners.map(({ y }) => y)];
    const [left, right] = [Math.max(image.left, Math.min(...xs)), Math.min(image.right, Math.max(...xs))];
    const [bottom, top] = [Math.max(image.bottom, Math.min(...ys)), Math.min(image.top, Math.max(...ys))];
    // Negated, because an element without a size gives NaN or infinity.
    if (!(left <= right && bottom <= top)) return;
    const planes = selectionPlanes(halfPlanesOf({ left, right, bottom, top }), camera);
    if (isValidFrustum({ planes })) {
      // Without those of an infinite frustum.
      this.planes = planes.filter(({ constant }) => constant !== Infinity);
      this.depthPlanes = this.planes.slice(4);
      return;
    }
    throw new RangeError(
      `${where}: the matrices of camera must not hold NaN, but those of ${nameOf(camera)} do; check its position, fov, near and far.`,
    );
  }

  /** Where points of the world are on the screen. They must lie between near and far. */
  project(points: Polygon): Vector3[] {
    return points.map((point) => point.clone().applyMatrix4(this.matrix));
  }

  /** Whether a convex polygon on the screen touches the region. */
  touches(polygon: Polygon): boolean {
    const { image, corners } = this;
    let part = polygon;
    for (const edge of this.imageEdges) part = clip(part, edge);
    // Exactly to the edge: a region often ends there, too.
    part = part.map(({ x, y }) => new Vector3(clamp(x, image.left, image.right), clamp(y, image.bottom, image.top), 0));
    return (
      part.some((point) => placeIn(corners, point) !== OUTSIDE) ||
      corners.some((corner) => placeIn(part, corner) !== OUTSIDE) ||
      doCross(part, corners)
    );
  }

  /** Whether a convex polygon on the screen lies in the region, and no line of the region crosses it. */
  contains(polygon: Polygon): boolean {
    const { image, corners } = this;
    return (
      polygon.every((point) => image.shows(point as never) && placeIn(corners, point) !== OUTSIDE) &&
      !corners.some((corner) => placeIn(polygon, corner) === INSIDE) &&
      !doCross(polygon, corners)
    );
  }
}

/**
 * The part of a convex polygon, a segment or a point that is not behind a plane. A plane with NaN cuts nothing away.
 */
export function clip(polygon: Polygon, plane: Plane): Polygon {
  if (polygon.every((point) => !isBehind(point, plane))) return polygon;
  return polygon.flatMap((point, k) => {
    const last = polygon.at(k - 1)!;
    const kept = isBehind(point, plane) ? [] : [point];
    if (isBehind(last, plane) === isBehind(point, plane)) return kept;
    const [before, after] = [plane.distanceToPoint(last), plane.distanceToPoint(point)];
    return [new Vector3().lerpVectors(last, point, before / (before - after)), ...kept];
  });
}

export function isBehind(point: Vector3, plane: Plane): boolean {
  return plane.distanceToPoint(point) < 0;
}

const OUTSIDE = 0;
const BORDER = 1;
const INSIDE = 2;

/** Where a point is: inside is what the lines of a polygon run around. */
function placeIn(polygon: Polygon, point: Vector3): number {
  let turns = 0;
  for (let k = 0; k < polygon.length; k++) {
    const [from, to] = [polygon.at(k - 1)!, polygon[k]];
    const side = sideOfLine(from, to, point);
    if (side === 0 && isBetween(from.x, to.x, point.x) && isBetween(from.y, to.y, point.y)) return BORDER;
    if (from.y <= point.y && to.y > point.y && side > 0) turns++;
    else if (from.y > point.y && to.y <= point.y && side < 0) turns--;
  }
  return turns === 0 ? OUTSIDE : INSIDE;
}

/** Positive for a point to the left of a line. */
function sideOfLine(from: Vector3, to: Vector3, { x, y }: Vector3): number {
  return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
}

function isBetween(a: number, b: number, value: number): boolean {
  return Math.min(a, b) <= value && value <= Math.max(a, b);
}

/** Whether a line of one polygon crosses a line of the other, from one side of it to the other. */
function doCross(polygon: Polygon, other: Polygon): boolean {
  return polygon.some((b, k) =>
    other.some((d, j) => {
      const [a, c] = [polygon.at(k - 1)!, other.at(j - 1)!];
      return areParted(a, b, c, d) && areParted(c, d, a, b);
    }),
  );
}

function areParted(a: Vector3, b: Vector3, from: Vector3, to: Vector3): boolean {
  return sideOfLine(from, to, a) * sideOfLine(from, to, b) < 0;
}
