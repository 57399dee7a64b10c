// Flies over 135,000 real places, or a generated city, and shows the frustum cull of the octree.

import { PerspectiveCamera, Scene } from 'three';
import { Builder } from './shared/builder.ts';
import { CellLines } from './fly-through/cell-lines.ts';
import { drawCells } from './fly-through/cull-cells.ts';
import { openProbe } from './shared/demo-probe.ts';
import { FlyControls } from './fly-through/fly-controls.ts';
import { FrustumShape } from './shared/frustum-shape.ts';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { ObserverCamera } from './shared/observer-camera.ts';
import { Pose } from './shared/pose.ts';
import { ProgressBar } from './shared/progress.ts';
import { openContext, Stage } from './shared/stage.ts';
import { showToast } from './shared/toast.ts';
import { connectTouchStick } from './fly-through/touch-stick.ts';
import { Autopilot } from './fly-through/autopilot.ts';
import { createCities } from './fly-through/cities.ts';
import { createCity } from './fly-through/city.ts';
import { Culling } from './fly-through/culling.ts';
import { Overview } from './fly-through/overview.ts';
import { Panel } from './fly-through/panel.ts';
import { figuresOf, Readout } from './fly-through/readout.ts';
import { readSettings } from './fly-through/settings.ts';
import { buildWorld, type World } from './fly-through/world.ts';

const FIELD_OF_VIEW = 58;
/** Distance of the near plane, in altitudes. */
const NEAR = 0.02;
const CELLS_EVERY_MS = 100;
/** Layers for objects that only the flyer, only the observer or only the overview draws. The overview also draws the observer's layer. */
const FLYER = 1;
const OBSERVER = 2;
const OVERVIEW = 3;

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) flyThrough(context);
else showNoWebGL2();

function flyThrough(context: WebGL2RenderingContext): void {
  const probe = openProbe();

  // Stage: two views on one canvas, a flyer and an observer.
  const stage = new Stage(context, [element('camera-view'), element('observer-view')]);
  const [cameraView, observerView] = stage.views as [typeof stage.views[0], typeof stage.views[0]];
  const camera = new PerspectiveCamera(FIELD_OF_VIEW);
  const observer = new ObserverCamera(observerView.element);
  const frustumShape = new FrustumShape();
  const cellLines = new CellLines();
  const scene = new Scene();
  scene.add(frustumShape.object, cellLines.object);
  for (const object of [...frustumShape.object.children, cellLines.object]) object.layers.set(OBSERVER);
  camera.layers.enable(FLYER);
  observer.camera.layers.enable(OBSERVER);
  const overview = new Overview(cameraView.element, OVERVIEW);
  overview.camera.layers.enable(OBSERVER);
  const readout = new Readout(document.body);

  const dataSets = { cities: createCities(), city: createCity() };
  const settings = readSettings(new URLSearchParams(location.search), dataSets);
  const pose = new Pose();
  const autopilot = new Autopilot();
  const controls = new FlyControls(pose, cameraView.element, () => panel.set('path', false));
  connectTouchStick(element('touch'), controls.push);

  // Bodies are built in slices. The previous world stays until the next one is ready.
  const builder = new Builder(new ProgressBar(element('progress')));
  const culling = new Culling();
  let world: World | undefined;
  let nodes = 0;
  let cellsAt = -Infinity;

  async function rebuild(): Promise<void> {
    const dataSet = dataSets[settings.data];
    const chosen = { ...settings };
    const built = await builder.build({
      title: `Building ${chosen.count.toLocaleString('en')} ${dataSet.bodyName}`,
      load: () => dataSet.load(),
      build: () => buildWorld(dataSet, chosen, world),
      prepare,
    });
    if (built) enter(built);
    else if (!builder.isBusy) showToast('Stopped. Choose a data set or a count to build another world.');
  }

  /** Prepares all objects that are drawn once a world is ready. */
  async function prepare({ scenery, drawn }: World): Promise<void> {
    await stage.prepare([scenery.object, drawn.sample, drawn.points, drawn.allPoints, frustumShape.object, cellLines.object], camera, scene);
  }

  function enter(next: World): void {
    const isElsewhere = next.dataSet !== world?.dataSet;
    if (world) leave(world);
    world = next;
    next.drawn.pillars.layers.set(FLYER);
    next.drawn.points.layers.set(OBSERVER);
    next.drawn.allPoints.layers.set(OVERVIEW);
    scene.add(next.scenery.object, next.drawn.pillars, next.drawn.points, next.drawn.allPoints);
    nodes = next.octree.statistics.nodes;
    culling.reset();
    controls.altitude = next.dataSet.altitude;
    if (isElsewhere) {
      controls.stop();
      autopilot.begin(pose, next.tour, next.dataSet.surface, settings.start);
      pose.applyTo(camera);
      showLegend(next);
    }
  }

  function leave(last: World): void {
    scene.remove(last.scenery.object, last.drawn.pillars, last.drawn.points, last.drawn.allPoints);
    overview.leave();
    last.dispose();
  }

  const panel = new Panel(element('panel'), settings, dataSets, {
    rebuild: () => void rebuild().catch(fail),
    path: (isOn) => world && isOn && autopilot.resume(pose, world.tour),
    observer: showObserver,
    whole: showWhole,
  });
  element('whole').addEventListener('click', () => panel.set('whole', !settings.whole));

  /** Swaps the views: the large one shows the whole world, the inset shows the flyer's view. */
  function showWhole(isShown: boolean): void {
    document.body.classList.toggle('whole-world', isShown);
    element('whole').setAttribute('aria-pressed', String(isShown));
    controls.turnsByDrag = !isShown;
    if (isShown) overview.show(observer.camera, culling.pose.position);
    else overview.hide();
  }

  function steer(seconds: number, { dataSet, tour }: World): void {
    controls.speed = settings.speed;
    controls.update(seconds, dataSet.surface);
    if (settings.path) autopilot.steer(pose, tour, dataSet.surface, dataSet.altitude, seconds * settings.speed);
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (world) flyIn(world, seconds, now);
    probe.isBuilding = builder.isBusy;
    probe.longestSlice = builder.longestSlice;
    probe.frames++;
  }

  function flyIn(world: World, seconds: number, now: number): void {
    steer(seconds, world);
    pose.applyTo(camera);
    camera.near = Math.max(world.dataSet.altitude.low, world.dataSet.surface.altitudeAt(pose.position)) * NEAR;
    camera.far = world.drawFar;
    const view = settings.whole ? observerView : cameraView;
    camera.aspect = view.aspect;
    camera.updateProjectionMatrix();

    // Query: the bodies that the camera sees.
    if (!settings.freeze) culling.follow(camera, pose, settings.far);
    culling.run(world, settings, now);

    // Draw: the same bodies for the camera and for the observer.
    world.drawn.show(culling.visible);
    world.drawn.setView(culling.camera, settings.freeze ? Infinity : settings.far, stage.pixelRatio, (2 * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, view.height));
    if (settings.whole) drawOverview(world, seconds, now);
    stage.draw(view, scene, camera, world.scenery.background);
    if (!settings.whole && observerView.isShown) drawObserver(world, now);
    if (readout.isDue(now)) report(world, now);
  }

  function drawObserver(world: World, now: number): void {
    observer.follow(culling.pose, settings.far, observerView.aspect, world.drawFar);
    followCull(world, now);
    stage.draw(observerView, scene, observer.camera, world.scenery.background);
  }

  function drawOverview(world: World, seconds: number, now: number): void {
    scene.add(overview.cellsOf(world));
    overview.update(seconds, world, cameraView.aspect);
    followCull(world, now);
    stage.draw(cameraView, scene, overview.camera, world.scenery.background);
  }

  /** Updates the lines that show the cull from outside. */
  function followCull(world: World, now: number): void {
    frustumShape.follow(culling.camera);
    if (now - cellsAt < CELLS_EVERY_MS) return;
    cellsAt = now;
    drawCells(cellLines, world.octree, culling.frustum, settings.cells, settings.outline);
  }

  function report(world: World, now: number): void {
    const figures = figuresOf(world, culling, nodes, stage);
    readout.write(figures, culling, now);
    Object.assign(probe, figures, { reports: probe.reports + 1, cells: cellLines.count, wholeCells: settings.whole ? overview.cellCount : 0, camera: camera.position.toArray() });
  }

  showObserver(settings.observer);
  showWhole(settings.whole);
  stage.start(frame);
  void rebuild().catch(fail);
}

function showObserver(isShown: boolean): void {
  document.body.classList.toggle('without-observer', !isShown);
}

function showLegend({ dataSet }: World): void {
  document.body.dataset.world = dataSet.name;
  [element('scale-low').textContent, element('scale-high').textContent] = dataSet.scale;
}

function fail(error: unknown): void {
  showMissing('The scene could not be built', error instanceof Error ? error.message : String(error));
}
