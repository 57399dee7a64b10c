/** Random histories of an octree: lists of operations as plain data, which fast-check can shrink and print. */
import * as fc from 'fast-check';
import { box, position, sphere } from './nasty-numbers.ts';
import type { Query } from './queries.ts';
import { queryArbitrary } from './queries.ts';
import { planeArbitrary } from './query-kinds.ts';
import { HISTORY_SCENES } from './scenes.ts';
import type { Shape } from './shapes.ts';
import type { PlainVolume } from './reader-twins.ts';

/** What a body does in its `update` and `onIntersection` callbacks. */
export type Script = 'walk' | 'query' | 'spawn' | 'die' | 'touch' | 'touch and die';

/**
 * `body` selects a living body: it counts them modulo their number, backwards if it is negative. Operations on a body
 * are skipped while there is none.
 */
export type Operation =
  | { readonly op: 'insert'; readonly shape: Shape; readonly mask: number; readonly isStatic: boolean }
  | { readonly op: 'actor'; readonly shape: Shape; readonly script: Script; readonly step: readonly number[] }
  | {
      readonly op: 'insertMany';
      readonly shapes: readonly Shape[];
      readonly masks: 'none' | 'one' | 'each';
      readonly isStatic: boolean;
    }
  | { readonly op: 'crowd'; readonly shape: Shape; readonly count: number }
  /** Many bodies of a kind of scene at once. */
  | { readonly op: 'scene'; readonly scene: keyof typeof HISTORY_SCENES; readonly isStatic: boolean }
  /** A query of another octree: alone, or in a filter of this one, where a body of the other octree is moved too. */
  | {
      readonly op: 'elsewhere';
      readonly query: Query;
      readonly isNested: boolean;
      readonly body: number;
      readonly shape: Shape;
    }
  | { readonly op: 'teleport'; readonly body: number; readonly shape: Shape }
  | { readonly op: 'nudge'; readonly body: number; readonly by: readonly number[] }
  | { readonly op: 'resize'; readonly body: number; readonly by: number }
  | {
      readonly op: 'moveMany';
      readonly bodies: readonly number[];
      readonly shapes: readonly Shape[];
      readonly ids: boolean;
    }
  | {
      readonly op: 'moveCenters';
      readonly bodies: readonly number[];
      readonly by: readonly (readonly number[])[];
      readonly ids: boolean;
    }
  | { readonly op: 'setMask'; readonly bodies: readonly number[]; readonly mask: number; readonly ids: boolean }
  | { readonly op: 'remove'; readonly body: number }
  | { readonly op: 'removeMany'; readonly bodies: readonly number[]; readonly ids: boolean }
  | { readonly op: 'tick'; readonly times: number }
  | { readonly op: 'clear' }
  | { readonly op: 'translate'; readonly by: readonly number[]; readonly back: boolean }
  | {
      readonly op: 'track';
      readonly within: number;
      readonly hysteresis: number;
      readonly otherMask: number | undefined;
      readonly mask: number;
      readonly modulo: number;
    }
  | { readonly op: 'watch'; readonly volume: PlainVolume; readonly mask: number; readonly modulo: number }
  | { readonly op: 'moveSensor'; readonly reader: number; readonly volume: PlainVolume }
  | {
      readonly op: 'watchDistances';
      readonly center: readonly number[];
      readonly distances: readonly number[];
      readonly hysteresis: number;
      readonly mask: number;
      readonly modulo: number;
    }
  | { readonly op: 'moveBands'; readonly reader: number; readonly center: readonly number[] }
  | { readonly op: 'untrack'; readonly reader: number }
  | {
      readonly op: 'query';
      readonly query: Query;
      readonly mask: number;
      readonly modulo: number;
      readonly except: number | null;
    }
  | {
      readonly op: 'reenter';
      readonly query: Query;
      readonly at: number;
      readonly inner: Query;
      readonly except: number | null;
      readonly writes: readonly Operation[];
    }
  /** Writes without a query between them. */
  | { readonly op: 'burst'; readonly writes: readonly Operation[] }
  | { readonly op: 'throw'; readonly query: Query; readonly at: number }
  | {
      readonly op: 'invalid';
      readonly call: 'insert' | 'insertMany' | 'move' | 'moveMany' | 'moveDead' | 'unknownIndex';
      /** Which number is wrong, and what it is; -0 for numbers in the wrong order. */
      readonly at: number;
      readonly value: number;
      readonly body: number;
      /** Valid bodies before the invalid one in a batch. */
      readonly bodies: readonly number[];
    };

/** Often the newest body: what was just inserted is moved and removed before anybody has asked. */
const body = fc.oneof({ weight: 3, arbitrary: fc.nat(1000) }, { weight: 1, arbitrary: fc.constant(-1) });
/** A body that a query leaves out. */
const except = fc.option(body);
/** Whether a call for many bodies names them by ids; then ids of removed bodies are among them. */
const ids = fc.constantFrom(false, false, true);
const mask = fc.constantFrom(-1, 1, 2, 3, 4, 0, 1 << 31);
const small = fc.constantFrom(0, 0.001, -0.001, 0.125, -0.125, 0.5, 1, -1, 3);
const integer = fc.constantFrom(
  0,
  -0,
  1,
  -1,
  7,
  -64,
  1024,
  -4096,
  1_000_003,
  2 ** 24 + 1,
  -(2 ** 31),
  2 ** 40,
  -(2 ** 45),
  2 ** 49,
  2 ** 51,
);
const move = fc.array(small, { minLength: 3, maxLength: 3 });
const shape = fc.oneof({ weight: 3, arbitrary: box }, { weight: 2, arbitrary: sphere });
const shapes = fc.oneof(
  fc.array(box, { minLength: 1, maxLength: 6 }),
  fc.array(sphere, { minLength: 1, maxLength: 6 }),
);

const volume: fc.Arbitrary<PlainVolume> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ box }) },
  { weight: 3, arbitrary: fc.record({ sphere }) },
  { weight: 1, arbitrary: fc.record({ planes: fc.array(planeArbitrary(), { minLength: 1, maxLength: 7 }) }) },
  {
    weight: 1,
    arbitrary: fc.tuple(position, position, fc.nat(8)).map(([start, end, radius]) => ({
      capsule: [...start, ...end, radius / 2],
    })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(position, fc.array(fc.nat(16), { minLength: 3, maxLength: 3 })).map(([middle, halfSize]) => ({
      orientedBox: [...middle, ...halfSize],
    })),
  },
  { weight: 1, arbitrary: box.map((own) => ({ own })) },
);

/** Of bands of distance. */
const center = position;
const distances = fc.constantFrom([0], [1], [0, 2], [1, 2, 100], [0.5, 3, 64, 1e6], [2, 2 ** 40]);

const insert = fc.record({ op: fc.constant('insert' as const), shape, mask, isStatic: fc.boolean() });
const teleport = fc.record({ op: fc.constant('teleport' as const), body, shape });
const nudge = fc.record({ op: fc.constant('nudge' as const), body, by: move });
const moveCenters = fc
  .tuple(fc.array(fc.tuple(body, move), { minLength: 1, maxLength: 6 }), ids)
  .map(([moves, byIds]) => ({
    op: 'moveCenters' as const,
    bodies: moves.map(([one]) => one),
    by: moves.map(([, by]) => by),
    ids: byIds,
  }));
const setMask = fc.record({
  op: fc.constant('setMask' as const),
  bodies: fc.array(body, { minLength: 1, maxLength: 4 }),
  mask,
  ids,
});
const remove = fc.record({ op: fc.constant('remove' as const), body });

const insertMany = fc.record({
  op: fc.constant('insertMany' as const),
  shapes,
  masks: fc.constantFrom('none', 'one', 'each'),
  isStatic: fc.boolean(),
});
const removeMany = fc.record({
  op: fc.constant('removeMany' as const),
  bodies: fc.array(body, { maxLength: 12 }),
  ids,
});
/** A body that is inserted, moved and removed at once, and one that gets its index. */
const shortLife = fc.tuple(insert, shape, insert).map(([first, moved, second]) => ({
  op: 'burst' as const,
  writes: [first, { op: 'teleport' as const, body: -1, shape: moved }, { op: 'remove' as const, body: -1 }, second],
}));
const write: fc.Arbitrary<Operation> = fc.oneof(insert, teleport, nudge, moveCenters, setMask, remove);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 20, arbitrary: insert },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('actor' as const), shape, script: script(), step: move }) },
  { weight: 5, arbitrary: insertMany },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('crowd' as const), shape, count: fc.integer({ min: 2, max: 20 }) }),
  },
  { weight: 12, arbitrary: teleport },
  { weight: 14, arbitrary: nudge },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constant('resize' as const), body, by: fc.constantFrom(0, 0.5, 2, 1.001, 64) }),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.array(body, { minLength: 6, maxLength: 6 }), shapes, ids).map(([all, some, byIds]) => ({
      op: 'moveMany' as const,
      bodies: all.slice(0, some.length),
      shapes: some,
      ids: byIds,
    })),
  },
  { weight: 8, arbitrary: moveCenters },
  { weight: 5, arbitrary: setMask },
  { weight: 12, arbitrary: remove },
  { weight: 3, arbitrary: removeMany },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('burst' as const),
      writes: fc.array(fc.oneof(write, insertMany, removeMany), { minLength: 2, maxLength: 8 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      op: fc.constant('tick' as const),
      times: fc.oneof(fc.constant(1), fc.constant(1), fc.integer({ min: 1, max: 80 })),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ op: 'clear' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('translate' as const),
      by: fc.array(integer, { minLength: 3, maxLength: 3 }),
      back: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('track' as const),
      within: fc.constantFrom(0, 0, 1e-200, 0.5, 3, 40, 1e6, Infinity),
      hysteresis: fc.constantFrom(0, 0.1, 0.25, 0.999),
      otherMask: fc.option(mask, { nil: undefined }),
      mask,
      modulo: fc.constantFrom(1, 2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('watch' as const), volume, mask, modulo: fc.constantFrom(1, 1, 2) }),
  },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('moveSensor' as const), reader: fc.nat(10), volume }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('watchDistances' as const),
      center,
      distances,
      hysteresis: fc.constantFrom(0, 0.25, 0.1, 0.999),
      mask,
      modulo: fc.constantFrom(1, 1, 2),
    }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('moveBands' as const), reader: fc.nat(10), center }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('untrack' as const), reader: fc.nat(10) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('query' as const),
      query: queryArbitrary,
      mask,
      modulo: fc.constantFrom(1, 1, 2, 3),
      except,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('reenter' as const),
      query: queryArbitrary,
      at: fc.nat(4),
      inner: queryArbitrary,
      except,
      writes: fc.array(fc.oneof({ weight: 9, arbitrary: write }, { weight: 1, arbitrary: shortLife }), {
        maxLength: 8,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('elsewhere' as const),
      query: queryArbitrary,
      isNested: fc.boolean(),
      body: fc.nat(100),
      shape,
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('throw' as const), query: queryArbitrary, at: fc.nat(4) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('invalid' as const),
      // Half of them are moves in bulk: what is inside fat bounds is checked by comparisons only.
      call: fc.oneof(
        { weight: 5, arbitrary: fc.constant('moveMany' as const) },
        { weight: 5, arbitrary: fc.constantFrom('insert', 'insertMany', 'move', 'moveDead', 'unknownIndex') },
      ),
      at: fc.nat(11),
      value: fc.constantFrom(NaN, NaN, NaN, NaN, Infinity, -Infinity, 2 ** 51, -0, -0),
      body,
      bodies: fc.array(body, { maxLength: 3 }),
    }),
  },
);

/** Rare, because each later operation of a history takes several times as long. */
const scene = fc.record({
  op: fc.constant('scene' as const),
  scene: fc.constantFrom(...(Object.keys(HISTORY_SCENES) as (keyof typeof HISTORY_SCENES)[])),
  isStatic: fc.boolean(),
});
const operationOrScene: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 1000, arbitrary: operation },
  { weight: 1, arbitrary: scene },
);

/** Histories of up to `longest` operations. */
export function histories(longest: number): fc.Arbitrary<Operation[]> {
  return fc.array(operationOrScene, { maxLength: longest, size: 'max' });
}

function script(): fc.Arbitrary<Script> {
  return fc.constantFrom('walk', 'query', 'spawn', 'die', 'touch', 'touch and die');
}
