// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, type Settings } from './settings.ts';

export interface PanelEvents {
  readonly rebuild: () => void;
  readonly showObserver: () => void;
}

export function createPanel(settings: Settings, { rebuild, showObserver }: PanelEvents): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings);
  panel.addCounts('houses', 'houses', COUNTS, 'houses').onChange(rebuild);
  panel.addSwitch('walk', 'walk by itself', 'KeyP');
  panel.addSwitch('observer', 'view from above', 'KeyO').onChange(showObserver);
  return panel;
}
