// The progress bar of a long task, with a button that cancels the task.

export class ProgressBar {
  private readonly root: HTMLElement;
  private readonly title: HTMLElement;
  private readonly bar: HTMLProgressElement;
  private stop: () => void = () => {};

  constructor(root: HTMLElement) {
    this.root = root;
    this.title = root.querySelector('.progress-title')!;
    this.bar = root.querySelector('progress')!;
    root.querySelector('button')!.addEventListener('click', () => this.stop());
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
