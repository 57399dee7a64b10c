// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, type Settings } from './settings.ts';

export interface PanelEvents {
  readonly rebuild: () => void;
  /** The scene has changed, so the measured figures are obsolete. */
  readonly restart: () => void;
}

export function createPanel(settings: Settings, { rebuild, restart }: PanelEvents): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings);
  panel.addCounts('count', 'count', COUNTS, 'houses').onChange(rebuild);
  panel.addSwitch('shadows', 'shadows', 'KeyS').onChange(restart);
  panel.addSwitch('ranges', 'colour the ranges', 'KeyR');
  panel.addSwitch('turn', 'turn by itself', 'KeyP');
  return panel;
}
