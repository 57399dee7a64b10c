// The worker that reads bodies files. Arrays of numbers go to the page without a copy.

import { replyTo, type BodiesRequest } from './bodies-reader.ts';

addEventListener('message', ({ data }: MessageEvent<BodiesRequest>) => {
  void replyTo(data).then((reply) => {
    const arrays = 'bodies' in reply ? [reply.bodies.boxes, reply.bodies.spheres] : [];
    postMessage(reply, { transfer: arrays.map(({ buffer }) => buffer) });
  });
});
