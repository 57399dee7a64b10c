// The tick of a game server, ten times a second: who comes near whom, who leaves,
// whom a wall hides.

import { Octree, trackContacts } from 'scene-octree/core'; // no three, no DOM

type Player = { name: string; x: number; z: number; heading: number };

/** Called with each message, in place of a socket. */
type Send = (to: Player, event: string, other: Player) => void;

const NEAR = 8;
const walls = new Octree();
const octree = new Octree<Player>();
const contacts = trackContacts(octree, { within: NEAR });
const boxes = Array.from({ length: 40 }, (_, k) => {
  const [x, z] = [((k * 37) % 100) - 50, ((k * 61) % 100) - 50];
  return {
    min: { x, y: 0, z },
    max: { x: x + 2 + ((k * 5) % 7), y: 3, z: z + 2 + ((k * 3) % 7) },
  };
});
for (const box of boxes) walls.insert(box, null, { isStatic: true });
const bodies = Array.from({ length: 300 }, (_, k) => {
  const [x, z] = [((k * 0.7549) % 1) * 100 - 50, ((k * 0.5698) % 1) * 100 - 50];
  const player: Player = { name: `player ${k}`, x, z, heading: k };
  return octree.insert({ center: { x, y: 1, z }, radius: 0.5 }, player);
});

function tick(seconds: number, send: Send): void {
  for (const body of bodies) {
    const player = body.data;
    player.x += 5 * seconds * Math.cos(player.heading);
    player.z += 5 * seconds * Math.sin(player.heading);
    const isOut = Math.abs(player.x) > 50 || Math.abs(player.z) > 50;
    player.heading = isOut
      ? Math.atan2(-player.z, -player.x)
      : player.heading + seconds / 3;
    body.setCenter({ x: player.x, y: 1, z: player.z });
  }
  octree.update(seconds);
  const changes = { near: contacts.began, away: contacts.ended };
  for (const [event, { array, length }] of Object.entries(changes)) {
    for (let k = 0; k < length; k += 2) {
      const [one, other] = [
        contacts.bodyAt(array[k]).data,
        contacts.bodyAt(array[k + 1]).data,
      ];
      send(one, event, other);
      send(other, event, one);
    }
  }
}

/** Whether no wall is between two players. */
function doSee(a: Player, b: Player): boolean {
  const direction = { x: b.x - a.x, y: 0, z: b.z - a.z };
  const far = Math.sqrt(direction.x ** 2 + direction.z ** 2);
  return (
    far === 0 ||
    !walls.hasHit({ origin: { x: a.x, y: 1, z: a.z }, direction }, { far })
  );
}

// From here on: a map of what the server knows, in the place of the clients.
const canvas = document.body.appendChild(document.createElement('canvas'));
document.body.insertAdjacentHTML('beforeend', '<aside><output></output></aside>');
const output = document.querySelector('output')!;
const context = canvas.getContext('2d')!;

function draw(): void {
  const scale = Math.min(innerWidth, innerHeight) / 110;
  [canvas.width, canvas.height] = [innerWidth, innerHeight];
  context.translate(innerWidth / 2, innerHeight / 2);
  context.scale(scale, scale);
  context.fillStyle = '#4d5b78';
  for (const { min, max } of boxes)
    context.fillRect(min.x, min.z, max.x - min.x, max.z - min.z);
  context.lineWidth = 0.12;
  for (const { array, length } of [contacts.began, contacts.stayed]) {
    for (let k = 0; k < length; k += 2) {
      const [a, b] = [octree.dataAt(array[k]), octree.dataAt(array[k + 1])];
      context.strokeStyle = doSee(a, b) ? '#3fd6b880' : '#ff6b6b30';
      context.stroke(new Path2D(`M${a.x} ${a.z}L${b.x} ${b.z}`));
    }
  }
  context.fillStyle = '#ffb454';
  for (const { data } of bodies) context.fillRect(data.x - 0.5, data.z - 0.5, 1, 1);
}

setInterval(() => {
  let sent = 0;
  tick(0.1, () => sent++);
  draw();
  const near = `${contacts.count} pairs within ${NEAR} m`;
  output.textContent = `${octree.size} players, ${near}; ${sent} messages in this tick`;
}, 100);
