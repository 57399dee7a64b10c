// The settings panel. All changes of settings, by the panel or by keys, go through this class.

import { type Controller, GUI } from 'lil-gui';
import type { CellChoice } from './cull-cells.ts';
import { onKeyPress } from '../shared/held-keys.ts';
import type { DataSet, DataSetName } from './data-set.ts';
import { type Settings, startCount } from './settings.ts';

export interface PanelEvents {
  /** The world must be rebuilt. */
  readonly rebuild: () => void;
  readonly path: (isOn: boolean) => void;
  readonly observer: (isShown: boolean) => void;
  readonly whole: (isShown: boolean) => void;
}

const DEPTHS = Array.from({ length: 13 }, (_, depth) => depth);
const CELL_CHOICES: Record<string, CellChoice> = {
  off: 'off', 'as culled': 'decided', ...Object.fromEntries(DEPTHS.map((depth) => [`depth ${depth}`, depth])), all: 'all',
};

export class Panel {
  private readonly gui: GUI;
  private readonly settings: Settings;
  private readonly dataSets: Readonly<Record<DataSetName, DataSet>>;
  private readonly controllers = new Map<keyof Settings, Controller>();

  constructor(container: HTMLElement, settings: Settings, dataSets: Readonly<Record<DataSetName, DataSet>>, events: PanelEvents) {
    this.settings = settings;
    this.dataSets = dataSets;
    this.gui = new GUI({ container, title: 'Settings' });
    this.addScene(events);
    this.addCull();
    this.addView(events);
    // A select element that was opened by the pointer keeps the focus, and with it the keys that fly.
    container.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
    });
    if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) this.gui.close();
    for (const [code, name] of [['KeyP', 'path'], ['KeyC', 'freeze'], ['KeyO', 'observer'], ['KeyB', 'compare'], ['KeyV', 'whole']] as const) {
      onKeyPress(code, () => this.set(name, !settings[name]));
    }
  }

  /** Changes a setting as if it had been changed in the panel. */
  set<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
    if (this.settings[name] !== value) this.controllers.get(name)!.setValue(value);
  }

  private addScene({ rebuild }: PanelEvents): void {
    const { gui, settings, dataSets } = this;
    this.keep('data', gui.add(settings, 'data', { 'real places': 'cities', 'generated city': 'city' })).onChange((name: DataSetName) => {
      settings.count = startCount(dataSets[name]);
      settings.far = dataSets[name].far.start;
      this.offerRanges();
      rebuild();
    });
    this.keep('count', gui.add(settings, 'count', {})).onChange(rebuild);
    this.keep('looseness', gui.add(settings, 'looseness', 1, 4, 0.25)).onFinishChange(rebuild);
    this.keep('leafCapacity', gui.add(settings, 'leafCapacity', 1, 128, 1)).name('leaf capacity').onFinishChange(rebuild);
    this.offerRanges();
  }

  private addCull(): void {
    const { gui, settings } = this;
    const { low, high } = this.dataSets[settings.data].far;
    this.keep('far', gui.add(settings, 'far', low, high, 10)).name('far plane');
    this.keep('compare', gui.add(settings, 'compare')).name('check results');
    this.keep('freeze', gui.add(settings, 'freeze')).name('freeze cull');
    this.offerRanges();
  }

  private addView({ path, observer, whole }: PanelEvents): void {
    const { gui, settings } = this;
    this.keep('path', gui.add(settings, 'path')).name('automatic path').onChange(path);
    this.keep('speed', gui.add(settings, 'speed', 0.1, 5, 0.1));
    this.keep('observer', gui.add(settings, 'observer')).name('show inset').onChange(observer);
    this.keep('whole', gui.add(settings, 'whole')).name('whole world').onChange(whole);
    this.keep('cells', gui.add(settings, 'cells', CELL_CHOICES)).name('show cells');
    this.keep('outline', gui.add(settings, 'outline', ['cells', 'fitted boxes'])).name('drawn as');
  }

  private keep(name: keyof Settings, controller: Controller): Controller {
    this.controllers.set(name, controller);
    return controller;
  }

  /** Sets the selectable counts and far planes to those of the data set. */
  private offerRanges(): void {
    const { settings } = this;
    const { counts, far, bodyName } = this.dataSets[settings.data];
    const offered = [...new Set([...counts, settings.count])].sort((a, b) => a - b);
    const options = Object.fromEntries(offered.map((count) => [`${count.toLocaleString('en')} ${bodyName}`, count]));
    this.controllers.get('count')!.options(options);
    this.controllers.get('far')?.min(far.low).max(far.high).updateDisplay();
  }
}
