// Bring your own scene: loads files that a visitor drops, draws them in an OctreeGroup, and measures them with three
// alone and with the OctreeGroup.

import { NeutralToneMapping, REVISION, Vector3 } from 'three';
import { pick } from '../../src/three.ts';
import { browserName } from './shared/browser-name.ts';
import { copyText } from './shared/copy-text.ts';
import { element } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { onClick } from './shared/on-click.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { publish } from './shared/page-probe.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import type { QueryReader } from './shared/query-reader.ts';
import { type TaskContext, TaskRunner } from './shared/task.ts';
import { showToast } from './shared/toast.ts';
import { listenForFiles } from './your-scene/file-drop.ts';
import { buildFirstScene } from './your-scene/first-scene.ts';
import { graphicsDeviceOf } from './your-scene/graphics-device.ts';
import { type LoadedScene, loadScene } from './your-scene/load-scene.ts';
import { measure, type Measurement } from './your-scene/measure.ts';
import { createPanel } from './your-scene/panel.ts';
import { PickedBox, titleOf } from './your-scene/picked-box.ts';
import { YourSceneProbe } from './your-scene/probe.ts';
import { ProblemBox } from './your-scene/problem-box.ts';
import { Readout } from './your-scene/readout.ts';
import { ReportDialog } from './your-scene/report-dialog.ts';
import { toMarkdown } from './your-scene/report.ts';
import type { ScenePair } from './your-scene/scene-pair.ts';
import { readSettings, townSize } from './your-scene/settings.ts';
import { ScenePreparer, type ShownScene } from './your-scene/shown-scene.ts';

const PLACES = { wide: new Vector3(0.55, 0.62, 1), narrow: new Vector3(0.35, 0.9, 1), maxDistance: 1000 };
/** CPU time of a frame after which the page rests. */
const LONG_FRAME_MS = 20;

class YourScene extends Page {
  private readonly probe = publish('yourSceneProbe', new YourSceneProbe());
  private readonly settings = keptSettings(this.query, readSettings);
  private readonly view = new OrbitView(this.stage, element('statistics'), PLACES);
  private readonly preparer = new ScenePreparer(this.stage.renderer, this.settings);
  private readonly panel = createPanel(this.settings, {
    redraw: () => this.redraw(),
    remeasure: () => void this.remeasure(),
  });
  private readonly readout = new Readout(document.body);
  private readonly dialog = new ReportDialog();
  private readonly problem = new ProblemBox(this.probe);
  private readonly tasks = new TaskRunner();
  private readonly picked = new PickedBox();
  private readonly device = graphicsDeviceOf(this.stage.renderer.getContext() as WebGL2RenderingContext);
  private shown: ShownScene | undefined;
  private isMeasuring = false;
  private measuring = Promise.resolve();
  private measureRuns = 0;
  /** Frames are drawn only after a change. */
  private isStale = true;
  private restsUntil = 0;
  private animatedSeconds = 0;

  constructor(context: WebGL2RenderingContext, problem: string, query: QueryReader) {
    super(context, problem, query);
    const {
      renderer,
      views: [{ element: surface }],
    } = this.stage;
    renderer.toneMapping = NeutralToneMapping;
    this.stage.onBlank = () => (this.isStale = true);
    this.view.onMove(() => (this.isStale = true));
    onClick(surface, (event) => this.pick(event, surface));
    explainOnAltClick(surface, () => ({
      camera: this.view.camera,
      containers: this.shown === undefined || this.isMeasuring ? [] : [this.shown.pair.culled],
    }));
    element('measure').addEventListener('click', () => void this.remeasure());
    element('copy-code').addEventListener('click', () => void this.copyCode());
    element('open-town').addEventListener('click', () => void this.openTown());
    listenForFiles(
      (files) => void this.open('Reading', (context) => loadScene(files, renderer, context)),
      (error) => this.problem.show(error),
    );
  }

  start(): void {
    this.showMeasurement(null);
    this.stage.start((seconds) => this.frame(seconds));
    this.attempt(this.openTown());
  }

  private openTown(): Promise<void> {
    return this.open('Building a town', async ({ slices }) => ({
      name: 'Generated town',
      root: await slices(buildFirstScene(townSize(this.query)), 0, 0.3),
      animations: [],
      notes: [],
      hasMetals: false,
    }));
  }

  private async open(title: string, load: (context: TaskContext) => Promise<LoadedScene>): Promise<void> {
    const { preparer, probe, tasks } = this;
    this.problem.hide();
    probe.isBusy = true;
    try {
      const opened = await tasks.run(title, async (context) => preparer.prepare(await load(context), context));
      probe.longestSlice = tasks.longestSlice;
      if (opened) this.show(opened);
      else if (!tasks.isBusy)
        showToast(
          this.shown
            ? 'Stopped. The scene that was there is still here.'
            : 'Stopped. Open a file, or load the town again.',
        );
      if (opened && this.query.isOn('measure', true).value) {
        await this.untilSeen();
        await this.remeasure();
      }
    } catch (error) {
      this.problem.show(error);
    } finally {
      probe.isBusy = tasks.isBusy;
    }
  }

  private show(next: ShownScene): void {
    const { panel, picked, readout, view } = this;
    const { pair, scene } = next;
    this.shown?.dispose();
    this.shown = next;
    scene.add(picked.object);
    pair.isStatic = !this.isPlaying(pair);
    view.fit(pair.sphere.center, pair.sphere.radius);
    picked.show(null);
    this.animatedSeconds = this.probe.drawnFrames = 0;
    panel.show('plays', pair.isAnimated);
    readout.showScene(pair);
    this.showMeasurement(null);
    this.redraw();
    const {
      name,
      counts: { objects, meshes, triangles },
      isAnimated,
      culled,
    } = pair;
    Object.assign(this.probe, {
      name,
      objects,
      meshes,
      triangles,
      isAnimated,
      bodies: culled.octree.statistics.bodies,
      unculled: culled.unculled.length,
    });
  }

  private isPlaying({ isAnimated }: ScenePair): boolean {
    return this.settings.plays && isAnimated;
  }

  /** Resolves once the scene has been drawn, so that it can be seen while it is measured. */
  private async untilSeen(): Promise<void> {
    this.isStale = true;
    this.restsUntil = 0;
    const { probe } = this;
    while (probe.drawnFrames === 0 && this.stage.isAlive) await new Promise(requestAnimationFrame);
    // The next frame begins after the browser has shown this one.
    await new Promise(requestAnimationFrame);
  }

  /** Ends a running measurement first, because it takes the scene apart. */
  private remeasure(): Promise<void> {
    if (this.isMeasuring) this.tasks.cancel();
    const run = ++this.measureRuns;
    this.measuring = this.measuring.then(() => (run === this.measureRuns ? this.measureNow(run) : undefined));
    return this.measuring;
  }

  private async measureNow(run: number): Promise<void> {
    const { picked, probe, shown, tasks } = this;
    if (!shown || tasks.isBusy) return;
    const { pair, scene, path } = shown;
    this.showMeasurement(null);
    probe.framesBeforeMeasurement = probe.drawnFrames;
    probe.isBusy = this.isMeasuring = true;
    shown.detach();
    scene.remove(picked.object);
    try {
      const setting = { renderer: this.stage.renderer, scene, pair, path, isPlaying: this.isPlaying(pair) };
      const measurement = await tasks.run('Measuring with three alone and with OctreeGroup', (context) =>
        measure(setting, context),
      );
      if (measurement) this.showMeasurement(measurement);
      else if (!tasks.isBusy && run === this.measureRuns) showToast('Stopped measuring.');
    } catch (error) {
      this.problem.show(error);
    } finally {
      shown.attach();
      if (this.shown === shown) scene.add(picked.object);
      this.isMeasuring = false;
      probe.isBusy = tasks.isBusy;
      this.redraw();
    }
  }

  private showMeasurement(measurement: Measurement | null): void {
    const { probe, shown } = this;
    this.readout.showMeasurement(measurement, shown?.pair.counts ?? null, shown?.pair.animatedCount ?? 0);
    probe.measurement = measurement;
    probe.report = measurement && shown ? this.reportOf(shown.pair, measurement) : '';
    this.dialog.report = probe.report;
  }

  private async copyCode(): Promise<void> {
    showToast((await copyText(element('code'), 'The code')) ?? 'Copied the code.');
  }

  private reportOf(pair: ScenePair, measurement: Measurement): string {
    const { name, counts, culled } = pair;
    const { bodies, nodes, depth } = culled.octree.statistics;
    const where = `${browserName(navigator.userAgent)}, ${navigator.hardwareConcurrency} cores, three r${REVISION}, ${new Date().toISOString().slice(0, 10)}`;
    return toMarkdown({
      name,
      counts,
      measurement,
      bodies,
      nodes,
      depth,
      unculled: culled.unculled.length,
      animated: pair.animatedCount,
      where,
      device: this.device.name,
      isSoftware: this.device.isSoftware,
    });
  }

  /** Applies the settings of what is drawn. */
  private redraw(): void {
    this.isStale = true;
    this.view.turnsByItself = this.settings.turns;
    if (this.shown && !this.isMeasuring) this.probe.boxes = this.shown.showOctree(this.settings);
  }

  private frame(seconds: number): void {
    const { settings, shown, stage, view } = this;
    this.probe.frames++;
    if (!shown || this.isMeasuring || !stage.isAlive) return;
    if (this.isPlaying(shown.pair)) {
      shown.pair.animateTo((this.animatedSeconds += seconds));
      this.isStale = true;
      if (settings.octree) shown.helper.update();
    }
    if (settings.turns) this.isStale = true;
    else view.update();
    const start = performance.now();
    // A frame of a huge scene may take long. Waits at least as long afterwards, so that the page can react.
    if (!this.isStale || start < this.restsUntil) return;
    this.isStale = false;
    stage.beginFrame();
    view.draw(shown.scene);
    this.probe.drawnFrames++;
    const end = performance.now();
    this.restsUntil = end - start > LONG_FRAME_MS ? 2 * end - start : 0;
  }

  private pick(event: PointerEvent, surface: HTMLElement): void {
    if (!this.shown || this.isMeasuring) return;
    const start = performance.now();
    const hit = pick(event, this.view.camera, surface, this.shown.pair.culled);
    const time = performance.now() - start;
    this.picked.show(hit?.object ?? null);
    this.readout.showPicked(
      hit ? titleOf(hit.object) : 'nothing',
      hit ? `at ${hit.distance.toPrecision(4)}, found in ${time.toFixed(2)} ms` : '',
    );
    this.isStale = true;
  }
}

openPage(YourScene, 'The scene could not be drawn', (page) => page.start());
