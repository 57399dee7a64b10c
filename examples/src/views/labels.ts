// The names of the views, in the picture of the overview: that of the camera where it is, the others at the highest
// corner of their frustum that can be seen.

import { type Camera, Vector3 } from 'three';
import type { View } from '../shared/stage.ts';
import type { City, CityView } from './city.ts';

/** Pixels that labels keep from the edges of the view, and from each other. */
const EDGE = 12;
const LINE = 24;
const WIDTH = 90;

export class ViewLabels {
  private readonly labels: readonly HTMLElement[];
  private readonly point = new Vector3();

  /** @param overview The element of the view. */
  constructor({ all }: City, overview: HTMLElement) {
    this.labels = all.map(({ name }) => {
      const label = document.createElement('span');
      label.className = 'view-label';
      label.ariaHidden = 'true';
      label.style.setProperty('--mark', `var(--${name === 'camera' ? 'accent' : name})`);
      label.textContent = name.replace('cascade-', 'shadow ');
      overview.append(label);
      return label;
    });
  }

  /** @param eye The camera of the overview, after it has drawn. @param covered What lies over the view. */
  update({ active, all }: City, view: View, eye: Camera, covered: readonly DOMRect[]): void {
    const taken: [x: number, y: number][] = [];
    for (const [k, each] of all.entries()) {
      const place = active.includes(each) ? this.placeOf(each, k === 0, view, eye, covered) : null;
      const label = this.labels[k];
      label.hidden = place === null;
      if (place === null) continue;
      const [x] = place;
      let [, y] = place;
      while (taken.some(([atX, atY]) => Math.abs(atX - x) < WIDTH && Math.abs(atY - y) < LINE)) y += LINE;
      taken.push([x, y]);
      label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
    }
  }

  /** In pixels from the corner of the view; null if it cannot be seen. */
  private placeOf(
    { from }: CityView,
    isAtEye: boolean,
    { x: left, y: top, width, height }: View,
    eye: Camera,
    covered: readonly DOMRect[],
  ): [x: number, y: number] | null {
    const { point } = this;
    let best: [x: number, y: number] | null = null;
    for (let corner = 0; corner < 8; corner++) {
      if (isAtEye) point.setFromMatrixPosition(from.matrixWorld);
      else point.set(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1).unproject(from);
      const { x, y, z } = point.project(eye);
      const [right, down] = [((x + 1) / 2) * width, ((1 - y) / 2) * height];
      const isInside = right > WIDTH / 2 && right < width - WIDTH / 2 && down > EDGE && down < height - EDGE;
      const isSeen = z < 1 && isInside && !covered.some((rect) => isIn(rect, left + right, top + down));
      if (isSeen && (best === null || down < best[1])) best = [right, down];
    }
    return best;
  }
}

/** Whether a label at a point of the window touches a rectangle. */
const isIn = ({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean =>
  x > left - WIDTH / 2 && x < right + WIDTH / 2 && y > top - EDGE && y < bottom + EDGE;
