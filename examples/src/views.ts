// A camera flies over a city. The octree culls for the camera, its shadow cascades and a minimap.

import { Scene, Vector3 } from 'three';
import { element } from './shared/elements.ts';
import { OrbitView } from './shared/orbit-view.ts';
import { keptSettings } from './shared/kept-settings.ts';
import { openPage, Page } from './shared/page.ts';
import { PageProbe, publish } from './shared/page-probe.ts';
import { LatestWork } from './shared/slices.ts';
import { CAMERA_LAYER, MINIMAP_LAYER, OVERVIEW_LAYER, paper, Picture, sky } from './views/picture.ts';
import { buildCity, type City } from './views/city.ts';
import { Comparison } from './views/comparison.ts';
import { ViewLabels } from './views/labels.ts';
import { createPanel } from './views/panel.ts';
import { figuresOf, type ViewsFigures, writeFigures } from './views/readout.ts';
import { readSettings } from './views/settings.ts';

const PLACES = { wide: new Vector3(0, 1330, 820), narrow: new Vector3(0, 1500, 900), maxDistance: 4000 };

/** Distance from the camera to the point that the overview looks at, as a share of the far plane. */
const CENTRE_SHARE = 0.3;

openPage(Page, 'The city could not be built', show);

async function show(page: Page): Promise<void> {
  const { board, query, stage } = page;
  const probe = publish('viewsProbe', new PageProbe<ViewsFigures>());
  const settings = keptSettings(query, readSettings);
  const overview = new OrbitView(stage, element('statistics'), PLACES);
  overview.camera.layers.enable(OVERVIEW_LAYER);
  const scene = new Scene();
  /** What lies over the overview. */
  let covered: readonly DOMRect[] = [];
  const centre = new Vector3();
  const building = new LatestWork();
  let city = (await build())!;
  let comparison = new Comparison(city);
  const picture = new Picture(city);
  const labels = new ViewLabels(city, stage.views[0].element);
  scene.add(picture.object);
  createPanel(settings, () => page.attempt(rebuild()));

  /** Works in slices, so that the page goes on. Undefined if a later call has ended this one. */
  async function build(): Promise<City | undefined> {
    const built = await building.run(buildCity(settings.buildings));
    built?.camera.layers.enable(CAMERA_LAYER);
    built?.minimap.layers.enable(MINIMAP_LAYER);
    return built;
  }

  /** Shows the former city until the new one is built. */
  async function rebuild(): Promise<void> {
    const built = await build();
    if (built === undefined) return;
    city = built;
    comparison = new Comparison(city);
    picture.replace(city);
  }

  function report(now: number): ViewsFigures {
    const over = document.querySelectorAll('.title, #statistics, #panel > *, #observer-view, #minimap-view, footer');
    covered = [...over].map((each) => each.getBoundingClientRect());
    writeFigures(board, city, comparison, now);
    return figuresOf(city, comparison);
  }

  function frame(seconds: number, now: number): void {
    stage.beginFrame();
    if (!settings.isPaused) city.flight.advance(seconds);
    const [large, inset, map] = stage.views;
    city.place(settings, inset.aspect, map.aspect);
    comparison.cull(city, now);
    city.writeSets();
    picture.update(city);
    city.camera
      .getWorldDirection(centre)
      .setY(0)
      .setLength(settings.far * CENTRE_SHARE)
      .add(city.camera.position)
      .setY(0);
    overview.follow(centre);
    overview.draw(scene);
    labels.update(city, large, overview.camera, covered);
    stage.draw(inset, scene, city.camera, sky);
    stage.draw(map, scene, city.minimap, paper);
    probe.frame(now, () => report(now));
  }

  await overview.prepare(scene);
  stage.start(frame);
}
