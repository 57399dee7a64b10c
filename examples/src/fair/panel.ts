// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import { PEOPLE, PLACES, type Settings, STALLS } from './settings.ts';

export interface PanelEvents {
  readonly rebuild: () => void;
  readonly goTo: () => void;
  readonly show: () => void;
}

/** What each setting does. */
const SENTENCES = {
  place: 'Puts you there.',
  view: 'Whose eyes the camera is.',
  stalls: 'Stalls of the fair; each of them is some thirty meshes.',
  people: 'People who walk about, with three queries each in a step.',
  measure: 'A click picks the ends of a tape measure.',
  clashes: 'Lists which things intersect, and colours them.',
  isStopped: 'Lifts, doors, wheel and people stand still. You do not.',
};

export function createPanel(settings: Settings, { rebuild, goTo, show }: PanelEvents): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings, SENTENCES);
  panel.addChoice('place', 'go to', Object.fromEntries(PLACES.map((place) => [place, place]))).onChange(goTo);
  panel.addChoice('view', 'view', { 'from behind': 'third', 'own eyes': 'first' }).onChange(show);
  panel.addCounts('stalls', 'stalls', STALLS, 'stalls').onChange(rebuild);
  panel.addCounts('people', 'people', PEOPLE, 'people').onChange(rebuild);
  panel.addSwitch('isStopped', 'stop the fair', 'KeyP').onChange(show);
  panel.addSwitch('measure', 'tape measure', 'KeyM').onChange(show);
  panel.addSwitch('clashes', 'clashes', 'KeyC').onChange(show);
  return panel;
}
