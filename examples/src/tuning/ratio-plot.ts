// A plot of one metric for all values of an option: dots on a log scale from half to twice the default, with quartiles
// and the band of noise.

import type { Comparison, Metric } from './comparison.ts';
import { METRIC_NAMES, plotSummary } from './wording.ts';
import { element } from './element.ts';

export interface PlotData {
  readonly values: readonly number[];
  /** In the order of the values; empty before the first round. */
  readonly comparisons: readonly Comparison[];
  readonly noise: number;
  readonly byDefault: number;
  /** Null: none. */
  readonly recommended: number | null;
}

const LINES = [2, 1, 0.5];

export class RatioPlot {
  readonly root: HTMLElement;
  private readonly metric: Metric;
  private readonly caption = element('p', 'caption');
  private readonly area = element('div', 'area');
  private readonly band = element('div', 'band');
  private readonly columns = element('div', 'columns');
  private values: readonly number[] = [];

  constructor(metric: Metric) {
    this.metric = metric;
    this.area.setAttribute('role', 'img');
    this.root = element('figure', `plot ${metric}`);
    const head = element('figcaption');
    head.append(element('h3', '', METRIC_NAMES[metric]), this.caption);
    const scale = element('div', 'scale');
    for (const ratio of LINES) {
      const line = element('span', ratio === 1 ? 'line even' : 'line', `${ratio}x`);
      line.style.top = `${topOf(ratio)}%`;
      scale.append(line);
    }
    scale.append(this.band);
    this.area.append(scale, this.columns);
    this.root.append(head, this.area);
  }

  /** Changes what is there, because new elements for all values take several times as long. */
  show(data: PlotData): void {
    const { values, comparisons, noise, byDefault } = data;
    const summary = plotSummary(this.metric, values, comparisons, byDefault);
    if (this.caption.textContent !== summary) this.caption.textContent = summary;
    this.area.setAttribute('aria-label', `${METRIC_NAMES[this.metric]}: ${summary || 'not measured yet'}`);
    this.band.hidden = comparisons.length === 0 || this.metric === 'memory';
    this.band.style.top = `${topOf(1 + noise)}%`;
    this.band.style.bottom = `${100 - topOf(1 - noise)}%`;
    if (values.join() !== this.values.join()) this.columns.replaceChildren(...values.map(emptyColumn));
    this.values = values;
    for (const [k, value] of values.entries()) fillColumn(this.columns.children[k], value, comparisons[k], data);
  }
}

function emptyColumn(value: number): HTMLElement {
  const column = element('div');
  column.append(element('div', 'track'), element('span', 'value', String(value)));
  return column;
}

function fillColumn(
  column: Element,
  value: number,
  comparison: Comparison | undefined,
  { byDefault, recommended }: PlotData,
): void {
  const track = column.firstElementChild!;
  const isMeasured = comparison !== undefined && comparison.rounds > 0;
  const classes = [
    'column',
    ...(value === byDefault ? ['default'] : []),
    ...(value === recommended ? ['recommended'] : []),
    ...(isMeasured ? [comparison.verdict] : []),
  ].join(' ');
  if (column.className !== classes) column.className = classes;
  if (!isMeasured) return track.replaceChildren();
  if (track.childElementCount === 0) track.append(element('i', 'quartiles'), element('i', 'dot'));
  const [quartiles, dot, label] = track.children as unknown as readonly HTMLElement[];
  const { low, ratio, high } = comparison;
  quartiles.style.top = `${topOf(high)}%`;
  quartiles.style.bottom = `${100 - topOf(low)}%`;
  dot.style.top = `${topOf(ratio)}%`;
  label?.remove();
  // Outside the scale the dot stays at its edge, with the ratio beside it.
  if (ratio > 2) track.append(element('span', 'beyond above', `${ratio.toFixed(ratio < 9.95 ? 1 : 0)}x`));
  if (ratio < 0.5) track.append(element('span', 'beyond below', `${ratio.toFixed(2)}x`));
}

/** Percent from the top of the scale; twice the time is at the top. */
const topOf = (ratio: number): number => 50 - 50 * Math.max(-1, Math.min(1, Math.log2(Math.max(ratio, 1e-9))));
