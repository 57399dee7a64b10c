// The settings panel, and its keys.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { RANGES, type Settings } from './settings.ts';

/** What each setting does. */
const SENTENCES = {
  usesUpdates: 'Draws only the shadow maps that change. Off: all in each frame.',
  cars: 'Cars that drive. The others are parked.',
  people: 'People who walk.',
};

/** @param onSwitch Called when the updates have been switched on or off. */
export function createPanel(settings: Settings, onSwitch: () => void): void {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addSwitch('usesUpdates', 'ShadowUpdates', 'KeyU').onChange(onSwitch);
  panel.addSlider('cars', 'driving cars', RANGES.cars);
  panel.addSlider('people', 'walking people', RANGES.people);
  panel.addPause('isPaused');
}
