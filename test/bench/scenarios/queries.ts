/** Queries in a scene that does not change. */

import type { Box3, Ray, Vector3 } from 'three';
import type { QuerySet } from '../queries.ts';
import { buildRival } from '../rivals/build-rival.ts';
import type { Rival } from '../rivals/rival.ts';
import { bodiesOf, sameBodies, sameEntry, sortedDistances } from './agreement.ts';
import type { ScenarioContext, Session, TimedScenario } from './scenario.ts';

const NEAREST = 8;
/**
 * Queries per call for rivals without an index. Their loop takes the same time for any query, so that a few queries are
 * enough.
 */
const QUERIES_WITHOUT_INDEX = 20;
/** Queries per check. */
const CHECKED = 100;

/**
 * `bind` returns null if the rival lacks the query; `agrees` compares the results that the rival and the reference hold
 * at that moment.
 */
function queryScenario<A>(
  name: string,
  choose: (queries: QuerySet) => readonly A[],
  bind: (rival: Rival) => ((arg: A) => number) | null,
  agrees: (context: ScenarioContext, arg: A, result: number, expected: number) => boolean,
): TimedScenario {
  const open = (context: ScenarioContext): Session | null => {
    const all = choose(context.queries);
    const args = context.staticRival.hasNoIndex ? all.slice(0, QUERIES_WITHOUT_INDEX) : all;
    const query = bind(context.staticRival);
    if (!query) return null;
    return {
      operationsPerCall: args.length,
      minCalls: 1,
      call() {
        for (const arg of args) query(arg);
      },
      check() {
        const reference = bind(context.staticReference);
        const checked = args.slice(0, CHECKED);
        const wrong = checked.filter(
          (arg) => reference !== null && !agrees(context, arg, query(arg), reference(arg)),
        ).length;
        return { wrong, checked: checked.length };
      },
    };
  };
  return { name, unit: 'ms', open };
}

function sameSet(
  { staticRival, staticReference }: ScenarioContext,
  _arg: unknown,
  count: number,
  expected: number,
): boolean {
  return count === expected && sameBodies(bodiesOf(staticRival, count), bodiesOf(staticReference, expected));
}

function sameDistances(
  { scene, staticRival, staticReference }: ScenarioContext,
  from: Vector3 | Box3 | Ray,
  count: number,
  expected: number,
): boolean {
  const distances = sortedDistances(scene.boxes, bodiesOf(staticRival, count), from);
  const expectedDistances = sortedDistances(scene.boxes, bodiesOf(staticReference, expected), from);
  return (
    distances.length === expectedDistances.length && distances.every((distance, k) => distance === expectedDistances[k])
  );
}

/** All rays in one call; for rivals without such a call, one by one. */
const rayBundle: TimedScenario = {
  name: 'ray bundle, first hits',
  unit: 'ms',
  open({ queries, scene, staticRival, staticReference }) {
    const rays = staticRival.hasNoIndex ? queries.batch.slice(0, QUERIES_WITHOUT_INDEX) : queries.batch;
    if (!staticRival.firstHit) return null;
    const flat = Float64Array.from(
      rays.flatMap(({ origin, direction }) => [...origin.toArray(), ...direction.toArray(), Infinity]),
    );
    const bodies = new Int32Array(rays.length);
    const call = (): void => {
      if (staticRival.castBatch) staticRival.castBatch(flat, bodies);
      else for (let k = 0; k < rays.length; k++) bodies[k] = staticRival.firstHit!(rays[k]);
    };
    return {
      operationsPerCall: rays.length,
      minCalls: 1,
      call,
      check() {
        call();
        const checked = rays.slice(0, CHECKED);
        return {
          wrong: checked.filter((ray, k) => !sameEntry(scene.boxes, ray, bodies[k], staticReference.firstHit!(ray)))
            .length,
          checked: checked.length,
        };
      },
    };
  },
};

export const queryScenarios: readonly TimedScenario[] = [
  queryScenario(
    'cull, far 1500',
    (q) => q.near,
    (r) => (r.cull ? (view) => r.cull!(view) : null),
    sameSet,
  ),
  queryScenario(
    'cull, far 6000',
    (q) => q.far,
    (r) => (r.cull ? (view) => r.cull!(view) : null),
    sameSet,
  ),
  queryScenario(
    'ray, first hit',
    (q) => q.rays,
    (r) => (r.firstHit ? (ray) => r.firstHit!(ray) : null),
    ({ scene }, ray, body, expected) => sameEntry(scene.boxes, ray, body, expected),
  ),
  rayBundle,
  queryScenario(
    'ray, any hit',
    (q) => q.rays,
    (r) => (r.anyHit ? (ray) => r.anyHit!(ray) : null),
    (_context, _ray, count, expected) => count === expected,
  ),
  queryScenario(
    'ray, all hits',
    (q) => q.rays,
    (r) => (r.allHits ? (ray) => r.allHits!(ray) : null),
    sameSet,
  ),
  queryScenario(
    'sphere cast, first hit',
    (q) => q.casts,
    (r) => (r.castSphere ? ({ sphere, motion }) => r.castSphere!(sphere, motion) : null),
    (_context, _cast, body, expected) => body === expected,
  ),
  queryScenario(
    'box, 30 results',
    (q) => q.boxes,
    (r) => (r.box ? (box) => r.box!(box) : null),
    sameSet,
  ),
  queryScenario(
    'sphere, 30 results',
    (q) => q.spheres,
    (r) => (r.sphere ? (sphere) => r.sphere!(sphere) : null),
    sameSet,
  ),
  queryScenario(
    '8 nearest',
    (q) => q.points,
    (r) => (r.nearest ? (point) => r.nearest!(point, NEAREST) : null),
    sameDistances,
  ),
];

/** Queries that no peer has. */
export const queriesWithoutPeer: readonly TimedScenario[] = [
  queryScenario(
    'capsule, 500 long',
    (q) => q.casts,
    (r) => (r.capsule ? (cast) => r.capsule!(cast) : null),
    sameSet,
  ),
  queryScenario(
    'oriented box, 30 results',
    (q) => q.turnedBoxes,
    (r) => (r.orientedBox ? (box) => r.orientedBox!(box) : null),
    sameSet,
  ),
  queryScenario(
    'convex volume, 8 planes',
    (q) => q.convexes,
    (r) => (r.convex ? (planes) => r.convex!(planes) : null),
    sameSet,
  ),
  queryScenario(
    '8 nearest to a box',
    (q) => q.smallBoxes,
    (r) => (r.nearestToBox ? (box) => r.nearestToBox!(box, NEAREST) : null),
    sameDistances,
  ),
  queryScenario(
    '8 nearest to a ray',
    (q) => q.rays,
    (r) => (r.nearestToRay ? (ray) => r.nearestToRay!(ray, NEAREST) : null),
    sameDistances,
  ),
];

export const allPairs: TimedScenario = {
  name: 'all pairs',
  unit: 'ms',
  open({ staticRival, staticReference, make, scene }) {
    if (!staticRival.pairs) return null;
    // Not the static rival: two static bodies never make a pair.
    const rival = buildRival(make, scene.boxes, 'changing');
    let count = 0;
    return {
      operationsPerCall: 1,
      minCalls: 1,
      call() {
        count = rival.pairs!();
      },
      check: () => (staticReference.pairs ? { checked: 1, wrong: staticReference.pairs() === count ? 0 : 1 } : null),
      close: () => rival.dispose?.(),
    };
  },
};
