// Shows a short message that disappears after a few seconds.

const SHOWN_MS = 5000;

let timer: ReturnType<typeof setTimeout> | undefined;

export function showToast(message: string): void {
  const line = document.querySelector<HTMLElement>('#toast')!;
  line.textContent = message;
  line.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (line.hidden = true), SHOWN_MS);
}
