// Draws the zones, the people in the colour of their band, the player and its bands.

import {
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineLoop,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { createCityBlocks } from '../shared/city-blocks.ts';
import { planBuildings } from '../shared/city-blocks-plan.ts';
import { palette } from '../shared/colours.ts';
import { disposeTree } from '../shared/dispose-tree.ts';
import { Dots } from '../shared/dots.ts';
import { BANDS, type TownWatch } from './town-watch.ts';

/** Buildings are drawn flat, so that they hide no zone. */
const HEIGHT_SHARE = 0.2;
const GLOW_SECONDS = 0.8;
const DOT_HEIGHT = 1;
const DOT_SIZE = 1.6;
const RING_POINTS = 128;
/** sensors.css has the same colours for the legend. */
const BAND_COLOURS = ['#ffe0b0', '#ffb454', '#7aa7ff', '#3a475e'].map((colour) => new Color(colour));
const EMPTY = new Color('#141d2c');
const FULL = new Color('#2b5d78');
const LIT = new Color('#ffb454');
const LEFT = new Color('#3fd6b8');
/** People in a zone for its full colour. */
const CROWD = 20;

export class Picture {
  readonly object = new Group();
  private readonly tiles: InstancedMesh;
  private readonly dots: Dots;
  private readonly player = new Group();
  private readonly color = new Color();

  constructor(town: TownWatch) {
    const { people, zones } = town;
    this.tiles = new InstancedMesh(
      new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
      new MeshBasicMaterial({ side: DoubleSide }),
      zones.length,
    );
    const matrix = new Matrix4();
    for (const [k, { min, max }] of zones.entries()) {
      this.tiles.setMatrixAt(
        k,
        matrix.makeScale(max.x - min.x, 1, max.z - min.z).setPosition((min.x + max.x) / 2, 0.1, (min.z + max.z) / 2),
      );
      this.tiles.setColorAt(k, EMPTY);
    }
    this.tiles.instanceColor!.setUsage(DynamicDrawUsage);
    this.dots = new Dots(people.count, 2);
    this.tiles.frustumCulled = false;
    const circle = Array.from(
      { length: RING_POINTS },
      (_, k) => new Vector3(Math.cos((k / RING_POINTS) * 2 * Math.PI), 0, Math.sin((k / RING_POINTS) * 2 * Math.PI)),
    );
    const ring = new BufferGeometry().setFromPoints(circle);
    for (const [band, distance] of BANDS.entries()) {
      const line = new LineLoop(
        ring,
        new LineBasicMaterial({ color: BAND_COLOURS[band], transparent: true, opacity: 0.85, depthTest: false }),
      );
      line.scale.setScalar(distance);
      this.player.add(line);
    }
    this.player.add(new Mesh(new SphereGeometry(3, 24, 12), new MeshBasicMaterial({ color: palette.contained })));
    this.player.position.y = 1;
    this.object.add(createCityBlocks(planBuildings(), HEIGHT_SHARE), this.tiles, this.dots.object, this.player);
  }

  /** @param pixelsPerMetre Device pixels per metre, at a distance of one metre from the camera. */
  update(town: TownWatch, pixelsPerMetre: number): void {
    this.updateTiles(town);
    this.updateDots(town, pixelsPerMetre);
    this.player.position.x = town.player.x;
    this.player.position.z = town.player.z;
  }

  dispose(): void {
    disposeTree(this.object);
  }

  /** A zone is brighter with more people in it, and flashes when people enter or leave. */
  private updateTiles({ sensors, enteredAt, leftAt, seconds }: TownWatch): void {
    for (const [zone, { inside }] of sensors.entries()) {
      const entered = Math.max(0, 1 - (seconds - enteredAt[zone]) / GLOW_SECONDS);
      const left = Math.max(0, 1 - (seconds - leftAt[zone]) / GLOW_SECONDS);
      this.color
        .lerpColors(EMPTY, FULL, Math.min(1, inside.length / CROWD))
        .lerp(LEFT, left * left * 0.45)
        .lerp(LIT, entered * entered * 0.8);
      this.tiles.setColorAt(zone, this.color);
    }
    this.tiles.instanceColor!.needsUpdate = true;
  }

  private updateDots({ people: { count, places }, bandOf }: TownWatch, pixelsPerMetre: number): void {
    for (let person = 0; person < count; person++)
      this.dots.set(
        person,
        places[person * 2],
        DOT_HEIGHT,
        places[person * 2 + 1],
        BAND_COLOURS[bandOf[person]],
        DOT_SIZE,
      );
    this.dots.update(pixelsPerMetre);
  }
}
