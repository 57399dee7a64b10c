/**
 * The geometries of merged meshes: a batch replaces the buffers that a renderer has of them, so these are freed.
 * Buffers belong to attributes, and geometries may share these, as those of glTF files do. A renderer does not notice
 * that a buffer of one geometry was freed by way of another. So a geometry keeps its buffers while an object in the
 * scene has another geometry with one of them.
 */

import type { BufferGeometry, Mesh, Object3D } from 'three';

/** Updates between two searches through the scene. A search takes about 0.1 ms for 1,000 objects, in slices. */
const PAUSE = 60;
/** Objects or geometries in one step. */
const STEP = 16;

export class ReplacedGeometries {
  private readonly waiting = new Set<BufferGeometry>();
  private steps: Iterator<void> | null = null;
  private pause = 0;

  /** @param geometry Of a mesh that a batch draws; null if renderers still need it. */
  add(geometry: BufferGeometry | null): void {
    if (geometry !== null) this.waiting.add(geometry);
  }

  /**
   * Frees geometries, by a search through the scene.
   *
   * @param object In the scene.
   * @param deadline Time at which to stop; the rest is left to the next update. Infinity: does not pause.
   */
  update(object: Object3D, deadline: number): void {
    this.pause--;
    if (this.steps === null) {
      if (this.waiting.size === 0 || (this.pause > 0 && deadline < Infinity)) return;
      this.steps = this.free(object);
    }
    while (performance.now() < deadline)
      if (this.steps.next().done) {
        this.steps = null;
        this.pause = PAUSE;
        return;
      }
  }

  private *free(object: Object3D): Generator<void> {
    const replaced = new Set(this.waiting);
    this.waiting.clear();
    const buffers = new Set<object>();
    let k = 0;
    for (const geometry of replaced) {
      if (++k % STEP === 0) yield;
      for (const buffer of buffersOf(geometry)) buffers.add(buffer);
    }
    const shared = new Set<object>();
    let root = object;
    while (root.parent !== null) root = root.parent;
    for (const found = [root]; found.length > 0;) {
      if (++k % STEP === 0) yield;
      const next = found.pop()!;
      for (const child of next.children) found.push(child);
      const { geometry } = next as Partial<Mesh>;
      if (geometry === undefined || replaced.has(geometry)) continue;
      for (const buffer of buffersOf(geometry)) if (buffers.has(buffer)) shared.add(buffer);
    }
    for (const geometry of replaced) {
      if (++k % STEP === 0) yield;
      if (!buffersOf(geometry).some((buffer) => shared.has(buffer))) geometry.dispose();
    }
  }
}

/** What renderers have buffers of. */
function buffersOf({ index, attributes }: BufferGeometry): object[] {
  const buffers: object[] = Object.values(attributes).map((each) => ('data' in each ? each.data : each));
  if (index !== null) buffers.push(index);
  return buffers;
}
