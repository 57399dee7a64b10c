// A server whose clients send what they like: JSON that is wrong in shape, in type, in size. Each message is applied,
// or refused by an error that names what is wrong; nothing hangs, grows or is polluted, and the octree stays valid.

import { expect, it } from 'vitest';
import { validate } from '../../src/debug/index.ts';
import {
  castSphere,
  idOf,
  IndexList,
  moveManyById,
  nearest,
  Octree,
  removeManyById,
  watch,
  type BoxLike,
  type PointLike,
  type SphereLike,
} from '../../src/core.ts';
import { createRandom, type Random } from '../support/random.ts';
import { IS_LONG } from '../support/sampled.ts';

const MESSAGES = IS_LONG ? 100_000 : 5000;
/** Bodies that a client may add before a server refuses more: what is bounded by the server, not by the library. */
const MAX_BODIES = 500;

interface Message {
  readonly type: string;
  readonly box: BoxLike;
  readonly sphere: SphereLike;
  readonly point: PointLike;
  readonly ids: readonly number[];
  readonly numbers: readonly number[];
  readonly options: object;
  readonly count: number;
}

/** A server as the guide describes one, which passes on what clients send. */
class Server {
  readonly octree = new Octree<number>({ leafCapacity: 4 });
  private readonly list = new IndexList();
  private readonly sensor = watch(this.octree, { center: { x: 0, y: 0, z: 0 }, radius: 9 });

  handle(text: string): unknown {
    const { octree, list, sensor } = this;
    const { box, count, ids, numbers, options, point, sphere, type } = JSON.parse(text) as Message;
    if (type === 'join') return octree.size < MAX_BODIES && idOf(octree, octree.insert(sphere, count, options).index);
    if (type === 'move') return moveManyById(octree, ids, new Float64Array(numbers));
    if (type === 'leave') return removeManyById(octree, ids);
    if (type === 'see') return octree.collectBox(box, list, options);
    if (type === 'near') return nearest(octree, point, count, options).length;
    if (type === 'fire') return castSphere(octree, sphere, point, options)?.time;
    if (type === 'sense') return sensor.moveTo(sphere).inside.length;
    return octree.update(0.1);
  }
}

const TYPES = ['join', 'move', 'leave', 'see', 'near', 'fire', 'sense', 'tick'];
/** As JSON, because a client writes text. */
const WRONG = [
  'null',
  'true',
  '-1',
  '0.5',
  '1e999',
  '-1e999',
  '1e300',
  '5e-324',
  '-0',
  '9007199254740993',
  '4294967296',
  '""',
  '"1"',
  '"__proto__"',
  '[]',
  '[null]',
  '[[1]]',
  '{}',
  '{"length":1e9}',
  '{"length":-1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"x":0,"y":0,"z":"0"}',
  '{"toString":1,"valueOf":1}',
];

function validMessage(random: Random): Record<string, unknown> {
  const point = (): PointLike => ({
    x: random.between(-50, 50),
    y: random.between(-50, 50),
    z: random.between(-50, 50),
  });
  const { x, y, z } = point();
  return {
    type: random.pick(TYPES),
    box: { min: { x, y, z }, max: { x: x + 9, y: y + 9, z: z + 9 } },
    sphere: { center: point(), radius: random.between(0, 3) },
    point: point(),
    ids: [random.below(99), random.below(99)],
    numbers: Array.from({ length: 6 }, () => random.between(-50, 50)),
    options: random.pick([{}, { mask: 3 }]),
    count: random.below(9),
  };
}

/** A message, of which any value at any depth is replaced; or a part of its text. */
function messageOf(random: Random): string {
  const message = validMessage(random);
  const marks = random.below(4);
  let text = JSON.stringify(message);
  for (let k = 0; k < marks; k++) {
    // Numbers, strings and whole objects behind a colon or a comma.
    const places = [...text.matchAll(/(?<=[:,[])(-?[\d.e+-]+|"[^"]*"(?!:)|\{[^{}]*\})/g)];
    const place = random.pick(places);
    text = text.slice(0, place.index) + random.pick(WRONG) + text.slice(place.index + place[0].length);
  }
  const kind = random.below(40);
  if (kind === 0) return text.slice(0, random.below(text.length));
  return kind === 1 ? random.pick(WRONG) : text;
}

it(`${MESSAGES} messages of clients: each is applied, or refused by a sentence`, () => {
  const random = createRandom(11);
  const server = new Server();
  const faults = new Set<string>();
  let [applied, refused] = [0, 0];
  for (let k = 0; k < MESSAGES; k++) {
    const text = messageOf(random);
    try {
      server.handle(text);
      applied++;
    } catch (error) {
      refused++;
      // Of JSON.parse, of a message that is no object, and of `new Float64Array`.
      const isOfServer =
        error instanceof SyntaxError ||
        /^(Cannot destructure|Cannot convert object|Invalid typed array length)/.test((error as Error).message);
      const isSentence =
        (error instanceof TypeError || error instanceof RangeError) && /^[\w.]+: .+[;,] .+/s.test(error.message);
      if (!isOfServer && !isSentence) faults.add(`${String(error)} <- ${text}`);
    }
    if (k % 500 !== 0) continue;
    server.octree.update(0.1);
    expect(validate(server.octree)).toEqual([]);
  }
  expect([...faults].slice(0, 5)).toEqual([]);
  expect(Math.min(applied, refused)).toBeGreaterThan(MESSAGES / 10);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: true }).polluted).toBe(undefined);
  expect(server.octree.size).toBeLessThanOrEqual(MAX_BODIES);
  expect(server.octree.statistics.bytes).toBeLessThan(4e6);
});
