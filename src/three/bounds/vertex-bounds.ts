/**
 * The sphere and the box around the vertices of a geometry, in its local space, until its vertices change. They are
 * kept here, not in the geometry:
 *
 * - `boundingSphere`: three computes the sphere when it first tests the object against a frustum, and keeps it although
 *   the vertices change. Set too early, it would not fit the vertices that are drawn first.
 * - `boundingBox`: a box that is older than the vertices would change the hits of `Mesh.raycast`.
 */

import { Box3, BufferGeometry, Sphere, Vector3, type BufferAttribute, type InterleavedBufferAttribute } from 'three';

type Position = BufferAttribute | InterleavedBufferAttribute;

/** Methods that read an attribute. Unlike `getComponent`, they convert numbers of 16-bit floats. */
export const GETTERS = ['getX', 'getY', 'getZ', 'getW'] as const;

/** The attribute with the vertices. Undefined if there is none, which the types of three leave out. */
function positionOf({ attributes }: BufferGeometry): Position | undefined {
  return attributes.position;
}

/**
 * The position attribute of a geometry, and its version, and the morph targets, when this was created. Equal versions
 * mean equal vertices, as they do to a renderer.
 */
export class VertexVersion {
  private readonly position: Position | undefined;
  private readonly version: number;
  private readonly morphs: unknown;

  constructor(geometry: BufferGeometry) {
    this.position = positionOf(geometry);
    this.morphs = geometry.morphAttributes.position;
    this.version = attributeVersionOf(this.position);
  }

  /** Whether the geometry still has the same vertices. */
  isOf(geometry: BufferGeometry): boolean {
    const position = positionOf(geometry);
    return (
      position === this.position &&
      attributeVersionOf(position) === this.version &&
      geometry.morphAttributes.position === this.morphs
    );
  }
}

/** The fields of an attribute that show a change. */
interface VersionedAttribute {
  readonly version?: number;
  readonly data?: { readonly version: number };
}

/** How often `needsUpdate` of an attribute was set. Interleaved attributes share the version of their buffer. */
export function attributeVersionOf(attribute: VersionedAttribute | undefined): number {
  return attribute?.data?.version ?? attribute?.version ?? 0;
}

const spheres = /* @__PURE__ */ new WeakMap<BufferGeometry, { sphere: Sphere | null; vertices: VertexVersion }>();

/**
 * The bounding sphere of a geometry, or the sphere that three would compute now. Null if three computes none. Must not
 * be changed.
 */
export function boundingSphereOf(geometry: BufferGeometry): Sphere | null {
  if (geometry.boundingSphere !== null) {
    forgetSphere(geometry);
    return geometry.boundingSphere;
  }
  const cached = spheres.get(geometry);
  if (cached?.vertices.isOf(geometry)) return cached.sphere;
  geometry.computeBoundingSphere();
  const sphere = geometry.boundingSphere as Sphere | null;
  geometry.boundingSphere = null;
  spheres.set(geometry, { sphere, vertices: new VertexVersion(geometry) });
  return sphere;
}

/** Call it once the geometry has a sphere. If that is set to null later, a new one is computed. */
export function forgetSphere(geometry: BufferGeometry): void {
  spheres.delete(geometry);
}

/**
 * The state of a geometry from which bounds were computed. They depend on both sphere and vertices: three culls by the
 * bounding sphere, even if that is older than the vertices; a vertex box comes from the vertices.
 */
export class GeometryVersion {
  readonly geometry: BufferGeometry;
  private readonly vertices: VertexVersion;
  /** Whether the geometry had a bounding sphere. */
  private hasSphere: boolean;
  /** That sphere, or the sphere that three would compute. */
  private readonly sphere: Sphere;

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
    this.vertices = new VertexVersion(geometry);
    this.hasSphere = geometry.boundingSphere !== null;
    this.sphere = new Sphere().copy(boundingSphereOf(geometry) ?? NO_SPHERE);
  }

  get hasSameVertices(): boolean {
    return this.vertices.isOf(this.geometry);
  }

  /** Whether bounds would be the same now. */
  get isCurrent(): boolean {
    const { geometry } = this;
    const { boundingSphere } = geometry;
    if (!this.vertices.isOf(geometry)) return false;
    if (boundingSphere === null) return !this.hasSphere;
    if (!this.hasSphere) {
      this.hasSphere = true;
      forgetSphere(geometry);
    }
    // A NaN equals nothing: a broken geometry is reported in every update until it is repaired.
    return this.sphere.equals(boundingSphere);
  }
}
const NO_SPHERE = /* @__PURE__ */ new Sphere(/* @__PURE__ */ new Vector3(), NaN);

interface CachedBox {
  readonly box: Box3;
  readonly vertices: VertexVersion;
  /** How often the vertices have changed. */
  readonly changes: number;
}

/**
 * Changes after which a geometry counts as animated: a box for each change costs more than the culling sphere that is
 * used instead. Test: geometry-changes.test.
 */
const MAX_CHANGES = 8;

const boxes = /* @__PURE__ */ new WeakMap<BufferGeometry, CachedBox>();

/** Number of vertices; 0 without positions. */
export function vertexCountOf(geometry: BufferGeometry): number {
  return positionOf(geometry)?.count ?? 0;
}

/**
 * The box around all vertices. Computed again after the position attribute was replaced or its `needsUpdate` set. Null
 * if the positions are not what is drawn (instanced geometries, positions on the GPU, geometries with their own
 * `computeBoundingBox` such as fat lines), and for vertices that have changed more than 8 times.
 */
export function vertexBoxOf(geometry: BufferGeometry): Box3 | null {
  const position = positionOf(geometry);
  if (
    position === undefined ||
    typeof position.getX !== 'function' ||
    'isStorageBufferAttribute' in position ||
    geometry.computeBoundingBox !== BufferGeometry.prototype.computeBoundingBox ||
    'isInstancedBufferGeometry' in geometry
  )
    return null;
  const cached = boxes.get(geometry);
  if (cached?.vertices.isOf(geometry)) return cached.box;
  const changes = cached === undefined ? 0 : cached.changes + 1;
  if (changes > MAX_CHANGES) return null;
  // Typed for plain attributes, but it reads through getX, getY and getZ, which interleaved ones have too.
  const box = new Box3().setFromBufferAttribute(position as BufferAttribute);
  boxes.set(geometry, { box, vertices: new VertexVersion(geometry), changes });
  return box;
}
