// Shows the record of the last pick, its times with the octree and with Raycaster, and the time of a hover.

import { FigureBoard, fineTime, milliseconds, times } from '../shared/figure-board.ts';
import type { Vector3 } from 'three';
import type { Comparison } from './comparison.ts';
import type { PickingWorld } from './picking-world.ts';
import type { RecordedPick } from './recorded-pick.ts';

/** What a ray without a hit has none of. */
const NONE = 'none';

export class RecordCard {
  private readonly board: FigureBoard;
  private readonly facts: HTMLElement;
  private readonly root: HTMLElement;

  constructor(root: HTMLElement) {
    this.root = root;
    this.board = new FigureBoard(root);
    this.facts = root.querySelector('.facts')!;
  }

  /** Prompts for a click, while nothing is picked. Until a world is built, the card is hidden. */
  showPrompt({ count, plan }: PickingWorld): void {
    this.root.hidden = false;
    this.root.classList.remove('has-pick');
    this.board.set('name', 'No pick yet');
    this.board.set('kind', `click one of ${count.toLocaleString('en')} ${plan.itemName}`);
  }

  show(world: PickingWorld, { hit, normal, node, path, milliseconds: time }: RecordedPick): void {
    const { board } = this;
    const { unit, digits } = world.viewOptions;
    const round = (value: number): string =>
      value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const facts = hit === null ? [] : world.factsOf(hit);
    this.root.classList.add('has-pick');
    this.root.classList.toggle('has-hit', hit !== null);
    board.set('name', hit === null ? 'No hit' : world.nameOf(hit));
    board.set('kind', hit === null ? 'the ray hits no object' : facts.map(([, value]) => value).join(', '));
    this.facts.title = facts.map(([label, value]) => `${label}: ${value}`).join('\n');
    board.set('distance', hit === null ? NONE : `${round(hit.distance)} ${unit}`);
    board.set('point', hit === null ? NONE : tuple(hit.point, round));
    board.set('normal', hit === null ? NONE : tuple(normal, (value) => String(Number(value.toFixed(2)))));
    board.set('cell', node === undefined ? NONE : `${node.cell.edge} ${unit} wide, depth ${node.depth}`);
    board.set('cellCorner', node === undefined ? NONE : tuple(node.cell.min, String));
    board.setCount('nodes', path.nodes);
    board.setCount('tested', path.tested.length);
    board.set('pickTime', fineTime(time));
    this.clearComparison('not compared', 'off');
  }

  /** Shows that three's Raycaster is about to run. */
  showTesting({ count }: PickingWorld): void {
    this.clearComparison(`testing ${count.toLocaleString('en')} ...`, '...');
  }

  showComparison({ octree, plain, areEqual }: Comparison): void {
    const { board } = this;
    board.set('allTime', fineTime(octree.milliseconds));
    board.set('plainTime', milliseconds(plain.milliseconds));
    const count = plain.result.length;
    // A ray that hits nothing leaves the octree at once: its ratio would tell nothing of a pick.
    board.set('gain', count === 0 ? 'no hits' : times(plain.milliseconds, octree.milliseconds));
    board.set(
      'agreement',
      areEqual ? `\u2713 ${count} equal ${count === 1 ? 'hit' : 'hits'}` : '\u2717 differ',
    ).dataset.agree = String(areEqual);
  }

  /** Ignores NaN, so that the last measurement stays. */
  setHover(time: number): void {
    if (!Number.isNaN(time)) this.board.set('hoverTime', fineTime(time));
  }

  private clearComparison(reason: string, others: string): void {
    const { board } = this;
    board.set('allTime', others);
    board.set('plainTime', reason);
    board.set('gain', others);
    board.set('agreement', others).dataset.agree = 'null';
  }
}

const tuple = ({ x, y, z }: Pick<Vector3, 'x' | 'y' | 'z'>, write: (value: number) => string): string =>
  [x, y, z].map((value) => write(value === 0 ? 0 : value)).join(', ');
