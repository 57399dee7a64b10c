/** The worker of saved bodies. Its first message says that it runs. */

import { serveBodies, type Port } from './bodies-server.ts';

const port: Port = self;
serveBodies(port);
port.postMessage({ id: 0 });
