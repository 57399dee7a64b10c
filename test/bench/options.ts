import { parseArgs } from 'node:util';
import { rivalNames } from './rivals/rivals.ts';
import { sceneNames, type SceneChoice, type SceneName } from './scenes/load-scene.ts';

export const HELP = `npm run bench -- [options]
  --bodies n        at most so many bodies (100000)
  --scene name      ${sceneNames.join(', ')} (uniform)
  --data path       bodies of path.json and path.bin instead
  --only text       scenarios with this text in their name; may be repeated
  --rivals a,b      ${rivalNames.join(', ')}
  --rounds n        rounds a scenario (9)
  --json file       writes the run
  --compare file    ratios of a stored run beside those of this one
  --markdown        the table once more, for a document
  --counts          only what the octree looks at, counted, and what its ticks take`;

export interface Options extends SceneChoice {
  readonly only: readonly string[];
  readonly rivals: readonly string[];
  readonly rounds: number;
  readonly json: string | undefined;
  readonly compare: string | undefined;
  readonly markdown: boolean;
  readonly counts: boolean;
  readonly help: boolean;
  /** Set in the process of a rival. */
  readonly play: string | undefined;
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new RangeError(`--${name} must be a whole number above 0, but is ${text}`);
  return value;
}

export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      bodies: text,
      scene: text,
      data: text,
      only: { type: 'string', multiple: true },
      rivals: text,
      rounds: text,
      json: text,
      compare: text,
      markdown: { type: 'boolean' },
      counts: { type: 'boolean' },
      help: { type: 'boolean' },
      play: text,
    },
  });
  const scene = values.scene ?? 'uniform';
  if (!sceneNames.includes(scene as SceneName)) throw new RangeError(`--scene must be one of ${sceneNames.join(', ')}, but is ${scene}`);
  const rivals = values.rivals?.split(',') ?? rivalNames;
  const stranger = rivals.find((name) => !rivalNames.includes(name));
  if (stranger !== undefined) throw new RangeError(`--rivals: no rival "${stranger}"; there are ${rivalNames.join(', ')}`);
  return {
    scene: scene as SceneName,
    data: values.data,
    bodies: count('bodies', values.bodies ?? '100000'),
    only: values.only ?? [],
    rivals,
    rounds: count('rounds', values.rounds ?? '9'),
    json: values.json,
    compare: values.compare,
    markdown: values.markdown ?? false,
    counts: values.counts ?? false,
    help: values.help ?? false,
    play: values.play,
  };
}
