// The form with the settings. The address of the page follows it.

import type { SceneChoice } from './messages.ts';
import { MAX_CULLS, MAX_RAYS, readSettings, type Settings, writeSettings } from './settings.ts';

export class SettingsForm {
  onScene: () => void = () => {};
  onLoad: () => void = () => {};
  onRounds: () => void = () => {};
  private readonly scene: HTMLSelectElement;
  private readonly bodies: HTMLSelectElement;
  private readonly motion: HTMLSelectElement;
  private readonly rounds: HTMLSelectElement;
  private readonly culls: HTMLInputElement;
  private readonly rays: HTMLInputElement;
  private isDisabled = false;

  /** @param query Of the page's address. */
  constructor(root: ParentNode, query: URLSearchParams) {
    const select = (name: string): HTMLSelectElement => root.querySelector(`select#${name}`)!;
    const input = (name: string): HTMLInputElement => root.querySelector(`input#${name}`)!;
    [this.scene, this.bodies, this.motion, this.rounds] = [
      select('scene'),
      select('bodies'),
      select('motion'),
      select('rounds'),
    ];
    [this.culls, this.rays] = [input('culls'), input('rays')];
    const { choice, load, rounds } = readSettings(query);
    this.scene.value = choice.scene;
    this.motion.value = choice.motion;
    choose(this.bodies, choice.bodies);
    choose(this.rounds, rounds);
    this.culls.value = String(load.culls);
    this.rays.value = String(load.rays);
    for (const one of [this.scene, this.bodies, this.motion])
      one.addEventListener('change', () => this.changed(this.onScene));
    this.rounds.addEventListener('change', () => this.changed(this.onRounds));
    for (const one of [this.culls, this.rays]) {
      one.addEventListener('change', () => {
        const { load } = this.settings;
        [this.culls.value, this.rays.value] = [String(load.culls), String(load.rays)];
        this.changed(this.onLoad);
      });
    }
    this.enableFields();
  }

  get settings(): Settings {
    return {
      choice: {
        scene: this.scene.value as SceneChoice['scene'],
        bodies: Number(this.bodies.value),
        motion: this.motion.value as SceneChoice['motion'],
      },
      load: { culls: integer(this.culls, MAX_CULLS), rays: integer(this.rays, MAX_RAYS) },
      rounds: Number(this.rounds.value),
    };
  }

  /** Adds own bodies to the scenes and chooses them. */
  addOwnScene(name: string): void {
    const option = this.ownOption;
    option.disabled = false;
    option.textContent = name;
    this.scene.value = 'own';
    this.enableFields();
  }

  removeOwnScene(): void {
    this.ownOption.disabled = true;
    this.ownOption.textContent = 'own bodies';
    this.scene.selectedIndex = 0;
    this.enableFields();
  }

  setDisabled(isDisabled: boolean): void {
    this.isDisabled = isDisabled;
    this.enableFields();
  }

  private get ownOption(): HTMLOptionElement {
    return [...this.scene.options].find(({ value }) => value === 'own')!;
  }

  private changed(listener: () => void): void {
    this.enableFields();
    history.replaceState(null, '', `${location.pathname}${writeSettings(this.settings)}${location.hash}`);
    listener();
  }

  private enableFields(): void {
    for (const field of [this.scene, this.bodies, this.motion, this.rounds, this.culls, this.rays])
      field.disabled = this.isDisabled;
    // The number of own bodies cannot be chosen.
    if (this.scene.value === 'own') this.bodies.disabled = true;
  }
}

/** Chooses a number, which is added if it is missing. */
function choose(select: HTMLSelectElement, number: number): void {
  if (![...select.options].some(({ value }) => value === String(number)))
    select.add(new Option(number.toLocaleString('en'), String(number)));
  select.value = String(number);
}

const integer = ({ value }: HTMLInputElement, max: number): number =>
  Math.min(max, Math.max(0, Math.round(Number(value)) || 0));
