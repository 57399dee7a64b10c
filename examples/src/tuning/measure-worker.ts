// The worker that measures: creates the scene, and runs settings against each other in it.

import { MeasuredScene } from './measured-scene.ts';
import type { Command, Report } from './messages.ts';
import { readOwnScene } from './own-scene.ts';
import { measureSettings } from './rounds.ts';
import { createBodies } from './scenes.ts';

let scene: MeasuredScene | null = null;

const post = (report: Report): void => postMessage(report);

async function handle(command: Command): Promise<void> {
  if (command.kind === 'measure') {
    if (scene === null) throw new Error('The worker got no scene before its first measurement.');
    measureSettings(command, scene, post);
    return;
  }
  const { choice, files } = command;
  if (choice.scene === 'own' && files === null) throw new Error('Choose the files of your bodies first.');
  scene = new MeasuredScene(
    choice.scene === 'own' ? await readOwnScene(files!) : createBodies(choice.scene, choice.bodies),
    choice.motion,
  );
  post(scene.report());
}

addEventListener('message', ({ data }: MessageEvent<Command>) => {
  handle(data).catch((error: unknown) =>
    post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
