// The settings panel, and the keys for some of its settings.

import { GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

/** @param rebuild Called when the number of people or the size of the zones has changed. */
export function createPanel(container: HTMLElement, settings: Settings, rebuild: () => void): void {
  const gui = new GUI({ container, title: 'Settings' });
  const counts = [...new Set([...COUNTS, settings.people])].sort((a, b) => a - b);
  gui.add(settings, 'people', Object.fromEntries(counts.map((count) => [count.toLocaleString('en'), count]))).onChange(rebuild);
  gui.add(settings, 'zone', RANGES.zone.low, RANGES.zone.high, RANGES.zone.step).name('zones, m').onFinishChange(rebuild);
  const patrol = gui.add(settings, 'patrol').name('automatic path');
  const pause = gui.add(settings, 'isPaused').name('pause');
  // A select element that was opened by the pointer keeps the focus, and with it the keys.
  container.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
  });
  if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) gui.close();
  onKeyPress('KeyA', () => patrol.setValue(!settings.patrol));
  onKeyPress('KeyP', () => pause.setValue(!settings.isPaused));
}
