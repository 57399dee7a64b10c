// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, type Settings } from './settings.ts';

export interface PanelEvents {
  readonly rebuild: () => void;
  /** The scene has changed, so the measured figures are obsolete. */
  readonly restart: () => void;
}

/** What each setting does. */
const SENTENCES = {
  count: 'Houses of the city, each with a geometry of its own, and up to 10,000 with a material of their own.',
  movers: 'One house in twelve rises, turns and sinks. Batches draw these in few calls, too.',
  shadows: 'Draws the shadows of a sun, a pass more in each frame.',
  ranges: 'Gives each draw call a colour of its own.',
  turn: 'The view turns by itself.',
};

export function createPanel(settings: Settings, { rebuild, restart }: PanelEvents): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addCounts('count', 'count', COUNTS, 'houses').onChange(rebuild);
  panel.addSwitch('movers', 'houses that move', 'KeyM').onChange(restart);
  panel.addSwitch('shadows', 'shadows', 'KeyS').onChange(restart);
  panel.addSwitch('ranges', 'colour the ranges', 'KeyR');
  panel.addSwitch('turn', 'turn by itself', 'KeyP');
  return panel;
}
