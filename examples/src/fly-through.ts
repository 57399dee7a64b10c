// Flies over 135,000 real places, or a generated city, and shows the frustum cull of the octree.

import { PerspectiveCamera, Scene } from 'three';
import { Autopilot } from './shared/autopilot.ts';
import { citiesDataSet } from './fly-through/cities.ts';
import { cityDataSet } from './fly-through/city.ts';
import { Culling } from './fly-through/culling.ts';
import { FlyControls } from './shared/fly-controls.ts';
import { LAYERS } from './fly-through/layers.ts';
import { OutsideView } from './fly-through/outside-view.ts';
import { createPanel } from './fly-through/panel.ts';
import { figuresOf, writeFigures } from './fly-through/readout.ts';
import { readSettings } from './fly-through/settings.ts';
import { buildWorld, type World } from './fly-through/world.ts';
import { DemoProbe } from './shared/demo-probe.ts';
import { element } from './shared/elements.ts';
import { Interval } from './shared/interval.ts';
import { publish } from './shared/page-probe.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import type { QueryReader } from './shared/query-reader.ts';
import { Pose } from './shared/pose.ts';
import { RecentTimes } from './shared/recent-times.ts';
import { TaskRunner } from './shared/task.ts';
import { connectTouchStick } from './shared/touch-stick.ts';

const FIELD_OF_VIEW = 58;
/** Distance of the near plane, in altitudes. */
const NEAR = 0.02;
const REPORT_EVERY_MS = 250;

class FlyThrough extends Page {
  private readonly probe = publish('demoProbe', new DemoProbe());
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW);
  private readonly outside = new OutsideView(this.stage, this.scene);
  private readonly dataSets = { cities: citiesDataSet(), city: cityDataSet() };
  private readonly settings = keptSettings(this.query, (query) => readSettings(query, this.dataSets));
  private readonly pose = new Pose();
  private readonly autopilot = new Autopilot();
  private readonly controls: FlyControls;
  private readonly culling = new Culling();
  private readonly frames = new RecentTimes();
  private readonly reports = new Interval(REPORT_EVERY_MS);
  private readonly tasks = new TaskRunner();
  /** The previous world stays until the next one is ready. */
  private world: World | undefined;

  constructor(context: WebGL2RenderingContext, problem: string, query: QueryReader) {
    super(context, problem, query);
    this.camera.layers.enable(LAYERS.flyer);
    const panel = createPanel(this.settings, this.dataSets, {
      rebuild: () => this.rebuild(),
      path: (isOn) => this.world && isOn && this.autopilot.resume(this.pose, this.world.tour),
      observer: showObserver,
      whole: (isShown) => this.showWhole(isShown),
    });
    this.controls = new FlyControls(this.pose, this.stage.views[0].element, () => panel.set('path', false));
    connectTouchStick(element('touch'), this.controls.push);
    element('whole').addEventListener('click', () => panel.set('whole', !this.settings.whole));
  }

  start(): void {
    showObserver(this.settings.observer);
    this.showWhole(this.settings.whole);
    this.stage.start((seconds, now) => this.frame(seconds, now));
    this.rebuild();
  }

  private rebuild(): void {
    this.attempt(this.build());
  }

  private async build(): Promise<void> {
    const { stage, scene, camera, tasks } = this;
    const settings = { ...this.settings };
    const dataSet = this.dataSets[settings.data];
    const built = await tasks.build({
      title: `Building ${settings.count.toLocaleString('en')} ${dataSet.bodyName}`,
      load: () => dataSet.load(),
      build: () => buildWorld(dataSet, settings, this.world),
      prepare: ({ scenery, drawn }) =>
        stage.prepare(
          [scenery.object, drawn.sample, drawn.points, drawn.allPoints, ...this.outside.objects],
          camera,
          scene,
        ),
      hint: 'Choose a data set or a count to build another world.',
    });
    if (built) this.enter(built);
  }

  private enter(next: World): void {
    const { scene, world, pose } = this;
    const { dataSet, drawn, scenery, tour } = next;
    if (world) this.leave(world);
    this.world = next;
    drawn.pillars.layers.set(LAYERS.flyer);
    drawn.points.layers.set(LAYERS.observer);
    drawn.allPoints.layers.set(LAYERS.overview);
    scene.add(scenery.object, drawn.pillars, drawn.points, drawn.allPoints);
    this.culling.reset();
    this.controls.altitude = dataSet.altitude;
    if (dataSet === world?.dataSet) return;
    this.controls.stop();
    this.autopilot.begin(pose, tour, dataSet.surface, this.settings.start);
    pose.applyTo(this.camera);
    showLegend(next);
  }

  private leave(last: World): void {
    this.scene.remove(last.scenery.object, last.drawn.pillars, last.drawn.points, last.drawn.allPoints);
    this.outside.leave();
    last.dispose();
  }

  /** Swaps the views: the large one shows the whole world, the inset shows the flyer's view. */
  private showWhole(isShown: boolean): void {
    document.body.classList.toggle('whole-world', isShown);
    element('whole').setAttribute('aria-pressed', String(isShown));
    this.controls.turnsByDrag = !isShown;
    this.outside.showWhole(isShown, this.culling);
  }

  private frame(seconds: number, now: number): void {
    const { probe, tasks, world } = this;
    this.stage.beginFrame();
    if (world) {
      this.frames.add(0, now);
      this.steer(seconds, world);
      this.draw(seconds, world, now);
      if (this.reports.isDue(now)) this.report(world, now);
    }
    probe.isBuilding = tasks.isBusy;
    probe.longestSlice = tasks.longestSlice;
    probe.frames++;
  }

  private steer(seconds: number, { dataSet, tour }: World): void {
    const { controls, settings, pose } = this;
    controls.speed = settings.speed;
    controls.update(seconds, dataSet.surface);
    if (settings.path) this.autopilot.steer(pose, tour, dataSet.surface, dataSet.altitude, seconds * settings.speed);
  }

  /** Draws the visible bodies for the flyer, and from outside. */
  private draw(seconds: number, world: World, now: number): void {
    const { camera, culling, outside, pose, scene, settings, stage } = this;
    const view = stage.views[settings.whole ? 1 : 0];
    const { dataSet, drawn, scenery } = world;
    pose.applyTo(camera);
    camera.near = Math.max(dataSet.altitude.low, dataSet.surface.altitudeAt(pose.position)) * NEAR;
    camera.far = world.drawFar;
    camera.aspect = view.aspect;
    camera.updateProjectionMatrix();

    if (!settings.freeze) culling.follow(camera, pose, settings.far);
    culling.run(world, settings, now);
    drawn.show(culling.visible);
    drawn.setView(
      culling.camera,
      settings.freeze ? Infinity : settings.far,
      stage.pixelRatio,
      view.pixelSizeOf(camera),
    );

    if (settings.whole) outside.drawWhole(world, culling, settings, seconds, now);
    stage.draw(view, scene, camera, scenery.background);
    if (!settings.whole) outside.drawInset(world, culling, settings, now);
  }

  private report(world: World, now: number): void {
    const { probe, culling, outside } = this;
    const figures = figuresOf(world, culling, this.stage);
    writeFigures(this.board, figures, culling, this.frames.countAt(now), now);
    Object.assign(probe, figures, {
      reports: probe.reports + 1,
      cells: outside.cellCount,
      wholeCells: outside.wholeCellCount,
      camera: this.camera.position.toArray(),
    });
  }
}

function showObserver(isShown: boolean): void {
  document.body.classList.toggle('without-observer', !isShown);
}

function showLegend({ dataSet }: World): void {
  document.body.dataset.world = dataSet.name;
  [element('scale-low').textContent, element('scale-high').textContent] = dataSet.scale;
}

openPage(FlyThrough, 'The scene could not be built', (page) => page.start());
