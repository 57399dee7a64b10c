// The dialog with the report, and its button that copies it.

import { copyText } from '../shared/copy-text.ts';
import { find } from '../shared/elements.ts';
import { showToast } from '../shared/toast.ts';

export class ReportDialog {
  private readonly dialog = find('#report', HTMLDialogElement);
  private readonly text = find('#report-text', HTMLElement);
  private readonly opener = find('#open-report', HTMLButtonElement);

  constructor() {
    this.opener.addEventListener('click', () => this.dialog.showModal());
    this.dialog.querySelector('#close-report')!.addEventListener('click', () => this.dialog.close());
    this.dialog.querySelector('#copy-report')!.addEventListener('click', () => void this.copy());
  }

  /** An empty text disables the button of the page. */
  set report(text: string) {
    this.text.textContent = text;
    this.opener.disabled = text === '';
  }

  private async copy(): Promise<void> {
    const problem = await copyText(this.text, 'The report');
    if (problem) {
      find('#copy-state', HTMLElement).textContent = problem;
      return;
    }
    this.dialog.close();
    showToast('Copied the report as Markdown.');
  }
}
