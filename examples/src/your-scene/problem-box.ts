// The message about a file that cannot be shown.

import { element } from '../shared/elements.ts';
import { messageOf } from '../shared/missing.ts';
import { SceneError } from '../shared/scene-error.ts';
import type { YourSceneProbe } from './probe.ts';

export class ProblemBox {
  private readonly probe: YourSceneProbe;

  constructor(probe: YourSceneProbe) {
    this.probe = probe;
    element('close-problem').addEventListener('click', () => this.hide());
  }

  show(error: unknown): void {
    this.probe.problem = error instanceof SceneError ? error.message : `It could not be shown: ${messageOf(error)}`;
    element('problem-text').textContent = this.probe.problem;
    element('problem').hidden = false;
  }

  hide(): void {
    this.probe.problem = '';
    element('problem').hidden = true;
  }
}
