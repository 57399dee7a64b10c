// Writes the figures of the page, a column for each way of drawing.

import type { Camera } from 'three';
import { type FigureBoard, milliseconds } from '../shared/figure-board.ts';
import { Interval } from '../shared/interval.ts';
import { publish } from '../shared/page-probe.ts';
import { writePass } from '../shared/pass-figures.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { CityDrawing } from './drawing.ts';
import { type Mode, MODES } from './settings.ts';

const REPORT_EVERY_MS = 250;
const MEDIAN_OF_MS = 3000;

/** What one frame costs in one way of drawing. */
export interface FrameFigures {
  readonly draws: number;
  readonly triangles: number;
  /** Median CPU time of `renderer.render`, in milliseconds. */
  readonly time: number;
  /** Of the geometries of all houses on the GPU. */
  readonly bytes: number;
}

/** The global `batchProbe`, for the tests of the page and the console. */
export class BatchProbe {
  frames = 0;
  reports = 0;
  isBuilding = false;
  /** Longest time in milliseconds that the last task blocked the page. */
  longestSlice = 0;
  mode: Mode | null = null;
  houses = 0;
  /** By the way of drawing; only those that have been shown. */
  figures: Partial<Record<Mode, FrameFigures>> = {};
  /** Number of draw ranges of the last frame. */
  ranges = 0;
  batched = 0;
  /** How many of these move. */
  posed = 0;
  /** Houses that are drawn on their own although there are batches. */
  alone = 0;
  selected = -1;
  hidden = 0;
  /** Position of the selected house. */
  place: readonly [x: number, z: number] = [0, 0];
}

declare global {
  var batchProbe: BatchProbe | undefined;
}

export class Readout {
  readonly probe = publish('batchProbe', new BatchProbe());
  private readonly board: FigureBoard;
  private readonly times = new RecentTimes(MEDIAN_OF_MS);
  private readonly frameTimes = new RecentTimes();
  private readonly reports = new Interval(REPORT_EVERY_MS);
  private lastFrame = NaN;

  constructor(board: FigureBoard) {
    this.board = board;
  }

  /** Forgets the times. @param all The figures of all ways too: they were of another city. */
  restart(all: boolean): void {
    this.times.clear();
    this.reports.reset();
    if (!all) return;
    this.probe.figures = {};
    for (const mode of MODES)
      for (const name of ['draws', 'triangles', 'time', 'memory']) this.board.set(`${mode}-${name}`, '-');
  }

  /** Counts a frame. @param time CPU time of `renderer.render`, in milliseconds. */
  frame(drawing: CityDrawing, camera: Camera, time: number, draws: number, triangles: number, now: number): void {
    const { probe, board, times, frameTimes } = this;
    times.add(time, now);
    if (now > this.lastFrame) frameTimes.add(now - this.lastFrame, now);
    this.lastFrame = now;
    if (!this.reports.isDue(now)) return;
    const mode = drawing.mode!;
    const report = drawing.batches?.report();
    const { houses, memory } = drawing.city;
    const figures = { draws, triangles, time: times.medianAt(now), bytes: memory.bytes + (report?.bytes ?? 0) };
    probe.figures[mode] = figures;
    probe.mode = mode;
    probe.houses = houses.length;
    probe.batched = report?.batched ?? 0;
    probe.posed = report?.posed ?? 0;
    const pass = writePass(board, drawing.city.group, camera, ['visible', 'nodes', 'tested', 'alone', 'ranges']);
    probe.ranges = pass.ranges;
    probe.alone = report === undefined ? 0 : pass.alone;
    board.setCount('draws', draws);
    board.setCount(`${mode}-draws`, draws);
    board.setCount(`${mode}-triangles`, triangles);
    board.set(`${mode}-time`, milliseconds(figures.time));
    board.set(`${mode}-memory`, `${(figures.bytes / 1e6).toFixed(0)} MB`);
    board.setCount('houses', houses.length);
    board.set('batched', report === undefined ? 'none' : report.batched.toLocaleString('en'));
    board.set('posed', probe.posed === 0 ? 'none' : probe.posed.toLocaleString('en'));
    board.set('frames', Math.round(1000 / frameTimes.meanAt(now) || 0).toLocaleString('en'));
    probe.reports++;
  }
}
