// Walls and lines of sight: those of the server example.

import { Sight } from '../server/sight.ts';
import { type Player, World } from '../server/world.ts';
import type { Hides } from './interest.ts';
import type { Settings } from './settings.ts';
import type { Entity } from './world.ts';

/** How far two players may be from their places until a message has arrived, and the radius of a player. */
export const REACH = 0.1 * 6 + 0.5;

export const wallsOf = ({ walls, seed }: Pick<Settings, 'walls' | 'seed'>): Float64Array =>
  new World(0, walls, 0, seed).walls;

/** Leaves out pairs with a wall between them, by the lines of sight of the server example. */
export function wallsThatHide(walls: Float64Array): Hides {
  const sight = new Sight(walls, REACH, 1);
  const players = new Map<number, Player>();
  const playerAt = (index: number, place: (index: number) => Entity): Player => {
    const player = players.get(index) ?? {
      id: index,
      radius: 0.5,
      velocity: { x: 0, z: 0 },
      center: { x: 0, y: 0, z: 0 },
    };
    players.set(index, player);
    const { x, y, z } = place(index);
    Object.assign(player.center, { x, y, z });
    return player;
  };
  return {
    tick({ array: began, length: beganLength }, { array: ended, length: endedLength }, place) {
      for (let k = 0; k < endedLength; k += 2) sight.delete(playerAt(ended[k], place), playerAt(ended[k + 1], place));
      for (let k = 0; k < beganLength; k += 2) sight.add(playerAt(began[k], place), playerAt(began[k + 1], place));
      for (const index of players.keys()) playerAt(index, place);
      const seen: number[] = [];
      sight.update((a, b) => seen.push(a.id, b.id));
      return { array: Uint32Array.from(seen), length: seen.length };
    },
  };
}
