// The settings panel, and the keys for some of its settings.

import { type Controller, GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import { COUNTS, type Settings } from './settings.ts';

export interface PanelEvents {
  readonly rebuild: () => void;
  /** The scene has changed, so the measured times are obsolete. */
  readonly restart: () => void;
}

export function createPanel(container: HTMLElement, settings: Settings, { rebuild, restart }: PanelEvents): void {
  const gui = new GUI({ container, title: 'Settings' });
  const counts = [...new Set([...COUNTS, settings.count])].sort((a, b) => a - b);
  gui.add(settings, 'count', Object.fromEntries(counts.map((count) => [`${count.toLocaleString('en')} meshes`, count]))).onChange(rebuild);
  gui.add(settings, 'shadows').onChange(restart);
  gui.add(settings, 'birds').name('birds fly').onChange(restart);
  const path = gui.add(settings, 'path').name('automatic path');
  const both = gui.add(settings, 'measuresBoth').name('measure both');
  // A select element that was opened by the pointer keeps the focus, and with it the keys.
  container.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
  });
  if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) gui.close();
  toggleBy('KeyP', path);
  toggleBy('KeyM', both);
}

const toggleBy = (code: string, controller: Controller) => onKeyPress(code, () => controller.setValue(controller.getValue() !== true));
