// Bring your own scene: loads files that a visitor drops, draws them in an OctreeGroup, and measures them with three alone and with the OctreeGroup.

import { Box3, Color, NeutralToneMapping, type Object3D, REVISION, Scene, type Texture, Vector3 } from 'three';
import { BoxLines, OctreeHelper, pick } from '../../src/three/index.ts';
import { browserName } from './shared/browser-name.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { ProgressBar } from './shared/progress.ts';
import { openContext, Stage } from './shared/stage.ts';
import { showToast } from './shared/toast.ts';
import { CameraPath } from './your-scene/camera-path.ts';
import type { FileSet } from './your-scene/dropped-files.ts';
import { listenForFiles } from './your-scene/file-drop.ts';
import { buildFirstScene } from './your-scene/first-scene.ts';
import { graphicsDeviceOf } from './your-scene/graphics-device.ts';
import { createSurroundings, light } from './your-scene/lighting.ts';
import { type LoadedScene, loadScene } from './your-scene/load-scene.ts';
import { type Measurement, measure } from './your-scene/measure.ts';
import { createPanel } from './your-scene/panel.ts';
import { openProbe } from './your-scene/probe.ts';
import { Readout } from './your-scene/readout.ts';
import { ReportDialog } from './your-scene/report-dialog.ts';
import { toMarkdown } from './your-scene/report.ts';
import { SceneError } from './shared/scene-error.ts';
import { pairScene, type ScenePair } from './your-scene/scene-pair.ts';
import { MIN_DEPTH, readSettings, townSize } from './your-scene/settings.ts';
import { type TaskContext, TaskRunner } from './your-scene/task.ts';
import { warmUp } from './your-scene/warm-up.ts';

const PLACES = { wide: new Vector3(0.55, 0.62, 1), narrow: new Vector3(0.35, 0.9, 1), maxDistance: 1000 };
/** Pixels that a pointer may move during a click. */
const CLICK_PIXELS = 5;
/** CPU time of a frame after which the page rests. */
const LONG_FRAME_MS = 20;
const HELPER_OPACITY = 0.6;
const PICKED = new Color('#ffb454');

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) yourScene(context);
else showNoWebGL2();

/** What is on the page: a scene, and what is drawn with it. */
interface Shown {
  readonly pair: ScenePair;
  readonly scene: Scene;
  readonly path: CameraPath;
  readonly helper: OctreeHelper;
}

function yourScene(context: WebGL2RenderingContext): void {
  const probe = openProbe();
  const query = new URLSearchParams(location.search);
  const settings = readSettings(query, matchMedia('(prefers-reduced-motion: reduce)').matches);
  const stage = new Stage(context, [element('camera-view')]);
  const { renderer } = stage;
  renderer.toneMapping = NeutralToneMapping;
  const view = new OrbitView(stage, element('statistics'), PLACES);
  const readout = new Readout(document.body);
  const dialog = new ReportDialog();
  const tasks = new TaskRunner(new ProgressBar(element('progress')));
  const device = graphicsDeviceOf(context);
  const picked = new BoxLines(1);
  const town = townSize(query);
  const measuresAtOnce = query.get('measure') !== 'off';
  let surroundings: Texture | undefined;
  let shown: Shown | undefined;
  let isMeasuring = false;
  let measuring = Promise.resolve();
  let measureRuns = 0;
  let isStale = true;
  let restsUntil = 0;
  let animatedSeconds = 0;

  // Loading.
  const loadTown = async ({ slices }: TaskContext): Promise<LoadedScene> =>
    ({ name: 'Generated town', root: await slices(buildFirstScene(town), 0, 0.3), animations: [], notes: [], hasMetals: false });

  async function open(title: string, load: (context: TaskContext) => Promise<LoadedScene>): Promise<void> {
    hideProblem();
    probe.isBusy = true;
    try {
      const opened = await tasks.run(title, async (context) => prepare(await load(context), context));
      probe.longestSlice = tasks.longestSlice;
      if (opened) show(opened);
      else if (!tasks.isBusy) showToast(shown ? 'Stopped. The scene that was there is still here.' : 'Stopped. Open a file, or load the town again.');
      if (opened && measuresAtOnce) await remeasure();
    } catch (error) {
      showProblem(error);
    } finally {
      probe.isBusy = tasks.isBusy;
    }
  }

  async function prepare(loaded: LoadedScene, context: TaskContext): Promise<Shown> {
    const pair = await context.slices(pairScene(loaded, settings.isStatic && !(settings.plays && loaded.animations.length > 0)), 0.6, 0.85);
    try {
      const [scene, warming] = [new Scene(), new Scene()];
      if (loaded.hasMetals) surroundings ??= await context.unlessCancelled(createSurroundings(renderer));
      for (const one of [scene, warming]) {
        light(one, pair.counts.lights > 0);
        one.environment = loaded.hasMetals ? (surroundings ?? null) : null;
        one.environmentIntensity = 0.7;
      }
      const path = new CameraPath(pair.bounds, pair.sphere);
      await warmUp(renderer, warming, path.place('outside', 0), pair, context, 0.85);
      warming.remove(pair.plain);
      const helper = new OctreeHelper(pair.culled.octree, { outline: settings.outline, minDepth: Math.min(MIN_DEPTH, settings.depth), maxDepth: settings.depth });
      helper.material.opacity = HELPER_OPACITY;
      scene.add(pair.culled, helper);
      return { pair, scene, path, helper };
    } catch (error) {
      pair.dispose();
      throw error;
    }
  }

  function show(next: Shown): void {
    shown?.helper.dispose();
    shown?.pair.dispose();
    shown = next;
    const { pair } = next;
    next.scene.add(picked);
    const { center, radius } = pair.sphere;
    applyStatic(pair);
    view.fit(center, radius);
    showPicked(null);
    animatedSeconds = 0;
    showAnimationSetting(pair.isAnimated);
    readout.showScene(pair);
    showMeasurement(null);
    redraw();
    const { name, counts: { objects, meshes, triangles }, isAnimated, culled } = pair;
    Object.assign(probe, { name, objects, meshes, triangles, isAnimated, bodies: culled.octree.statistics.bodies, unculled: culled.unculled.length });
  }

  const isPlaying = ({ isAnimated }: ScenePair): boolean => settings.plays && isAnimated;
  const isStatic = (pair: ScenePair): boolean => settings.isStatic && !isPlaying(pair);
  const applyStatic = (pair: ScenePair): void => void (pair.isStatic = isStatic(pair));

  // Measuring.
  /** Ends a running measurement first, because it has taken the scene apart. */
  function remeasure(): Promise<void> {
    if (isMeasuring) tasks.cancel();
    const run = ++measureRuns;
    measuring = measuring.then(() => (run === measureRuns ? measureNow(run) : undefined));
    return measuring;
  }

  async function measureNow(run: number): Promise<void> {
    if (!shown || tasks.isBusy) return;
    const { pair, scene, path, helper } = shown;
    applyStatic(pair);
    showMeasurement(null);
    probe.isBusy = isMeasuring = true;
    scene.remove(pair.culled, helper, picked);
    try {
      const setting = { renderer, scene, pair, path, isPlaying: isPlaying(pair) };
      const measurement = await tasks.run('Measuring with three alone and with OctreeGroup', (context) => measure(setting, context));
      if (measurement) showMeasurement(measurement);
      else if (!tasks.isBusy && run === measureRuns) showToast('Stopped measuring.');
    } catch (error) {
      showProblem(error);
    } finally {
      scene.add(pair.culled, helper);
      if (shown.scene === scene) scene.add(picked);
      isMeasuring = false;
      probe.isBusy = tasks.isBusy;
      redraw();
    }
  }

  function showMeasurement(measurement: Measurement | null): void {
    readout.showMeasurement(measurement);
    probe.measurement = measurement;
    probe.report = measurement && shown ? reportOf(shown.pair, measurement) : '';
    dialog.report = probe.report;
  }

  function reportOf(pair: ScenePair, measurement: Measurement): string {
    const { name, counts, culled } = pair;
    const { bodies, nodes, depth } = culled.octree.statistics;
    const where = `${browserName(navigator.userAgent)}, ${navigator.hardwareConcurrency} cores, three r${REVISION}, ${new Date().toISOString().slice(0, 10)}`;
    return toMarkdown({
      name, counts, measurement, bodies, nodes, depth, unculled: culled.unculled.length, isStatic: isStatic(pair), isPlaying: isPlaying(pair), where, device: device.name, isSoftware: device.isSoftware,
    });
  }

  // Problems with files.
  function showProblem(error: unknown): void {
    probe.problem = error instanceof SceneError ? error.message : `It could not be shown: ${error instanceof Error ? error.message : String(error)}`;
    element('problem-text').textContent = probe.problem;
    element('problem').hidden = false;
  }

  function hideProblem(): void {
    probe.problem = '';
    element('problem').hidden = true;
  }

  // Drawing: only what has changed.
  function redraw(): void {
    isStale = true;
    view.turnsByItself = settings.turns;
    if (!shown || isMeasuring) return;
    const { helper } = shown;
    Object.assign(helper, { outline: settings.outline, minDepth: Math.min(MIN_DEPTH, settings.depth), maxDepth: settings.depth, visible: settings.octree });
    if (settings.octree) helper.update();
    probe.boxes = settings.octree ? helper.boxCount : 0;
  }

  function frame(seconds: number): void {
    probe.frames++;
    if (!shown || isMeasuring || !stage.isAlive) return;
    const { pair, scene, helper } = shown;
    if (isPlaying(pair)) {
      pair.animateTo((animatedSeconds += seconds));
      isStale = true;
      if (settings.octree) helper.update();
    }
    if (settings.turns) isStale = true;
    else view.update();
    const start = performance.now();
    // A frame of a huge scene may take long: at least as much time is left for the page.
    if (!isStale || start < restsUntil) return;
    isStale = false;
    stage.beginFrame();
    view.draw(scene);
    const end = performance.now();
    restsUntil = end - start > LONG_FRAME_MS ? 2 * end - start : 0;
  }

  // Picking.
  function showPicked(object: Object3D | null): void {
    picked.begin();
    if (object) {
      const { min, max } = new Box3().setFromObject(object);
      picked.addBox(min, max, PICKED, 1);
    }
    picked.end();
    picked.visible = object !== null;
  }

  const { element: surface } = stage.views[0];
  const down = { x: 0, y: 0 };
  surface.addEventListener('pointerdown', ({ clientX, clientY }) => Object.assign(down, { x: clientX, y: clientY }));
  surface.addEventListener('pointerup', (event) => {
    if (!shown || isMeasuring || Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK_PIXELS) return;
    const start = performance.now();
    const hit = pick(event, view.camera, surface, shown.pair.culled);
    const time = performance.now() - start;
    showPicked(hit?.object ?? null);
    readout.showPicked(hit ? titleOf(hit.object) : 'nothing', hit ? `at ${hit.distance.toPrecision(4)}, found in ${time.toFixed(2)} ms` : '');
    isStale = true;
  });

  const showAnimationSetting = createPanel(element('panel'), settings, { redraw, remeasure: () => void remeasure() });
  element('measure').addEventListener('click', () => void remeasure());
  element('open-town').addEventListener('click', () => void open('Building a town', loadTown));
  element('close-problem').addEventListener('click', hideProblem);
  listenForFiles((files: FileSet) => void open('Reading', (context) => loadScene(files, renderer, context)), showProblem);
  view.onMove(() => (isStale = true));
  stage.onBlank = () => (isStale = true);
  readout.showMeasurement(null);
  dialog.report = '';
  stage.start(frame);
  open('Building a town', loadTown).catch((error: unknown) => showMissing('The scene could not be drawn', error instanceof Error ? error.message : String(error)));
}

/** Name of an object in its file; the loader changes `name`, so that it can be part of the path of an animation. */
function titleOf({ name, type, userData, parent }: Object3D): string {
  return (userData.name as string | undefined) || name || parent?.name || type;
}
