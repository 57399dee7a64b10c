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

export function createPanel(
  settings: Settings,
  dataSets: Readonly<Record<DataSetName, DataSet>>,
  { rebuild, path, observer, whole }: PanelEvents,
): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings);
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
