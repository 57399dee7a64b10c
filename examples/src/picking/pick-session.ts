// The last pick: its record, the path of its ray, its highlight, and its comparison with three's own Raycaster.

import { Group, type Intersection, type PerspectiveCamera } from 'three';
import type { PointerLike } from '../../../src/three.ts';
import { palette } from '../shared/colours.ts';
import { element } from '../shared/elements.ts';
import type { Stage } from '../shared/stage.ts';
import { compare } from './comparison.ts';
import { Highlight } from './highlight.ts';
import type { PickingWorld } from './picking-world.ts';
import { raycasterAt } from './pointer-ray.ts';
import type { PickingProbe } from './probe.ts';
import { type PathOutline, RayDiagram } from './ray-diagram.ts';
import { RecordCard } from './record-card.ts';
import { type RecordedPick, recordPick } from './recorded-pick.ts';
import { SideView } from './side-view.ts';

/** Layer of the objects that only the side view draws. */
const SIDE = 1;

export class PickSession {
  /** What is drawn of the pick. */
  readonly object = new Group();
  readonly card = new RecordCard(element('statistics'));
  readonly highlight = new Highlight(palette.accent, 0.5, 2.5);
  /** The side view of the ray. */
  readonly side: SideView;
  private readonly diagram = new RayDiagram(SIDE);
  private readonly camera: PerspectiveCamera;
  private readonly view: HTMLElement;
  private readonly probe: PickingProbe;
  private picked: RecordedPick | null = null;

  /**
   * @param stage With the view of the camera, and the side view.
   * @param onTurn Called when the user turns the side view.
   */
  constructor(camera: PerspectiveCamera, { views: [view, sideView] }: Stage, probe: PickingProbe, onTurn: () => void) {
    this.camera = camera;
    this.view = view.element;
    this.probe = probe;
    this.side = new SideView(sideView.element, SIDE, onTurn);
    this.object.add(this.diagram.object, this.highlight.object);
  }

  get hasPick(): boolean {
    return this.picked !== null;
  }

  get hit(): Intersection | null {
    return this.picked?.hit ?? null;
  }

  get boxCount(): number {
    return this.diagram.boxCount;
  }

  /** Picks the object under the pointer, by the octree and, if wanted, by three's Raycaster. */
  pick(world: PickingWorld, pointer: PointerLike, isCompared: boolean): void {
    const { camera, card, highlight, probe, view } = this;
    const picked = (this.picked = recordPick(world, pointer, camera, view));
    const { hit } = picked;
    if (hit) highlight.show(world.shapeOf(hit));
    else highlight.hide();
    this.side.turnTo(picked, world.viewOptions.surface);
    card.show(world, picked);
    probe.picked = hit && { name: world.nameOf(hit), distance: hit.distance, point: hit.point.toArray() };
    probe.areEqual = null;
    if (isCompared) void this.compare(world, picked, pointer);
  }

  /** Draws the path of the ray. */
  show(world: PickingWorld, outline: PathOutline): void {
    if (this.picked) this.diagram.show(world, this.picked, outline);
  }

  clear(world: PickingWorld): void {
    this.picked = null;
    this.highlight.hide();
    this.diagram.clear();
    this.card.showPrompt(world);
    Object.assign(this.probe, { picked: null, areEqual: null });
  }

  /**
   * Shows a message first, because three's own Raycaster blocks the page. Does nothing if the pick is replaced
   * meanwhile.
   */
  private async compare(world: PickingWorld, picked: RecordedPick, pointer: PointerLike): Promise<void> {
    const raycaster = raycasterAt(pointer, this.camera, this.view, world);
    this.card.showTesting(world);
    await nextPaint();
    if (this.picked !== picked) return;
    const comparison = compare(world, raycaster, picked.hit);
    this.card.showComparison(comparison);
    this.probe.areEqual = comparison.areEqual;
  }
}

/** Resolves after the page has been painted. */
const nextPaint = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
