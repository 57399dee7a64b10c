// The bytes of all messages, at both ends. Typed arrays are little-endian on every machine that runs Node or a browser.

import type { IndexList } from '../../src/core.ts';
import type { BorderMessage } from './borders.ts';
import type { Entity, WorldSize } from './world.ts';

/** Types of the messages of a room. Only the word of the room that owns the player counts. */
export const TOLD_BY_OTHER = 0;
export const TOLD_BY_OWNER = 1;
/** A seat in the next room, as JSON, and who the client is. */
export const SEAT = 'seat';
export const WELCOME = 'welcome';
/** From the client: one byte, the direction in which it walks, 256 to a full turn. Nothing else is read. */
export const TURN = 2;

/** What a client is told in a tick. */
export interface Told {
  readonly tick: number;
  /** The player itself. */
  readonly self: Place;
  readonly others: readonly Place[];
}
export interface Place {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Numbers of a record: id, x, y, z. */
const RECORD = 4;
/** Numbers before the first record: the tick, in two halves. */
const HEADER = 2;

/**
 * Writes one message for each player in one pass: places are quantised once for all, pairs are sorted by player into
 * one array. Its memory is used again in the next tick.
 */
export class ToldWriter {
  private readonly scale: readonly number[];
  private records = new Uint16Array(0);
  private starts = new Uint32Array(0);
  private out = new Uint16Array(0);

  constructor({ edge, height }: WorldSize) {
    this.scale = [65_535 / edge, 65_535 / Math.max(height, 1), 65_535 / edge];
  }

  /** The quantised place of a body. Places outside the world are moved to its border. */
  setPlace(index: number, id: number, x: number, y: number, z: number): void {
    if ((index + 1) * RECORD > this.records.length) {
      const records = new Uint16Array((index + 1) * RECORD * 2);
      records.set(this.records);
      this.records = records;
    }
    const { records, scale } = this;
    const at = index * RECORD;
    records[at] = id;
    records[at + 1] = clamped(x * scale[0]);
    records[at + 2] = clamped(y * scale[1]);
    records[at + 3] = clamped(z * scale[2]);
  }

  /**
   * Calls back with the message of each player: its own place first, then whom it is told of.
   *
   * @param lists Pairs of bodies, two indices each. Of two players each is told of the other.
   * @param isPlayer By body index.
   */
  write(
    tick: number,
    players: readonly number[],
    lists: readonly Pick<IndexList, 'array' | 'length'>[],
    isPlayer: Uint8Array,
    send: (player: number, bytes: Uint8Array) => void,
  ): void {
    const { records } = this;
    if (this.starts.length < isPlayer.length) this.starts = new Uint32Array(isPlayer.length);
    const starts = this.starts.fill(0);
    for (const { array, length } of lists) for (let k = 0; k < length; k++) starts[array[k]] += isPlayer[array[k]];
    let end = 0;
    for (const player of players) {
      const length = HEADER + RECORD * (1 + starts[player]);
      starts[player] = end;
      end += length;
    }
    if (this.out.length < end) this.out = new Uint16Array(2 * end);
    const { out } = this;
    for (const player of players) {
      const at = starts[player];
      out[at] = tick;
      out[at + 1] = tick >>> 16;
      for (let k = 0; k < RECORD; k++) out[at + HEADER + k] = records[player * RECORD + k];
      starts[player] += HEADER + RECORD;
    }
    for (const { array, length } of lists)
      for (let k = 0; k < length; k++) {
        const player = array[k];
        if (isPlayer[player] === 0) continue;
        const from = array[k ^ 1] * RECORD;
        const at = starts[player];
        out[at] = records[from];
        out[at + 1] = records[from + 1];
        out[at + 2] = records[from + 2];
        out[at + 3] = records[from + 3];
        starts[player] = at + RECORD;
      }
    // Now each start is the end of its message, which is the start of the next one.
    let begin = 0;
    for (const player of players) {
      send(player, new Uint8Array(out.buffer, 2 * begin, 2 * (starts[player] - begin)));
      begin = starts[player];
    }
  }
}

const clamped = (value: number): number => Math.min(65_535, Math.max(0, Math.round(value)));

/** Reads a message of `ToldWriter`. The bytes may begin at an odd offset, so they are copied. */
export function readTold(bytes: Uint8Array, { edge, height }: WorldSize): Told {
  const numbers = new Uint16Array(bytes.slice().buffer);
  const places: Place[] = [];
  for (let at = HEADER; at < numbers.length; at += RECORD)
    places.push({
      id: numbers[at],
      x: (numbers[at + 1] * edge) / 65_535,
      y: (numbers[at + 2] * Math.max(height, 1)) / 65_535,
      z: (numbers[at + 3] * edge) / 65_535,
    });
  return { tick: numbers[0] + numbers[1] * 65_536, self: places[0], others: places.slice(1) };
}

/** Farthest that a place in a message is from the true one, on an axis. */
export const quantum = ({ edge, height }: WorldSize): number => Math.max(edge, height) / 65_535;

/** Of an entity: five float32, the seed, the id, and the two flags. */
export const ENTITY_BYTES = 28;
const BORDER_HEADER = 12;

export function writeEntities(view: DataView, from: number, entities: Iterable<Entity>): number {
  let at = from;
  for (const { id, isPlayer, isServed, x, y, z, vx, vz, seed } of entities) {
    for (const [k, value] of [x, y, z, vx, vz].entries()) view.setFloat32(at + 4 * k, value, true);
    view.setUint32(at + 20, seed, true);
    view.setUint16(at + 24, id, true);
    view.setUint16(at + 26, Number(isPlayer) | (Number(isServed) << 1), true);
    at += ENTITY_BYTES;
  }
  return at;
}

export function readEntities(view: DataView, from: number, count: number): Entity[] {
  return Array.from({ length: count }, (_, k) => {
    const at = from + k * ENTITY_BYTES;
    const [x, y, z, vx, vz] = [0, 4, 8, 12, 16].map((offset) => view.getFloat32(at + offset, true));
    const flags = view.getUint16(at + 26, true);
    return {
      id: view.getUint16(at + 24, true),
      isPlayer: (flags & 1) !== 0,
      isServed: (flags & 2) !== 0,
      x,
      y,
      z,
      vx,
      vz,
      seed: view.getUint32(at + 20, true),
    };
  });
}

/** A message from region to region. */
export function writeBorder({ from, tick, handedOver, ghosts }: BorderMessage): Uint8Array {
  const bytes = new Uint8Array(BORDER_HEADER + ENTITY_BYTES * (handedOver.length + ghosts.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, tick, true);
  view.setUint16(4, from, true);
  view.setUint16(6, handedOver.length, true);
  view.setUint16(8, ghosts.length, true);
  writeEntities(view, writeEntities(view, BORDER_HEADER, handedOver), ghosts);
  return bytes;
}

export function readBorder(bytes: Uint8Array): BorderMessage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const handedOver = readEntities(view, BORDER_HEADER, view.getUint16(6, true));
  const ghostsAt = BORDER_HEADER + handedOver.length * ENTITY_BYTES;
  const ghosts = readEntities(view, ghostsAt, view.getUint16(8, true));
  return { from: view.getUint16(4, true), tick: view.getUint32(0, true), handedOver, ghosts };
}
