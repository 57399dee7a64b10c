// The settings of the page, and how its URL keeps them.

import { MOTIONS, type SceneChoice } from './messages.ts';
import { SCENES } from './scenes.ts';
import type { FrameLoad } from './comparison.ts';

export interface Settings {
  readonly choice: SceneChoice;
  readonly load: FrameLoad;
  readonly rounds: number;
}

export const MAX_CULLS = 100;
export const MAX_RAYS = 100_000;
const START: Settings = {
  choice: { scene: 'uniform', bodies: 20_000, motion: 'tenth' },
  load: { culls: 2, rays: 100 },
  rounds: 15,
};

/**
 * Reads the settings from the page's query string, for instance
 * `?scene=city&bodies=5000&motion=all&culls=3&rays=0&rounds=15`.
 */
export function readSettings(query: URLSearchParams): Settings {
  const number = (name: string, low: number, high: number, start: number): number => {
    const given = Number.parseInt(query.get(name) ?? '', 10);
    return given >= low && given <= high ? given : start;
  };
  const { choice, load, rounds } = START;
  return {
    choice: {
      scene: SCENES.find((scene) => scene === query.get('scene')) ?? choice.scene,
      bodies: number('bodies', 100, 200_000, choice.bodies),
      motion: MOTIONS.find((motion) => motion === query.get('motion')) ?? choice.motion,
    },
    load: { culls: number('culls', 0, MAX_CULLS, load.culls), rays: number('rays', 0, MAX_RAYS, load.rays) },
    rounds: number('rounds', 3, 999, rounds),
  };
}

/** The query string of settings, with its question mark; '' at the start. Own bodies are not kept. */
export function writeSettings({ choice, load, rounds }: Settings): string {
  const query = new URLSearchParams();
  const set = (name: string, value: string | number, start: string | number): void => {
    if (value !== start) query.set(name, String(value));
  };
  if (choice.scene !== 'own') set('scene', choice.scene, START.choice.scene);
  set('bodies', choice.bodies, START.choice.bodies);
  set('motion', choice.motion, START.choice.motion);
  set('culls', load.culls, START.load.culls);
  set('rays', load.rays, START.load.rays);
  set('rounds', rounds, START.rounds);
  return query.size === 0 ? '' : `?${query.toString()}`;
}
