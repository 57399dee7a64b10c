// The settings panel, and the key for pause.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { COUNTS, RANGES, type Settings } from './settings.ts';

/** What each setting does. */
const SENTENCES = {
  cascades: 'Shadow cascades of the sun; each of them is a view of its own.',
  far: 'How far the camera sees, in metres.',
  buildings: 'Buildings of the city.',
};

/** @param rebuild Called when the number of buildings has changed. */
export function createPanel(settings: Settings, rebuild: () => void): void {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addSlider('cascades', 'shadow cascades', RANGES.cascades);
  panel.addSlider('far', 'far plane, m', RANGES.far);
  panel.addCounts('buildings', 'buildings', COUNTS).onChange(rebuild);
  panel.addPause('isPaused');
}
