// The whole world in one room: as far as one process goes.

import type { Client } from '@colyseus/core';
import { Interest } from '../interest.ts';
import { ENTITY_BYTES, WELCOME, writeEntities } from '../messages.ts';
import { PlayersRoom } from './players-room.ts';
import type { Report, Settings } from '../settings.ts';
import { wallsOf, wallsThatHide } from '../walls.ts';
import { createEntities, type Entity, walk } from '../world.ts';

export class WorldRoom extends PlayersRoom {
  private readonly entities = new Map<number, Entity>();
  private interest!: Interest;
  private ticks = 0;

  override onCreate(settings: Settings & { report?: (report: Report) => void }): void {
    const { entities, players, seed, size, tickMs, walls, report } = settings;
    this.listen(size);
    for (const entity of createEntities(entities, players, size, seed)) this.entities.set(entity.id, entity);
    this.interest = new Interest(size, walls === 0 ? undefined : wallsThatHide(wallsOf(settings)));
    this.setSimulationInterval(() => {
      const before = process.cpuUsage();
      for (const entity of this.entities.values()) walk(entity, size);
      this.interest.tick(++this.ticks, this.entities, ({ id }) => this.clientOf.has(id), this.tell);
      const { user, system } = process.cpuUsage(before);
      if (report === undefined) return;
      const bytes = new Uint8Array(ENTITY_BYTES * this.entities.size);
      writeEntities(new DataView(bytes.buffer), 0, this.entities.values());
      report({
        tick: this.ticks,
        region: 0,
        entities: bytes,
        cpu: (user + system) / 1000,
        handedOver: 0,
        withClient: 0,
      });
    }, tickMs);
  }

  override onJoin(client: Client): void {
    const free = [...this.entities.values()].find(({ id, isPlayer }) => isPlayer && !this.clientOf.has(id));
    if (free === undefined) throw new Error('all players have a client');
    free.isServed = true;
    this.seat(client, free.id);
    client.send(WELCOME, { id: free.id });
  }

  override onLeave(client: Client): void {
    this.unseat(client);
  }

  protected override ownEntity(id: number): Entity | undefined {
    return this.entities.get(id);
  }
}
