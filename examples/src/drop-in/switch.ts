// A switch for a setting that changes the shown code. While it is on, the body element has the id of the switch as a
// class.

import { find } from '../shared/elements.ts';
import { onKeyPress } from '../shared/held-keys.ts';
import type { Settings } from './settings.ts';

export function connectSwitch(
  settings: Settings,
  setting: 'isStatic' | 'usesOctree',
  id: string,
  key: string,
  onChange: () => void = () => {},
): void {
  const input = find(`#${id}`, HTMLInputElement);
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
