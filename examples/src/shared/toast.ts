// Shows a short message that disappears after a few seconds.

const SHOWN_MS = 5000;

let line: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

export function showToast(message: string): void {
  line ??= addStatus('toast');
  line.textContent = message;
  line.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (line!.hidden = true), SHOWN_MS);
}

/** Adds a line to the page whose text screen readers read out. */
export function addStatus(id: string): HTMLElement {
  const status = document.createElement('p');
  status.id = id;
  status.role = 'status';
  document.body.append(status);
  return status;
}
