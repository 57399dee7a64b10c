// The settings panel, and the keys for some of its settings.

import { GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

export interface PanelEvents {
  /** The number of bodies has changed. */
  readonly rebuild: () => void;
  readonly shove: () => void;
}

export function createPanel(container: HTMLElement, settings: Settings, { rebuild, shove }: PanelEvents): void {
  const gui = new GUI({ container, title: 'Settings' });
  const counts = [...new Set([...COUNTS, settings.balls])].sort((a, b) => a - b);
  const addSlider = (name: keyof typeof RANGES, label: string) => {
    const { low, high, step } = RANGES[name];
    return gui.add(settings, name, low, high, step).name(label);
  };
  gui.add(settings, 'balls', Object.fromEntries(counts.map((count) => [count.toLocaleString('en'), count]))).onChange(rebuild);
  addSlider('stirrers', 'stirrers').onFinishChange(rebuild);
  addSlider('friction', 'friction');
  addSlider('replaced', 'replaced / s');
  addSlider('pace', 'time scale');
  const pause = gui.add(settings, 'isPaused').name('pause');
  // A select element that was opened by the pointer keeps the focus, and with it the keys.
  container.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
  });
  if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) gui.close();
  onKeyPress('KeyP', () => pause.setValue(!settings.isPaused));
  onKeyPress('KeyS', shove);
}
