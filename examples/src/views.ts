// A camera flies over a city. One call culls for the camera, its shadow cascades and a minimap.

import { Scene, Vector3 } from 'three';
import { showMissing, showNoWebGL2 } from './shared/missing.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { LatestWork, nextTurn } from './shared/slices.ts';
import { openContext, Stage } from './shared/stage.ts';
import { showToast } from './shared/toast.ts';
import { CAMERA_LAYER, CityPicture, MINIMAP_LAYER, OVERVIEW_LAYER, paper, sky } from './views/city-picture.ts';
import { buildViews, type CityViews } from './views/city-views.ts';
import { Comparison } from './views/comparison.ts';
import { createPanel } from './views/panel.ts';
import { openProbe } from './views/probe.ts';
import { Readout } from './views/readout.ts';
import { readSettings } from './views/settings.ts';

const PLACES = { wide: new Vector3(0, 1330, 820), narrow: new Vector3(0, 1500, 900), maxDistance: 4000 };

/** Distance from the camera to the point that the overview looks at, as a share of the far plane. */
const CENTRE_SHARE = 0.3;

const element = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;

const context = openContext(document.querySelector('canvas')!);
if (context) show(context).catch((error: unknown) => showMissing('The city could not be built', error instanceof Error ? error.message : String(error)));
else showNoWebGL2();

async function show(context: WebGL2RenderingContext): Promise<void> {
  await nextTurn();
  const probe = openProbe();
  const settings = readSettings(new URLSearchParams(location.search), matchMedia('(prefers-reduced-motion: reduce)').matches);
  const stage = new Stage(context, [element('camera-view'), element('observer-view'), element('minimap-view')]);
  const overview = new OrbitView(stage, element('statistics'), PLACES);
  overview.camera.layers.enable(OVERVIEW_LAYER);
  const scene = new Scene();
  const centre = new Vector3();
  const readout = new Readout(element('statistics'));
  const building = new LatestWork();
  let views = (await build())!;
  let comparison = new Comparison(views);
  const picture = new CityPicture(views);
  scene.add(picture.object);
  createPanel(element('panel'), settings, () => {
    void rebuild();
  });

  /** In slices, so that the page goes on. Undefined if a later call has ended this one. */
  async function build(): Promise<CityViews | undefined> {
    const built = await building.run(buildViews(settings.buildings));
    built?.camera.layers.enable(CAMERA_LAYER);
    built?.minimap.layers.enable(MINIMAP_LAYER);
    return built;
  }

  /** Shows the former city until the new one is built. */
  async function rebuild(): Promise<void> {
    const built = await build();
    if (built === undefined) return;
    views = built;
    comparison = new Comparison(views);
    picture.replace(views);
  }

  function report(now: number): void {
    comparison.compare(views, now);
    readout.write(views, comparison, now);
    const { active, found, unseen, sets, camera: { position: { x, z } } } = views;
    probe.figures = { seen: Object.fromEntries(active.map(({ name, list }) => [name, list.length])), found, unseen, buildings: sets.length, x, z, doAgree: comparison.doAgree };
    probe.reports++;
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) views.flight.advance(seconds);
    const [, inset, map] = stage.views;
    views.update(settings, inset.aspect, map.aspect);
    picture.update(views);
    views.camera.getWorldDirection(centre).setY(0).setLength(settings.far * CENTRE_SHARE).add(views.camera.position).setY(0);
    overview.follow(centre);
    overview.draw(scene);
    stage.draw(inset, scene, views.camera, sky);
    stage.draw(map, scene, views.minimap, paper);
    if (readout.isDue(now)) report(now);
    probe.frames++;
  }

  await overview.prepare(scene);
  stage.start(frame);
  if (settings.isPaused) showToast('Paused. Press P, or switch off pause in the settings, to start.');
}
