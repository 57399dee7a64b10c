// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

/** What each setting does. */
const SENTENCES = {
  people: 'People in the town; each is a body of the octree.',
  walking: 'How many of them walk. The others stand still.',
  streets: 'Zones along the streets too, not only at crossings.',
  zone: 'Edge of a zone, in metres.',
  patrol: 'The player walks by himself.',
};

/** @param rebuild Called when people or zones have changed. */
export function createPanel(settings: Settings, rebuild: () => void): void {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addCounts('people', 'people', COUNTS).onChange(rebuild);
  panel.addSlider('walking', 'walking, %', RANGES.walking).onFinishChange(rebuild);
  panel.addSwitch('streets', 'zones in streets').onChange(rebuild);
  panel.addSlider('zone', 'zones, m', RANGES.zone).onFinishChange(rebuild);
  panel.addSwitch('patrol', 'automatic path', 'KeyA');
  panel.addPause('isPaused');
}
