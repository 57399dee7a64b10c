// The process of one room. run.ts starts it and sends it what to serve; it answers by messages of its own.

import { createServer } from 'node:http';
import { matchMaker, Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { RedisPresence } from '@colyseus/redis-presence';
import { WebSocketTransport } from '@colyseus/ws-transport';
import type { Layout } from '../borders.ts';
import type { Report, Settings } from '../settings.ts';
import { RegionRoom } from './region.ts';
import { WorldRoom } from './room.ts';

export type Order =
  | { readonly kind: 'room'; readonly settings: Settings; readonly port: number }
  | {
      readonly kind: 'region';
      readonly settings: Settings;
      readonly port: number;
      readonly region: number;
      readonly layout: Layout;
      readonly redis: { readonly host: string; readonly port: number };
      readonly isRestart: boolean;
    }
  | { readonly kind: 'start' };
export type Answer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly report: Report }
  | { readonly kind: 'restored'; readonly tick: number; readonly entities: number };

/** Bytes of the largest message of a client. */
const MAX_PAYLOAD = 1024;

const answer = (message: Answer): void => void process.send?.(message);
// Clients join rooms. Only the server makes any.
matchMaker.controller.exposedMethods = ['join', 'reconnect'];
let roomId = '';

process.on('message', (order: Order) => {
  if (order.kind === 'start') return (matchMaker.getLocalRoomById(roomId) as RegionRoom).start();
  serve(order).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
// Nothing goes on without the process that started this one.
process.on('disconnect', () => process.exit(0));

async function serve(order: Exclude<Order, { kind: 'start' }>): Promise<void> {
  const transport = new WebSocketTransport({ server: createServer(), maxPayload: MAX_PAYLOAD });
  const report = (one: Report): void => answer({ kind: 'report', report: one });
  const isRoom = order.kind === 'room';
  const server = new Server({
    transport,
    greet: false,
    gracefullyShutdown: false,
    publicAddress: `127.0.0.1:${order.port}`,
    ...(isRoom ? {} : { presence: new RedisPresence(order.redis), driver: new RedisDriver(order.redis) }),
    // By default the process with the fewest rooms makes the next one.
    selectProcessIdToCreateRoom: () => Promise.resolve(matchMaker.processId),
  });
  const name = isRoom ? 'world' : `region${order.region}`;
  if (isRoom) server.define(name, WorldRoom, { ...order.settings, report });
  else
    server.define(name, RegionRoom, {
      ...order.settings,
      region: order.region,
      layout: order.layout,
      redis: order.redis,
      isRestart: order.isRestart,
      report,
      restored: (tick: number, entities: number) => answer({ kind: 'restored', tick, entities }),
      ready: () => {},
    });
  await server.listen(order.port, '127.0.0.1');
  roomId = (await matchMaker.createRoom(name, {})).roomId;
  answer({ kind: 'ready' });
}
