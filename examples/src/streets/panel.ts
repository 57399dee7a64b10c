// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, type Settings } from './settings.ts';

export interface PanelEvents {
  readonly rebuild: () => void;
  readonly showObserver: () => void;
}

/** What each setting does. */
const SENTENCES = {
  houses: 'Houses of the city; each of them is several meshes.',
  walk: 'The camera walks by itself.',
  observer: 'Shows from above what is drawn, what hides and what is hidden.',
};

export function createPanel(settings: Settings, { rebuild, showObserver }: PanelEvents): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addCounts('houses', 'houses', COUNTS, 'houses').onChange(rebuild);
  panel.addSwitch('walk', 'walk by itself', 'KeyP');
  panel.addSwitch('observer', 'view from above', 'KeyO').onChange(showObserver);
  return panel;
}
