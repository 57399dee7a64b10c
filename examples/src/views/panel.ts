// The settings panel, and the key for pause.

import { GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

/** @param rebuild Called when the number of buildings has changed. */
export function createPanel(container: HTMLElement, settings: Settings, rebuild: () => void): void {
  const gui = new GUI({ container, title: 'Settings' });
  const addSlider = (name: keyof typeof RANGES, label: string) => gui.add(settings, name, RANGES[name].low, RANGES[name].high, RANGES[name].step).name(label);
  addSlider('cascades', 'shadow cascades');
  addSlider('far', 'far plane, m');
  const counts = [...new Set([...COUNTS, settings.buildings])].sort((a, b) => a - b);
  gui.add(settings, 'buildings', Object.fromEntries(counts.map((count) => [count.toLocaleString('en'), count]))).onChange(rebuild);
  const pause = gui.add(settings, 'isPaused').name('pause');
  // A select element that was opened by the pointer keeps the focus, and with it the keys.
  container.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
  });
  if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) gui.close();
  onKeyPress('KeyP', () => pause.setValue(!settings.isPaused));
}
