// Draws the ranges of a pass once more, each in a colour of its own. A range keeps its colour as long as it covers
// mostly the same houses.

import { BufferGeometry, Color, Group, Mesh, MeshLambertMaterial } from 'three';
import type { BatchRange } from '../../../src/three.ts';

const COLOURS = 24;
/** Turns of the colour wheel from one colour to the next: neighbours differ most. */
const GOLDEN = 0.381966;

/** A range, and the number of its colour. */
interface Painted {
  readonly start: number;
  readonly end: number;
  readonly colour: number;
}

export class RangeOverlay {
  readonly object = new Group();
  private readonly materials: MeshLambertMaterial[];
  private readonly parts = new Map<BufferGeometry, Part>();

  /** @param opacity Below 1 the houses shine through. */
  constructor(opacity: number) {
    this.materials = Array.from({ length: COLOURS }, (_, k) => {
      const color = new Color().setHSL((k * GOLDEN) % 1, 0.85, k % 2 === 0 ? 0.46 : 0.62);
      const material = new MeshLambertMaterial({
        color,
        polygonOffset: true,
        polygonOffsetFactor: -1,
        polygonOffsetUnits: -1,
      });
      if (opacity < 1) Object.assign(material, { transparent: true, opacity, depthWrite: false });
      return material;
    });
  }

  /** Shows these ranges from now on. */
  show(ranges: readonly BatchRange[]): void {
    for (const part of this.parts.values()) part.next.length = 0;
    for (const range of ranges) this.partOf(range).next.push(range);
    for (const part of this.parts.values()) part.show();
  }

  /** A mesh for each baked geometry: it shares the buffers, and has groups of its own. */
  private partOf({ geometry, matrixWorld }: BatchRange): Part {
    let part = this.parts.get(geometry);
    if (part === undefined) {
      this.parts.set(geometry, (part = new Part(geometry, this.materials)));
      this.object.add(part.mesh);
      const { mesh } = part;
      const forget = (): void => {
        geometry.removeEventListener('dispose', forget);
        this.parts.delete(geometry);
        this.object.remove(mesh);
        mesh.geometry.dispose();
      };
      geometry.addEventListener('dispose', forget);
    }
    part.mesh.matrixWorld.copy(matrixWorld);
    return part;
  }
}

class Part {
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial[]>;
  readonly next: BatchRange[] = [];
  private painted: Painted[] = [];

  constructor({ index, attributes, boundingSphere }: BufferGeometry, materials: MeshLambertMaterial[]) {
    const shared = new BufferGeometry().setIndex(index);
    shared.boundingSphere = boundingSphere;
    for (const name of ['position', 'normal']) shared.setAttribute(name, attributes[name]);
    this.mesh = new Mesh(shared, materials);
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = this.mesh.matrixWorldAutoUpdate = false;
  }

  show(): void {
    const free = new Set(Array.from({ length: COLOURS }, (_, k) => k));
    const before = this.painted;
    this.painted = [];
    // The largest choose first.
    for (const { start, count } of [...this.next].sort((a, b) => b.count - a.count)) {
      const end = start + count;
      let colour = -1;
      let most = 0;
      for (const other of before) {
        const common = Math.min(end, other.end) - Math.max(start, other.start);
        if (common > most && free.has(other.colour)) [colour, most] = [other.colour, common];
      }
      if (colour < 0) colour = free.values().next().value ?? start % COLOURS;
      free.delete(colour);
      this.painted.push({ start, end, colour });
    }
    const { geometry } = this.mesh;
    geometry.clearGroups();
    for (const { start, end, colour } of this.painted) geometry.addGroup(start, end - start, colour);
    this.mesh.visible = this.painted.length > 0;
  }
}
