// The settings panel, and the keys for some of its settings.

import { onKeyPress } from '../shared/held-keys.ts';
import { SettingsPanel } from '../shared/settings-panel.ts';
import { CELL_CHOICES, RANGES, type Settings, TICK_RATES } from './settings.ts';

export interface PanelEvents {
  /** Shape casts were switched on or off. */
  readonly casts: () => void;
  /** The cells of the other octree are to be shown. */
  readonly lifespan: () => void;
  /** The octrees must be rebuilt. */
  readonly rebuild: () => void;
  /** The automatic aim was switched on and takes effect at once. */
  readonly patrol: () => void;
}

export function createPanel(settings: Settings, events: PanelEvents): void {
  const panel = new SettingsPanel(settings);
  panel.addSlider('rate', 'bullets / s', RANGES.rate);
  panel.addSlider('speed', 'speed, m / s', RANGES.speed);
  panel.addSlider('spread', 'spread, degrees', RANGES.spread);
  panel.addChoice('ticks', 'ticks / s', Object.fromEntries(TICK_RATES.map((rate) => [rate, rate])));
  panel.addSwitch('casts', 'shape casts', 'KeyH').onChange(events.casts);
  panel.addSwitch('lifespan', 'lifespans', 'KeyL').onChange(events.lifespan);
  panel.addSlider('looseness', 'looseness', RANGES.looseness).onFinishChange(events.rebuild);
  panel.addChoice('cells', 'show cells', { all: 'all', 'changing only': 'changing', none: 'off' });
  panel.addSwitch('patrol', 'automatic aim', 'KeyA').onChange((isOn: boolean) => isOn && events.patrol());
  panel.addSlider('pace', 'time scale', RANGES.pace);
  panel.addPause('isPaused');
  onKeyPress('KeyC', () =>
    panel.set('cells', CELL_CHOICES[(CELL_CHOICES.indexOf(settings.cells) + 1) % CELL_CHOICES.length]),
  );
}
