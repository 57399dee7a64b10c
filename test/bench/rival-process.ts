/** The process of one rival, seen from the main process: starts it, sends commands, receives replies. */

import { fork, type ChildProcess } from 'node:child_process';
import type { Command, Reply } from './messages.ts';

export class RivalProcess {
  readonly name: string;
  private readonly child: ChildProcess;

  constructor(name: string, script: string, args: readonly string[]) {
    this.name = name;
    this.child = fork(script, ['--worker', name, ...args], { execArgv: ['--expose-gc', '--max-old-space-size=8192'] });
  }

  /** The next message of the process. Rejects if the process exits first. */
  nextReply(): Promise<Reply> {
    const { child, name } = this;
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => reject(new Error(`the process of ${name} ended with ${code}`));
      child.once('exit', onExit);
      child.once('message', (reply) => {
        child.off('exit', onExit);
        resolve(reply as Reply);
      });
    });
  }

  send(command: Command): Promise<Reply> {
    const reply = this.nextReply();
    this.child.send(command);
    return reply;
  }

  /** Closes the connection; the process then exits. */
  end(): void {
    this.child.disconnect();
  }
}
