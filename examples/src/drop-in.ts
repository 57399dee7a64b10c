// Draws 20,000 plain meshes in three's Group or in an OctreeGroup, a change of one line, and compares the main-thread
// time per frame.

import { PerspectiveCamera, Scene } from 'three';
import { comparePixels } from './drop-in/compare-pixels.ts';
import { buildForest, type Forest, VIEW } from './drop-in/forest.ts';
import { FrameTimer } from './drop-in/frame-timer.ts';
import { createPanel } from './drop-in/panel.ts';
import { PathCamera } from './drop-in/path-camera.ts';
import { PixelComparison } from './drop-in/pixel-comparison.ts';
import { DropInProbe } from './drop-in/probe.ts';
import { Report } from './drop-in/report.ts';
import { readSettings } from './drop-in/settings.ts';
import { Sky } from './drop-in/sky.ts';
import { connectSwitch } from './drop-in/switch.ts';
import { element } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { Interval } from './shared/interval.ts';
import { publish } from './shared/page-probe.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import type { QueryReader } from './shared/query-reader.ts';
import { TaskRunner } from './shared/task.ts';

const FIELD_OF_VIEW = 50;
const NEAR = 0.5;
const REPORT_EVERY_MS = 250;

class DropIn extends Page {
  private readonly probe = publish('demoProbe', new DropInProbe());
  private readonly settings = keptSettings(this.query, readSettings);
  private readonly scene = new Scene();
  private readonly sky = new Sky(this.scene);
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, NEAR, VIEW);
  private readonly pathCamera = new PathCamera(element('camera-view'));
  private readonly timer = new FrameTimer(this.stage, this.scene, this.sky);
  private readonly tasks = new TaskRunner();
  private readonly report = new Report(this.board, this.probe);
  private readonly reports = new Interval(REPORT_EVERY_MS);
  private readonly comparison = new PixelComparison(this.board, this.probe, () => this.comparePixels());
  /** The same meshes in a Group and in an OctreeGroup. */
  private forest: Forest | undefined;
  private flightSeconds = 0;

  constructor(context: WebGL2RenderingContext, problem: string, query: QueryReader) {
    super(context, problem, query);
    const { settings } = this;
    this.stage.renderer.shadowMap.enabled = true;
    createPanel(settings, { rebuild: () => this.rebuild(), restart: () => this.restart() });
    connectSwitch(settings, 'usesOctree', 'uses-octree', 'KeyO');
    connectSwitch(settings, 'isStatic', 'is-static', 'KeyS', () => this.rebuild());
  }

  start(): void {
    explainOnAltClick(element('camera-view'), () => ({
      camera: this.camera,
      containers: this.forest === undefined ? [] : [this.forest.groups.culled],
      inScene: (work) => this.withGroup(work),
    }));
    this.comparison.clear();
    this.stage.start((seconds, now) => this.frame(seconds, now));
    this.rebuild();
  }

  private rebuild(): void {
    this.attempt(this.build());
  }

  private async build(): Promise<void> {
    const {
      stage,
      scene,
      sky,
      camera,
      tasks,
      settings: { count, isStatic },
    } = this;
    const built = await tasks.build({
      title: `Building two forests of ${count.toLocaleString('en')} meshes`,
      build: () => buildForest(count, isStatic),
      prepare: ({ samples }) => stage.prepare([...samples, ...sky.objects], camera, scene),
      hint: 'Choose a number of meshes to build another forest.',
    });
    if (!built) return;
    this.forest?.dispose();
    this.forest = built;
    this.restart();
  }

  /** Restarts the measurements, after a change of the drawn scene. */
  private restart(): void {
    this.sky.castsShadows = this.settings.shadows;
    this.timer.restart();
    this.comparison.clear();
  }

  private frame(seconds: number, now: number): void {
    const { forest, probe, report, stage, tasks } = this;
    stage.beginFrame();
    if (forest && stage.isAlive) this.draw(forest, seconds, now);
    report.countFrame(now);
    if (forest && this.reports.isDue(now))
      report.write(forest.groups, this.camera, this.timer, this.settings.usesOctree, now);
    probe.isBuilding = tasks.isBusy;
    probe.longestSlice = tasks.longestSlice;
    probe.frames++;
  }

  private draw({ groups, birds, path }: Forest, seconds: number, now: number): void {
    const { camera, settings } = this;
    this.pathCamera.update(seconds, settings.path, path, camera);
    camera.aspect = this.stage.views[0].aspect;
    camera.updateProjectionMatrix();
    this.sky.follow(camera);
    if (settings.birds) birds.moveTo((this.flightSeconds += seconds));
    this.timer.draw(groups, camera, settings.usesOctree, settings.measuresBoth, now);
  }

  /** Frames add the group that they draw, and remove it. */
  private withGroup(work: () => string): string {
    const { culled } = this.forest!.groups;
    this.scene.add(culled);
    const result = work();
    this.scene.remove(culled);
    return result;
  }

  private comparePixels(): ReturnType<typeof comparePixels> | null {
    const { stage, scene, camera, forest } = this;
    return forest && stage.isAlive ? comparePixels(stage, scene, camera, forest.groups) : null;
  }
}

openPage(DropIn, 'The scene could not be drawn', (page) => page.start());
