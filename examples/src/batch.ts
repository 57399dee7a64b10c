// A city of 30,000 houses, each with a geometry of its own, drawn one by one, culled, or from batches. Some move.

import { DirectionalLight, HemisphereLight, Mesh, type Object3D, Scene, Vector3 } from 'three';
import type { OctreeGroup } from '../../src/three.ts';
import { buildCity } from './batch/city.ts';
import { CityMap } from './batch/city-map.ts';
import { CityDrawing } from './batch/drawing.ts';
import { HouseHand } from './batch/house-hand.ts';
import { Orbit } from './batch/orbit.ts';
import { createPanel } from './batch/panel.ts';
import { RangeOverlay } from './batch/range-overlay.ts';
import { Readout } from './batch/readout.ts';
import { Scenery } from './batch/scenery.ts';
import { type Mode, MODES, readSettings } from './batch/settings.ts';
import { TurningHouses } from './batch/turning.ts';
import { Wave } from './batch/wave.ts';
import { element } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { onKeyPress } from './shared/held-keys.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { nextTurn } from './shared/slices.ts';
import { type TaskContext, TaskRunner } from './shared/task.ts';
import { showToast } from './shared/toast.ts';

const TITLES: Readonly<Record<Mode, string>> = {
  plain: 'Uploading the houses one by one',
  culled: 'Uploading the houses one by one',
  batched: 'Merging the houses into batches',
};
/** How long `Compare` shows each way of drawing: frames, and milliseconds. */
const COMPARED_FRAMES = 12;
const COMPARED_MS = 1500;
/** Opacity of the range colours over the houses. */
const RANGE_OPACITY = 0.78;

class Batch extends Page {
  private readonly settings = keptSettings(this.query, readSettings);
  private readonly scene = new Scene();
  private readonly overlayScene = new Scene();
  private readonly overlay = new RangeOverlay(RANGE_OPACITY);
  private readonly map = new CityMap();
  private readonly tasks = new TaskRunner();
  private readonly readout = new Readout(this.board);
  private readonly panel = createPanel(this.settings, {
    rebuild: () => this.attempt(this.build()),
    restart: () => this.readout.restart(true),
  });
  private readonly orbit = new Orbit(this.stage.views[0], () => this.panel.set('turn', false));
  private readonly hand = new HouseHand(this.stage.views[0], this.orbit, this.scene);
  private drawing: CityDrawing | null = null;
  private scenery: Scenery | null = null;
  private wave: Wave | null = null;
  private turning: TurningHouses | null = null;

  start(): void {
    this.stage.renderer.shadowMap.enabled = true;
    Scenery.addHaze(this.scene);
    const sun = new DirectionalLight('#ffffff', 1.8);
    sun.position.set(-0.68, 0.52, 0.5);
    this.overlayScene.add(this.overlay.object, sun, new HemisphereLight('#ffffff', '#8090a8', 1.7));
    for (const [k, mode] of MODES.entries()) {
      element(mode).addEventListener('click', () => this.attempt(this.switchTo(mode)));
      onKeyPress(`Digit${k + 1}`, () => this.attempt(this.switchTo(mode)));
    }
    element('compare').addEventListener('click', () => this.attempt(this.compare()));
    element('wave').addEventListener('click', () => this.sendWave());
    onKeyPress('KeyW', () => this.sendWave());
    const [view, map] = this.stage.views;
    for (const [{ element: surface }, camera] of [
      [view, this.orbit.camera],
      [map, this.map.camera],
    ] as const)
      explainOnAltClick(surface, () => ({ camera, explained: this.orbit.camera, containers: this.pickable }));
    this.showMode();
    this.stage.start((seconds, now) => this.frame(seconds, now));
    this.attempt(this.build().then(() => (this.query.isEmpty ? this.compare() : undefined)));
  }

  /** None while the houses are in a plain Group. */
  private get pickable(): readonly OctreeGroup[] {
    const { group } = this.drawing?.city ?? {};
    return group === undefined || group.parent === null ? [] : [group];
  }

  private async build(): Promise<void> {
    const { settings, stage, scene, orbit } = this;
    await this.run(`Building ${settings.count.toLocaleString('en')} houses`, async (context) => {
      const city = await context.slices(buildCity(settings.count), 0, 0.95);
      const scenery = await context.slices(Scenery.build(city.plan), 0.95, 1);
      await nextTurn();
      context.signal.throwIfAborted();
      this.wave = null;
      this.drawing?.dispose();
      this.scenery?.dispose();
      if (this.scenery !== null) scene.remove(this.scenery.object);
      this.turning = new TurningHouses(city);
      this.scenery = scenery;
      this.drawing = new CityDrawing(stage.renderer, scene, city, scenery.samples);
      scene.add(scenery.object);
      scenery.castsShadows = settings.shadows;
      orbit.begin(city.plan.radius);
      this.hand.begin(city);
      this.map.show(city);
      this.readout.restart(true);
      const sample = new Mesh(city.houses[0].mesh.geometry, city.houses[0].mesh.material);
      sample.receiveShadow = true;
      const samples: Object3D[] = [sample, ...scenery.samples, ...this.map.samples];
      await context.unlessCancelled(stage.prepare(samples, orbit.camera, scene));
      context.progress(0, TITLES[settings.mode]);
      await this.drawing.switchTo(settings.mode, orbit.camera, context);
    });
  }

  private async switchTo(mode: Mode): Promise<void> {
    const { drawing, settings } = this;
    if (drawing === null || (drawing.mode === mode && !this.tasks.isBusy)) return;
    await this.run(TITLES[mode], (context) => drawing.switchTo(mode, this.orbit.camera, context));
    settings.mode = drawing.mode ?? settings.mode;
    this.showMode();
  }

  /** Shows each way of drawing for a moment, the batches last. */
  private async compare(): Promise<void> {
    const { drawing, readout } = this;
    if (drawing === null) return;
    await this.run(TITLES.plain, async (context) => {
      for (const mode of MODES) {
        context.progress(0, TITLES[mode]);
        await drawing.switchTo(mode, this.orbit.camera, context);
        this.showMode(mode);
        readout.restart(false);
        context.progress(1, `Measuring: ${mode}`);
        const frames = readout.probe.frames + COMPARED_FRAMES;
        const end = performance.now() + COMPARED_MS;
        while (readout.probe.frames < frames || performance.now() < end) {
          await nextTurn();
          context.signal.throwIfAborted();
        }
      }
    });
    this.settings.mode = drawing.mode ?? this.settings.mode;
    this.showMode();
  }

  /** Sends a wave from the selected house, or from the point that the camera looks at. */
  private sendWave(): void {
    if (this.drawing === null) return;
    this.wave?.end();
    this.wave = new Wave(this.drawing.city, this.hand.house?.mesh.position ?? this.orbit.target);
  }

  private async run(title: string, work: (context: TaskContext) => Promise<void>): Promise<void> {
    const { tasks, readout } = this;
    const isDone = await tasks.run(title, (context) => work(context).then(() => true));
    readout.restart(false);
    if (!isDone && !tasks.isBusy) showToast('Stopped. Choose how to draw the houses to go on.');
  }

  private showMode(shown: Mode = this.settings.mode): void {
    for (const mode of MODES) {
      element(mode).setAttribute('aria-pressed', String(mode === shown));
      document.body.classList.toggle(`is-${mode}`, mode === shown);
    }
  }

  private frame(seconds: number, now: number): void {
    const { drawing, readout, stage, tasks, hand } = this;
    const { probe } = readout;
    stage.beginFrame();
    if (drawing !== null && drawing.mode !== null && stage.isAlive) this.draw(drawing, seconds, now);
    probe.isBuilding = tasks.isBusy;
    probe.longestSlice = Math.max(tasks.longestSlice, drawing?.longestUpload ?? 0);
    probe.selected = hand.house?.plot.number ?? -1;
    probe.hidden = hand.hiddenCount;
    const { x, z } = hand.house?.mesh.position ?? new Vector3();
    probe.place = [x, z];
    probe.frames++;
  }

  private draw(drawing: CityDrawing, seconds: number, now: number): void {
    const { stage, scene, orbit, settings, scenery } = this;
    const [view] = stage.views;
    const { renderer } = stage;
    if (this.wave?.update(seconds) === false) this.wave = null;
    if (settings.movers) this.turning!.update(seconds);
    this.hand.update();
    orbit.update(seconds, settings.turn && this.hand.house === null);
    scenery!.castsShadows = settings.shadows;
    scenery!.follow(orbit.camera, orbit.target);
    const start = performance.now();
    stage.draw(view, scene, orbit.camera, Scenery.background);
    const time = performance.now() - start;
    const { calls, triangles } = renderer.info.render;
    const ranges = drawing.batches?.ranges ?? [];
    if (settings.ranges && view.isShown) {
      this.overlay.show(ranges);
      renderer.render(this.overlayScene, orbit.camera);
    }
    this.map.draw(stage, orbit.camera, ranges);
    this.readout.frame(drawing, orbit.camera, time, calls, triangles, now);
  }
}

openPage(Batch, 'The city could not be drawn', (page) => page.start());
