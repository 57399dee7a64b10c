// The worker that measures: creates the scene, and runs settings against each other in it.

import { readBodies } from './bodies-file.ts';
import { MeasuredScene } from './measured-scene.ts';
import type { Command, Report } from './messages.ts';
import { measureSettings } from './rounds.ts';
import { createBodies } from './scenes.ts';

let scene: MeasuredScene | null = null;

const post = (report: Report): void => postMessage(report);

function handle(command: Command): void {
  if (command.kind === 'measure') {
    if (scene === null) throw new Error('The worker was asked to measure before it had a scene.');
    measureSettings(command, scene, post);
    return;
  }
  const { choice, file } = command;
  if (choice.scene === 'own' && file === null) throw new Error('Choose the two files of your bodies first.');
  scene = new MeasuredScene(choice.scene === 'own' ? readBodies(file!) : createBodies(choice.scene, choice.bodies), choice.motion);
  post(scene.report());
}

addEventListener('message', ({ data }: MessageEvent<Command>) => {
  try {
    handle(data);
  } catch (error) {
    post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
