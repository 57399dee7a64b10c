// The dialog with the report, and its button that copies it.

import { showToast } from '../shared/toast.ts';

export class ReportDialog {
  private readonly dialog = document.querySelector<HTMLDialogElement>('#report')!;
  private readonly text = document.querySelector<HTMLElement>('#report-text')!;
  private readonly opener = document.querySelector<HTMLButtonElement>('#open-report')!;

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
    try {
      await navigator.clipboard.writeText(this.text.textContent ?? '');
      this.dialog.close();
      showToast('Copied the report as Markdown.');
    } catch {
      getSelection()?.selectAllChildren(this.text);
      this.dialog.querySelector<HTMLElement>('#copy-state')!.textContent = 'The browser did not allow copying. The report is selected: copy it with the keyboard.';
    }
  }
}
