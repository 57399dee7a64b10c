// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

/** @param rebuild Called when people or zones have changed. */
export function createPanel(settings: Settings, rebuild: () => void): void {
  const panel = new SettingsPanel(settings);
  panel.addCounts('people', 'people', COUNTS).onChange(rebuild);
  panel.addSlider('walking', 'walking, %', RANGES.walking).onFinishChange(rebuild);
  panel.addSwitch('streets', 'zones in streets').onChange(rebuild);
  panel.addSlider('zone', 'zones, m', RANGES.zone).onFinishChange(rebuild);
  panel.addSwitch('patrol', 'automatic path', 'KeyA');
  panel.addPause('isPaused');
}
