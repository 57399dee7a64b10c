// A plot of one metric for all values of an option: dots on a log scale from half to twice the default, with quartiles and the band of noise.

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

export class RatioPlot {
  readonly root: HTMLElement;
  private readonly metric: Metric;
  private readonly caption = element('p', 'caption');
  private readonly area = element('div', 'area');

  constructor(metric: Metric) {
    this.metric = metric;
    this.area.setAttribute('role', 'img');
    this.root = element('figure', `plot ${metric}`);
    const head = element('figcaption');
    head.append(element('h3', '', METRIC_NAMES[metric]), this.caption);
    this.root.append(head, this.area);
  }

  show(data: PlotData): void {
    const { values, comparisons, noise, byDefault } = data;
    const summary = plotSummary(this.metric, values, comparisons, byDefault);
    this.caption.textContent = summary;
    this.area.setAttribute('aria-label', `${METRIC_NAMES[this.metric]}: ${summary || 'not measured yet'}`);
    const scale = element('div', 'scale');
    for (const ratio of [2, 1, 0.5]) {
      const line = element('span', ratio === 1 ? 'line even' : 'line', `${ratio}x`);
      line.style.top = `${topOf(ratio)}%`;
      scale.append(line);
    }
    if (comparisons.length > 0 && this.metric !== 'memory') {
      const band = element('div', 'band');
      band.style.top = `${topOf(1 + noise)}%`;
      band.style.bottom = `${100 - topOf(1 - noise)}%`;
      scale.append(band);
    }
    const columns = element('div', 'columns');
    columns.append(...values.map((value, k) => columnOf(value, comparisons[k], data)));
    this.area.replaceChildren(scale, columns);
  }
}

function columnOf(value: number, comparison: Comparison | undefined, { byDefault, recommended }: PlotData): HTMLElement {
  const column = element('div', 'column');
  const track = element('div', 'track');
  column.append(track, element('span', 'value', String(value)));
  column.classList.toggle('default', value === byDefault);
  column.classList.toggle('recommended', value === recommended);
  if (comparison === undefined || comparison.rounds === 0) return column;
  column.classList.add(comparison.verdict);
  const quartiles = element('i', 'quartiles');
  quartiles.style.top = `${topOf(comparison.high)}%`;
  quartiles.style.bottom = `${100 - topOf(comparison.low)}%`;
  const dot = element('i', 'dot');
  dot.style.top = `${topOf(comparison.ratio)}%`;
  track.append(quartiles, dot);
  // Outside the scale the dot stays at its edge, with the ratio beside it.
  if (comparison.ratio > 2) track.append(element('span', 'beyond above', `${comparison.ratio.toFixed(comparison.ratio < 9.95 ? 1 : 0)}x`));
  if (comparison.ratio < 0.5) track.append(element('span', 'beyond below', `${comparison.ratio.toFixed(2)}x`));
  return column;
}

/** Percent from the top of the scale; twice the time is at the top. */
const topOf = (ratio: number): number => 50 - 50 * Math.max(-1, Math.min(1, Math.log2(Math.max(ratio, 1e-9))));
