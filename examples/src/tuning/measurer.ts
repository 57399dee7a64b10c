// The page's side of the worker that measures: one command at a time. A stopped worker is replaced by a new one.

import type { Command, Measurement, Report, SceneCommand, SceneReport } from './messages.ts';
import type { Setting } from './options.ts';

export interface MeasureListener {
  /** @param share 0 to 1. */
  readonly progress: (share: number) => void;
  /** After each round, with everything measured since the command. */
  readonly round: (measurements: readonly Measurement[], rounds: number) => void;
}

export class Measurer {
  private worker = createWorker();
  private scene: SceneCommand | null = null;
  /** Whether the worker has the scene. */
  private hasScene = false;
  /** Rejects the command that runs. */
  private stopCommand: (() => void) | null = null;

  /** Creates the scene to measure. Stops what runs. */
  async setScene(scene: SceneCommand): Promise<SceneReport> {
    this.stop();
    this.scene = scene;
    this.hasScene = false;
    const report = await this.send(scene, () => {});
    this.hasScene = true;
    return report as SceneReport;
  }

  /** Measures settings in the last scene. */
  async measure(
    settings: readonly Setting[],
    rounds: number,
    { progress, round }: MeasureListener,
  ): Promise<readonly Measurement[]> {
    if (!this.hasScene && this.scene !== null) await this.setScene(this.scene);
    const last = await this.send({ kind: 'measure', settings, rounds }, (report) => {
      if (report.kind === 'progress') progress(report.share);
      else if (report.kind === 'round') round(report.measurements, report.rounds);
    });
    return last.kind === 'round' ? last.measurements : [];
  }

  /**
   * Ends what runs at once: its promise is rejected with an AbortError. The next measurement creates the scene again.
   */
  stop(): void {
    if (this.stopCommand === null) return;
    this.stopCommand();
    this.worker.terminate();
    this.worker = createWorker();
    this.hasScene = false;
  }

  private send(command: Command, listen: (report: Report) => void): Promise<Report> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const done = new AbortController();
      const end = (finish: () => void): void => {
        done.abort();
        this.stopCommand = null;
        finish();
      };
      this.stopCommand = () => end(() => reject(new DOMException('stopped', 'AbortError')));
      const options = { signal: done.signal };
      worker.addEventListener(
        'error',
        ({ message }) => end(() => reject(new Error(message || 'The worker did not load.'))),
        options,
      );
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<Report>) => {
          if (data.kind === 'failed') return end(() => reject(new Error(data.message)));
          listen(data);
          if (isLast(command, data)) end(() => resolve(data));
        },
        options,
      );
      // An empty transfer list.
      worker.postMessage(command, []);
    });
  }
}

/** Whether a report ends a command. */
const isLast = (command: Command, report: Report): boolean =>
  command.kind === 'scene' ? report.kind === 'scene' : report.kind === 'round' && report.isLast;

const createWorker = (): Worker => new Worker(new URL('measure-worker.ts', import.meta.url), { type: 'module' });
