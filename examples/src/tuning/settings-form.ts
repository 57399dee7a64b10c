// The form with the settings.

import type { FrameLoad } from './comparison.ts';
import type { SceneChoice } from './messages.ts';
import { RANGES, type Settings } from './settings.ts';

export class SettingsForm {
  onScene: () => void = () => {};
  onLoad: () => void = () => {};
  onRounds: () => void = () => {};
  private readonly scene: HTMLSelectElement;
  private readonly bodies: HTMLSelectElement;
  private readonly motion: HTMLSelectElement;
  private readonly roundField: HTMLSelectElement;
  private readonly culls: HTMLInputElement;
  private readonly rays: HTMLInputElement;
  private isDisabled = false;
  private readonly settings: Settings;

  /** @param settings Follow the form. Own bodies are not among them. */
  constructor(root: ParentNode, settings: Settings) {
    this.settings = settings;
    const select = (name: string): HTMLSelectElement => root.querySelector(`select#${name}`)!;
    const input = (name: string): HTMLInputElement => root.querySelector(`input#${name}`)!;
    [this.scene, this.bodies, this.motion, this.roundField] = [
      select('scene'),
      select('bodies'),
      select('motion'),
      select('rounds'),
    ];
    [this.culls, this.rays] = [input('culls'), input('rays')];
    this.scene.value = settings.scene;
    this.motion.value = settings.motion;
    choose(this.bodies, settings.bodies);
    choose(this.roundField, settings.rounds);
    this.showLoad();
    for (const one of [this.scene, this.bodies, this.motion])
      one.addEventListener('change', () => this.changed(this.onScene));
    this.roundField.addEventListener('change', () => this.changed(this.onRounds));
    for (const one of [this.culls, this.rays]) {
      one.addEventListener('change', () => {
        this.changed(this.onLoad);
      });
    }
    this.enableFields();
  }

  get choice(): SceneChoice {
    const { bodies, motion } = this.settings;
    return { scene: this.scene.value as SceneChoice['scene'], bodies, motion };
  }

  get load(): FrameLoad {
    return this.settings;
  }

  get rounds(): number {
    return this.settings.rounds;
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
    const { scene, bodies, motion, culls, rays, roundField, settings } = this;
    if (scene.value !== 'own') settings.scene = scene.value as Settings['scene'];
    settings.bodies = Number(bodies.value);
    settings.motion = motion.value as Settings['motion'];
    settings.culls = integer(culls, RANGES.culls.high);
    settings.rays = integer(rays, RANGES.rays.high);
    settings.rounds = Number(roundField.value);
    this.showLoad();
    listener();
  }

  private showLoad(): void {
    this.culls.value = String(this.settings.culls);
    this.rays.value = String(this.settings.rays);
  }

  private enableFields(): void {
    for (const field of [this.scene, this.bodies, this.motion, this.roundField, this.culls, this.rays])
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
