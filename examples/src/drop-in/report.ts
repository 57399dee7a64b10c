// The figures and the chart of the page.

import type { PerspectiveCamera } from 'three';
import { element } from '../shared/elements.ts';
import { type FigureBoard, milliseconds, times } from '../shared/figure-board.ts';
import { writePass } from '../shared/pass-figures.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Costs, FrameTimer } from './frame-timer.ts';
import type { GroupPair } from './group-pair.ts';
import type { DropInProbe } from './probe.ts';
import { TimeLines } from './time-lines.ts';

export class Report {
  private readonly board: FigureBoard;
  private readonly probe: DropInProbe;
  private readonly lines = new TimeLines(element('chart'));
  private readonly frames = new RecentTimes();

  constructor(board: FigureBoard, probe: DropInProbe) {
    this.board = board;
    this.probe = probe;
  }

  countFrame(now: number): void {
    this.frames.add(0, now);
  }

  write(
    { culled, count: total }: GroupPair,
    camera: PerspectiveCamera,
    { plain, culled: octreeCosts }: FrameTimer,
    usesOctree: boolean,
    now: number,
  ): void {
    const { board, lines, probe } = this;
    const { visible, bodiesTested, nodesVisited } = writePass(board, culled, camera, ['visible']);
    const [plainTime, octreeTime] = [plain.medianAt(now), octreeCosts.medianAt(now)];
    lines.fit([plain.times, octreeCosts.times], now);
    this.writeCosts('plain', plain, plainTime, now);
    this.writeCosts('octree', octreeCosts, octreeTime, now);
    board.set('gain', times(plainTime, octreeTime));
    board.setCount('plainTested', total);
    board.setCount('tested', bodiesTested + nodesVisited);
    board.setCount('framesPerSecond', this.frames.countAt(now));
    const { drawCalls, triangles } = usesOctree ? octreeCosts : plain;
    Object.assign(probe, {
      reports: probe.reports + 1,
      visible,
      culled: total - visible,
      total,
      tested: bodiesTested,
      nodesVisited,
      nodes: culled.octree.statistics.nodes,
      drawCalls,
      triangles,
      plainTime,
      octreeTime,
      plainDrawCalls: plain.drawCalls,
      octreeDrawCalls: octreeCosts.drawCalls,
      camera: camera.position.toArray(),
    });
  }

  private writeCosts(name: 'plain' | 'octree', costs: Costs, time: number, now: number): void {
    const { board } = this;
    this.lines.draw(name, costs.times, now);
    board.set(`${name}Time`, milliseconds(time));
    board.set(`${name}DrawCalls`, costs.drawCalls > 0 ? costs.drawCalls.toLocaleString('en') : '-');
  }
}
