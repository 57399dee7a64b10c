// The map of the tiles: those that are shown, bright where they are fine, those that wait in memory, and the view.

import { type PerspectiveCamera, Vector3 } from 'three';
import { Interval } from '../shared/interval.ts';
import type { CityStream } from './city-stream.ts';
import type { CityTile } from './holes.ts';

const EVERY_MS = 100;
/** Fills of shown tiles by depth, the coarsest first. tiles.css has the first and the last for the legend. */
const FILLS = ['#27405f', '#35618c', '#7b6a4a', '#c58a3c', '#ffb454'];
const IN_MEMORY = 'rgb(122 167 255 / 45%)';
/** Metres of the view that are drawn. */
const SHOWN = 2600;

export class TileMap {
  private readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly interval = new Interval(EVERY_MS);
  private readonly corner = new Vector3();

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d')!;
  }

  draw(stream: CityStream, camera: PerspectiveCamera, now: number): void {
    const { canvas, context, interval } = this;
    if (!interval.isDue(now) || canvas.clientWidth === 0) return;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    const { root } = stream;
    if (root === null) return;
    const [x, y, , halfX, , , , halfY] = root.boundingVolume.box;
    const scale = Math.min(width / (2 * halfX), height / (2 * halfY)) * 0.96;
    // The y of a tileset points north, that of a canvas down.
    context.setTransform(scale, 0, 0, -scale, width / 2 - x * scale, height / 2 + y * scale);
    this.drawTile(stream, root, 0, (1.1 * ratio) / scale);
    this.drawView(camera, (1.6 * ratio) / scale);
  }

  private drawTile(stream: CityStream, tile: CityTile, depth: number, line: number): void {
    const { context } = this;
    const [x, y, , halfX, , , , halfY] = tile.boundingVolume.box;
    const isLeaf = (tile.children?.length ?? 0) === 0;
    context.lineWidth = line;
    if (stream.isShown(tile)) {
      context.fillStyle = FILLS[Math.min(depth, FILLS.length - 1)];
      context.strokeStyle = '#070a10';
      context.fillRect(x - halfX, y - halfY, 2 * halfX, 2 * halfY);
      context.strokeRect(x - halfX, y - halfY, 2 * halfX, 2 * halfY);
    } else if (isLeaf && tile.engineData?.scene) {
      context.strokeStyle = IN_MEMORY;
      context.strokeRect(x - halfX, y - halfY, 2 * halfX, 2 * halfY);
    }
    for (const child of tile.children ?? []) this.drawTile(stream, child, depth + 1, line);
  }

  private drawView(camera: PerspectiveCamera, line: number): void {
    const { context, corner } = this;
    const { position } = camera;
    context.beginPath();
    context.moveTo(position.x, -position.z);
    for (const side of [-1, 1]) {
      corner.set(side, 0, 0.5).unproject(camera).sub(position).setY(0).setLength(SHOWN).add(position);
      context.lineTo(corner.x, -corner.z);
    }
    context.closePath();
    context.fillStyle = 'rgb(255 255 255 / 13%)';
    context.strokeStyle = '#fff';
    context.lineWidth = line;
    context.fill();
    context.stroke();
  }
}
