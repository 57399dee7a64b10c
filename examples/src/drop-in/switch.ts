// A switch beside the code that it changes: the page wears a class of the switch's name while it is on.

import { onKeyPress } from '../shared/held-keys.ts';
import type { Settings } from './settings.ts';

export function connectSwitch(settings: Settings, setting: 'standsStill' | 'usesOctree', id: string, key: string, onChange: () => void = () => {}): void {
  const input = document.querySelector<HTMLInputElement>(`#${id}`)!;
  const show = (): void => {
    input.checked = settings[setting];
    document.body.classList.toggle(id, settings[setting]);
  };
  const set = (isOn: boolean): void => {
    settings[setting] = isOn;
    show();
    onChange();
  };
  input.addEventListener('change', () => set(input.checked));
  onKeyPress(key, () => set(!settings[setting]));
  show();
}
