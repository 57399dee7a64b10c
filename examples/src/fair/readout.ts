// The figures of the page, a column for each way to collide.

import { type FigureBoard, fineTime } from '../shared/figure-board.ts';
import type { PageProbe } from '../shared/page-probe.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Fair } from './fair.ts';
import { nameOf } from './names.ts';
import type { Player } from './player.ts';
import { MIRRORED, STRETCHED } from './plan.ts';
import type { Settings } from './settings.ts';
import type { TriangleStats } from '../../../src/triangles/index.ts';
import type { Tape } from './tape.ts';

/** What a part of a step has asked. */
export class QueryCosts {
  readonly stats: TriangleStats = { meshesTested: 0, nodesVisited: 0, trianglesTested: 0, objectsSkipped: 0 };
  /** Milliseconds of a query. */
  readonly times = new RecentTimes(3000, 4);
}

export class Readout {
  readonly people = new QueryCosts();
  readonly balls = new QueryCosts();
  private readonly board: FigureBoard;

  constructor(board: FigureBoard) {
    this.board = board;
  }

  write(fair: Fair, player: Player, settings: Settings, tape: Tape, clashes: number, now: number): void {
    const { board } = this;
    const { way } = settings;
    const time = player.times.meanAt(now);
    board.set('time', fineTime(time));
    board.setCount('meshes', fair.meshes);
    board.set(`${way}-time`, fineTime(time));
    board.setCount(`${way}-meshes`, player.meshesTested);
    board.setCount(`${way}-triangles`, player.trianglesTested);
    board.set('ground', nameOf(player.ground) === 'nothing' ? 'in the air' : nameOf(player.ground));
    board.set('people-time', fineTime(this.people.times.meanAt(now)));
    board.setCount('people-queries', 3 * fair.people.length);
    board.set('ball-time', fineTime(this.balls.times.meanAt(now)));
    board.setCount('balls', fair.balls.flying);
    board.setCount('bounces', fair.balls.bounces);
    board.set('tape', tape.sentence);
    board.set('tape-time', fineTime(tape.times.meanAt(now)));
    board.setCount('clashes', clashes);
  }
}

/** The figures for tests and the console. */
export function figuresOf(fair: Fair, player: Player, settings: Settings, tape: Tape, clashes: number) {
  const { feet, ground, meshesTested, trianglesTested } = player;
  const leaf = fair.hall.middleLeaf;
  return {
    way: settings.way,
    meshes: fair.meshes,
    people: fair.people.length,
    /** People below the lawn, or far outside. */
    lost: fair.people.filter(({ character }) => character.feet.y < -1).length,
    seconds: fair.seconds,
    feet: [feet.x, feet.y, feet.z] as const,
    ground: nameOf(ground),
    /** Heights of the lifts. */
    lifts: fair.tower.lifts.map(({ position }) => position.y),
    gondolas: fair.wheel.gondolas.map(({ position: { x, y } }) => [x, y] as const),
    stretched: STRETCHED,
    mirrored: MIRRORED,
    /** How far a leaf of the sliding door in the middle of the front is open, in metres. */
    door: Math.abs(leaf.object.position.x - leaf.closed),
    meshesTested,
    trianglesTested,
    thrown: fair.balls.thrown,
    bounces: fair.balls.bounces,
    flying: fair.balls.flying,
    ball: fair.balls.last.toArray(),
    gap: tape.gap,
    measured: tape.ends.map((end) => nameOf(end)),
    clashes,
  };
}

/** With what the page does. `steps`: of the person, since the page was opened; `eye`: of the last picture. */
export type FairFigures = ReturnType<typeof figuresOf> & {
  readonly isBuilding: boolean;
  readonly longestSlice: number;
  readonly steps: number;
  readonly eye: readonly [number, number, number];
};

declare global {
  var fairProbe:
    | (PageProbe<FairFigures> & {
        /**
         * Goes on by some seconds at once, without drawing, and returns the figures; undefined before the fair is
         * built.
         */
        advance(seconds: number): FairFigures | undefined;
      })
    | undefined;
}
