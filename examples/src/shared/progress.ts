// The progress bar of a long task, with a button that cancels the task.

export class ProgressBar {
  private readonly root: HTMLElement;
  private readonly title = document.createElement('p');
  private readonly bar = document.createElement('progress');
  private stop: () => void = () => {};

  /** @param root Empty, where the page shows its progress. */
  constructor(root: HTMLElement) {
    this.root = root;
    this.title.className = 'progress-title';
    this.bar.setAttribute('aria-label', 'Progress');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Cancel';
    button.addEventListener('click', () => this.stop());
    root.append(this.title, this.bar, button);
  }

  /** Shows the bar until `end`; the button calls `stop`. */
  begin(title: string, stop: () => void): void {
    this.title.textContent = title;
    this.bar.value = 0;
    this.stop = stop;
    this.root.hidden = false;
  }

  /** @param fraction 0 to 1. @param title The current step, if it changes. */
  set(fraction: number, title?: string): void {
    this.bar.value = fraction;
    if (title !== undefined) this.title.textContent = title;
  }

  end(): void {
    this.root.hidden = true;
  }
}
