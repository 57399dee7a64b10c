/**
 * Meshes with faces in one plane that overlap: decals, road markings, floor plans. Where depths are equal, the face
 * that is drawn last shows. three draws by material, distance and age, a batch in the order of the octree: so such
 * meshes are left to the renderer.
 *
 * Compared are flat meshes with all others. Of two solid meshes only the faces on the sides of their boxes, or all if
 * they are equal, and only if they have different materials: with one material such faces look alike. Those of a batch
 * are transformed on the CPU, so their depths differ a little from those of other meshes, whatever is drawn last.
 */

import { BackSide, Box3, DoubleSide, Plane, Vector3, type Material, type Matrix4, type Object3D } from 'three';
import { IndexList } from '../tree/storage/index-list.ts';
import { hasGeometry, hasOwnSphere } from '../three/bounds/object-kinds.ts';
import type { MemberBodies } from '../three/group/member-bodies.ts';
import type { Member } from '../three/group/member.ts';
import { indexCountOf } from './bake.ts';
import { hasNumbers, looksEven, type BatchKey, type MergeableMesh, type VertexAttribute } from './mergeable.ts';

/** Largest distance of a corner from a plane in which it lies, relative to the size of the meshes. */
const FLATNESS = 2 ** -20;
/** Smallest overlap of two triangles that shows, relative to an edge. */
const MIN_OVERLAP = 2 ** -14;
/** Solid meshes with more indices are not compared. */
const MAX_SOLID_INDICES = 2 ** 14;
/** Number of the first indices of such a mesh, which are read to find out whether it is solid. */
const FIRST_INDICES = 300;
/** Two meshes with more pairs of triangles in one plane count as overlapping. */
const MAX_PAIRS = 2 ** 20;
/**
 * Indices of meshes that have moved, and of those that come to rest, that are compared in an update: about 0.3 ms for
 * each. Test: coplanar.test.
 */
export const INDICES_PER_UPDATE = 2 ** 13;
/** What it takes to find the members that a member touches, in indices. Test: coplanar.test. */
const QUERY_INDICES = 64;

/** A mesh in the space of the group. */
interface Shape {
  readonly material: Material | Material[];
  /** Corners of its triangles, 9 numbers each, counter-clockwise as seen from the side that is drawn. */
  readonly corners: Float64Array;
  readonly hasTwoSides: boolean;
  readonly box: Box3;
  /** In which all of it lies; null if it is solid. */
  readonly plane: Plane | null;
}

/** The batches of the members. */
interface Batches {
  /** From the space of an object to that of the group. */
  matrixOf(object: Object3D): Matrix4;
  /**
   * The key of the batch that has a slot for a member, also while it is built, or about to end its rest. Null: it has
   * none, or its vertices may have changed lately: it is compared before a batch draws it again.
   */
  keyInBatch(member: Member): BatchKey | null;
  /** Leaves such a member to the renderer for some time, or for another build. */
  leaveBatch(member: Member): void;
}

export class CoplanarMembers {
  /** Members with another material or geometry: the next update compares all of them. */
  readonly changed = new Set<Member>();
  /** Members that are new or have moved, maybe many in each update: compared in turn. */
  readonly moved = new Set<Member>();
  private readonly bodies: MemberBodies;
  private readonly batches: Batches;
  private readonly found = new IndexList();
  /** Of members that have been compared since the last `clear`. */
  private readonly shapes = new Map<Member, readonly Shape[]>();
  /** Number of indices that may still be compared: see `clear`. */
  private left = Infinity;

  constructor(bodies: MemberBodies, batches: Batches) {
    this.bodies = bodies;
    this.batches = batches;
  }

  /**
   * Takes members that have changed or moved, and others, out of their batches if they have faces in one plane. Once as
   * many indices were compared as an update may, the rest of those that have moved waits for the next one.
   */
  compareChanged(): void {
    this.clear(INDICES_PER_UPDATE);
    for (const members of [this.changed, this.moved])
      for (const member of members) {
        if (members === this.moved && this.isSpent) return;
        members.delete(member);
        if (member.body !== null) this.compare(member);
      }
  }

  private compare(member: Member): void {
    const { batches } = this;
    this.left -= QUERY_INDICES;
    const own = batches.keyInBatch(member);
    for (const partner of this.partnersOf(member, (other) => own ?? batches.keyInBatch(other)))
      for (const each of own === null ? [partner] : [member, partner])
        if (batches.keyInBatch(each) !== null) batches.leaveBatch(each);
  }

  /**
   * The members that have faces in one plane with an opaque member, which overlap.
   *
   * @param keyOf The key of the batch in question, of the member or of another one. Null: the other one is left out.
   */
  partnersOf(member: Member, keyOf: (other: Member) => BatchKey | null): Member[] {
    const partners: Member[] = [];
    const { octree, ordered } = this.bodies;
    octree.collectBox(member.body!.getBox(partnersOf_box), this.found);
    const { array, length } = this.found;
    // Most movers touch no other member.
    if (length === 1 || meshesOf(member).length === 0) return partners;
    for (let k = 0; k < length; k++) {
      const other = ordered.memberAt(array[k]);
      const key = other === member ? null : keyOf(other);
      if (key === null || (looksEven(key) && haveOneMaterial(member, other))) continue;
      const shapes = this.shapesOf(other);
      if (this.shapesOf(member).some((own) => shapes.some((shape) => showsOrder(own, shape, key))))
        partners.push(other);
    }
    return partners;
  }

  /** Whether as many indices were compared as allowed. */
  get isSpent(): boolean {
    return this.left <= 0;
  }

  /** Forgets the shapes: members may move. @param indices Number of those to compare before the next call. */
  clear(indices = Infinity): void {
    this.shapes.clear();
    this.left = indices;
  }

  private shapesOf(member: Member): readonly Shape[] {
    const known = this.shapes.get(member);
    if (known !== undefined) return known;
    const meshes = meshesOf(member);
    for (const { geometry } of meshes) this.left -= indexCountOf(geometry);
    const shapes = meshes.flatMap((mesh) => createShape(mesh, this.batches.matrixOf(mesh)) ?? []);
    this.shapes.set(member, shapes);
    return shapes;
  }
}
const partnersOf_box = /* @__PURE__ */ new Box3();

function haveOneMaterial(a: Member, b: Member): boolean {
  const { material } = a.object as MergeableMesh;
  return a.compound === null && b.compound === null && (b.object as MergeableMesh).material === material;
}

/** Null if the mesh is not compared. */
function createShape(mesh: MergeableMesh, toGroup: Matrix4): Shape | null {
  const { geometry, material } = mesh;
  const count = indexCountOf(geometry);
  const isLarge = count > MAX_SOLID_INDICES;
  // Most meshes are solid by their second or third triangle.
  if (isLarge && planeOf(cornersOf(mesh, toGroup, FIRST_INDICES)) === null) return null;
  const corners = cornersOf(mesh, toGroup, count);
  const box = new Box3().setFromArray(corners);
  const plane = planeOf(corners, box) ?? null;
  if (isLarge && plane === null) return null;
  return { material, corners, hasTwoSides: firstOf(material).side === DoubleSide, box, plane };
}

/** The corners of triangles in the space of the group, as in `Shape`. @param count Number of indices. */
function cornersOf({ geometry, material }: MergeableMesh, toGroup: Matrix4, count: number): Float64Array {
  const { index, attributes } = geometry;
  const isTurned = toGroup.determinant() < 0 !== (firstOf(material).side === BackSide);
  const corners = new Float64Array(3 * count);
  for (let k = 0; k < count; k++) {
    cornersOf_point.fromBufferAttribute(attributes.position, index === null ? k : index.getX(k)).applyMatrix4(toGroup);
    // The first corner stays, the others change places.
    cornersOf_point.toArray(corners, 3 * (isTurned ? k + ((3 - (k % 3)) % 3) - (k % 3) : k));
  }
  return corners;
}
const cornersOf_point = /* @__PURE__ */ new Vector3();

/** Whether the order shows in which two meshes are drawn. @param key Of the batch of one of them. */
function showsOrder(a: Shape, b: Shape, key: BatchKey): boolean {
  return !(a.material === b.material && looksEven(key)) && overlapInPlane(a, b);
}

/** Whether two meshes have faces in one plane, on the same side of it, which overlap. */
function overlapInPlane(a: Shape, b: Shape): boolean {
  // An area has an extent along two axes at least. Neighbouring tiles share an edge only.
  if (Number(overlapsAlong('x', a, b)) + Number(overlapsAlong('y', a, b)) + Number(overlapsAlong('z', a, b)) < 2)
    return false;
  const plane = a.plane ?? b.plane;
  if (plane !== null) return overlapIn(plane, a, b);
  return a.material !== b.material && (isCopy(a, b) || commonSides(a, b).some((side) => overlapIn(side, a, b)));
}

/** Whether two meshes have the same triangles at the same place. */
function isCopy({ corners, box }: Shape, other: Shape): boolean {
  return (
    box.equals(other.box) &&
    corners.length === other.corners.length &&
    corners.every((corner, k) => corner === other.corners[k])
  );
}

function overlapsAlong(axis: 'x' | 'y' | 'z', { box: a }: Shape, { box: b }: Shape): boolean {
  return a.min[axis] < b.max[axis] && b.min[axis] < a.max[axis];
}

/** The planes in which sides of the boxes of two meshes lie, towards both of their sides. */
function commonSides({ box: a }: Shape, { box: b }: Shape): Plane[] {
  const tolerance = FLATNESS * (sizeOf(a) + sizeOf(b));
  const sides: Plane[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const end of ['min', 'max'] as const) {
      const place = a[end].getComponent(axis);
      if (![b.min, b.max].some((other) => Math.abs(place - other.getComponent(axis)) <= tolerance)) continue;
      for (const sign of [1, -1]) sides.push(new Plane(new Vector3().setComponent(axis, sign), -sign * place));
    }
  return sides;
}

function overlapIn(plane: Plane, a: Shape, b: Shape): boolean {
  const tolerance = FLATNESS * (sizeOf(a.box) + sizeOf(b.box));
  const hasTwoSides = a.hasTwoSides || b.hasTwoSides;
  const faces = facesIn(plane, a, tolerance, hasTwoSides);
  const others = faces.length === 0 ? [] : facesIn(plane, b, tolerance, hasTwoSides);
  if (faces.length * others.length > 36 * MAX_PAIRS) return true;
  for (let k = 0; k < faces.length; k += 6)
    for (let j = 0; j < others.length; j += 6)
      if (!isBeside(faces, k, others, j) && !isBeside(others, j, faces, k)) return true;
  return false;
}

/** The triangles of a mesh that lie in a plane, and are seen from its front if it has one side: 6 numbers each. */
function facesIn(plane: Plane, { corners }: Shape, tolerance: number, hasTwoSides: boolean): number[] {
  const { x, y, z } = plane.normal;
  // Without the coordinate that is nearest to the normal, in the order in which turning left is seen from its side.
  const dropped = Math.abs(x) >= Math.max(Math.abs(y), Math.abs(z)) ? 0 : Math.abs(y) >= Math.abs(z) ? 1 : 2;
  const first = (dropped + 1) % 3;
  const second = (dropped + 2) % 3;
  const faces: number[] = [];
  for (let k = 0; k < corners.length; k += 9) {
    if (!isIn(plane, corners, k, k + 9, tolerance)) continue;
    const face = [0, 3, 6].flatMap((corner) => [corners[k + corner + first], corners[k + corner + second]]);
    if (hasTwoSides || sideOf(face, 0, 2, face, 4) * plane.normal.getComponent(dropped) > 0) faces.push(...face);
  }
  return faces;
}

/** The plane in which all triangles lie; null if there is none, undefined if no triangle has an area. */
function planeOf(corners: Float64Array, box = new Box3().setFromArray(corners)): Plane | null | undefined {
  const plane = new Plane();
  const tolerance = FLATNESS * sizeOf(box);
  for (let k = 0; k < corners.length; k += 9) {
    const [a, b, c] = [0, 3, 6].map((corner) => new Vector3().fromArray(corners, k + corner));
    if (plane.setFromCoplanarPoints(a, b, c).normal.lengthSq() > 0)
      return isIn(plane, corners, 0, corners.length, tolerance) ? plane : null;
  }
  return undefined;
}

/** Whether corners lie in a plane. @param from Offset of the first. */
function isIn(
  { normal: { x, y, z }, constant }: Plane,
  corners: Float64Array,
  from: number,
  to: number,
  tolerance: number,
): boolean {
  for (let k = from; k < to; k += 3)
    if (!(Math.abs(x * corners[k] + y * corners[k + 1] + z * corners[k + 2] + constant) <= tolerance)) return false;
  return true;
}

/** Whether an edge of a triangle in the plane has the other triangle behind it, or the triangle has no area. */
function isBeside(faces: readonly number[], k: number, others: readonly number[], j: number): boolean {
  const sign = Math.sign(sideOf(faces, k, k + 2, faces, k + 4));
  if (sign === 0) return true;
  for (let edge = 0; edge < 6; edge += 2) {
    const [from, to] = [k + edge, k + ((edge + 2) % 6)];
    const [x, y] = [faces[to] - faces[from], faces[to + 1] - faces[from + 1]];
    const limit = MIN_OVERLAP * (x * x + y * y);
    let most = -Infinity;
    for (let corner = j; corner < j + 6; corner += 2)
      most = Math.max(most, sign * sideOf(faces, from, to, others, corner));
    if (most <= limit) return true;
  }
  return false;
}

/** Positive if a point is on the left of an edge: twice the area of the triangle. */
function sideOf(faces: readonly number[], from: number, to: number, points: readonly number[], at: number): number {
  const [x, y] = [faces[from], faces[from + 1]];
  return (faces[to] - x) * (points[at + 1] - y) - (faces[to + 1] - y) * (points[at] - x);
}

function sizeOf(box: Box3): number {
  return box.min.distanceTo(box.max);
}

/** The meshes of a member that are drawn before all transparent ones, with triangles in memory. */
function meshesOf({ object, compound }: Member): MergeableMesh[] {
  return (compound?.drawn ?? [object]).filter(isOpaqueMesh);
}

function isOpaqueMesh(object: Object3D): object is MergeableMesh {
  if (!('isMesh' in object) || !hasGeometry(object) || hasOwnSphere(object)) return false;
  const { geometry, material } = object;
  const { index, attributes } = geometry;
  const position = attributes.position as VertexAttribute | undefined;
  return (
    (Array.isArray(material) ? material.some(isOpaque) : isOpaque(material)) &&
    position !== undefined &&
    hasNumbers(position) &&
    (index === null || hasNumbers(index))
  );
}

function isOpaque(material: Material | null | undefined): boolean {
  return !!material && !material.transparent;
}

/** The first material of a mesh. An array of them may have gaps, for groups that are not drawn. */
function firstOf(material: Material | readonly Material[]): Material {
  return Array.isArray(material) ? (material as Material[]).find(Boolean)! : (material as Material);
}
