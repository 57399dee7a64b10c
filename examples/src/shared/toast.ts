// Shows a short message that disappears after a few seconds.

const SHOWN_MS = 5000;

let notices: HTMLElement | undefined;
let line: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

export function showToast(message: string): void {
  line ??= addNotice('toast');
  line.textContent = message;
  line.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (line!.hidden = true), SHOWN_MS);
}

/** Adds a line to those at the bottom of the page, which never cover each other. */
export function addNotice(id: string): HTMLElement {
  if (notices === undefined) {
    notices = document.createElement('div');
    notices.className = 'notices';
    document.body.append(notices);
  }
  const notice = addStatus(id);
  notices.append(notice);
  return notice;
}

/** Adds a line to the page whose text screen readers read out. */
export function addStatus(id: string): HTMLElement {
  const status = document.createElement('p');
  status.id = id;
  status.role = 'status';
  document.body.append(status);
  return status;
}
