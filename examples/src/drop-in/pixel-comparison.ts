// The button that compares the pixels of both groups, and its result.

import { find } from '../shared/elements.ts';
import type { FigureBoard } from '../shared/figure-board.ts';
import { showToast } from '../shared/toast.ts';
import type { Comparison } from './compare-pixels.ts';
import type { DropInProbe } from './probe.ts';

export class PixelComparison {
  private readonly board: FigureBoard;
  private readonly probe: DropInProbe;
  private readonly button = find('#compare', HTMLButtonElement);

  /** @param compare Null if there is nothing to compare. */
  constructor(board: FigureBoard, probe: DropInProbe, compare: () => Promise<Comparison> | null) {
    this.board = board;
    this.probe = probe;
    this.button.addEventListener('click', () => void this.show(compare()));
  }

  clear(): void {
    this.board.set('pixels', 'not compared').dataset.agree = 'null';
    Object.assign(this.probe, { pixels: -1, differentPixels: -1, doAgree: null });
  }

  private async show(comparison: Promise<Comparison> | null): Promise<void> {
    if (comparison === null) return;
    this.button.disabled = true;
    try {
      const { pixels, different } = await comparison;
      this.board.set(
        'pixels',
        `${different.toLocaleString('en')} of ${pixels.toLocaleString('en')} differ`,
      ).dataset.agree = String(different === 0);
      Object.assign(this.probe, { pixels, differentPixels: different, doAgree: different === 0 });
    } catch {
      showToast('The images could not be read back. Try again.');
    } finally {
      this.button.disabled = false;
    }
  }
}
