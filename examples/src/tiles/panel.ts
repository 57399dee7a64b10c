// The settings panel, and its keys.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { ERRORS, MEMORIES, type Settings } from './settings.ts';

/** What each setting does. */
const SENTENCES = {
  fly: 'Flies along a path by itself.',
  error: 'Pixels by which a tile may be off. Fewer: finer tiles, more bytes.',
  memory: 'Memory for tiles. Those that are not in view leave when it is full.',
  map: 'Shows which tiles are drawn.',
};

export function createPanel(
  settings: Settings,
  on: { readonly fly: (isOn: boolean) => void; readonly map: () => void },
): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addSwitch('fly', 'automatic path', 'KeyP').onChange(on.fly);
  panel.addSlider('error', 'error in pixels', ERRORS);
  panel.addChoice('memory', 'memory', Object.fromEntries(MEMORIES.map((size) => [`${size} MB`, size])));
  panel.addSwitch('map', 'map of tiles', 'KeyM').onChange(on.map);
  return panel;
}
