// The figures of the page: what has been loaded, against the same city as one file.

import type { WebGLRenderer } from 'three';
import type { FigureBoard } from '../shared/figure-board.ts';
import { PageProbe, publish } from '../shared/page-probe.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { CityStream } from './city-stream.ts';
import type { CityFacts } from './facts.ts';

/** The figures that the page publishes to its tests. */
export interface TilesFigures {
  readonly bytes: number;
  /** Before the first picture; NaN if there is none yet. */
  readonly firstBytes: number;
  readonly firstMilliseconds: number;
  /** Of the city as one file. */
  readonly wholeBytes: number;
  readonly wholeMilliseconds: number;
  readonly shown: number;
  readonly inMemory: number;
  /** Bytes of these. */
  readonly memory: number;
  readonly loading: number;
  readonly houses: number;
  readonly frames: number;
  readonly holed: number;
  readonly draws: number;
  /** Where the camera is. */
  readonly place: readonly number[];
  readonly picked: string | null;
}

export class Readout {
  readonly probe = publish('tilesProbe', new PageProbe<TilesFigures>());
  picked: string | null = null;
  private readonly board: FigureBoard;
  private readonly frames = new RecentTimes();

  constructor(board: FigureBoard) {
    this.board = board;
  }

  frame(stream: CityStream, facts: CityFacts, { info }: WebGLRenderer, place: readonly number[], now: number): void {
    this.frames.add(0, now);
    this.probe.frame(now, () => this.report(stream, facts, info.render.calls, place, now));
  }

  private report(
    { line, first, tiles, plugin, frames, holed, counts }: CityStream,
    { houses, tiles: count, whole }: CityFacts,
    draws: number,
    place: readonly number[],
    now: number,
  ): TilesFigures {
    const { board } = this;
    const wholeMilliseconds = line.rate < Infinity ? line.millisecondsOf(whole) : NaN;
    const { loading, inMemory, bytes } = counts;
    board.set('loaded', megabytes(line.bytes));
    board.set('first-time', seconds(first.milliseconds));
    board.set('whole-time', seconds(wholeMilliseconds));
    board.set('first-bytes', megabytes(first.bytes));
    board.set('whole-bytes', megabytes(whole));
    board.set('tiles', `${tiles.visibleTiles.size} of ${count}`);
    board.setCount('in-memory', inMemory);
    board.set('memory', `${Math.round(bytes / 2 ** 20)} MB`);
    board.set('loading', loading === 0 ? 'nothing' : `${loading} tiles`);
    board.set('houses', `${plugin.objects.size.toLocaleString('en')} of ${houses.toLocaleString('en')}`);
    board.set('holed', `${holed} of ${frames.toLocaleString('en')}`);
    board.setCount('draws', draws);
    board.setCount('framesPerSecond', this.frames.countAt(now));
    return {
      bytes: line.bytes,
      firstBytes: first.bytes,
      firstMilliseconds: first.milliseconds,
      wholeBytes: whole,
      wholeMilliseconds,
      shown: tiles.visibleTiles.size,
      inMemory,
      memory: bytes,
      loading,
      houses: plugin.objects.size,
      frames,
      holed,
      draws,
      place,
      picked: this.picked,
    };
  }
}

const megabytes = (bytes: number): string =>
  Number.isNaN(bytes) ? '-' : bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? '-' : `${(milliseconds / 1000).toFixed(milliseconds < 9950 ? 1 : 0)} s`;

declare global {
  var tilesProbe: PageProbe<TilesFigures> | undefined;
}
