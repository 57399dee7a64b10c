// The settings panel. All changes of settings, by the panel, by keys or by buttons, go through this class.

import { type Controller, GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import type { WorldName, WorldPlan } from './picking-world.ts';
import type { Settings } from './settings.ts';

export interface PanelEvents {
  /** The world must be rebuilt. */
  readonly rebuild: () => void;
  /** Any other setting has changed. */
  readonly change: () => void;
}

export class Panel {
  private readonly settings: Settings;
  private readonly plans: Readonly<Record<WorldName, WorldPlan>>;
  private readonly controllers = new Map<keyof Settings, Controller>();

  constructor(container: HTMLElement, settings: Settings, plans: Readonly<Record<WorldName, WorldPlan>>, { rebuild, change }: PanelEvents) {
    this.settings = settings;
    this.plans = plans;
    const gui = new GUI({ container, title: 'Settings' });
    const worlds = { 'town of meshes': 'city', 'real cities': 'cities' };
    this.keep('world', gui.add(settings, 'world', worlds)).onChange((name: WorldName) => {
      settings.count = plans[name].startCount;
      this.offerCounts();
      rebuild();
    });
    this.keep('count', gui.add(settings, 'count', {})).name('objects').onChange(rebuild);
    this.keep('hover', gui.add(settings, 'hover')).name('highlight').onChange(change);
    this.keep('compare', gui.add(settings, 'compare')).name('run Raycaster').onChange(change);
    this.keep('rectangle', gui.add(settings, 'rectangle')).name('drag selects').onChange(change);
    this.keep('inside', gui.add(settings, 'inside')).name('fully inside').onChange(change);
    this.keep('path', gui.add(settings, 'path', ['off', 'fitted boxes', 'cells'])).name('nodes entered').onChange(change);
    this.keep('side', gui.add(settings, 'side')).name('side view').onChange(change);
    this.offerCounts();
    // A select element that was opened by the pointer keeps the focus, and with it the keys that move the view.
    container.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
    });
    if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) gui.close();
    for (const [code, name] of [['KeyH', 'hover'], ['KeyC', 'compare'], ['KeyX', 'rectangle'], ['KeyO', 'side']] as const) {
      onKeyPress(code, () => this.set(name, !settings[name]));
    }
  }

  /** Changes a setting as if it had been changed in the panel. */
  set<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
    if (this.settings[name] !== value) this.controllers.get(name)!.setValue(value);
  }

  private keep(name: keyof Settings, controller: Controller): Controller {
    this.controllers.set(name, controller);
    return controller;
  }

  private offerCounts(): void {
    const { counts, itemName } = this.plans[this.settings.world];
    const offered = [...new Set([...counts, this.settings.count])].sort((a, b) => a - b);
    this.controllers.get('count')!.options(Object.fromEntries(offered.map((count) => [`${count.toLocaleString('en')} ${itemName}`, count])));
  }
}
