// The tape measure: the gap between two meshes, from the nearest point of one to the nearest point of the other, while
// both may move.

import {
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  type PerspectiveCamera,
  SphereGeometry,
  Vector3,
} from 'three';
import { distanceBetween, type TriangleScene } from '../../../src/triangles/index.ts';
import type { View } from '../shared/stage.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import { nameOf } from './names.ts';
import { Overlays } from './overlays.ts';

const COLOUR = '#ffb454';
/** Pixels of the dots at both ends. */
const DOT = 5;

export class Tape {
  readonly object = new Group();
  /** Metres; null while fewer than two meshes are picked. */
  gap: number | null = null;
  readonly ends: Object3D[] = [];
  readonly times = new RecentTimes(3000, 4);
  private readonly points = [new Vector3(), new Vector3()];
  private readonly dots: readonly Mesh[];
  private readonly line: Line;
  private readonly overlays = new Overlays(COLOUR, 0.55);
  private readonly label: HTMLElement;
  private readonly middle = new Vector3();

  constructor(label: HTMLElement) {
    this.label = label;
    const material = new MeshBasicMaterial({ color: COLOUR, depthTest: false, fog: false, transparent: true });
    this.dots = this.points.map(() => new Mesh(new SphereGeometry(1, 12, 8), material));
    this.line = new Line(
      new BufferGeometry().setFromPoints(this.points),
      new LineBasicMaterial({ color: COLOUR, depthTest: false, fog: false, transparent: true }),
    );
    for (const object of [...this.dots, this.line]) {
      object.frustumCulled = false;
      object.renderOrder = 1;
    }
    this.object.add(this.overlays.object, this.line, ...this.dots);
    this.clear();
  }

  /** A third mesh begins anew. */
  pick(mesh: Object3D): void {
    if (this.ends.length === 2 || this.ends.includes(mesh)) this.ends.length = 0;
    this.ends.push(mesh);
    this.overlays.set(this.ends);
  }

  clear(): void {
    this.ends.length = 0;
    this.overlays.set(this.ends);
    this.gap = null;
    this.object.visible = false;
    this.label.hidden = true;
  }

  /** Measures and shows. Call it in each frame. */
  update(scene: TriangleScene, camera: PerspectiveCamera, view: View): void {
    const { ends, points, dots, line, object, label, middle } = this;
    object.visible = ends.length > 0;
    this.overlays.follow();
    this.gap = null;
    for (const part of [line, ...dots]) part.visible = ends.length === 2;
    label.hidden = ends.length < 2;
    if (ends.length < 2) return;
    const begin = performance.now();
    const found = distanceBetween(scene, ends[0], ends[1]);
    const end = performance.now();
    this.times.add(end - begin, end);
    if (found === null) return;
    this.gap = found.distance;
    points[0].copy(found.position);
    points[1].copy(found.other.position);
    line.geometry.setFromPoints(points);
    for (const [k, dot] of dots.entries()) {
      dot.position.copy(points[k]);
      dot.scale.setScalar(DOT * view.pixelSizeOf(camera) * Math.max(0.1, camera.position.distanceTo(points[k])));
    }
    middle.addVectors(points[0], points[1]).multiplyScalar(0.5).project(camera);
    label.hidden = middle.z > 1;
    label.style.left = `${view.x + (0.5 + 0.5 * middle.x) * view.width}px`;
    label.style.top = `${view.y + (0.5 - 0.5 * middle.y) * view.height}px`;
    label.textContent = this.gap === 0 ? 'they intersect' : `${this.gap.toFixed(this.gap < 1 ? 3 : 2)} m`;
  }

  /** What it measures, in words. */
  get sentence(): string {
    const { ends, gap } = this;
    if (ends.length === 0) return 'Click two things.';
    if (ends.length === 1) return `${nameOf(ends[0])}: click another thing.`;
    return `${nameOf(ends[0])} – ${nameOf(ends[1])}: ${gap === null ? '-' : `${gap.toFixed(3)} m`}`;
  }
}
