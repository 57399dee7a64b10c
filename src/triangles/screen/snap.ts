/** `snap`: the vertex, edge or face that is drawn next to the pointer. */

import { Raycaster, Vector2, Vector3, type Camera, type Material, type OrthographicCamera } from 'three';
import { clamp } from '../../math/box.ts';
import { requireFiniteNotNegative, throwType } from '../../octree/input/input-checks.ts';
import { requireRenderer, type ClippingRenderer } from '../../three/picking/clipping.ts';
import { ElementImage } from '../../three/picking/element-image.ts';
import { requireView } from '../../three/picking/pickable.ts';
import { requirePointer, type ElementLike, type PointerLike } from '../../three/picking/screen.ts';
import { RaySearch } from '../first-triangle.ts';
import { TrianglePoint, type TriangleHit, type TriangleOptions } from '../triangle-options.ts';
import type { TriangleScene } from '../triangle-scene.ts';
import { SearchPool } from '../triangle-search.ts';
import { ScreenRegion } from './screen-region.ts';
import { drawnMaterials, isOnLayers, partsOf, ScreenSearch, type View } from './screen-search.ts';

/** What `snap` looks for. The centre is that of a triangle. */
export type SnapKind = 'vertex' | 'edgeMidpoint' | 'faceCenter' | 'edge' | 'face';

/** The options of `snap`. */
export interface SnapOptions<T = unknown> extends TriangleOptions<T> {
  /** Largest distance from the pointer on the screen, CSS pixels, closed. Default 10. */
  readonly pixels?: number;
  /** What to look for: a kind counts only if there is none of those before it. Default: all, as in `SnapKind`. */
  readonly to?: readonly SnapKind[];
  /** The renderer that draws the element, for its clipping planes: see `PickOptions`. */
  readonly renderer?: ClippingRenderer;
}

/** What `snap` has found. */
export interface SnapPoint<T = unknown> extends TrianglePoint<T> {
  /** What it is a point of. */
  readonly kind: SnapKind;
  /** From the pointer, on the screen, CSS pixels; 0 for a face. */
  readonly pixels: number;
}

const KINDS: readonly SnapKind[] = ['vertex', 'edgeMidpoint', 'faceCenter', 'edge', 'face'];
const OWN_OPTIONS = ['pixels', 'to', 'renderer'];
const RAYCAST_CAMERAS = ['PerspectiveCamera', 'OrthographicCamera'];

/**
 * The point to which a pointer snaps, as in CAD programs: the vertex next to it within some pixels; if there is none
 * the midpoint of an edge, the centre of a triangle, the nearest point of an edge, or the point under the pointer. Null
 * if there is nothing.
 *
 * Only what is drawn counts, as in `selectWithin`, and of that only what no other triangle hides. What clipping planes
 * cut away hides nothing. An edge between two triangles that meet at less than 1 degree is none: the diagonal of a
 * wall.
 *
 * Equals a loop over all triangles; ties by body, instance, face. Cost: the triangles near the pointer, and a ray for
 * each candidate that is hidden, and for the result.
 *
 * @param pointer A mouse or pointer event, or a Touch.
 * @param camera A PerspectiveCamera or an OrthographicCamera. Its matrices must be up to date, as after a frame.
 * @param element The canvas, or another element that shows the whole image of the camera.
 * @param scene Whose triangles are asked.
 * @param options `pixels`, `to`, `renderer`, and those of all queries: see `SnapOptions`. `side` is 'material' by
 *   default.
 * @throws {TypeError} If an argument is of the wrong type, or an option is unknown.
 * @throws {RangeError} If a number is not finite, or a matrix of the camera holds a NaN.
 *
 * @example
 * ```ts
 * import { OctreeGroup } from 'scene-octree/three';
 * import { snap, TriangleScene } from 'scene-octree/triangles';
 *
 * const scene = new TriangleScene(new OctreeGroup());
 * canvas.addEventListener('pointermove', (event) => {
 *   const point = snap(event, camera, canvas, scene, { pixels: 12, to: ['vertex', 'edge'] });
 *   if (point !== null) console.log(point.kind, point.position.toArray());
 * });
 * ```
 */
export function snap<T>(
  pointer: PointerLike,
  camera: Camera,
  element: ElementLike,
  scene: TriangleScene<T>,
  options: SnapOptions<T> = {},
): SnapPoint<T> | null {
  const where = 'snap';
  requireView(where, camera, RAYCAST_CAMERAS, element);
  requirePointer(where, 'pointer', pointer);
  const find = (search: SnapSearch, sight: SightSearch): SnapPoint<T> | null => {
    const { pixels = 10, to = KINDS, renderer } = options;
    requireFiniteNotNegative(where, 'options.pixels', pixels, 'leave it out for 10');
    if (!Array.isArray(to) || !to.every((kind) => KINDS.includes(kind)))
      throwType(where, 'options.to', `be an array of ${KINDS.join(', ')}`, to, 'leave it out for all');
    requireRenderer(where, renderer);
    const image = new ElementImage(element);
    const { clientX: x, clientY: y } = pointer;
    const square = [-pixels, pixels].map((by) => ({ clientX: x + by, clientY: y + by }));
    const view = { region: new ScreenRegion(where, square, image, camera), camera, renderer };
    return search.run(view, pixels, to, new PixelMap(pointer, image), sight) as SnapPoint<T> | null;
  };
  return pool.use(where, scene, options, (search) => sights.use(where, scene, options, (sight) => find(search, sight)));
}

/** From the screen to CSS pixels from the pointer. */
class PixelMap {
  readonly pointer: Vector2;
  /** Whether the element shows something at the pointer. */
  readonly isShown: boolean;
  private readonly right: Vector2;
  private readonly down: Vector2;

  constructor({ clientX, clientY }: PointerLike, image: ElementImage) {
    this.pointer = image.coordinatesOf({ clientX, clientY });
    this.isShown = image.shows(this.pointer);
    this.right = image.coordinatesOf({ clientX: clientX + 1, clientY }).sub(this.pointer);
    this.down = image.coordinatesOf({ clientX, clientY: clientY + 1 }).sub(this.pointer);
  }

  pixelsTo({ x, y }: Vector3): Vector2 {
    const { right, down } = this;
    const offset = new Vector2(x, y).sub(this.pointer);
    return new Vector2(offset.cross(down), right.cross(offset)).divideScalar(right.cross(down));
  }
}

/** A point that may be the result. */
interface Candidate {
  readonly point: SnapPoint;
  /** The number of the mesh. */
  readonly serial: number;
  /** Whether its edge lies between two triangles of one plane. */
  isFlat: boolean;
}

/** Searches for one kind after another: most searches end at the first. */
class SnapSearch extends ScreenSearch {
  private kind: SnapKind = 'vertex';
  private pixels = 0;
  private map!: PixelMap;
  private candidates: Candidate[] = [];
  /** Of the mesh: by the ends of an edge, the normal of its first triangle, and what that has offered. */
  private readonly edges = new Map<string, { readonly normal: Vector3; readonly candidates: Candidate[] }>();

  run(view: View, pixels: number, to: readonly SnapKind[], map: PixelMap, sight: SightSearch): SnapPoint | null {
    this.pixels = pixels;
    this.map = map;
    if (!map.isShown) return null;
    for (const kind of to) {
      const point = kind === 'face' ? faceAt(sight.lookAt(view, map.pointer)) : this.firstSeen(kind, view, sight);
      if (point !== null) return point;
    }
    return null;
  }

  /** The nearest point of a kind that no triangle hides. */
  private firstSeen(kind: SnapKind, view: View, sight: SightSearch): SnapPoint | null {
    this.kind = kind;
    this.candidates = [];
    this.visitRegion(view);
    const candidates = this.candidates.filter(({ isFlat }) => !isFlat);
    candidates.sort((a, b) => a.point.pixels - b.point.pixels || a.serial - b.serial || a.point.face - b.point.face);
    // Several triangles offer the same vertex.
    const first = candidates.find(
      ({ point: { position } }, k) => !candidates[k - 1]?.point.position.equals(position) && sight.sees(position, view),
    );
    return first?.point ?? null;
  }

  protected visitSeen(): void {
    this.edges.clear();
    this.visitTriangles(this);
  }

  protected visitTriangle(corner: number): void {
    const { corners, mesh, view, kind } = this;
    const { region } = view;
    if (!this.readCorners(corner)) return;
    const parts = partsOf(mesh, this.drawn, view, corners);
    if (!parts.some((part) => region.touches(region.project(part)))) return;
    const [a, b, c] = corners;
    const isWhole = parts.includes(corners);
    if (kind === 'vertex') for (const vertex of corners) this.offer(corner, vertex, isWhole);
    else if (kind === 'faceCenter') this.offer(corner, a.clone().add(b).add(c).divideScalar(3), isWhole);
    else this.offerEdges(corner, b.clone().sub(a).cross(c.clone().sub(a)).normalize(), isWhole);
  }

  private offerEdges(corner: number, normal: Vector3, isWhole: boolean): void {
    const { corners, mesh, view, edges, kind } = this;
    for (const [k, from] of corners.entries()) {
      const to = corners[(k + 1) % 3];
      const key = [String(from.toArray()), String(to.toArray())].sort().join(' ');
      const edge = edges.get(key);
      if (edge !== undefined && edge.normal.dot(normal) > COSINE_1) {
        for (const candidate of edge.candidates) candidate.isFlat = true;
        continue;
      }
      const points =
        kind === 'edgeMidpoint'
          ? [from.clone().add(to).divideScalar(2)]
          : partsOf(mesh, this.drawn, view, [from, to]).map((part) => this.nearestOn(part));
      const offered = points.map((point) => this.offer(corner, point, isWhole || kind === 'edge'));
      if (edge === undefined) edges.set(key, { normal, candidates: offered.filter((one) => one !== null) });
    }
  }

  /** Keeps a point of the triangle that is near enough, and not cut away. */
  private offer(corner: number, position: Vector3, isWhole: boolean): Candidate | null {
    const { mesh, view, map, kind, meshesTested: serial } = this;
    if (!isWhole && partsOf(mesh, this.drawn, view, [position]).length === 0) return null;
    const pixels = map.pixelsTo(view.region.project([position])[0]).length();
    if (!(pixels <= this.pixels)) return null;
    const point = Object.assign(new TrianglePoint(), { kind, pixels });
    this.writePoint(point, mesh, corner, position.toArray(), 0);
    const candidate = { point, serial, isFlat: false };
    this.candidates.push(candidate);
    return candidate;
  }

  /** The point of a segment in the world that is nearest to the pointer on the screen. */
  private nearestOn(segment: readonly Vector3[]): Vector3 {
    const { map, view } = this;
    const [from, to] = [segment[0], segment.at(-1)!];
    const [a, b] = view.region.project([from, to]).map((point) => map.pixelsTo(point));
    const line = b.clone().sub(a);
    const share = clamp(-a.dot(line) / line.lengthSq() || 0, 0, 1);
    // On the screen, halves of a segment are not halves in the world.
    const { elements: m } = view.region.matrix;
    const [u, v] = [from, to].map(({ x, y, z }) => m[3] * x + m[7] * y + m[11] * z + m[15]);
    return new Vector3().lerpVectors(from, to, (share * u) / (v + share * (u - v)));
  }
}

function faceAt(hit: TriangleHit | null): SnapPoint | null {
  if (hit === null) return null;
  const { object, instanceId, body, face, position } = hit;
  return { kind: 'face', pixels: 0, object, instanceId, body, face, position };
}

/** Looks from the camera: whether a point is hidden, and what is at the pointer. */
class SightSearch extends RaySearch {
  private view!: View;
  /** The materials that draw the triangle that is visited. */
  private drawn: readonly (Material | undefined)[] = [];

  /** Whether no triangle is before a point. */
  sees(point: Vector3, view: View): boolean {
    const { elements } = view.camera.matrixWorld;
    let origin = new Vector3().fromArray(elements, 12);
    if ('isOrthographicCamera' in view.camera) {
      const back = new Vector3().fromArray(elements, 8).normalize();
      const depth = origin.sub(point).dot(back) - (view.camera as OrthographicCamera).near;
      origin = point.clone().addScaledVector(back, depth);
    }
    const direction = point.clone().sub(origin);
    const distance = direction.length();
    const far = distance - RELATIVE_TOLERANCE * (distance + Math.max(...[...point, ...origin].map(Math.abs)));
    return !(far > 0) || this.look(view, origin, direction, far) === null;
  }

  /** The first triangle on a ray that is drawn. */
  look(view: View, origin: Vector3, direction: Vector3, far: number): TriangleHit | null {
    this.view = view;
    this.options = { ...this.options, side: this.options.side ?? 'material' };
    this.numbers.set([...origin, ...direction]);
    return this.run(0, far, null);
  }

  /** What is at a place of the screen. */
  lookAt(view: View, place: Vector2): TriangleHit | null {
    const raycaster = new Raycaster();
    raycaster.setFromCamera(place, view.camera);
    return this.look(view, raycaster.ray.origin, raycaster.ray.direction, Infinity);
  }

  protected override visitMesh(): void {
    if (isOnLayers(this.mesh, this.view)) super.visitMesh();
  }

  protected override isSideRight(corner: number, sign: number): boolean {
    this.drawn = drawnMaterials(this.mesh, corner, (side) => this.isFacing(side, sign));
    return this.drawn.length > 0;
  }

  protected override takes(corner: number, distance: number): boolean {
    const point = new Vector3().fromArray(this.touch);
    return partsOf(this.mesh, this.drawn, this.view, [point]).length > 0 && super.takes(corner, distance);
  }
}

/** Of the coordinates of a point: what is so little before it does not hide it. */
const RELATIVE_TOLERANCE = 2 ** -36;
/** Of 1 degree. */
const COSINE_1 = 0.99984769515639127;
const pool = /* @__PURE__ */ new SearchPool(SnapSearch, OWN_OPTIONS);
const sights = /* @__PURE__ */ new SearchPool(SightSearch, OWN_OPTIONS);
