// Writes the figures of a scene and of its measurement.

import { FigureBoard } from '../shared/figure-board.ts';
import type { Measurement } from './measure.ts';
import { adviceOf, batchLinesOf, bestOf, codeOf, memoryOf, perSecond, plainMsOf } from './report.ts';
import type { SceneCounts, ScenePair } from './scene-pair.ts';

/** Milliseconds without the unit, which stands in the row. */
const msOf = (time: number | undefined): string => (time === undefined ? '-' : time.toFixed(time < 10 ? 2 : 1));
const SITUATIONS = ['inside', 'outside', 'away'] as const;
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

  /** @param animated Number of objects that animations move. */
  showMeasurement(measurement: Measurement | null, counts: SceneCounts | null, animated: number): void {
    const { board } = this;
    // The table is shown once it has figures.
    document.body.classList.toggle('is-measured', measurement !== null);
    const { ratio, text, isFaster } = measurement
      ? bestOf(measurement, animated).verdict
      : { ratio: '', text: 'not measured yet', isFaster: null };
    board.set('ratio', ratio).dataset.faster = String(isFaster);
    board.set('verdict', text);
    board.set('advice', measurement && counts ? adviceOf(measurement, counts, animated) : '');
    const code = measurement ? codeOf(measurement, animated) : '';
    board.set('code', code).parentElement!.hidden = code === '';
    for (const situation of SITUATIONS) {
      const watched = measurement?.watched[situation];
      const still = measurement?.still?.[situation];
      const batched = measurement?.batched?.frames[situation];
      board.set(`${situation}-plain-time`, msOf(watched && plainMsOf(watched, still, batched)));
      board.set(`${situation}-plain-calls`, count(watched?.plainDrawCalls ?? Number.NaN));
      board.set(`${situation}-watched-time`, msOf(watched?.octreeMs));
      board.set(`${situation}-watched-calls`, count(watched?.octreeDrawCalls ?? Number.NaN));
      board.set(`${situation}-static-time`, msOf(still?.octreeMs));
      board.set(`${situation}-static-calls`, count(still?.octreeDrawCalls ?? Number.NaN));
      board.set(`${situation}-batched-time`, msOf(batched?.octreeMs));
      board.set(`${situation}-batched-calls`, count(batched?.octreeDrawCalls ?? Number.NaN));
    }
    const batches = measurement?.batched?.batches;
    board.set('geometry-bytes', batches ? memoryOf(batches.geometryBytes) : '-');
    board.set('batch-bytes', batches ? memoryOf(batches.bytes) : '-');
    const [inBatches = '-', ...unmerged] = batches && counts ? batchLinesOf(batches, counts.meshes) : [];
    board.set('batches', inBatches);
    board.set('unmerged', unmerged.join('\n')).hidden = unmerged.length === 0;
    const picks = measurement?.picks;
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
}
