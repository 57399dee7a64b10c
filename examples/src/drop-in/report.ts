// The figures and the chart of the page.

import { Frustum, Matrix4, type PerspectiveCamera } from 'three';
import { IndexList, type QueryStats } from '../../../src/index.ts';
import { element } from '../shared/elements.ts';
import { type FigureBoard, milliseconds, times } from '../shared/figure-board.ts';
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
  private readonly frustum = new Frustum();
  private readonly matrix = new Matrix4();
  private readonly list = new IndexList();
  private readonly stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };

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
    const { board, frustum, lines, list, matrix, probe, stats } = this;
    const { octree } = culled;
    frustum.setFromProjectionMatrix(matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const visible = octree.collectFrustum(frustum, list, { stats });
    const [plainTime, octreeTime] = [plain.medianAt(now), octreeCosts.medianAt(now)];
    lines.fit([plain.times, octreeCosts.times], now);
    this.writeCosts('plain', plain, plainTime, now);
    this.writeCosts('octree', octreeCosts, octreeTime, now);
    board.set('gain', times(plainTime, octreeTime));
    board.setCount('plainTested', total);
    board.setCount('tested', stats.bodiesTested + stats.nodesVisited);
    board.setCount('visible', visible);
    board.setCount('total', total);
    board.setCount('framesPerSecond', this.frames.countAt(now));
    const { drawCalls, triangles } = usesOctree ? octreeCosts : plain;
    Object.assign(probe, {
      reports: probe.reports + 1,
      visible,
      culled: total - visible,
      total,
      tested: stats.bodiesTested,
      nodesVisited: stats.nodesVisited,
      nodesContained: stats.nodesContained,
      nodes: octree.statistics.nodes,
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
