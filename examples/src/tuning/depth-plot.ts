// A plot of the depths at which the bodies are, for all values of an option: a column per value, a row per depth, darker where more bodies are.

import { element } from './element.ts';

export interface DepthData {
  readonly values: readonly number[];
  /** For each value the number of bodies at each depth; empty before the first round. */
  readonly depths: readonly (readonly number[])[];
  /** The values with the same tree as the default, ascending. */
  readonly sameTree: readonly number[];
  readonly byDefault: number;
  readonly recommended: number | null;
}

export class DepthPlot {
  readonly root = element('figure', 'plot depths');
  private readonly caption = element('p', 'caption');
  private readonly area = element('div', 'area');

  constructor() {
    const head = element('figcaption');
    head.append(element('h3', '', 'Depth of bodies'), this.caption);
    this.area.setAttribute('role', 'img');
    this.root.append(head, this.area);
  }

  show({ values, depths, sameTree, byDefault, recommended }: DepthData): void {
    const deepest = Math.max(1, ...depths.map((counts) => counts.length - 1));
    const atDefault = depths[values.indexOf(byDefault)];
    const same = sameTree.length === 0 ? '' : `; equal up to ${sameTree.at(-1)}`;
    const summary = atDefault === undefined ? '' : `mean ${meanDepth(atDefault).toFixed(1)}, deepest ${atDefault.length - 1} by default${same}`;
    this.caption.textContent = summary;
    this.area.setAttribute('aria-label', `Depth of bodies: ${summary || 'not measured yet'}`);
    const scale = element('div', 'scale');
    for (const depth of new Set([0, deepest])) {
      const label = element('span', 'line', String(depth));
      label.style.top = `${((depth + 0.5) / (deepest + 1)) * 100}%`;
      scale.append(label);
    }
    const columns = element('div', 'columns');
    columns.append(...values.map((value, k) => {
      const column = element('div', 'column');
      column.classList.toggle('default', value === byDefault);
      column.classList.toggle('recommended', value === recommended);
      const track = element('div', 'track');
      if (depths.length > 0) track.append(...shares(depths[k], deepest).map(cellOf));
      column.append(track, element('span', 'value', String(value)));
      return column;
    }));
    this.area.replaceChildren(scale, columns);
  }
}

export function meanDepth(counts: readonly number[]): number {
  const bodies = counts.reduce((sum, count) => sum + count, 0);
  return bodies === 0 ? 0 : counts.reduce((sum, count, depth) => sum + count * depth, 0) / bodies;
}

function shares(counts: readonly number[], deepest: number): number[] {
  const bodies = Math.max(1, counts.reduce((sum, count) => sum + count, 0));
  return Array.from({ length: deepest + 1 }, (_, depth) => (counts[depth] ?? 0) / bodies);
}

/** A share of one body in a thousand is still visible. */
function cellOf(share: number): HTMLElement {
  const cell = element('i', 'depth');
  cell.style.setProperty('--share', `${share === 0 ? 0 : Math.round(8 + 92 * Math.sqrt(share))}%`);
  return cell;
}
