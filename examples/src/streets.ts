// Streets of a city of separate meshes: what stands behind the houses is not drawn.

import { type Object3D, Scene } from 'three';
import { element } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { onKeyPress } from './shared/held-keys.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { nextTurn } from './shared/slices.ts';
import { TaskRunner, type TaskContext } from './shared/task.ts';
import { showToast } from './shared/toast.ts';
import { buildStreets } from './streets/city.ts';
import { DepthPicture } from './streets/depth-picture.ts';
import { StreetDrawing } from './streets/drawing.ts';
import { Observer } from './streets/observer.ts';
import { createPanel } from './streets/panel.ts';
import { Readout } from './streets/readout.ts';
import { Scenery } from './streets/scenery.ts';
import { type Mode, MODES, type Place, PLACES, readSettings } from './streets/settings.ts';
import { Walker } from './streets/walker.ts';

/** Least frames, and milliseconds, in each way of drawing on a first visit. */
const FIRST_FRAMES = 4;
const FIRST_MS = 700;

class Streets extends Page {
  private readonly settings = keptSettings(this.query, readSettings);
  private readonly scene = new Scene();
  private readonly tasks = new TaskRunner();
  private readonly readout = new Readout(this.board);
  private readonly observer = new Observer(element('observer-view'));
  private readonly depth = new DepthPicture();
  private readonly panel = createPanel(this.settings, {
    rebuild: () => this.attempt(this.build()),
    showObserver: () => this.showSettings(),
  });
  private readonly walker = new Walker(this.stage.views[0], () => {
    if (this.settings.walk) this.panel.set('walk', false);
  });
  /** That of the settings, but on a first visit, which shows both. */
  private mode = this.settings.mode;
  private drawing: StreetDrawing | null = null;
  private scenery: Scenery | null = null;

  start(): void {
    Scenery.addHaze(this.scene);
    for (const [k, mode] of MODES.entries()) this.onChoice(mode, k + 1, () => this.setMode(mode));
    for (const [k, place] of PLACES.entries()) this.onChoice(place, k + 3, () => this.setHeight(place));
    const { camera } = this.walker;
    for (const [at, eye] of [camera, this.observer.eye].entries())
      explainOnAltClick(this.stage.views[at].element, () => ({
        camera: eye,
        explained: camera,
        containers: this.drawing === null ? [] : [this.drawing.city.group],
      }));
    this.showSettings();
    this.stage.start((seconds, now) => this.frame(seconds, now));
    this.attempt(this.build().then(() => (this.query.isEmpty ? this.showBoth() : undefined)));
  }

  private onChoice(id: string, digit: number, choose: () => void): void {
    element(id).addEventListener('click', choose);
    onKeyPress(`Digit${digit}`, choose);
  }

  private async build(): Promise<void> {
    const { settings, tasks } = this;
    const title = `Building ${settings.houses.toLocaleString('en')} houses`;
    const isDone = await tasks.run(title, (context) => this.buildIn(context).then(() => true));
    if (!isDone && !tasks.isBusy) showToast('Stopped. Choose a number of houses to go on.');
  }

  private async buildIn(context: TaskContext): Promise<void> {
    const { settings, stage, scene, walker, observer, depth } = this;
    const turn = (): Promise<void> => context.unlessCancelled(nextTurn());
    const city = await context.slices(buildStreets(settings.houses), 0, 1);
    await turn();
    const scenery = new Scenery(city.plan);
    await turn();
    const drawing = new StreetDrawing(city);
    this.replace(drawing, scenery);
    walker.begin(city.plan, settings.height);
    await turn();
    observer.show(city);
    const samples: Object3D[] = [...city.samples, ...scenery.samples, ...observer.samples, ...depth.samples];
    await context.unlessCancelled(stage.prepare(samples, walker.camera, scene));
    context.progress(0, 'Uploading the houses');
    await drawing.upload(stage.renderer, scene, walker.camera, context);
    await turn();
    drawing.setMode(this.mode, walker.camera);
    await turn();
    scene.add(city.group);
    this.readout.restart(true);
  }

  private replace(drawing: StreetDrawing, scenery: Scenery): void {
    const { scene } = this;
    if (this.drawing !== null) scene.remove(this.drawing.city.group);
    if (this.scenery !== null) scene.remove(this.scenery.object);
    this.drawing?.dispose();
    this.scenery?.dispose();
    this.drawing = drawing;
    this.scenery = scenery;
    scene.add(scenery.object);
  }

  private setMode(mode: Mode): void {
    this.settings.mode = mode;
    this.show(mode);
  }

  private show(mode: Mode): void {
    this.mode = mode;
    this.drawing?.setMode(mode, this.walker.camera);
    this.readout.restart(false);
    this.showSettings();
  }

  /** Draws some frames in each way, so that a first visit shows the figures of both. A choice of the user ends it. */
  private async showBoth(): Promise<void> {
    const { readout, tasks } = this;
    for (const mode of MODES) {
      if (tasks.isBusy || this.drawing === null) return;
      this.show(mode);
      const frames = readout.probe.frames + FIRST_FRAMES;
      const end = performance.now() + FIRST_MS;
      while ((readout.probe.frames < frames || performance.now() < end) && this.mode === mode) await nextTurn();
      if (this.mode !== mode) return;
    }
  }

  private setHeight(height: Place): void {
    this.settings.height = height;
    this.readout.restart(false);
    this.showSettings();
  }

  private showSettings(): void {
    const { mode } = this;
    const { height, observer } = this.settings;
    for (const id of [...MODES, ...PLACES])
      element(id).setAttribute('aria-pressed', String(id === mode || id === height));
    for (const each of MODES) document.body.classList.toggle(`is-${each}`, each === mode);
    document.body.classList.toggle('without-observer', !observer);
  }

  private frame(seconds: number, now: number): void {
    const { drawing, readout, stage, tasks } = this;
    const { probe } = readout;
    stage.beginFrame();
    const isReady = drawing !== null && drawing.city.group.parent !== null;
    if (isReady && stage.isAlive) this.draw(drawing, seconds, now);
    probe.isBuilding = tasks.isBusy || !isReady;
    probe.longestSlice = Math.max(tasks.longestSlice, drawing?.longestUpload ?? 0);
    probe.frames++;
  }

  private draw(drawing: StreetDrawing, seconds: number, now: number): void {
    const { stage, scene, walker, settings, scenery, depth, readout } = this;
    const { camera, pose } = walker;
    walker.update(seconds, settings);
    scenery!.follow(camera.position);
    const start = performance.now();
    stage.draw(stage.views[0], scene, camera, Scenery.background);
    const time = performance.now() - start;
    const { calls, triangles } = stage.renderer.info.render;
    drawing.look(camera);
    depth.draw(stage, drawing.occlusion, now);
    this.observer.draw(stage, camera, pose, drawing.states);
    readout.probe.covered = depth.covered;
    readout.probe.place = [camera.position.x, camera.position.y, camera.position.z];
    readout.frame(drawing, camera, this.mode, time, calls, triangles, now);
  }
}

openPage(Streets, 'The city could not be drawn', (page) => page.start());
