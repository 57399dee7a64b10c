// The two buttons that choose the drag mode, for touch screens without a Shift key.

/** Returns a function that shows the mode on the buttons. */
export function connectModes(root: HTMLElement, choose: (isDrawing: boolean) => void): (isDrawing: boolean) => void {
  const [turn, select] = root.querySelectorAll('button');
  turn.addEventListener('click', () => choose(false));
  select.addEventListener('click', () => choose(true));
  return (isDrawing) => {
    turn.setAttribute('aria-pressed', String(!isDrawing));
    select.setAttribute('aria-pressed', String(isDrawing));
  };
}
