// The page of a player. What it is told comes from its rooms; what it is not told is drawn dim, from the onlooker's map
// of run.ts, which a game would not serve.

import { distanceToRegion, type Layout, regionAt } from '../borders.ts';
import type { Told } from '../messages.ts';
import type { WorldSize } from '../world.ts';
import { Bot } from './bots.ts';

export interface PageSettings {
  readonly size: WorldSize;
  /** None: one room. */
  readonly layout: Layout | null;
  readonly margin: number;
  readonly endpoints: readonly string[];
  readonly names: readonly string[];
}

const { SETTINGS } = globalThis as unknown as { readonly SETTINGS: PageSettings };
const { size, layout, margin, endpoints, names } = SETTINGS;
const COLOURS = ['#5bc0ff', '#ffb454', '#8fe388', '#e58cff'];
const GREY = '#59616d';
/** Half of the edge of the near view, in metres. */
const NEAR = 190;

document.head.insertAdjacentHTML(
  'beforeend',
  `<style>
  body { margin: 0; background: #11151b; color: #dfe6ee; font: 14px/1.5 system-ui, sans-serif; }
  main { display: flex; flex-wrap: wrap; gap: 16px; padding: 16px; max-width: 1248px; margin: auto; }
  figure { margin: 0; flex: 1 1 340px; }
  figcaption { color: #9aa6b4; padding: 4px 0; }
  canvas { width: 100%; background: #171d26; border-radius: 6px; display: block; touch-action: none; }
  section { flex: 1 1 100%; display: flex; flex-wrap: wrap; gap: 8px 28px; align-items: center; }
  b { font-variant-numeric: tabular-nums; font-weight: 600; display: inline-block; }
  button { font: inherit; color: inherit; background: #26303d; border: 1px solid #3c4a5c; border-radius: 6px;
    padding: 6px 14px; min-height: 40px; }
  </style>`,
);
document.body.insertAdjacentHTML(
  'beforeend',
  `<main><section><span>served by <b id="owner">-</b></span><span>told of <b id="told">-</b></span>
  <span>of these ghosts <b id="ghosts">-</b></span><span>bytes a second <b id="bytes">-</b></span><span>tick <b id="tick">-</b></span>
  <span>rooms <b id="rooms">-</b></span><button id="kill">Kill the region that serves me</button></section>
  <figure><canvas id="near" width="800" height="800"></canvas><figcaption>You, and whom you are told of. Rings are ghosts: another
  region owns them. Grey: not told. Click, or use the arrow keys, to walk.</figcaption></figure>
  <figure><canvas id="world" width="800" height="800"></canvas><figcaption>The world, by the region that moves each entity. Bands: where
  the region that serves you knows ghosts.</figcaption></figure></main>`,
);
const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as unknown as E;
const write = (id: string, text: string | number): void => void (element(id).textContent = String(text));
const contextOf = (id: string): CanvasRenderingContext2D => element<HTMLCanvasElement>(id).getContext('2d')!;
const [near, world] = [contextOf('near'), contextOf('world')];

let told: Told | undefined;
/** Region, id, x and z of each entity; the region plus 256 if it is down. */
let map = new Uint16Array(0);
const bot = new Bot(size, (_bot, word, isOwner) => {
  if (isOwner) told = word;
});
const order = names.map((_, k) => (k + Math.floor(Math.random() * names.length)) % names.length);
const [byOrder, namesInOrder] = [order.map((k) => endpoints[k]), order.map((k) => names[k])];
await bot.join(byOrder, namesInOrder);

const regionOfOwner = (): number => Math.max(0, names.indexOf(bot.owner));
element('kill').hidden = layout === null;
element('kill').addEventListener('click', () => void fetch(`/kill?region=${regionOfOwner()}`, { method: 'POST' }));
const ARROWS = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'];
addEventListener('keydown', ({ key }) => {
  const at = ARROWS.indexOf(key);
  if (at >= 0) bot.turn(64 * at);
});
near.canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
  const half = near.canvas.clientWidth / 2;
  bot.turn(Math.round((Math.atan2(offsetY - half, offsetX - half) / Math.PI) * 128) & 255);
});

let [bytes, seconds] = [0, 0];
setInterval(() => {
  if (bot.isForgotten) bot.rejoin(byOrder, namesInOrder).catch(() => {});
  fetch('/map')
    .then((response) => response.arrayBuffer())
    .then((buffer) => (map = new Uint16Array(buffer)))
    .catch(() => {});
  if (seconds++ % 2 === 1) {
    write('bytes', bot.bytes - bytes);
    bytes = bot.bytes;
  }
  draw();
}, 500);

function draw(): void {
  const region = regionOfOwner();
  const regionOf = new Map<number, number>();
  for (let at = 0; at < map.length; at += 4) regionOf.set(map[at + 1], map[at]);
  drawWorld(region);
  if (told === undefined) return;
  const { self, others, tick } = told;
  const toldIds = new Set(others.map(({ id }) => id));
  const scale = near.canvas.width / (2 * NEAR);
  const place = (x: number, z: number): [number, number] => [(x - self.x + NEAR) * scale, (z - self.z + NEAR) * scale];
  near.clearRect(0, 0, near.canvas.width, near.canvas.height);
  for (const radius of [size.radius, size.radius * (1 + size.hysteresis)]) {
    near.strokeStyle = radius === size.radius ? '#dfe6ee' : '#59616d';
    near.beginPath();
    near.arc(...place(self.x, self.z), radius * scale, 0, 7);
    near.stroke();
  }
  drawBorders(near, ...place(0, 0), scale);
  for (let at = 0; at < map.length; at += 4)
    if (!toldIds.has(map[at + 1]) && map[at + 1] !== self.id) dot(near, ...place(map[at + 2], map[at + 3]), 4, GREY);
  let ghosts = 0;
  for (const { id, x, z } of others) {
    const owner = regionOf.get(id) ?? region;
    const isGhost = layout !== null && (owner & 255) !== region;
    ghosts += Number(isGhost);
    near.strokeStyle = '#3c4a5c';
    near.beginPath();
    near.moveTo(...place(self.x, self.z));
    near.lineTo(...place(x, z));
    near.stroke();
    dot(near, ...place(x, z), 7, COLOURS[owner & 3], isGhost);
  }
  dot(near, ...place(self.x, self.z), 10, '#ffffff');
  write('owner', bot.owner);
  write('told', others.length);
  write('ghosts', ghosts);
  write('tick', tick);
  write('rooms', bot.roomNames.join(', '));
}

function drawWorld(region: number): void {
  const scale = world.canvas.width / size.edge;
  world.clearRect(0, 0, world.canvas.width, world.canvas.height);
  if (layout !== null) {
    // Where entities of others are ghosts of this region.
    const step = 10 / scale;
    world.fillStyle = `${COLOURS[region & 3]}22`;
    for (let x = 0; x < size.edge; x += step)
      for (let z = 0; z < size.edge; z += step)
        if (regionAt(layout, x, z) !== region && distanceToRegion(layout, region, x, z) <= margin)
          world.fillRect(x * scale, z * scale, 10, 10);
  }
  for (let at = 0; at < map.length; at += 4)
    dot(world, map[at + 2] * scale, map[at + 3] * scale, 2, map[at] > 255 ? GREY : COLOURS[map[at] & 3]);
  drawBorders(world, 0, 0, scale);
  if (told === undefined) return;
  world.strokeStyle = '#ffffff';
  world.beginPath();
  world.arc(told.self.x * scale, told.self.z * scale, size.radius * scale, 0, 7);
  world.stroke();
}

/** Lines between regions. The origin of the world is at `x` and `y`. */
function drawBorders(context: CanvasRenderingContext2D, x: number, y: number, scale: number): void {
  const { columns, rows } = layout ?? { columns: 1, rows: 1 };
  context.strokeStyle = '#ff5f6d';
  context.beginPath();
  const edge = size.edge * scale;
  for (let k = 0; k <= columns; k++) {
    context.moveTo(x + (k * edge) / columns, y);
    context.lineTo(x + (k * edge) / columns, y + edge);
  }
  for (let k = 0; k <= rows; k++) {
    context.moveTo(x, y + (k * edge) / rows);
    context.lineTo(x + edge, y + (k * edge) / rows);
  }
  context.stroke();
}

function dot(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  isRing = false,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 2;
  if (isRing) context.stroke();
  else context.fill();
  context.lineWidth = 1;
}
