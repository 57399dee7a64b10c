// The settings panel, and the keys for some of its settings.

import { SettingsPanel } from '../shared/settings-panel.ts';
import type { WorldName, WorldPlan } from './picking-world.ts';
import type { Settings } from './settings.ts';

export interface PanelEvents {
  /** The world must be rebuilt. */
  readonly rebuild: () => void;
  /** Any other setting has changed. */
  readonly change: () => void;
}

/** What each setting does. */
const SENTENCES = {
  world: 'A town of plain meshes, or real cities as instances.',
  count: 'Objects that a ray may hit.',
  hover: 'Marks what is under the pointer, in each frame.',
  compare: 'Also asks the Raycaster of three at each pick, and compares hits and times.',
  rectangle: 'A drag selects a rectangle, in place of turning the view.',
  inside: 'Selects only what is wholly inside the rectangle.',
  path: 'Draws the nodes of the octree that the ray of the last pick has entered.',
  side: 'Shows the ray of the last pick from the side.',
};

export function createPanel(
  settings: Settings,
  plans: Readonly<Record<WorldName, WorldPlan>>,
  { rebuild, change }: PanelEvents,
): SettingsPanel<Settings> {
  const panel = new SettingsPanel(settings, SENTENCES);
  const { counts, itemName } = plans[settings.world];
  panel
    .addChoice('world', 'world', { 'town of meshes': 'city', 'real cities': 'cities' })
    .onChange((name: WorldName) => {
      const { counts, itemName, startCount } = plans[name];
      settings.count = startCount;
      panel.offerCounts('count', counts, itemName);
      rebuild();
    });
  panel.addCounts('count', 'objects', counts, itemName).onChange(rebuild);
  panel.addSwitch('hover', 'highlight', 'KeyH').onChange(change);
  panel.addSwitch('compare', 'run Raycaster', 'KeyC').onChange(change);
  panel.addSwitch('rectangle', 'drag selects', 'KeyX').onChange(change);
  panel.addSwitch('inside', 'fully inside').onChange(change);
  panel.addChoice('path', 'nodes entered', { off: 'off', 'fitted boxes': 'fitted', cells: 'cell' }).onChange(change);
  panel.addSwitch('side', 'side view', 'KeyO').onChange(change);
  return panel;
}
