// What a room with one world and a room with a region share: clients, what they may send, and what they are told.

import { type Client, Room } from '@colyseus/core';
import { TOLD_BY_OTHER, TOLD_BY_OWNER, TURN } from '../messages.ts';
import { type Entity, turn, type WorldSize } from '../world.ts';

/** Messages that a client may send in a second. One that sends more is sent away. */
const MAX_MESSAGES = 20;
/** How long a seat is kept for a client. */
const SEAT_SECONDS = 30;
/** Code of a connection that the server ends. */
const TOO_MUCH = 4008;

export abstract class PlayersRoom extends Room {
  /** By the id of its entity. */
  protected readonly clientOf = new Map<number, Client>();
  private readonly sent = new WeakMap<Client, { second: number; count: number }>();

  protected listen(size: WorldSize): void {
    // No schema: all that clients are told are bytes of `ToldWriter`. Null, which the types lack, ends the patches.
    this.patchRate = null as never;
    this.autoDispose = false;
    this.setSeatReservationTime(SEAT_SECONDS);
    this.onMessage(TURN, (client, bytes: Uint8Array) => {
      const second = Math.floor(Date.now() / 1000);
      const sent = this.sent.get(client);
      const count = sent?.second === second ? sent.count + 1 : 1;
      this.sent.set(client, { second, count });
      if (count > MAX_MESSAGES) return client.leave(TOO_MUCH, 'too many messages');
      const entity = this.ownEntity(this.entityOf(client));
      // Anything but one byte of a living player is ignored. The client never says where it is.
      if (bytes.length === 1 && entity !== undefined) turn(entity, (bytes[0] / 128) * Math.PI, size);
    });
    this.onMessage('*', (client) => client.leave(TOO_MUCH, 'unknown message'));
  }

  protected entityOf(client: Client): number {
    return (client.userData as { entity: number } | undefined)?.entity ?? -1;
  }

  /** The entity if this room moves it. */
  protected abstract ownEntity(id: number): Entity | undefined;

  protected readonly tell = ({ id }: Entity, bytes: Uint8Array): void => {
    const isOwner = this.ownEntity(id) !== undefined;
    this.clientOf.get(id)?.sendBytes(isOwner ? TOLD_BY_OWNER : TOLD_BY_OTHER, bytes as Buffer);
  };

  protected seat(client: Client, id: number): void {
    client.userData = { entity: id };
    this.clientOf.set(id, client);
  }

  protected unseat(client: Client): void {
    const id = this.entityOf(client);
    if (this.clientOf.get(id) === client) this.clientOf.delete(id);
  }
}
