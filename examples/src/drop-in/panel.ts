// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, type Settings } from './settings.ts';

export interface PanelEvents {
  readonly rebuild: () => void;
  /** The scene has changed, so the measured times are obsolete. */
  readonly restart: () => void;
}

/** What each setting does. */
const SENTENCES = {
  count: 'Plain meshes in the scene.',
  shadows: 'Draws the shadows of a sun, a pass more in each frame.',
  birds: 'Some of the meshes move in each frame.',
  path: 'The camera flies by itself.',
  measuresBoth: 'Draws both groups in turn, so that both times are measured.',
};

export function createPanel(settings: Settings, { rebuild, restart }: PanelEvents): void {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addCounts('count', 'count', COUNTS, 'meshes').onChange(rebuild);
  panel.addSwitch('shadows', 'shadows').onChange(restart);
  panel.addSwitch('birds', 'birds fly').onChange(restart);
  panel.addSwitch('path', 'automatic path', 'KeyP');
  panel.addSwitch('measuresBoth', 'measure both', 'KeyM');
}
