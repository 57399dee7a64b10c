// Draws 20,000 plain meshes in three's Group or in an OctreeGroup, a change of one line, and compares the main-thread time per frame.

import { Frustum, Matrix4, PerspectiveCamera, Scene } from 'three';
import { IndexList, type QueryStats } from '../../src/index.ts';
import { Builder } from './shared/builder.ts';
import { type DemoProbe, openProbe } from './shared/demo-probe.ts';
import { FigureBoard, milliseconds, times } from './shared/figure-board.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { ProgressBar } from './shared/progress.ts';
import { RecentTimes } from './shared/recent-times.ts';
import { openContext, Stage } from './shared/stage.ts';
import { showToast } from './shared/toast.ts';
import { comparePixels } from './drop-in/compare-pixels.ts';
import { PathCamera } from './drop-in/path-camera.ts';
import { type Forest, buildForest, VIEW } from './drop-in/forest.ts';
import { type Costs, FrameTimer } from './drop-in/frame-timer.ts';
import { createPanel } from './drop-in/panel.ts';
import { readSettings } from './drop-in/settings.ts';
import { Sky } from './drop-in/sky.ts';
import { connectSwitch } from './drop-in/switch.ts';
import { TimeLines } from './drop-in/time-lines.ts';

const FIELD_OF_VIEW = 50;
const NEAR = 0.5;
const REPORT_EVERY_MS = 250;

/** The probe of this page, with the costs of both groups. */
export interface DropInProbe extends DemoProbe {
  plainTime: number;
  octreeTime: number;
  plainDrawCalls: number;
  octreeDrawCalls: number;
  /** Pixels of the last comparison; -1 before the first. */
  pixels: number;
  /** Different pixels of the last comparison; -1 before the first. */
  differentPixels: number;
}

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) dropIn(context);
else showNoWebGL2();

function dropIn(context: WebGL2RenderingContext): void {
  const probe: DropInProbe = Object.assign(openProbe(), {
    plainTime: Number.NaN, octreeTime: Number.NaN, plainDrawCalls: 0, octreeDrawCalls: 0, pixels: -1, differentPixels: -1,
  });
  const settings = readSettings(new URLSearchParams(location.search));

  // Stage: an evening sky, and a camera on a path.
  const stage = new Stage(context, [element('camera-view')]);
  stage.renderer.shadowMap.enabled = true;
  const [view] = stage.views;
  const scene = new Scene();
  const sky = new Sky(scene);
  const camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, VIEW);
  const pathCamera = new PathCamera(view.element);

  // The same forest in a Group and in an OctreeGroup.
  const builder = new Builder(new ProgressBar(element('progress')));
  const timer = new FrameTimer(stage, scene, sky);
  let forest: Forest | undefined;

  async function rebuild(): Promise<void> {
    const { count, standsStill } = settings;
    const built = await builder.build({
      title: `Building two forests of ${count.toLocaleString('en')} meshes`,
      load: () => Promise.resolve(),
      build: () => buildForest(count, standsStill),
      prepare: ({ samples }) => stage.prepare([...samples, ...sky.objects], camera, scene),
    });
    if (built) {
      forest?.dispose();
      forest = built;
      restart();
    } else if (!builder.isBusy) showToast('Stopped. Choose a number of meshes to build another forest.');
  }

  /** Restarts the measurements, after a change of the drawn scene. */
  function restart(): void {
    sky.castsShadows = settings.shadows;
    timer.restart();
    clearComparison();
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (forest && stage.isAlive) drawFrame(forest, seconds, now);
    frames.add(0, now);
    if (now - reportedAt >= REPORT_EVERY_MS && forest) report(forest, now);
    probe.isBuilding = builder.isBusy;
    probe.longestSlice = builder.longestSlice;
    probe.frames++;
  }

  function drawFrame({ groups, birds, path }: Forest, seconds: number, now: number): void {
    pathCamera.update(seconds, settings.path, path, camera);
    camera.aspect = view.aspect;
    camera.updateProjectionMatrix();
    sky.follow(camera);
    if (settings.birds) birds.moveTo((flightSeconds += seconds));
    timer.draw(groups, camera, settings.usesOctree, settings.measuresBoth, now);
  }

  // Figures and chart.
  const board = new FigureBoard(document.body);
  const lines = new TimeLines(element('chart'));
  const frames = new RecentTimes();
  const frustum = new Frustum();
  const matrix = new Matrix4();
  const list = new IndexList();
  const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  let reportedAt = -Infinity;
  let flightSeconds = 0;

  function report({ groups }: Forest, now: number): void {
    reportedAt = now;
    const { octree } = groups.culled;
    frustum.setFromProjectionMatrix(matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const visible = octree.collectFrustum(frustum, list, { stats });
    const total = groups.count;
    const [plainTime, octreeTime] = [timer.plain.medianAt(now), timer.culled.medianAt(now)];
    lines.fit([timer.plain, timer.culled].map(({ times }) => times.medianAt(now)));
    writeCosts('plain', timer.plain, plainTime, now);
    writeCosts('octree', timer.culled, octreeTime, now);
    board.set('gain', times(plainTime, octreeTime));
    board.setCount('plainTested', total);
    board.setCount('tested', stats.bodiesTested + stats.nodesVisited);
    board.setCount('visible', visible);
    board.setCount('total', total);
    board.setCount('framesPerSecond', frames.countAt(now));
    const { drawCalls, triangles } = settings.usesOctree ? timer.culled : timer.plain;
    Object.assign(probe, {
      reports: probe.reports + 1, visible, culled: total - visible, total, tested: stats.bodiesTested, nodesVisited: stats.nodesVisited,
      nodesContained: stats.nodesContained, nodes: octree.statistics.nodes, drawCalls, triangles, plainTime, octreeTime,
      plainDrawCalls: timer.plain.drawCalls, octreeDrawCalls: timer.culled.drawCalls, camera: camera.position.toArray(),
    });
  }

  function writeCosts(name: 'plain' | 'octree', costs: Costs, time: number, now: number): void {
    lines.draw(name, costs.times, now);
    board.set(`${name}Time`, milliseconds(time));
    board.set(`${name}DrawCalls`, costs.drawCalls > 0 ? costs.drawCalls.toLocaleString('en') : '-');
  }

  // Settings.
  createPanel(element('panel'), settings, { rebuild: () => void rebuild().catch(fail), restart });
  connectSwitch(settings, 'usesOctree', 'uses-octree', 'KeyO');
  connectSwitch(settings, 'standsStill', 'stands-still', 'KeyS', () => void rebuild().catch(fail));

  const button = document.querySelector<HTMLButtonElement>('#compare')!;
  button.addEventListener('click', () => void compare());

  async function compare(): Promise<void> {
    if (!forest || !stage.isAlive || button.disabled) return;
    button.disabled = true;
    try {
      const { pixels, different } = await comparePixels(stage, scene, camera, forest.groups);
      board.set('pixels', `${different.toLocaleString('en')} of ${pixels.toLocaleString('en')} differ`).dataset.agree = String(different === 0);
      Object.assign(probe, { pixels, differentPixels: different, doAgree: different === 0 });
    } catch {
      showToast('The images could not be read back. Try again.');
    } finally {
      button.disabled = false;
    }
  }

  function clearComparison(): void {
    board.set('pixels', 'not compared').dataset.agree = 'null';
    Object.assign(probe, { pixels: -1, differentPixels: -1, doAgree: null });
  }

  clearComparison();
  stage.start(frame);
  void rebuild().catch(fail);
}

function fail(error: unknown): void {
  showMissing('The scene could not be drawn', error instanceof Error ? error.message : String(error));
}
