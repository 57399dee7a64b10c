// A Redis of this run alone: in a temporary folder, on a free port of this machine.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** A port that no process listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

export interface OwnRedis {
  readonly host: string;
  readonly port: number;
  stop(): void;
}

export async function startRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'world-server-'));
  const port = await freePort();
  const host = '127.0.0.1';
  const options = ['--port', `${port}`, '--bind', host, '--dir', folder, '--save', '', '--appendonly', 'no'];
  const redis = spawn('redis-server', options, { stdio: 'ignore' });
  const stop = (): void => {
    redis.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const failed = new Promise<never>((_, reject) => {
    redis.on('error', () => {
      stop();
      reject(
        new Error(
          'Redis is not installed: `apt-get install redis-server` or `brew install redis`; `npm run room` needs none.',
        ),
      );
    });
  });
  const client = new Redis({ host, port, lazyConnect: true, maxRetriesPerRequest: 50, retryStrategy: () => 100 });
  client.on('error', () => {});
  await Promise.race([client.ping(), failed]).finally(() => client.disconnect());
  return { host, port, stop };
}
