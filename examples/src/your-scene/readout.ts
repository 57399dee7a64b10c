// Writes the figures of a scene and of its measurement.

import { FigureBoard, milliseconds } from '../shared/figure-board.ts';
import type { FrameFigures, Measurement } from './measure.ts';
import { perSecond, verdictOf } from './report.ts';
import type { ScenePair } from './scene-pair.ts';

const NOT_MEASURED: FrameFigures = {
  plainMs: Number.NaN,
  octreeMs: Number.NaN,
  plainDrawCalls: Number.NaN,
  octreeDrawCalls: Number.NaN,
  frames: 0,
  octreeWins: 0,
};
const count = (value: number): string => (Number.isNaN(value) ? '-' : value.toLocaleString('en'));

export class Readout {
  private readonly board: FigureBoard;

  constructor(root: HTMLElement) {
    this.board = new FigureBoard(root);
  }

  showScene({ name, counts: { meshes, triangles }, culled, notes }: ScenePair): void {
    const { board } = this;
    const { nodes, depth } = culled.octree.statistics;
    board.set('name', name).title = name;
    board.set('meshes', count(meshes));
    board.set('triangles', count(triangles));
    board.set('nodes', `${count(nodes)} nodes, depth ${depth}`);
    board.set('notes', notes.join(' ')).hidden = notes.length === 0;
    this.showPicked('click a mesh', '');
  }

  showMeasurement(measurement: Measurement | null): void {
    const { board } = this;
    const { inside, outside, away, picks } = measurement ?? {
      inside: NOT_MEASURED,
      outside: NOT_MEASURED,
      away: NOT_MEASURED,
      picks: null,
    };
    const { ratio, text, isFaster } = verdictOf(inside);
    board.set('ratio', ratio).dataset.faster = String(isFaster);
    board.set('verdict', text);
    this.showFrames('inside', inside);
    this.showFrames('outside', outside);
    this.showFrames('away', away);
    board.set('plain-picks', picks ? perSecond(picks.plainPerSecond) : '-');
    board.set('octree-picks', picks ? perSecond(picks.octreePerSecond) : '-');
    board.set('agreement', picks ? `${picks.equal} of ${picks.rays} picks equal` : '-').dataset.agree = String(
      picks ? picks.equal === picks.rays : null,
    );
  }

  showPicked(name: string, detail: string): void {
    this.board.set('picked', name).title = name;
    this.board.set('picked-detail', detail);
  }

  private showFrames(situation: string, { plainMs, octreeMs, plainDrawCalls, octreeDrawCalls }: FrameFigures): void {
    const { board } = this;
    board.set(`${situation}-plain-time`, milliseconds(plainMs));
    board.set(`${situation}-octree-time`, milliseconds(octreeMs));
    board.set(`${situation}-plain-calls`, count(plainDrawCalls));
    board.set(`${situation}-octree-calls`, count(octreeDrawCalls));
  }
}
