/**
 * The geometries of merged meshes: a batch replaces the buffers that a renderer has of them, so these are freed.
 * Buffers belong to attributes, and geometries may share these, as those of glTF files do. A renderer does not notice
 * that a buffer of one geometry was freed by way of another. So a geometry keeps its buffers while an object in the
 * scene has another geometry with one of them, and those that share buffers are freed in one step.
 */

import type { BufferGeometry, Mesh, Object3D } from 'three';
import type { Member } from '../three/group/member.ts';
import { endsStep, runSteps } from './steps.ts';

/**
 * Updates from one search through the scene to the next, for each update that the last search took. A search takes
 * about 0.5 ms for 1,000 objects.
 */
const PAUSE = 60;

export class ReplacedGeometries {
  private readonly waiting = new Set<BufferGeometry>();
  /** Those that the search under way is about. */
  private searched = new Set<BufferGeometry>();
  /** By buffer: those of them that are connected by shared buffers. An empty set: they keep their buffers. */
  private sharing = new Map<object, Set<BufferGeometry>>();
  private steps: Iterator<void> | null = null;
  private pause = 0;
  /** Number of updates that the search has taken. */
  private slices = 0;

  /** @param geometry Of a mesh that a batch draws; null if renderers still need it. */
  add(geometry: BufferGeometry | null): void {
    if (geometry !== null) this.waiting.add(geometry);
  }

  /**
   * The mesh of a geometry is removed, and its user may dispose of it; or it is drawn alone from now on. A search under
   * way has not counted its buffers as those of another geometry, so the search begins anew.
   */
  delete(geometry: BufferGeometry): void {
    this.waiting.delete(geometry);
    if (this.searched.delete(geometry)) this.restart();
  }

  /** A member is new or has other buffers, maybe where the search under way has been. */
  keepThoseOf({ object, compound }: Member): void {
    for (const { geometry } of (compound?.drawn ?? [object]) as Partial<Mesh>[]) if (geometry) this.keep(geometry);
  }

  /** A mesh has a geometry: others keep the buffers that they share with it. */
  private keep(geometry: BufferGeometry): void {
    const { searched, sharing } = this;
    if (sharing.size > 0 && !searched.has(geometry)) visitBuffers(geometry, (buffer) => sharing.get(buffer)?.clear());
  }

  private restart(): void {
    for (const each of this.searched) this.waiting.add(each);
    this.searched.clear();
    this.sharing.clear();
    this.steps = null;
  }

  /**
   * Frees geometries, by a search through the scene: by at least one step.
   *
   * @param object In the scene.
   * @param deadline Time at which to stop; the rest is left to the next update. Infinity: does not pause.
   */
  update(object: Object3D, deadline: number): void {
    this.pause--;
    if (this.steps === null) {
      if (this.waiting.size === 0 || (this.pause > 0 && deadline < Infinity)) return;
      this.steps = this.free(object);
      this.slices = 0;
    }
    this.slices++;
    try {
      if (!runSteps(this.steps, deadline)) return;
    } catch (error) {
      // A listener of `dispose` has thrown.
      this.restart();
      throw error;
    }
    this.steps = null;
    this.pause = PAUSE * this.slices;
  }

  private *free(object: Object3D): Generator<void> {
    const sharing = new Map<object, Set<BufferGeometry>>();
    const searched = (this.searched = new Set(this.waiting));
    this.waiting.clear();
    for (const geometry of searched) {
      if (endsStep()) yield;
      join(geometry, sharing);
    }
    // A mesh that came meanwhile is found below.
    this.sharing = sharing;
    let root = object;
    while (root.parent !== null) root = root.parent;
    for (const found = [root]; found.length > 0;) {
      if (endsStep()) yield;
      const next = found.pop()!;
      for (const child of next.children) found.push(child);
      const { geometry } = next as Partial<Mesh>;
      if (geometry !== undefined) this.keep(geometry);
    }
    for (const all of sharing.values()) {
      if (endsStep()) yield;
      for (const geometry of all) {
        all.delete(geometry);
        searched.delete(geometry);
        geometry.dispose();
      }
    }
    searched.clear();
    sharing.clear();
  }
}

/** Adds a geometry to those with which it shares a buffer. It may join several of them. */
function join(geometry: BufferGeometry, sharing: Map<object, Set<BufferGeometry>>): void {
  let all = new Set<BufferGeometry>();
  visitBuffers(geometry, (buffer) => {
    const others = sharing.get(buffer) ?? all;
    const [few, many] = others.size < all.size ? [others, all] : [all, others];
    if (few !== many) for (const each of few) visitBuffers(each, (own) => sharing.set(own, many.add(each)));
    all = many;
  });
  // Last: until then its buffers lead to those that it joins.
  visitBuffers(geometry, (buffer) => sharing.set(buffer, all.add(geometry)));
}

/** Visits all of a geometry that renderers have a buffer of. */
function visitBuffers({ index, attributes }: BufferGeometry, visit: (buffer: object) => unknown): void {
  for (const name in attributes) {
    const attribute = attributes[name];
    visit('data' in attribute ? attribute.data : attribute);
  }
  if (index !== null) visit(index);
}
