// The settings panel. All changes of settings, by the panel or by keys, go through this class.

import { type Controller, GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import { type CellChoice, RANGES, type Settings, TICK_RATES } from './settings.ts';

export interface PanelEvents {
  /** Bullets hit by shape casts, or no longer. */
  readonly casts: () => void;
  /** The cells of the other octree are shown. */
  readonly lifespan: () => void;
  /** The octrees must be rebuilt. */
  readonly rebuild: () => void;
  /** The automatic aim was switched on and takes effect at once. */
  readonly patrol: () => void;
}

const CELL_CHOICES: Record<string, CellChoice> = { all: 'all', 'changing only': 'changing', none: 'off' };
const SMALL_WINDOW = '(max-width: 700px), (max-height: 560px)';

export class Panel {
  private readonly gui: GUI;
  private readonly settings: Settings;
  private readonly controllers = new Map<keyof Settings, Controller>();

  constructor(container: HTMLElement, settings: Settings, events: PanelEvents) {
    this.settings = settings;
    this.gui = new GUI({ container, title: 'Settings' });
    this.addSlider('rate', 'bullets / s');
    this.addSlider('speed', 'speed, m / s');
    this.addSlider('spread', 'spread, degrees');
    this.keep('ticks', this.gui.add(settings, 'ticks', [...TICK_RATES])).name('ticks / s');
    this.add('casts', 'shape casts').onChange(events.casts);
    this.add('lifespan', 'lifespans').onChange(events.lifespan);
    this.addSlider('looseness', 'looseness').onFinishChange(events.rebuild);
    this.keep('cells', this.gui.add(settings, 'cells', CELL_CHOICES)).name('show cells');
    this.add('patrol', 'automatic aim').onChange((isOn: boolean) => isOn && events.patrol());
    this.addSlider('pace', 'time scale');
    this.add('isPaused', 'pause');
    // A select element that was opened by the pointer keeps the focus, and with it the keys that aim.
    container.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
    });
    if (matchMedia(SMALL_WINDOW).matches) this.gui.close();
  }

  /** Lets keys change settings, too. */
  connectKeys(): void {
    const { settings } = this;
    for (const [code, name] of [['KeyH', 'casts'], ['KeyL', 'lifespan'], ['KeyA', 'patrol'], ['KeyP', 'isPaused']] as const) {
      onKeyPress(code, () => this.set(name, !settings[name]));
    }
    const choices = Object.values(CELL_CHOICES);
    onKeyPress('KeyC', () => this.set('cells', choices[(choices.indexOf(settings.cells) + 1) % choices.length]));
  }

  /** Changes a setting as if it had been changed in the panel. */
  set<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
    if (this.settings[name] !== value) this.controllers.get(name)!.setValue(value);
  }

  private addSlider(name: keyof typeof RANGES, label: string): Controller {
    const { low, high, step } = RANGES[name];
    return this.keep(name, this.gui.add(this.settings, name, low, high, step)).name(label);
  }

  private add(name: 'casts' | 'lifespan' | 'patrol' | 'isPaused', label: string): Controller {
    return this.keep(name, this.gui.add(this.settings, name)).name(label);
  }

  private keep(name: keyof Settings, controller: Controller): Controller {
    this.controllers.set(name, controller);
    return controller;
  }
}
