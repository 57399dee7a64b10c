/**
 * The geometries of merged meshes: a batch replaces the buffers that a renderer has of them, so these are freed.
 * Buffers belong to attributes, and geometries may share these, as those of glTF files do. A renderer does not notice
 * that a buffer of one geometry was freed by way of another. So a geometry keeps its buffers while an object in the
 * scene has another geometry with one of them.
 */

import type { BufferGeometry, Mesh, Object3D } from 'three';
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

  private restart(): void {
    for (const each of this.searched) this.waiting.add(each);
    this.searched.clear();
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
    const replaced = (this.searched = new Set(this.waiting));
    this.waiting.clear();
    const buffers = new Set<object>();
    for (const geometry of replaced) {
      if (endsStep()) yield;
      visitBuffers(geometry, (buffer) => buffers.add(buffer));
    }
    const shared = new Set<object>();
    const note = (buffer: object): unknown => buffers.has(buffer) && shared.add(buffer);
    let root = object;
    while (root.parent !== null) root = root.parent;
    for (const found = [root]; found.length > 0;) {
      if (endsStep()) yield;
      const next = found.pop()!;
      for (const child of next.children) found.push(child);
      const { geometry } = next as Partial<Mesh>;
      if (geometry !== undefined && !replaced.has(geometry)) visitBuffers(geometry, note);
    }
    for (const geometry of replaced) {
      if (endsStep()) yield;
      let isShared = false;
      visitBuffers(geometry, (buffer) => (isShared ||= shared.has(buffer)));
      replaced.delete(geometry);
      if (!isShared) geometry.dispose();
    }
  }
}

/** Visits all of a geometry that renderers have a buffer of. */
function visitBuffers({ index, attributes }: BufferGeometry, visit: (buffer: object) => unknown): void {
  for (const name in attributes) {
    const attribute = attributes[name];
    visit('data' in attribute ? attribute.data : attribute);
  }
  if (index !== null) visit(index);
}
