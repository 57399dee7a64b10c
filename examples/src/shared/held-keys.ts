// Which keys are down, as long as nobody types into a field.

export class HeldKeys {
  private readonly held = new Set<string>();

  constructor() {
    addEventListener('keydown', (event) => {
      if (isForPage(event)) this.held.add(event.code);
    }, { capture: true });
    addEventListener('keyup', ({ code }) => this.held.delete(code), { capture: true });
    // The window hears of no release while it is not in front.
    addEventListener('blur', () => this.held.clear());
  }

  /** Codes as in `KeyboardEvent.code`, so that the place of a key counts and not its letter. */
  has(code: string): boolean {
    return this.held.has(code);
  }

  /** 1, 0 or -1: which of two opposite keys is down. */
  axis(plus: string, minus: string): number {
    return (this.held.has(plus) ? 1 : 0) - (this.held.has(minus) ? 1 : 0);
  }
}

/** Calls back once a press of the key, repeats left out. */
export function onKeyPress(code: string, act: () => void): void {
  addEventListener('keydown', (event) => {
    if (event.code === code && !event.repeat && isForPage(event)) act();
  }, { capture: true });
}

/** Heard on the way down, because the panel keeps all keys to itself, also those its checkboxes have no use for. */
const isForPage = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey &&
  !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=checkbox]), select, textarea')));
