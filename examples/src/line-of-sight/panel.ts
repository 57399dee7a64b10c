// The settings panel, and the keys for some of its settings.

import { GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import { RANGES, type Settings } from './settings.ts';

/** @param rebuild Called when the number of watchers, people or rays has changed. */
export function createPanel(container: HTMLElement, settings: Settings, rebuild: () => void): void {
  const gui = new GUI({ container, title: 'Settings' });
  const addSlider = (name: keyof typeof RANGES, label: string) => {
    const { low, high, step } = RANGES[name];
    return gui.add(settings, name, low, high, step).name(label);
  };
  addSlider('watchers', 'watchers').onFinishChange(rebuild);
  addSlider('people', 'people').onFinishChange(rebuild);
  addSlider('fan', 'rays in a view').onFinishChange(rebuild);
  addSlider('range', 'range, m');
  const batch = gui.add(settings, 'batch').name('one call for all');
  const pause = gui.add(settings, 'isPaused').name('pause');
  if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) gui.close();
  onKeyPress('KeyB', () => batch.setValue(!settings.batch));
  onKeyPress('KeyP', () => pause.setValue(!settings.isPaused));
}
