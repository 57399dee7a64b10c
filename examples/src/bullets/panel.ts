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

/** What each setting does. */
const SENTENCES = {
  rate: 'Bullets that the gun fires per second.',
  speed: 'Speed of a bullet.',
  spread: 'Greatest angle between a bullet and the aim.',
  ticks: 'Steps of the simulation per second: fewer make longer steps.',
  casts: 'Finds hits along the whole step. Off: tests only where a bullet is.',
  lifespan: 'Keeps empty cells for some ticks, so that they can be used again.',
  looseness: 'How far a cell reaches over its edges.',
  cells: 'Which cells of the octree are drawn.',
  patrol: 'The gun aims by itself while you do not.',
  pace: 'Slows the simulation down.',
};

export function createPanel(settings: Settings, events: PanelEvents): void {
  const panel = new SettingsPanel(settings, SENTENCES);
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
