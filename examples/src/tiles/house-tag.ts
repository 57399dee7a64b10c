// The house that was clicked: a frame around it, and its name above it.

import {
  type Box3,
  BufferGeometry,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  type PerspectiveCamera,
  Vector3,
} from 'three';
import { palette } from '../shared/colours.ts';
import type { View } from '../shared/stage.ts';

const CORNERS = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, k >> 2].map((side) => side - 0.5));
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];
/** Metres between a house and its frame. */
const ROOM = 0.6;

export class HouseTag {
  readonly frame = new LineSegments(
    new BufferGeometry().setAttribute('position', new Float32BufferAttribute(CORNERS.flat(), 3)).setIndex(EDGES),
    new LineBasicMaterial({ color: palette.accent, fog: false }),
  );
  private readonly tag: HTMLElement;
  private readonly top = new Vector3();

  constructor(tag: HTMLElement) {
    this.tag = tag;
    this.hide();
  }

  show(name: string, number: string, box: Box3): void {
    const { frame, tag, top } = this;
    box.getCenter(frame.position);
    box.getSize(frame.scale).addScalar(2 * ROOM);
    top.copy(frame.position).setY(box.max.y + ROOM);
    frame.visible = true;
    tag.replaceChildren(Object.assign(document.createElement('b'), { textContent: name }), ` ${number}`);
  }

  hide(): void {
    this.frame.visible = false;
    this.tag.hidden = true;
  }

  /** Puts the name above the house. Call it after the camera has moved. */
  follow(camera: PerspectiveCamera, { x, y, width, height }: View): void {
    const { tag, frame, top } = this;
    if (!frame.visible) return;
    const at = place.copy(top).project(camera);
    tag.hidden = at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1;
    tag.style.translate = `${x + ((at.x + 1) / 2) * width}px ${y + ((1 - at.y) / 2) * height}px`;
  }
}
const place = new Vector3();
