// Shows a message while the graphics context is lost.

import { addStatus } from './toast.ts';

/** Calls back when the context is lost, and when the browser has restored it. demo.css shows the message in between. */
export function watchContext(canvas: HTMLCanvasElement, onChange: (isAlive: boolean) => void = () => {}): void {
  const message = addStatus('lost');
  const change = (isAlive: boolean): void => {
    message.textContent = isAlive ? '' : 'The graphics context was lost. Waiting for the browser to restore it.';
    document.body.classList.toggle('context-lost', !isAlive);
    onChange(isAlive);
  };
  canvas.addEventListener('webglcontextlost', () => change(false));
  canvas.addEventListener('webglcontextrestored', () => change(true));
}
