/** The command line of `npm run bench`. */

import { parseArgs } from 'node:util';
import { rivalNames } from './rivals/rivals.ts';
import { sceneNames, type SceneChoice, type SceneName } from './scenes/load-scene.ts';

/** Of `npm run engines`. */
const engineNames = ['firefox', 'webkit'] as const;
type EngineName = (typeof engineNames)[number];

export const HELP = `npm run bench -- [options]
  --bodies n        number of bodies, at most (100000)
  --scene name      ${sceneNames.join(', ')} (uniform)
  --data path       bodies of path.json and path.bin instead of a scene
  --only text       only scenarios with this text in their name; may be repeated
  --rivals a,b      ${rivalNames.join(', ')}
  --rounds n        rounds per scenario (9)
  --json file       stores the run
  --compare file    prints the ratios of a stored run beside those of this run
  --markdown        prints the table in Markdown too
  --cold            first calls and first ticks, each in a process of its own: times of the main thread
  --engine name     of --cold: in a browser, ${engineNames.join(' or ')}, with uniform boxes: times of the clock
  --tiles           no rivals: what writeTiles makes of the meshes or boxes of --data
  --tile-flights    no rivals: flights over these tiles on slow lines and with little memory
  --triangles       queries of triangles among --bodies moving meshes, beside loops, Jolt and three-mesh-bvh
  --counts          no rivals: visit counts of the octree per query and per tick, and times of its ticks`;

export interface Options extends SceneChoice {
  readonly only: readonly string[];
  readonly rivals: readonly string[];
  readonly rounds: number;
  readonly json: string | undefined;
  readonly compare: string | undefined;
  readonly markdown: boolean;
  readonly counts: boolean;
  readonly cold: boolean;
  /** The browser of `--cold`; undefined: Node. */
  readonly engine: EngineName | undefined;
  /** What `writeTiles` makes of the data. */
  readonly tiles: boolean;
  /** Flights over these tiles. */
  readonly tileFlights: boolean;
  /** Queries of triangles. */
  readonly triangles: boolean;
  /** What a process of `--cold` measures. The main process sets it when it starts a process. */
  readonly coldTask: string | undefined;
  readonly help: boolean;
  /** Name of the rival that this process runs. The main process sets it when it starts a process. */
  readonly worker: string | undefined;
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new RangeError(`--${name} must be a whole number above 0, but is ${text}`);
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
      cold: { type: 'boolean' },
      engine: text,
      tiles: { type: 'boolean' },
      'tile-flights': { type: 'boolean' },
      triangles: { type: 'boolean' },
      'cold-task': text,
      help: { type: 'boolean' },
      worker: text,
    },
  });
  const scene = values.scene ?? 'uniform';
  if (!sceneNames.includes(scene as SceneName))
    throw new RangeError(`--scene must be one of ${sceneNames.join(', ')}, but is ${scene}`);
  const rivals = values.rivals?.split(',') ?? rivalNames;
  const unknown = rivals.find((name) => !rivalNames.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`--rivals: unknown rival "${unknown}"; there are ${rivalNames.join(', ')}`);
  const { engine } = values;
  if (engine !== undefined && !engineNames.includes(engine as EngineName))
    throw new RangeError(`--engine must be one of ${engineNames.join(', ')}, but is ${engine}`);
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
    cold: values.cold ?? false,
    engine: engine as EngineName | undefined,
    tiles: values.tiles ?? false,
    tileFlights: values['tile-flights'] ?? false,
    triangles: values.triangles ?? false,
    coldTask: values['cold-task'],
    help: values.help ?? false,
    worker: values.worker,
  };
}
