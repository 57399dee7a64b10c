// The usual way to collide with a whole scene: its triangles are copied into one static geometry, once. What moves
// afterwards leaves its copy behind.

import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshBasicMaterial, type Object3D, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { OctreeGroup } from '../../../src/three.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { Fair } from './fair.ts';
import { TriangleScene } from '../../../src/triangles/index.ts';

/** Meshes of the copy: each has the triangles of so many meshes, so that no tree takes long to build. */
const MESHES_EACH = 120;
/** Meshes that are copied in a step. */
const MESHES_PER_STEP = 20;

export class MergedCopy {
  readonly group = new OctreeGroup({ hasStaticChildren: true });
  readonly triangles = new TriangleScene(this.group, { MeshBVH });
  /** The copies of what moves, to be shown. */
  readonly ghost: Mesh;

  constructor(ghost: Mesh) {
    this.ghost = ghost;
  }

  dispose(): void {
    this.ghost.geometry.dispose();
    for (const child of this.group.children) (child as Mesh).geometry.dispose();
  }
}

/** Copies all meshes but the people. */
export function* mergeFair({ group, movers, peopleRoot, meshes: total }: Fair): SlicedWork<MergedCopy> {
  const moving = new Set<Object3D>();
  for (const { objects } of movers) for (const object of objects) object.traverse((part) => moving.add(part));
  const [all, parts]: [Mesh[], Mesh[]] = [[], []];
  for (const child of group.children)
    if (child !== peopleRoot) child.traverse((part) => void (part instanceof Mesh && all.push(part as Mesh)));
  for (const mesh of all) if (moving.has(mesh)) parts.push(mesh);
  const material = new MeshBasicMaterial({
    color: '#ff5a4d',
    transparent: true,
    opacity: 0.28,
    side: DoubleSide,
    depthWrite: false,
  });
  const copy = new MergedCopy(new Mesh(yield* merge(parts), material));
  for (let first = 0; first < all.length; first += MESHES_EACH) {
    const mesh = new Mesh(yield* merge(all.slice(first, first + MESHES_EACH)));
    mesh.name = 'merged copy';
    copy.group.add(mesh);
    yield first / total;
    mesh.geometry.boundsTree = new MeshBVH(mesh.geometry);
    yield first / total;
  }
  copy.group.updateMatrixWorld();
  return copy;
}

function* merge(meshes: readonly Mesh[]): SlicedWork<BufferGeometry> {
  const positions: number[] = [];
  const point = new Vector3();
  for (const [k, { geometry, matrixWorld }] of meshes.entries()) {
    const { position } = geometry.attributes;
    const count = geometry.index?.count ?? position.count;
    for (let at = 0; at < count; at++) {
      point.fromBufferAttribute(position, geometry.index?.getX(at) ?? at).applyMatrix4(matrixWorld);
      positions.push(point.x, point.y, point.z);
    }
    if (k % MESHES_PER_STEP === 0) yield 0;
  }
  return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
}
