// A plot of the depths at which the bodies are, for all values of an option: a column per value, a row per depth,
// darker where more bodies are.

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
  private readonly scale = element('div', 'scale');
  private readonly columns = element('div', 'columns');
  /** What the plot shows, as JSON. */
  private shown = '';

  constructor() {
    const head = element('figcaption');
    head.append(element('h3', '', 'Depth of bodies'), this.caption);
    this.area.setAttribute('role', 'img');
    this.area.append(this.scale, this.columns);
    this.root.append(head, this.area);
  }

  show(data: DepthData): void {
    const { values, depths, sameTree, byDefault } = data;
    // The depths seldom change from round to round.
    const shown = JSON.stringify(data);
    if (shown === this.shown) return;
    this.shown = shown;
    const deepest = Math.max(1, ...depths.map((counts) => counts.length - 1));
    const atDefault = depths[values.indexOf(byDefault)];
    const same = sameTree.length === 0 ? '' : `; equal up to ${sameTree.at(-1)}`;
    const summary =
      atDefault === undefined
        ? ''
        : `mean ${meanDepth(atDefault).toFixed(1)}, deepest ${atDefault.length - 1} by default${same}`;
    this.caption.textContent = summary;
    this.area.setAttribute('aria-label', `Depth of bodies: ${summary || 'not measured yet'}`);
    this.scale.replaceChildren(
      ...[0, deepest].map((depth) => {
        const label = element('span', 'line', String(depth));
        label.style.top = `${((depth + 0.5) / (deepest + 1)) * 100}%`;
        return label;
      }),
    );
    this.columns.replaceChildren(...values.map((value, k) => columnOf(value, depths[k], deepest, data)));
  }
}

function columnOf(
  value: number,
  counts: readonly number[] | undefined,
  deepest: number,
  { byDefault, recommended }: DepthData,
): HTMLElement {
  const column = element('div', 'column');
  column.classList.toggle('default', value === byDefault);
  column.classList.toggle('recommended', value === recommended);
  const track = element('div', 'track');
  if (counts !== undefined) track.append(...shares(counts, deepest).map(cellOf));
  column.append(track, element('span', 'value', String(value)));
  return column;
}

export function meanDepth(counts: readonly number[]): number {
  const bodies = counts.reduce((sum, count) => sum + count, 0);
  return bodies === 0 ? 0 : counts.reduce((sum, count, depth) => sum + count * depth, 0) / bodies;
}

function shares(counts: readonly number[], deepest: number): number[] {
  const bodies = Math.max(
    1,
    counts.reduce((sum, count) => sum + count, 0),
  );
  return Array.from({ length: deepest + 1 }, (_, depth) => (counts[depth] ?? 0) / bodies);
}

/** The colour of a depth by its share of the bodies. Even one body in a thousand is visible. */
function cellOf(share: number): HTMLElement {
  const cell = element('i', 'depth');
  cell.style.setProperty('--share', `${share === 0 ? 0 : Math.round(8 + 92 * Math.sqrt(share))}%`);
  return cell;
}
