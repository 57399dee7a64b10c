// Writes the figures of a page into the elements marked `data-figure`.

export class FigureBoard {
  private readonly root: HTMLElement;
  private readonly cells = new Map<string, HTMLElement>();

  constructor(root: HTMLElement) {
    this.root = root;
    for (const cell of root.querySelectorAll<HTMLElement>('[data-figure]')) this.cells.set(cell.dataset.figure!, cell);
  }

  /** Writes only changed text, because every write causes a layout. */
  set(name: string, text: string): HTMLElement {
    const cell = this.cellOf(name);
    if (cell.textContent !== text) cell.textContent = text;
    return cell;
  }

  setCount(name: string, count: number): void {
    this.set(name, count.toLocaleString('en'));
  }

  /** Adds a class to the figure, or removes it. */
  mark(name: string, className: string, isMarked: boolean): void {
    this.cellOf(name).classList.toggle(className, isMarked);
  }

  /**
   * Shows in the figure `agreement` whether two results are equal; null if they have not been compared. page.css
   * colours it.
   */
  setAgreement(doAgree: boolean | null, equal: string, different: string, unknown = '-'): void {
    this.set('agreement', doAgree === null ? unknown : doAgree ? equal : different).dataset.agree = String(doAgree);
  }

  /** Sets CSS properties of the board to shares of the greatest value, 0 to 1, for bars. */
  setShares(values: Readonly<Record<`--${string}`, number>>): void {
    const greatest = Math.max(...Object.values(values));
    for (const [name, value] of Object.entries(values))
      this.root.style.setProperty(name, String(value / greatest || 0));
  }

  private cellOf(name: string): HTMLElement {
    const cell = this.cells.get(name);
    if (cell === undefined) throw new Error(`FigureBoard: the page has no element marked data-figure="${name}"`);
    return cell;
  }
}

/** Loads the number formats of the browser, which takes 20 to 40 ms at first use. */
export const loadNumberFormat = (): string => (0).toLocaleString('en');

/** Formats a time in milliseconds; a dash for NaN. */
export const milliseconds = (time: number): string =>
  Number.isNaN(time) ? '-' : `${time.toFixed(time < 10 ? 2 : 1)} ms`;

/** Formats a time in milliseconds, below one in microseconds; a dash for NaN. */
export const fineTime = (time: number): string =>
  time < 1 ? `${(time * 1000).toFixed(time < 0.1 ? 1 : 0)} \u00b5s` : milliseconds(time);

/** Formats the ratio `slow / fast`; a dash unless both are positive. */
export const times = (slow: number, fast: number): string =>
  slow > 0 && fast > 0 ? `${(slow / fast).toFixed(slow < fast * 10 ? 1 : 0)}x` : '-';
