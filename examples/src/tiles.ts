// A city of 100,000 houses that is loaded as one flies: 3D Tiles written by the library, drawn by an OctreeGroup.

import { type Mesh, PerspectiveCamera, Vector3 } from 'three';
import { Autopilot } from './shared/autopilot.ts';
import { element, find } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { FlyControls } from './shared/fly-controls.ts';
import { onKeyPress } from './shared/held-keys.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { onClick } from './shared/on-click.ts';
import { openPage, Page } from './shared/page.ts';
import { Pose } from './shared/pose.ts';
import { nextTurn } from './shared/slices.ts';
import { flatSurface } from './shared/surface.ts';
import { type TaskContext, TaskRunner } from './shared/task.ts';
import { showToast } from './shared/toast.ts';
import { pointsOf, type Tour } from './shared/tour.ts';
import { CityStream, fetchFacts } from './tiles/city-stream.ts';
import type { CityFacts } from './tiles/facts.ts';
import { createGround } from './tiles/ground.ts';
import { HouseTag } from './tiles/house-tag.ts';
import { paintedSample } from './tiles/paint.ts';
import { createPanel } from './tiles/panel.ts';
import { Readout } from './tiles/readout.ts';
import { FAR, Scenery } from './tiles/scenery.ts';
import { LINE_NAMES, type LineName, LINES, readSettings } from './tiles/settings.ts';
import { TileMap } from './tiles/tile-map.ts';

const FIELD_OF_VIEW = 55;
const ALTITUDE = { low: 12, high: 3000 };
/** Edge of the fields around the city, in metres. */
const FIELDS = 30_000;
/** Waypoints: metres east and south of the centre, metres above the ground. */
const PATH: readonly (readonly [x: number, z: number, altitude: number])[] = [
  [-3300, 2300, 260],
  [-1500, 1700, 200],
  [300, 1500, 170],
  [1900, 700, 260],
  [3300, -500, 300],
  [3900, -2500, 330],
  [2300, -3900, 240],
  [300, -2600, 300],
  [-1500, -1500, 380],
  [-3300, -1900, 240],
  [-4700, -300, 200],
];
const TOUR: Tour = {
  duration: 300,
  pitch: -0.2,
  pointAt: pointsOf(PATH.map(([x, z, altitude]) => new Vector3(x, altitude, z))),
};

class Tiles extends Page {
  private readonly settings = keptSettings(this.query, readSettings);
  private readonly scenery = new Scenery();
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 2, FAR);
  private readonly pose = new Pose();
  private readonly autopilot = new Autopilot();
  private readonly map = new TileMap(find('#observer-view canvas', HTMLCanvasElement));
  private readonly tag = new HouseTag(element('house'));
  private readonly readout = new Readout(this.board);
  private readonly tasks = new TaskRunner();
  private readonly controls: FlyControls;
  private facts: CityFacts | null = null;
  private stream: CityStream | null = null;

  constructor(...page: ConstructorParameters<typeof Page>) {
    super(...page);
    const [{ element: view }] = this.stage.views;
    const panel = createPanel(this.settings, {
      fly: (isOn) => isOn && this.autopilot.resume(this.pose, TOUR),
      map: () => this.showSettings(),
    });
    this.controls = new FlyControls(this.pose, view, () => panel.set('fly', false));
    this.controls.altitude = ALTITUDE;
    onClick(view, (event) => this.pick(event, view));
    explainOnAltClick(view, () => ({
      camera: this.camera,
      containers: this.stream === null ? [] : [this.stream.plugin.group],
    }));
    for (const [k, name] of LINE_NAMES.entries()) {
      const choose = (): void => this.setLine(name);
      element(name).addEventListener('click', choose);
      onKeyPress(`Digit${k + 1}`, choose);
    }
  }

  start(): void {
    this.scenery.scene.add(this.tag.frame);
    this.showSettings();
    this.autopilot.begin(this.pose, TOUR, flatSurface, 0);
    this.stage.start((seconds, now) => this.frame(seconds, now));
    this.attempt(this.load());
  }

  private setLine(name: LineName): void {
    this.settings.line = name;
    this.showSettings();
    this.attempt(this.load());
  }

  private showSettings(): void {
    const { line, map } = this.settings;
    for (const name of LINE_NAMES) element(name).setAttribute('aria-pressed', String(name === line));
    document.body.classList.toggle('without-observer', !map);
  }

  /** Forgets all tiles, and begins anew. */
  private async load(): Promise<void> {
    const { tasks } = this;
    this.stream?.dispose();
    this.stream = null;
    this.tag.hide();
    const isDone = await tasks.run('Loading the first tile', (context) => this.loadIn(context));
    if (isDone || tasks.isBusy) return;
    (this.stream as CityStream | null)?.dispose();
    this.stream = null;
    showToast('Stopped. Choose a line to go on.');
  }

  private async loadIn({ slices, unlessCancelled, progress, signal }: TaskContext): Promise<true> {
    const { stage, scenery, camera, settings, tag } = this;
    if (this.facts === null) {
      this.facts = await unlessCancelled(fetchFacts());
      const ground = await slices(createGround(FIELDS), 0, 0.3);
      const samples: Mesh[] = [ground, scenery.dome, paintedSample()];
      await unlessCancelled(stage.prepare([...samples, tag.frame], camera, scenery.scene));
      scenery.ground = ground;
      signal.throwIfAborted();
    }
    const stream = (this.stream = new CityStream(LINES[settings.line], camera));
    scenery.scene.add(stream.tiles.group);
    while (stream.frames === 0) {
      await nextTurn();
      signal.throwIfAborted();
      progress(0.3 + (0.7 * stream.line.bytes) / this.facts.first);
    }
    return true;
  }

  private pick(event: PointerEvent, view: HTMLElement): void {
    const picked = this.stream?.pick(event, view) ?? null;
    this.readout.picked = picked?.hit.name ?? null;
    if (picked === null) this.tag.hide();
    else this.tag.show(picked.hit.name ?? '', `house ${picked.hit.id}`, picked.box);
  }

  private frame(seconds: number, now: number): void {
    const { stage, scenery, camera, settings, pose, controls, stream, facts } = this;
    const [view] = stage.views;
    stage.beginFrame();
    controls.update(seconds, flatSurface);
    if (settings.fly) this.autopilot.steer(pose, TOUR, flatSurface, ALTITUDE, seconds);
    pose.applyTo(camera);
    camera.aspect = view.aspect;
    camera.updateProjectionMatrix();
    scenery.follow(camera);
    stream?.update(view, stage.pixelRatio, settings);
    this.tag.follow(camera, view);
    stage.draw(view, scenery.scene, camera, scenery.background);
    if (stream === null || facts === null) return;
    this.map.draw(stream, camera, now);
    this.readout.frame(stream, facts, stage.renderer, camera.position.toArray(), now);
  }
}

openPage(Tiles, 'The city could not be drawn', (page) => page.start());
