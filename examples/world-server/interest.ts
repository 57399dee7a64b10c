// Who is told of whom: one octree with a body for each entity that a room knows, and the pairs of a player and an
// entity near each other, kept from tick to tick. A project imports from 'scene-octree/core'.

import { type IndexList, moveManyById, Octree, removeManyById, trackContacts, idOf } from '../../src/core.ts';
import { ToldWriter } from './messages.ts';
import type { Entity, WorldSize } from './world.ts';

const ENTITY = 1;
const PLAYER = 2;

/** Pairs to leave out of what is told, such as those that a wall hides. */
export interface Hides {
  /** Pairs that came near each other and that parted, then which of the pairs now are told; all by body index. */
  tick(began: IndexList, ended: IndexList, place: (index: number) => Entity): Pick<IndexList, 'array' | 'length'>;
}

export class Interest {
  private readonly octree = new Octree<number>();
  private readonly near;
  private readonly writer: ToldWriter;
  /** By entity id. */
  private readonly bodies = new Map<number, { readonly id: number; readonly index: number; entity: Entity }>();
  /** By body index. */
  private isPlayer = new Uint8Array(1024);
  private readonly entities: Entity[] = [];
  private readonly hides: Hides | undefined;

  constructor(size: WorldSize, hides?: Hides) {
    this.hides = hides;
    this.writer = new ToldWriter(size);
    const { radius, hysteresis } = size;
    this.near = trackContacts(this.octree, { within: radius, hysteresis, mask: PLAYER, otherMask: ENTITY });
  }

  /**
   * One tick: who is there now, and which of them are players of this room. Calls back with the message of each.
   */
  tick(
    tick: number,
    entities: ReadonlyMap<number, Entity>,
    isPlayer: (entity: Entity) => boolean,
    tell: (entity: Entity, bytes: Uint8Array) => void,
  ): void {
    const { bodies, octree, writer } = this;
    const gone: number[] = [];
    for (const [id, body] of bodies)
      if (!entities.has(id)) {
        gone.push(body.id);
        bodies.delete(id);
        this.isPlayer[body.index] = 0;
      }
    removeManyById(octree, gone);
    const ids = new Float64Array(entities.size);
    const centers = new Float64Array(3 * entities.size);
    const players: number[] = [];
    let k = 0;
    for (const [id, entity] of entities) {
      const body = bodies.get(id) ?? this.insert(entity);
      body.entity = entity;
      this.entities[body.index] = entity;
      const { index } = body;
      const { x, y, z } = entity;
      ids[k] = body.id;
      centers[3 * k] = x;
      centers[3 * k + 1] = y;
      centers[3 * k + 2] = z;
      k++;
      const now = Number(isPlayer(entity));
      if (now !== this.isPlayer[index]) octree.bodyAt(index).setMask(now === 1 ? PLAYER | ENTITY : ENTITY);
      this.isPlayer[index] = now;
      if (now === 1) players.push(index);
      writer.setPlace(index, id, x, y, z);
    }
    moveManyById(octree, ids, centers);
    octree.update();
    const { began, ended, stayed } = this.near;
    const lists =
      this.hides === undefined ? [stayed, began] : [this.hides.tick(began, ended, (index) => this.entities[index])];
    writer.write(tick, players, lists, this.isPlayer, (index, bytes) => tell(this.entities[index], bytes));
  }

  private insert(entity: Entity) {
    const { index } = this.octree.insert({ center: entity, radius: 0 }, entity.id, { mask: ENTITY });
    const body = { id: idOf(this.octree, index), index, entity };
    this.bodies.set(entity.id, body);
    if (index >= this.isPlayer.length) {
      const isPlayer = new Uint8Array(2 * index);
      isPlayer.set(this.isPlayer);
      this.isPlayer = isPlayer;
    }
    return body;
  }
}
