// Shows the results as bars: the speed relative to brute force on a log scale, one decade per grid line.

import type { Entry, Row } from '../../../test/bench/result.ts';
import { duration, ratio as formatRatio } from '../shared/amounts.ts';
import { REFERENCE, OURS, PEER } from './names.ts';

/** Powers of ten at the ends of the track. */
const MIN_EXPONENT = -1;
const MAX_EXPONENT = 3;

export class ResultList {
  private readonly items = new Map<string, HTMLElement>();

  /** Creates one empty item per scenario. */
  constructor(root: HTMLElement, scenarios: readonly string[]) {
    for (const scenario of scenarios) {
      const item = document.createElement('li');
      item.dataset.scenario = scenario;
      this.items.set(scenario, item);
    }
    root.append(...this.items.values());
    this.clear();
  }

  clear(): void {
    for (const [scenario, item] of this.items) {
      item.className = '';
      item.replaceChildren(headOf(scenario, ''), emptyLine(OURS), emptyLine(PEER));
    }
  }

  /** Marks the scenario that runs; an empty name marks none. */
  markCurrent(scenario: string): void {
    for (const [name, item] of this.items) item.classList.toggle('is-current', name === scenario);
  }

  /** Shows a row. `ratio` of the octree to the reference is computed from the times if it is not known. */
  show({ scenario, entries, ratio }: Row & { readonly ratio?: number | undefined }): void {
    const item = this.items.get(scenario)!;
    // Brute force does not take part in the build, so there the peer is the reference.
    const reference = entries[REFERENCE] ? REFERENCE : PEER;
    item.className = 'is-done';
    item.replaceChildren(
      headOf(scenario, reference === REFERENCE ? `${REFERENCE} ${duration(entries[REFERENCE].value)}` : `to ${PEER}`),
      ...[OURS, PEER].map((name) =>
        entries[name]
          ? lineOf(name, entries[name], (name === OURS && ratio) || entries[reference].value / entries[name].value)
          : emptyLine(name, 'none'),
      ),
    );
  }
}

function headOf(scenario: string, note: string): HTMLElement {
  const head = document.createElement('div');
  head.className = 'head';
  head.append(textElement('h2', scenario), textElement('p', note));
  return head;
}

function lineOf(name: string, { value, wrong, checked }: Entry, ratio: number): HTMLElement {
  const line = emptyLine(name);
  line.dataset.ratio = String(ratio);
  line.dataset.checked = String(checked);
  line.dataset.wrong = String(wrong);
  const [from, to] = [placeOf(Math.min(1, ratio)), placeOf(Math.max(1, ratio))];
  const bar = line.querySelector<HTMLElement>('i')!;
  bar.style.left = `${from}%`;
  bar.style.width = `${Math.max(0.4, to - from)}%`;
  line.querySelector('b')!.textContent = formatRatio(ratio);
  line.querySelector('.time')!.textContent = wrong > 0 ? `${wrong} of ${checked} wrong` : duration(value);
  return line;
}

function emptyLine(name: string, note = ''): HTMLElement {
  const line = document.createElement('div');
  line.className = `line ${name === OURS ? 'ours' : 'peer'}`;
  const track = textElement('span', '');
  track.className = 'track';
  track.append(document.createElement('i'));
  const time = textElement('span', note);
  time.className = 'time';
  line.append(textElement('span', name), track, textElement('b', ''), time);
  return line;
}

/** Percent along the track. */
const placeOf = (ratio: number): number =>
  (Math.min(MAX_EXPONENT, Math.max(MIN_EXPONENT, Math.log10(ratio))) - MIN_EXPONENT) *
  (100 / (MAX_EXPONENT - MIN_EXPONENT));

function textElement(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
