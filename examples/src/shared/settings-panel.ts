// The settings panel of a page, with keys for some of the settings.

import { type Controller, GUI } from 'lil-gui';
import { element } from './elements.ts';
import { onKeyPress } from './held-keys.ts';
import { showToast } from './toast.ts';

/** Windows in which the panel would hide too much. */
const SMALL_WINDOW = '(max-width: 700px), (max-height: 560px)';

/** The names of the settings with values of a type. */
type NamesOf<Settings, Value> = {
  [Name in keyof Settings]: Settings[Name] extends Value ? Name : never;
}[keyof Settings] &
  string;

export class SettingsPanel<Settings extends object> {
  private readonly settings: Settings;
  private readonly sentences: Readonly<Record<string, string>>;
  private readonly gui: GUI;
  private readonly controllers = new Map<string, Controller>();

  /** @param sentences What each setting does, by its name. */
  constructor(settings: Settings, sentences: Readonly<Record<string, string>>) {
    const container = element('panel');
    this.settings = settings;
    this.sentences = { isPaused: 'Stops what moves.', ...sentences };
    this.gui = new GUI({ container, title: 'Settings' });
    if (matchMedia(SMALL_WINDOW).matches) this.gui.close();
    // A select element that was opened by the pointer keeps the focus, and with it the keys of the page.
    container.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
    });
  }

  /** @param code `KeyboardEvent.code` of a key that switches the setting, too. */
  addSwitch(name: NamesOf<Settings, boolean>, label: string, code?: string): Controller {
    if (code !== undefined) onKeyPress(code, () => this.set(name, !this.settings[name] as Settings[typeof name]));
    return this.keep(name, label, this.gui.add(this.settings, name));
  }

  /** The switch of a page that moves by itself. A page that starts paused says how to go on. */
  addPause(name: NamesOf<Settings, boolean>): void {
    this.addSwitch(name, 'pause', 'KeyP');
    if (this.settings[name]) showToast('Paused. Press P, or switch off pause in the settings, to start.');
  }

  addSlider(
    name: NamesOf<Settings, number>,
    label: string,
    { low, high, step }: { readonly low: number; readonly high: number; readonly step: number },
  ): Controller {
    return this.keep(name, label, this.gui.add(this.settings, name, low, high, step));
  }

  /** @param choices The values by their labels. */
  addChoice<Name extends keyof Settings & string>(
    name: Name,
    label: string,
    choices: Readonly<Record<string, Settings[Name]>>,
  ): Controller {
    return this.keep(name, label, this.gui.add(this.settings, name, choices));
  }

  /** Offers these counts, and the current one. @param unit Stands behind each count. */
  addCounts(name: NamesOf<Settings, number>, label: string, counts: readonly number[], unit = ''): Controller {
    return this.keep(name, label, this.gui.add(this.settings, name, this.countsWith(name, counts, unit)));
  }

  /** Offers other counts for a setting of `addCounts`. */
  offerCounts(name: NamesOf<Settings, number>, counts: readonly number[], unit = ''): void {
    this.controllers.get(name)!.options(this.countsWith(name, counts, unit));
  }

  /** Changes the ends of a slider. */
  setRange(name: NamesOf<Settings, number>, low: number, high: number): void {
    this.controllers.get(name)!.min(low).max(high).updateDisplay();
  }

  /** Changes a setting as if the user had changed it in the panel. */
  set<Name extends keyof Settings & string>(name: Name, value: Settings[Name]): void {
    if (this.settings[name] !== value) this.controllers.get(name)!.setValue(value);
  }

  /** Shows or hides a setting. */
  show(name: keyof Settings & string, isShown: boolean): void {
    this.controllers.get(name)!.show(isShown);
  }

  private keep(name: string, label: string, controller: Controller): Controller {
    const sentence = this.sentences[name];
    if (sentence === undefined) throw new Error(`SettingsPanel: no sentence says what "${name}" does; write one`);
    this.controllers.set(name, controller);
    controller.domElement.title = sentence;
    // A long press, where no title is shown.
    controller.$name.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      showToast(sentence);
    });
    return controller.name(label);
  }

  private countsWith(name: NamesOf<Settings, number>, counts: readonly number[], unit: string): Record<string, number> {
    const offered = [...new Set([...counts, this.settings[name] as number])].sort((a, b) => a - b);
    return Object.fromEntries(offered.map((count) => [`${count.toLocaleString('en')} ${unit}`.trim(), count]));
  }
}
