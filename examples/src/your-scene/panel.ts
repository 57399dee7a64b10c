// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { RANGES, type Settings } from './settings.ts';

export interface PanelEvents {
  /** Something that is drawn over the scene has changed. */
  readonly redraw: () => void;
  /** What is measured has changed. */
  readonly remeasure: () => void;
}

/** What each setting does. */
const SENTENCES = {
  octree: 'Draws the nodes of the octree over the scene.',
  outline: 'Draws cells, or the boxes around what is in them.',
  depth: 'The deepest nodes that are drawn.',
  turns: 'The view turns by itself.',
  plays: 'Plays the animations of the file.',
};

export function createPanel(settings: Settings, { redraw, remeasure }: PanelEvents): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addSwitch('octree', 'draw the octree', 'KeyO').onChange(redraw);
  panel.addChoice('outline', 'outline', { cells: 'cell', 'fitted boxes': 'fitted' }).onChange(redraw);
  panel.addSlider('depth', 'down to depth', RANGES.depth).onChange(redraw);
  panel.addSwitch('turns', 'turn', 'KeyT').onChange(redraw);
  panel.addSwitch('plays', 'play animation').onChange(remeasure);
  return panel;
}
