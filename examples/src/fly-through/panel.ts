// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import type { CellChoice } from './cull-cells.ts';
import type { DataSet, DataSetName } from './data-set.ts';
import { RANGES, type Settings, startCount } from './settings.ts';

export interface PanelEvents {
  /** The world must be rebuilt. */
  readonly rebuild: () => void;
  readonly path: (isOn: boolean) => void;
  readonly observer: (isShown: boolean) => void;
  readonly whole: (isShown: boolean) => void;
}

const DEPTHS = Array.from({ length: 13 }, (_, depth) => depth);
const CELL_CHOICES: Record<string, CellChoice> = {
  off: 'off',
  'as culled': 'decided',
  ...Object.fromEntries(DEPTHS.map((depth) => [`depth ${depth}`, depth])),
  all: 'all',
};

/** What each setting does. */
const SENTENCES = {
  data: 'Real places of the Earth, or a generated city.',
  count: 'Bodies in the octree.',
  looseness: 'How far a cell reaches over its edges.',
  leafCapacity: 'Bodies from which on a cell splits.',
  far: 'How far the camera sees.',
  compare: 'Also culls by a loop over all bodies, and compares results and times.',
  freeze: 'Keeps the frustum where it is, so that you can look at it from elsewhere.',
  path: 'The camera flies by itself.',
  speed: 'Speed of your flight.',
  observer: 'Shows the scene from above in the corner.',
  whole: 'Shows all of the world, with all cells.',
  cells: 'Which cells of the octree are drawn.',
  outline: 'Draws cells, or the boxes around what is in them.',
};

export function createPanel(
  settings: Settings,
  dataSets: Readonly<Record<DataSetName, DataSet>>,
  { rebuild, path, observer, whole }: PanelEvents,
): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings, SENTENCES);
  const { counts, bodyName, far } = dataSets[settings.data];
  panel
    .addChoice('data', 'data', { 'real places': 'cities', 'generated city': 'city' })
    .onChange((name: DataSetName) => {
      const { counts, bodyName, far } = dataSets[name];
      settings.count = startCount(dataSets[name]);
      settings.far = far.start;
      panel.offerCounts('count', counts, bodyName);
      panel.setRange('far', far.low, far.high);
      rebuild();
    });
  panel.addCounts('count', 'count', counts, bodyName).onChange(rebuild);
  panel.addSlider('looseness', 'looseness', RANGES.looseness).onFinishChange(rebuild);
  panel.addSlider('leafCapacity', 'leaf capacity', RANGES.leafCapacity).onFinishChange(rebuild);
  panel.addSlider('far', 'far plane', { ...far, step: 10 });
  panel.addSwitch('compare', 'check results', 'KeyB');
  panel.addSwitch('freeze', 'freeze cull', 'KeyC');
  panel.addSwitch('path', 'automatic path', 'KeyP').onChange(path);
  panel.addSlider('speed', 'speed', RANGES.speed);
  panel.addSwitch('observer', 'show inset', 'KeyO').onChange(observer);
  panel.addSwitch('whole', 'whole world', 'KeyV').onChange(whole);
  panel.addChoice('cells', 'show cells', CELL_CHOICES);
  panel.addChoice('outline', 'drawn as', { cells: 'cell', 'fitted boxes': 'fitted' });
  return panel;
}
