// The two buttons that say what a drag does; they are there for fingers, which have no Shift.

/** Returns what shows the mode on the buttons. */
export function connectModes(root: HTMLElement, choose: (isDrawing: boolean) => void): (isDrawing: boolean) => void {
  const [turn, select] = root.querySelectorAll('button');
  turn.addEventListener('click', () => choose(false));
  select.addEventListener('click', () => choose(true));
  return (isDrawing) => {
    turn.setAttribute('aria-pressed', String(!isDrawing));
    select.setAttribute('aria-pressed', String(isDrawing));
  };
}
