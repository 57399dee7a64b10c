// Tracks which keys are down. Keys typed into a field are ignored.

export class HeldKeys {
  private readonly held = new Set<string>();

  constructor() {
    addEventListener(
      'keydown',
      (event) => {
        if (isForPage(event)) this.held.add(event.code);
      },
      { capture: true },
    );
    addEventListener('keyup', ({ code }) => this.held.delete(code), { capture: true });
    // A window without focus gets no keyup events.
    addEventListener('blur', () => this.held.clear());
  }

  /** @param code `KeyboardEvent.code`: the position of the key, independent of the keyboard layout. */
  has(code: string): boolean {
    return this.held.has(code);
  }

  /** 1, -1 or 0, depending on which of two opposite keys is down. */
  axis(plus: string, minus: string): number {
    return (this.held.has(plus) ? 1 : 0) - (this.held.has(minus) ? 1 : 0);
  }
}

/** Calls back once per press of the key, without repeats. */
export function onKeyPress(code: string, act: () => void): void {
  addEventListener(
    'keydown',
    (event) => {
      if (event.code === code && !event.repeat && isForPage(event)) act();
    },
    { capture: true },
  );
}

/** Used in the capture phase, because the panel stops the propagation of all key events, even on its checkboxes. */
const isForPage = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey &&
  !metaKey &&
  !altKey &&
  !(
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), select, textarea'))
  );
