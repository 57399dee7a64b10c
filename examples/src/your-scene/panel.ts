// The settings panel.

import { GUI } from 'lil-gui';
import { onKeyPress } from '../shared/held-keys.ts';
import { MAX_DEPTH, type Settings } from './settings.ts';

export interface PanelEvents {
  /** Something that is drawn over the scene has changed. */
  readonly redraw: () => void;
  /** What is measured has changed. */
  readonly remeasure: () => void;
}

/** Returns a function that shows the settings that fit a scene. */
export function createPanel(container: HTMLElement, settings: Settings, { redraw, remeasure }: PanelEvents): (isAnimated: boolean) => void {
  const gui = new GUI({ container, title: 'Settings' });
  const octree = gui.add(settings, 'octree').name('draw the octree').onChange(redraw);
  gui.add(settings, 'outline', { cells: 'cell', 'fitted boxes': 'fitted' }).onChange(redraw);
  gui.add(settings, 'depth', 0, MAX_DEPTH, 1).name('down to level').onChange(redraw);
  const turns = gui.add(settings, 'turns').name('turn').onChange(redraw);
  gui.add(settings, 'isStatic').name('nothing moves').onChange(remeasure);
  const plays = gui.add(settings, 'plays').name('play animation').onChange(remeasure);
  // A select element that was opened by the pointer keeps the focus, and with it the keys.
  container.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
  });
  if (matchMedia('(max-width: 700px), (max-height: 560px)').matches) gui.close();
  onKeyPress('KeyO', () => octree.setValue(!settings.octree));
  onKeyPress('KeyT', () => turns.setValue(!settings.turns));
  return (isAnimated) => void plays.show(isAnimated);
}
