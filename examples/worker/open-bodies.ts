/** Opens saved bodies in a worker, with progress and cancel; on the calling thread where no worker starts. */

import type { FrustumLike } from '../../src/core.ts';
import { serveBodies, type Answer, type Question } from './bodies-server.ts';

/** Saved bodies in a worker. */
export interface OpenedBodies {
  readonly size: number;
  /** See `Answer.bounds`. */
  readonly bounds: readonly (Float32Array | Float64Array)[];
  /** Whether the bodies are in a worker. */
  readonly isInWorker: boolean;
  /** The indices of the bodies that touch a frustum. */
  visible(frustum: FrustumLike): Promise<Uint32Array>;
  readonly close: () => void;
}

interface Connection {
  readonly port: Worker | MessagePort;
  readonly isInWorker: boolean;
  readonly close: () => void;
}

interface Caller {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * @param file What `encodeBodies` has written. It is transferred: its length is 0 from then on.
 * @param onProgress Called with a number from 0 to 1.
 * @param signal Cancels: the worker is ended at once, and the promise is rejected with the reason.
 */
export async function openBodies(
  file: ArrayBuffer,
  onProgress: (done: number) => void = () => {},
  signal?: AbortSignal,
): Promise<OpenedBodies> {
  const { port, isInWorker, close } = await connect();
  const waiting = new Map<number, Caller>();
  let lastId = 0;
  const receive = ({ data: answer }: MessageEvent<Answer>): void => {
    if (answer.progress !== undefined) return onProgress(answer.progress);
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) caller?.resolve(answer);
    else caller?.reject(new Error(answer.error));
  };
  port.addEventListener('message', receive as EventListener);
  if (!isInWorker) (port as MessagePort).start();
  const ask = (question: Omit<Question, 'id'>, transfer: Transferable[] = []): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject });
      port.postMessage({ id: lastId, ...question }, transfer);
    });
  const cancel = (): void => {
    close();
    for (const { reject } of waiting.values()) reject(signal!.reason);
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', cancel);
    const { size = 0, bounds = [] } = await ask({ file }, [file]);
    onProgress(1);
    return {
      size,
      bounds,
      isInWorker,
      visible: async (frustum) => (await ask({ frustum })).indices!,
      close,
    };
  } catch (error) {
    close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

/** A worker that runs; without one, the server on this thread. */
async function connect(): Promise<Connection> {
  let worker: Worker | undefined;
  try {
    worker = new Worker(new URL('bodies-worker.ts', import.meta.url), { type: 'module' });
    await new Promise((resolve, reject) => {
      worker!.addEventListener('message', resolve, { once: true });
      worker!.addEventListener('error', reject, { once: true });
    });
    const running = worker;
    return { port: running, isInWorker: true, close: () => running.terminate() };
  } catch {
    // No workers here, or a policy forbids them.
    worker?.terminate();
  }
  const { port1, port2 } = new MessageChannel();
  serveBodies(port2);
  port2.start();
  return { port: port1, isInWorker: false, close: () => port1.close() };
}
