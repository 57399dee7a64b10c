// A fair of thousands of meshes, many of which move: a person walks among them, throws balls and measures, exact to the
// triangle.

import { PerspectiveCamera, Ray, Scene, Sphere, Vector2, Vector3 } from 'three';
import { Avatar } from './fair/avatar.ts';
import { type Clash, ClashList, findClashes } from './fair/clashes.ts';
import { Controls } from './fair/controls.ts';
import { buildFair, type Fair } from './fair/fair.ts';
import { type MergedCopy, mergeFair } from './fair/merged-copy.ts';
import { MeshLoop } from './fair/mesh-loop.ts';
import { createPanel } from './fair/panel.ts';
import { placeOf } from './fair/plan.ts';
import { Player } from './fair/player.ts';
import { type FairFigures, figuresOf, Readout } from './fair/readout.ts';
import { FAR, Scenery } from './fair/scenery.ts';
import { readSettings, type Way, WAYS } from './fair/settings.ts';
import { castShape, firstTriangle, prepareTriangles } from '../../src/triangles/index.ts';
import { Tape } from './fair/tape.ts';
import { element } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { onKeyPress } from './shared/held-keys.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { onClick } from './shared/on-click.ts';
import { openPage, Page } from './shared/page.ts';
import { PageProbe, publish } from './shared/page-probe.ts';
import { StepClock } from './shared/step-clock.ts';
import { TaskRunner } from './shared/task.ts';

const STEP_SECONDS = 1 / 60;
/** Height of the eyes above the feet, and of what the third person looks at. */
const [EYES, SHOULDERS] = [1.6, 1.5];
/** Distance of the third person, and what it keeps from walls. */
const [BEHIND, CLEARANCE] = [4.4, 0.22];
/** Metres per second of a thrown ball. */
const THROW = 15;
/** Metres that a click reaches. */
const CLICK_FAR = 250;
/** Below this height a person who has left the ground comes back. */
const LOWEST = -20;

class FairPage extends Page {
  private readonly settings = keptSettings(this.query, readSettings);
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(62, 1, 0.1, FAR);
  private readonly scenery = new Scenery(this.scene);
  private readonly tasks = new TaskRunner();
  private readonly clock = new StepClock();
  private readonly readout = new Readout(this.board);
  private readonly probe = publish(
    'fairProbe',
    Object.assign(new PageProbe<FairFigures>(), { advance: (seconds: number) => this.advance(seconds) }),
  );
  private readonly controls = new Controls(this.stage.views[0].element, element('touch'));
  private readonly tape = new Tape(element('tape-label'));
  private readonly clashes = new ClashList(element('clash-list'), (clash) => this.lookAt(clash));
  private readonly panel = createPanel(this.settings, {
    rebuild: () => this.attempt(this.build()),
    goTo: () => this.goTo(),
    show: () => this.showSettings(),
  });
  private fair: Fair | null = null;
  private player!: Player;
  private avatar!: Avatar;
  private copy: MergedCopy | null = null;
  private steps = 0;
  /** Before the first frame of a fair. */
  private isNew = true;
  private readonly walk = new Vector3();
  private readonly look = new Vector3();
  private readonly eye = new Vector3();
  private readonly sphere = new Sphere(new Vector3(), CLEARANCE);
  private readonly ray = new Ray();
  private readonly pointer = new Vector2();

  start(): void {
    const { stage, scene, tape, clashes } = this;
    stage.renderer.shadowMap.enabled = true;
    scene.add(tape.object, clashes.overlays.object);
    const view = stage.views[0].element;
    for (const [k, way] of WAYS.entries()) {
      element(way).addEventListener('click', () => this.setWay(way));
      onKeyPress(`Digit${k + 1}`, () => this.setWay(way));
    }
    onClick(view, (event) => this.act(event.clientX, event.clientY));
    for (const [id, code, act] of [
      ['throw', 'KeyF', () => this.throwAhead()],
      ['measure', '', () => this.panel.set('measure', !this.settings.measure)],
      ['clashes', '', () => this.panel.set('clashes', !this.settings.clashes)],
      ['view', 'KeyV', () => this.panel.set('view', this.settings.view === 'first' ? 'third' : 'first')],
    ] as const) {
      element(id).addEventListener('click', act);
      if (code !== '') onKeyPress(code, act);
    }
    element('throw-touch').addEventListener('click', () => this.throwAhead());
    explainOnAltClick(view, () => ({
      camera: this.camera,
      containers: this.fair === null ? [] : [this.fair.group],
    }));
    this.showSettings();
    stage.start((seconds, now) => this.frame(seconds, now));
    this.attempt(this.build());
  }

  private async build(): Promise<void> {
    const { settings, stage, scene, camera, tasks } = this;
    const fair = await tasks.build({
      title: 'Building the fair',
      build: () => buildFair(settings),
      prepare: async (built, { signal, progress }) => {
        const onProgress = (part: number): void => progress(part, 'Building trees of triangles');
        await prepareTriangles(built.triangles, { signal, onProgress });
        // Otherwise the first frames would draw each mesh by itself.
        await built.batch(signal, (part) => progress(part, 'Building batches'));
        await stage.prepare([...this.scenery.samples, ...built.samples], camera, scene);
      },
      hint: 'Choose a number of stalls to go on.',
    });
    if (fair === undefined) return;
    this.replace(fair);
    if (settings.way === 'merged') await this.merge();
    if (settings.clashes) await this.findClashes();
  }

  private replace(fair: Fair): void {
    const { scene, tape, clashes } = this;
    if (this.fair !== null) {
      scene.remove(this.fair.group, this.fair.balls.mesh, this.avatar.object);
      this.fair.dispose();
    }
    this.dropCopy();
    tape.clear();
    clashes.show([]);
    this.fair = fair;
    this.player = new Player(fair.triangles);
    this.avatar = new Avatar(fair.parts.painted);
    this.avatar.object.visible = this.settings.view === 'third';
    scene.add(fair.group, fair.balls.mesh, this.avatar.object);
    this.isNew = true;
    this.goTo();
    this.collide();
  }

  private dropCopy(): void {
    if (this.copy === null) return;
    this.scene.remove(this.copy.ghost);
    this.copy.dispose();
    this.copy = null;
  }

  /** Puts the person at the place of the settings. */
  private goTo(): void {
    const { fair, player, controls, settings } = this;
    if (fair === null) return;
    const { at, to } = placeOf(settings.place, fair.wheel.gondolas);
    player.feet.copy(at);
    player.velocity.set(0, 0, 0);
    player.ground = null;
    controls.lookAt(at, to);
  }

  private setWay(way: Way): void {
    this.settings.way = way;
    this.showSettings();
    if (way === 'merged' && this.copy === null) this.attempt(this.merge());
    else this.collide();
  }

  /** Merges the fair once, as it is now. */
  private async merge(): Promise<void> {
    const { fair, tasks } = this;
    if (fair === null) return;
    const copy = await tasks.run('Merging a copy of all meshes', ({ slices }) => slices(mergeFair(fair), 0, 1));
    if (copy === undefined && !tasks.isBusy) this.setWay('octree');
    if (copy === undefined || fair !== this.fair) return;
    this.dropCopy();
    this.copy = copy;
    this.collide();
  }

  /** Lets the person collide in the way of the settings. */
  private collide(): void {
    const { fair, player, copy, settings, scene } = this;
    if (fair === null) return;
    const isMerged = settings.way === 'merged' && copy !== null;
    player.setScene(
      isMerged ? copy.triangles : fair.triangles,
      settings.way === 'loop' ? new MeshLoop(fair.group) : null,
    );
    if (isMerged) scene.add(copy.ghost);
    else if (copy !== null) scene.remove(copy.ghost);
  }

  private async findClashes(): Promise<void> {
    const { fair, tasks, clashes, settings } = this;
    if (fair === null) return;
    const found = await tasks.run('Looking for clashes', ({ signal, progress }) =>
      findClashes(fair, { signal, onProgress: progress }),
    );
    if (found !== undefined && fair === this.fair && settings.clashes) clashes.show(found);
    else if (!tasks.isBusy) this.panel.set('clashes', false);
  }

  private showSettings(): void {
    const { settings, tape, clashes, avatar } = this;
    for (const way of WAYS) {
      element(way).setAttribute('aria-pressed', String(way === settings.way));
      document.body.classList.toggle(`is-${way}`, way === settings.way);
    }
    for (const [id, isOn] of [
      ['measure', settings.measure],
      ['clashes', settings.clashes],
      ['view', settings.view === 'first'],
    ] as const)
      element(id).setAttribute('aria-pressed', String(isOn));
    document.body.classList.toggle('is-measuring', settings.measure);
    document.body.classList.toggle('shows-clashes', settings.clashes);
    if (!settings.measure) tape.clear();
    if (!settings.clashes) clashes.show([]);
    else if (clashes.clashes.length === 0) this.attempt(this.findClashes());
    if (avatar !== undefined) avatar.object.visible = settings.view === 'third';
  }

  /** A click: throws a ball there, or picks a thing to measure. */
  private act(x: number, y: number): void {
    const { fair, settings, tape } = this;
    if (fair === null) return;
    this.aim(x, y);
    if (!settings.measure) return this.throwTo();
    const hit = firstTriangle(fair.triangles, this.ray, { far: CLICK_FAR });
    if (hit?.object) tape.pick(hit.object);
  }

  /** Sets the ray from the camera through a place of the window. */
  private aim(x: number, y: number): void {
    const { camera, ray, pointer } = this;
    const view = this.stage.views[0];
    pointer.set((2 * (x - view.x)) / view.width - 1, 1 - (2 * (y - view.y)) / view.height);
    ray.origin.copy(camera.position);
    ray.direction.set(pointer.x, pointer.y, 0.5).unproject(camera).sub(camera.position).normalize();
  }

  private throwAhead(): void {
    const view = this.stage.views[0];
    this.aim(view.x + view.width / 2, view.y + view.height * 0.45);
    this.throwTo();
  }

  private throwTo(): void {
    const { fair, player, ray, eye, walk } = this;
    if (fair === null) return;
    // From the person to where the ray ends, so that the ball flies there from behind, too.
    const hit = firstTriangle(fair.triangles, ray, { far: CLICK_FAR });
    const target = hit?.position ?? ray.at(40, walk);
    eye.copy(player.feet).y += SHOULDERS;
    const velocity = target.clone().sub(eye).setLength(THROW);
    velocity.y += 1.6;
    fair.balls.throw(eye.addScaledVector(velocity, 0.03), velocity);
  }

  /** Puts the person in front of a clash. */
  private lookAt({ at }: Clash): void {
    const { player, controls, eye } = this;
    const aside = new Vector3(-at.x, 0, -at.z).setLength(3.2);
    player.feet.copy(at).add(aside).y = Math.max(0.1, at.y - 1.5);
    player.ground = null;
    controls.lookAt(player.feet, at);
    eye.copy(player.feet).y += EYES;
    controls.pitch = Math.atan2(at.y - eye.y, 3.2);
  }

  private frame(seconds: number, now: number): void {
    const { fair, stage, tape, settings, probe, player } = this;
    stage.beginFrame();
    if (fair !== null && stage.isAlive) {
      this.controls.turn(seconds);
      // The first frame only draws, because it uploads all that it draws.
      if (!this.isNew) this.clock.run(seconds, STEP_SECONDS, () => this.step(fair));
      this.isNew = false;
      this.draw(fair);
      probe.frame(now, () => {
        // By the clock that measures queries.
        this.readout.write(fair, player, settings, tape, this.clashes.clashes.length, performance.now());
        return this.figuresOf(fair);
      });
    }
  }

  /**
   * Goes on by some seconds at once, without drawing, and returns the figures; undefined before the fair is built. For
   * tests: the steps that a frame drops depend on how fast the machine draws.
   */
  private advance(seconds: number): FairFigures | undefined {
    const { fair } = this;
    if (fair === null) return undefined;
    for (let k = Math.round(seconds / STEP_SECONDS); k > 0; k--) this.step(fair);
    return this.figuresOf(fair);
  }

  private figuresOf(fair: Fair): FairFigures {
    const { player, settings, tape, clashes, tasks, steps } = this;
    return {
      ...figuresOf(fair, player, settings, tape, clashes.clashes.length),
      isBuilding: tasks.isBusy,
      longestSlice: tasks.longestSlice,
      steps,
      eye: this.camera.position.toArray(),
    };
  }

  private step(fair: Fair): void {
    const { player, controls, settings, avatar, readout, walk } = this;
    this.steps++;
    if (!settings.isStopped) fair.move(STEP_SECONDS);
    controls.walk(walk);
    player.move(STEP_SECONDS, walk, controls.jumps);
    controls.yaw += player.turned;
    if (player.feet.y < LOWEST) this.goTo();
    avatar.show(player.feet, controls.yaw, walk.length() * STEP_SECONDS, player.ground !== null);
    if (!settings.isStopped) this.stepPeople(fair);
    const { times, stats } = readout.balls;
    let begin = performance.now();
    fair.balls.step(STEP_SECONDS, fair.triangles, stats, () => {
      const end = performance.now();
      times.add(end - begin, end);
      begin = end;
    });
  }

  private stepPeople({ people, triangles }: Fair): void {
    const { times, stats } = this.readout.people;
    const begin = performance.now();
    for (const person of people) person.step(STEP_SECONDS, triangles, stats);
    const end = performance.now();
    times.add((end - begin) / (3 * people.length), end);
  }

  private draw(fair: Fair): void {
    const { stage, scene, camera, scenery, player, tape, clashes } = this;
    const [view] = stage.views;
    this.placeCamera(fair);
    camera.aspect = view.aspect;
    camera.fov = Math.min(80, 58 * Math.max(1, 1.1 / camera.aspect ** 0.4));
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    scenery.follow(camera.position, player.feet);
    tape.update(fair.triangles, camera, view);
    clashes.overlays.follow();
    stage.draw(view, scene, camera, Scenery.background);
  }

  /** In the eyes, or behind the shoulders as far as no wall is there. */
  private placeCamera({ triangles }: Fair): void {
    const { camera, player, controls, settings, look, eye, sphere, walk } = this;
    controls.look(look);
    eye.copy(player.feet).y += settings.view === 'first' ? EYES : SHOULDERS;
    if (settings.view === 'third') {
      sphere.center.copy(eye);
      const motion = walk.copy(look).multiplyScalar(-BEHIND);
      motion.y += 0.5;
      const hit = castShape(triangles, sphere, motion);
      eye.addScaledVector(motion, hit?.time ?? 1);
    }
    camera.position.copy(eye);
    camera.lookAt(eye.add(look));
  }
}

openPage(FairPage, 'The fair could not be built', (page) => page.start());
