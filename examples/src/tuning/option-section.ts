// The results of one option: six plots, and a table with the same numbers.

import { compare, type Comparison, type FrameLoad, isTwin, type Metric, METRICS } from './comparison.ts';
import { DepthPlot, meanDepth } from './depth-plot.ts';
import { element } from './element.ts';
import type { Measurement } from './messages.ts';
import { DEFAULTS, type OptionName } from './options.ts';
import { RatioPlot } from './ratio-plot.ts';
import { amount, METRIC_NAMES } from './wording.ts';

const TEXTS: Readonly<Record<OptionName, string>> = {
  looseness:
    'A node accepts a body that fits into its cell scaled by this factor. More: bodies move further before they change their node, and more nodes overlap.',
  leafCapacity:
    'Bodies that a leaf holds before it splits. More: fewer nodes and less memory, but more bodies to test in each leaf.',
  minCellSize:
    'Edge of the smallest cell, in world units. More: a flatter tree, whose last leaves may hold more bodies than leafCapacity.',
};

export class OptionSection {
  readonly root = element('section', 'option');
  private readonly option: OptionName;
  private readonly plots = METRICS.map((metric) => [metric, new RatioPlot(metric)] as const);
  private readonly depths = new DepthPlot();
  private readonly numbers = element('details', 'numbers');
  private readonly table = element('table');
  /**
   * Fills the table. Called only while the table is open: filling all tables after each round would take as long as
   * drawing all plots.
   */
  private fillTable: () => void = () => {};
  private values: readonly number[] = [];
  private measurements: readonly Measurement[] = [];

  constructor(option: OptionName) {
    this.option = option;
    this.root.dataset.option = option;
    const title = element('h2', '', option);
    title.id = `option-${option}`;
    this.root.setAttribute('aria-labelledby', title.id);
    const plots = element('div', 'plots');
    plots.append(...this.plots.map(([, plot]) => plot.root), this.depths.root);
    const frame = element('div', 'scroll');
    frame.tabIndex = 0;
    frame.setAttribute('role', 'region');
    frame.setAttribute('aria-label', `Numbers of ${option}`);
    frame.append(this.table);
    this.numbers.append(element('summary', '', 'Numbers'), frame);
    this.numbers.addEventListener('toggle', () => this.showTable());
    this.root.append(title, element('p', 'note', TEXTS[option]), plots, this.numbers);
  }

  /** Shows empty plots for the values. */
  clear(values: readonly number[]): void {
    this.values = values;
    this.measurements = [];
    this.show({ culls: 0, rays: 0 }, () => 0, null);
  }

  /** @param measurements The defaults, their twins, then the other values. */
  setMeasurements(measurements: readonly Measurement[]): void {
    this.measurements = measurements;
  }

  /** @param noiseOf The noise of each metric. @param recommended Null: none. */
  show(load: FrameLoad, noiseOf: (metric: Metric) => number, recommended: number | null): void {
    const { values, option, measurements } = this;
    const byDefault = DEFAULTS[option];
    const measured = values.map((value) => measurements.find(({ setting }) => setting[option] === value));
    const inOrder = <A>(all: readonly A[]): A[] =>
      all.length === 0 ? [] : measured.map((one) => all[measurements.indexOf(one!)]);
    const rows = new Map<Metric, readonly Comparison[]>();
    for (const [metric, plot] of this.plots) {
      const noise = noiseOf(metric);
      const comparisons = measurements.length === 0 ? [] : compare(measurements, metric, load, noise);
      rows.set(metric, inOrder(comparisons));
      plot.show({ values, comparisons: inOrder(comparisons), noise, byDefault, recommended });
    }
    const inValues = inOrder(measurements);
    this.depths.show({
      values,
      depths: inValues.map(({ depths }) => depths),
      sameTree: values.filter(
        (value, k) => value !== byDefault && inValues.length > 0 && isTwin(inValues[k], measurements[0]),
      ),
      byDefault,
      recommended,
    });
    this.fillTable = () => this.writeTable(inValues, rows, recommended);
    this.showTable();
  }

  private showTable(): void {
    if (this.numbers.open) this.fillTable();
  }

  private writeTable(
    measurements: readonly Measurement[],
    rows: ReadonlyMap<Metric, readonly Comparison[]>,
    recommended: number | null,
  ): void {
    const { values, option } = this;
    const head = element('tr');
    head.append(
      ...[option, ...METRICS.map((metric) => METRIC_NAMES[metric]), 'Nodes', 'Mean depth', 'Deepest'].map((text) => {
        const cell = element('th', '', text);
        cell.scope = 'col';
        return cell;
      }),
    );
    const lines = values.map((value, k) => {
      const line = element('tr');
      const name = element(
        'th',
        '',
        [
          value,
          ...(value === DEFAULTS[option] ? ['default'] : []),
          ...(value === recommended ? ['recommended'] : []),
        ].join(', '),
      );
      name.scope = 'row';
      line.append(name, ...METRICS.map((metric) => comparisonCell(rows.get(metric)![k], metric)));
      const measurement = measurements[k];
      const last =
        measurement === undefined
          ? ['-', '-', '-']
          : [
              measurement.nodes.toLocaleString('en'),
              meanDepth(measurement.depths).toFixed(1),
              String(measurement.depths.length - 1),
            ];
      line.append(...last.map((text) => element('td', '', text)));
      return line;
    });
    const [thead, tbody] = [element('thead'), element('tbody')];
    thead.append(head);
    tbody.append(...lines);
    this.table.replaceChildren(element('caption', '', 'Medians, as multiples of the defaults'), thead, tbody);
  }
}

function comparisonCell(comparison: Comparison | undefined, metric: Metric): HTMLElement {
  if (comparison === undefined || comparison.rounds === 0) return element('td', '', '-');
  const cell = element('td', comparison.verdict, amount(comparison.value, metric));
  cell.append(element('small', '', `${comparison.ratio.toFixed(2)}x`));
  return cell;
}
