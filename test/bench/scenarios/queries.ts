/** QueryRunner about a scene that stands still. */

import type { QueryRunner } from '../queries.ts';
import { built } from '../rivals/built.ts';
import type { Rival } from '../rivals/rival.ts';
import { bodiesOf, sameBodies, sameEntry, sortedDistances } from './agreement.ts';
import type { Session, Stage, TimedScenario } from './scenario.ts';

const NEAREST = 8;
/** A loop over all bodies takes as long for any question: so many are enough. */
const ASKED_OF_LOOPS = 20;
const CHECKED = 100;

/** `ask` is null when the rival lacks the question; `agrees` looks at the answers just given. */
function question<A>(
  name: string,
  choose: (questions: QueryRunner) => readonly A[],
  bind: (rival: Rival) => ((arg: A) => number) | null,
  agrees: (stage: Stage, arg: A, answer: number, right: number) => boolean,
): TimedScenario {
  const open = (stage: Stage): Session | null => {
    const all = choose(stage.questions);
    const args = stage.still.hasNoIndex ? all.slice(0, ASKED_OF_LOOPS) : all;
    const ask = bind(stage.still);
    if (!ask) return null;
    return {
      per: args.length,
      least: 1,
      call() {
        for (const arg of args) ask(arg);
      },
      check() {
        const judge = bind(stage.judge);
        const checked = args.slice(0, CHECKED);
        const wrong = checked.filter((arg) => judge !== null && !agrees(stage, arg, ask(arg), judge(arg))).length;
        return { wrong, asked: checked.length };
      },
    };
  };
  return { name, unit: 'ms', open };
}

function sameSet({ still, judge }: Stage, _arg: unknown, answer: number, right: number): boolean {
  return answer === right && sameBodies(bodiesOf(still, answer), bodiesOf(judge, right));
}

export const questionScenarios: readonly TimedScenario[] = [
  question('cull, far 1500', (q) => q.near, (r) => (r.cull ? (view) => r.cull!(view) : null), sameSet),
  question('cull, far 6000', (q) => q.far, (r) => (r.cull ? (view) => r.cull!(view) : null), sameSet),
  question(
    'ray, first hit',
    (q) => q.rays,
    (r) => (r.firstHit ? (ray) => r.firstHit!(ray) : null),
    ({ scene }, ray, answer, right) => sameEntry(scene.boxes, ray, answer, right),
  ),
  question('ray, all hits', (q) => q.rays, (r) => (r.allHits ? (ray) => r.allHits!(ray) : null), sameSet),
  question('box, 30 results', (q) => q.boxes, (r) => (r.box ? (box) => r.box!(box) : null), sameSet),
  question('sphere, 30 results', (q) => q.spheres, (r) => (r.sphere ? (sphere) => r.sphere!(sphere) : null), sameSet),
  question(
    '8 nearest',
    (q) => q.points,
    (r) => (r.nearest ? (point) => r.nearest!(point, NEAREST) : null),
    ({ scene, still, judge }, point, answer, right) => {
      const mine = sortedDistances(scene.boxes, bodiesOf(still, answer), point);
      const rightOnes = sortedDistances(scene.boxes, bodiesOf(judge, right), point);
      return mine.length === rightOnes.length && mine.every((distance, k) => distance === rightOnes[k]);
    },
  ),
];

export const allPairs: TimedScenario = {
  name: 'all pairs',
  unit: 'ms',
  open({ still, judge, make, scene }) {
    if (!still.pairs) return null;
    // Bodies that may move: two that never do make no pair.
    const rival = built(make, scene.boxes, 'changing');
    let count = 0;
    return {
      per: 1,
      least: 1,
      call() {
        count = rival.pairs!();
      },
      check: () => (judge.pairs ? { asked: 1, wrong: judge.pairs() === count ? 0 : 1 } : null),
      close: () => rival.dispose?.(),
    };
  },
};
