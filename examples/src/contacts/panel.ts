// The settings panel, and the keys for some of its settings.

import { onKeyPress } from '../shared/held-keys.ts';
import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

export interface PanelEvents {
  /** The number of bodies has changed. */
  readonly rebuild: () => void;
  readonly shove: () => void;
}

/** What each setting does. */
const SENTENCES = {
  balls: 'Balls on the table.',
  stirrers: 'Bars that turn and push the balls.',
  friction: 'How soon a ball comes to rest.',
  replaced: 'Balls that are taken away and come back elsewhere, per second.',
  pace: 'Slows the simulation down.',
};

export function createPanel(settings: Settings, { rebuild, shove }: PanelEvents): void {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addCounts('balls', 'balls', COUNTS).onChange(rebuild);
  panel.addSlider('stirrers', 'stirrers', RANGES.stirrers).onFinishChange(rebuild);
  panel.addSlider('friction', 'friction', RANGES.friction);
  panel.addSlider('replaced', 'replaced / s', RANGES.replaced);
  panel.addSlider('pace', 'time scale', RANGES.pace);
  panel.addPause('isPaused');
  onKeyPress('KeyS', shove);
}
