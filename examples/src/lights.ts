// A town at night with twelve shadow lights. Their maps are drawn in each frame, or only when they change.

import { BasicShadowMap, PerspectiveCamera, Vector3, type WebGLRenderer } from 'three';
import { ShadowUpdates, ViewChanges } from '../../src/three.ts';
import { MapStrip } from './lights/map-strip.ts';
import { createPanel } from './lights/panel.ts';
import { type FrameCosts, type LightsFigures, Readout } from './lights/readout.ts';
import { readSettings } from './lights/settings.ts';
import { buildTown, type Town } from './lights/town.ts';
import { Traffic } from './lights/traffic.ts';
import { palette } from './shared/colours.ts';
import { element } from './shared/elements.ts';
import { explainOnAltClick } from './shared/explain-card.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { PageProbe, publish } from './shared/page-probe.ts';
import { nextTurn, runInSlices } from './shared/slices.ts';
import { type TaskContext, TaskRunner } from './shared/task.ts';
import { showToast } from './shared/toast.ts';

const PLACES = { wide: new Vector3(50, 140, 205), narrow: new Vector3(50, 260, 300), maxDistance: 900 };
/** Every so many frames with updates, one draws all maps, to measure what that costs. */
const MEASURED_EVERY = 30;
/** Frames that compile shaders and upload geometries, and are not measured. */
const FIRST_FRAMES = 2;

openPage(Page, 'The town could not be drawn', show);

async function show({ board, query, stage }: Page): Promise<void> {
  const probe = publish('lightsProbe', new PageProbe<LightsFigures>());
  const settings = keptSettings(query, readSettings);
  const { renderer } = stage;
  const { shadowMap, info } = renderer;
  shadowMap.enabled = true;
  // Its depths can be shown as a picture.
  shadowMap.type = BasicShadowMap;
  const town = await runInSlices(buildTown());
  const { scene, lamps, containers, ground, objects } = town;
  const traffic = new Traffic(town);
  // All that is not in a container stands still.
  const views = new ViewChanges(scene, renderer, containers).setStill(scene);
  const strip = new MapStrip(lamps);
  const readout = new Readout();
  const orbit = new OrbitView(stage, element('statistics'), PLACES);
  let shadows: ShadowUpdates | null = null;
  let frames = 0;
  createPanel(settings, switchUpdates);
  explainOnAltClick(stage.views[0].element, () => ({ camera: orbit.camera, containers: town.pickable }));

  /** Drawn first of all meshes, after the shadow maps. */
  let shadowDraws = 0;
  ground.renderOrder = -1;
  ground.onBeforeRender = () => void (shadowDraws = info.render.calls);

  function switchUpdates(): void {
    const isOn = settings.usesUpdates;
    if (isOn === (shadows !== null)) return;
    views.redrawAll();
    shadows?.dispose();
    shadows = isOn ? new ShadowUpdates(scene, renderer, containers) : null;
    // The ground and the bulbs of the lamps cast no shadows, so there is nothing to declare as still.
  }

  function draw(): FrameCosts {
    const before = performance.now();
    orbit.draw(scene);
    const time = performance.now() - before;
    return { maps: (shadows?.due ?? lamps).length, shadowDraws, draws: info.render.calls, time };
  }

  function frame(seconds: number, now: number): void {
    if (!stage.isAlive) return;
    // While the town stands still, only a turn of the view or a new size of the window needs a picture.
    orbit.update();
    if (settings.isPaused && !strip.isLit && !views.changedIn(orbit.camera)) {
      report(now);
      return;
    }
    stage.beginFrame();
    if (!settings.isPaused) traffic.move(seconds, settings.cars, settings.people);
    const isMeasured = shadows !== null && frames % MEASURED_EVERY === FIRST_FRAMES;
    if (isMeasured) shadows!.redrawAll();
    const costs = draw();
    if (frames >= FIRST_FRAMES) readout.add(shadows !== null && !isMeasured, costs, now);
    const [, maps] = stage.views;
    strip.update(isMeasured ? [] : (shadows?.due ?? lamps), seconds, maps.aspect);
    stage.draw(maps, strip.scene, strip.camera, palette.ink);
    frames++;
    report(now);
  }

  function report(now: number): void {
    probe.frame(now, () => ({
      ...readout.write(board, settings.usesUpdates, lamps.length, objects, now),
      drawn: frames,
    }));
  }

  const tasks = new TaskRunner();
  const isReady = await tasks.run('Preparing the town', async (context) => {
    await orbit.prepare(scene);
    await stage.prepare(strip.scene.children.slice(0, 1), strip.camera, strip.scene);
    await drawMaps(town, renderer, context);
    return true;
  });
  if (!isReady) showToast('Stopped. Some maps are drawn in the first frames.');
  switchUpdates();
  stage.start(frame);
}

/**
 * Draws the maps one by one, and first without instances, whose shader is another. The first frame, which would compile
 * and upload for all of them, would block the page.
 */
async function drawMaps(
  { scene, lamps, instances }: Town,
  renderer: WebGLRenderer,
  { progress, signal }: TaskContext,
): Promise<void> {
  // Sees nothing.
  const camera = new PerspectiveCamera();
  camera.position.y = 1e4;
  for (const { shadow } of lamps) shadow.autoUpdate = false;
  let drawn = 0;
  try {
    for (const isVisible of [false, true]) {
      for (const mesh of instances) mesh.visible = isVisible;
      for (const { shadow } of lamps) {
        await nextTurn();
        signal.throwIfAborted();
        shadow.needsUpdate = true;
        renderer.render(scene, camera);
        progress(++drawn / (2 * lamps.length), 'Drawing the shadow maps');
      }
    }
  } finally {
    for (const mesh of instances) mesh.visible = true;
    for (const { shadow } of lamps) shadow.autoUpdate = true;
  }
}
