/** Groups of static boxes, updates of them, and where a batch draws one of its meshes. */

import { BoxGeometry, BufferAttribute, Matrix4, Mesh, MeshLambertMaterial, Scene, Vector3, type Object3D } from 'three';
import type { BatchMembers } from '../../src/batches/batch-members.ts';
import { slotOf } from '../../src/batches/draw-states.ts';
import { InstancedChunk } from '../../src/batches/instanced-chunk.ts';
import type { MergedChunk } from '../../src/batches/merged-chunk.ts';
import { OctreeGroup, type StaticBatches } from '../../src/three.ts';
import { boneOf, valuesOf } from './drawn-triangles.ts';

export const box = new BoxGeometry();
export const gray = new MeshLambertMaterial();

export function mesh(x = 0, material = gray): Mesh {
  const made = new Mesh(box, material);
  made.position.x = x;
  return made;
}

export function row(count: number): Mesh[] {
  return Array.from({ length: count }, (_, k) => mesh(3 * k));
}

export function staticGroup(): { scene: Scene; group: OctreeGroup } {
  const scene = new Scene();
  const group = new OctreeGroup({ hasStaticChildren: true });
  scene.add(group);
  void group.groupChildren;
  return { scene, group };
}

/** Each update in a task of its own. */
export async function run(scene: Scene, count: number): Promise<void> {
  for (let k = 0; k < count; k++) {
    scene.updateMatrixWorld();
    await Promise.resolve();
  }
}

export function membersOf(batches: StaticBatches): BatchMembers {
  return batches.members;
}

/** An attribute of a mesh in its batch, the mean of its vertices, in world space; null if it is drawn alone. */
export function drawnFrom(batches: StaticBatches, group: OctreeGroup, object: Object3D, name: string): number[] | null {
  const members = membersOf(batches);
  const address = members.states.placedAt(group.groupChildren.memberOf(object)!);
  if (address < 0) return null;
  const chunk = members.slots.chunkAt(address) as MergedChunk;
  const [first, end] = [chunk.vertexStarts[slotOf(address)], chunk.vertexStarts[slotOf(address) + 1]];
  const attribute = chunk.mesh.geometry.attributes[name];
  const sum = new Vector3();
  for (let k = first; k < end; k++) {
    const value = new Vector3().fromBufferAttribute(attribute, k);
    sum.add(name === 'position' ? value.applyMatrix4(boneOf(chunk.mesh, k)) : value);
  }
  sum.divideScalar(end - first);
  if (name === 'position') sum.add(chunk.origin).applyMatrix4(group.matrixWorld);
  return sum.toArray().map(Math.round);
}

/** The colour with which a batch draws a mesh, as far as its material has one; null if it is drawn alone. */
export function colorFrom(batches: StaticBatches, group: OctreeGroup, object: Object3D): number[] | null {
  const members = membersOf(batches);
  const address = members.states.placedAt(group.groupChildren.memberOf(object)!);
  if (address < 0) return null;
  const chunk = members.slots.chunkAt(address);
  const slot = slotOf(address);
  const { material } = chunk.key;
  if (chunk instanceof InstancedChunk)
    return valuesOf(material, new BufferAttribute(chunk.texels, 2), slot).slice(0, 3);
  const { mesh: drawn, vertexStarts } = chunk as MergedChunk;
  return valuesOf(material, drawn.geometry.attributes.uv3, vertexStarts[slot]).slice(0, 3);
}

/** Where the batch of a mesh draws it, merged or as an instance, in world space; null if it is drawn alone. */
export function batchedAt(batches: StaticBatches, group: OctreeGroup, object: Object3D): Vector3 | null {
  const members = membersOf(batches);
  const address = members.states.placedAt(group.groupChildren.memberOf(object)!);
  if (address < 0) return null;
  const chunk = members.slots.chunkAt(address);
  if (!(chunk instanceof InstancedChunk)) return new Vector3(...drawnFrom(batches, group, object, 'position')!);
  const matrix = new Matrix4().fromArray(chunk.matrices, 16 * slotOf(address)).premultiply(chunk.matrix);
  return new Vector3().setFromMatrixPosition(matrix.premultiply(group.matrixWorld));
}
