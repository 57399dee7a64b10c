// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { RANGES, type Settings } from './settings.ts';

/** What each setting does. */
const SENTENCES = {
  watchers: 'Watchers who look around.',
  people: 'People who may be seen.',
  fan: 'Rays in the view of each watcher.',
  range: 'How far a watcher sees, in metres.',
  batch: 'Casts all rays of a tick in one call. Off: one by one.',
};

/** @param rebuild Called when the number of watchers, people or rays has changed. */
export function createPanel(settings: Settings, rebuild: () => void): void {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addSlider('watchers', 'watchers', RANGES.watchers).onFinishChange(rebuild);
  panel.addSlider('people', 'people', RANGES.people).onFinishChange(rebuild);
  panel.addSlider('fan', 'rays in a view', RANGES.fan).onFinishChange(rebuild);
  panel.addSlider('range', 'range, m', RANGES.range);
  panel.addSwitch('batch', 'one call for all', 'KeyB');
  panel.addPause('isPaused');
}
