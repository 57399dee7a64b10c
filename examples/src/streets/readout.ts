// Writes the figures of the page, a column for each way of culling.

import type { Camera } from 'three';
import { type FigureBoard, milliseconds } from '../shared/figure-board.ts';
import { Interval } from '../shared/interval.ts';
import { publish } from '../shared/page-probe.ts';
import { writePass } from '../shared/pass-figures.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { StreetDrawing } from './drawing.ts';
import { type Mode, MODES } from './settings.ts';

const REPORT_EVERY_MS = 250;
const MEDIAN_OF_MS = 3000;

/** What one frame costs in one way of culling. */
export interface FrameFigures {
  readonly draws: number;
  readonly triangles: number;
  /** Median CPU time of `renderer.render`, in milliseconds. */
  readonly time: number;
}

/** The global `streetsProbe`, for the tests of the page and the console. */
export class StreetsProbe {
  frames = 0;
  reports = 0;
  isBuilding = false;
  /** Longest time in milliseconds that the last task blocked the page. */
  longestSlice = 0;
  mode: Mode | null = null;
  houses = 0;
  meshes = 0;
  /** By the way of culling; only those that have been shown. */
  figures: Partial<Record<Mode, FrameFigures>> = {};
  inFrustum = 0;
  hidden = 0;
  occluders = 0;
  /** Why nothing is hidden; empty if something may be. */
  reason = '';
  /** Share of the depth buffer that hides something. */
  covered = 0;
  /** Position of the camera. */
  place: readonly [x: number, y: number, z: number] = [0, 0, 0];
}

declare global {
  var streetsProbe: StreetsProbe | undefined;
}

export class Readout {
  readonly probe = publish('streetsProbe', new StreetsProbe());
  private readonly board: FigureBoard;
  private readonly times = new RecentTimes(MEDIAN_OF_MS);
  private readonly frameTimes = new RecentTimes();
  private readonly reports = new Interval(REPORT_EVERY_MS);
  private lastFrame = NaN;

  constructor(board: FigureBoard) {
    this.board = board;
  }

  /** Forgets the times. @param all The figures of both ways too: they were of another city. */
  restart(all: boolean): void {
    this.times.clear();
    this.reports.reset();
    if (!all) return;
    this.probe.figures = {};
    for (const mode of MODES) for (const name of ['draws', 'triangles', 'time']) this.board.set(`${mode}-${name}`, '-');
  }

  /** Counts a frame. @param time CPU time of `renderer.render`, in milliseconds. */
  frame(
    drawing: StreetDrawing,
    camera: Camera,
    mode: Mode,
    time: number,
    draws: number,
    triangles: number,
    now: number,
  ): void {
    const { probe, board, times, frameTimes } = this;
    times.add(time, now);
    if (now > this.lastFrame) frameTimes.add(now - this.lastFrame, now);
    this.lastFrame = now;
    if (!this.reports.isDue(now)) return;
    const { city, occlusion } = drawing;
    const { visible, hidden } = writePass(board, city.group, camera, ['visible', 'hidden', 'nodes', 'tested']);
    const inFrustum = visible + hidden;
    const occluders = occlusion?.reason === '' ? occlusion.occluders.length : 0;
    const figures = { draws, triangles, time: times.medianAt(now) };
    const meshes = city.group.children.length;
    const reason = occlusion === null ? 'off: all of the frustum is drawn' : reasonOf(occlusion.reason);
    probe.figures[mode] = figures;
    Object.assign(probe, { mode, houses: city.houses.length, meshes, inFrustum, hidden, occluders, reason });
    document.body.classList.toggle('is-idle', reason !== '');
    board.setCount('draws', draws);
    board.setCount('in-frustum', inFrustum);
    board.setCount(`${mode}-draws`, draws);
    board.setCount(`${mode}-triangles`, triangles);
    board.set(`${mode}-time`, milliseconds(figures.time));
    board.set('occluders', occluders === 0 ? 'none' : occluders.toLocaleString('en'));
    board.set('reason', reason);
    board.set('frames', Math.round(1000 / frameTimes.meanAt(now) || 0).toLocaleString('en'));
    probe.reports++;
  }
}

/** The reasons that the page can meet, in fewer words. */
const reasonOf = (reason: string): string =>
  reason.startsWith('switched off') ? 'rests: too little is hidden here' : reason;
