// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

/** @param rebuild Called when the number of people or the size of the zones has changed. */
export function createPanel(settings: Settings, rebuild: () => void): void {
  const panel = new SettingsPanel(settings);
  panel.addCounts('people', 'people', COUNTS).onChange(rebuild);
  panel.addSlider('zone', 'zones, m', RANGES.zone).onFinishChange(rebuild);
  panel.addSwitch('patrol', 'automatic path', 'KeyA');
  panel.addPause('isPaused');
}
