/**
 * A scene of the standing check of which only what has changed is drawn: its shadow maps by ShadowUpdates, its frames
 * by ViewChanges. Counts what was kept.
 */

import { LOD, type Light, type LightShadow, type Object3D } from 'three';
import {
  InstanceChanges,
  OctreeInstances,
  ShadowUpdates,
  ViewChanges,
  type OctreeGroup,
  type ViewRenderer,
} from '../../../src/three.ts';
import type { Stage } from './stage.ts';

export class KeptFrames {
  /** Shadow maps and frames that were not drawn. */
  maps = 0;
  frames = 0;
  /** The additional child of the scene. */
  readonly probe: Object3D;
  private readonly stage: Stage;
  private readonly shadows: ShadowUpdates;
  private readonly views: ViewChanges;

  /** @param stage Its containers and lights are built. */
  constructor(stage: Stage) {
    const { scene, renderer, group, allInstances } = stage;
    this.stage = stage;
    const containers = [
      group as OctreeGroup,
      ...allInstances.filter((each) => each instanceof OctreeInstances).map((each) => new InstanceChanges(each)),
    ];
    this.views = new ViewChanges(scene, renderer as ViewRenderer, containers);
    this.shadows = new ShadowUpdates(scene, renderer, containers);
    this.probe = scene.children.filter((child) => child instanceof LOD).at(-1)!;
  }

  /** Whether the next frame has to be drawn. */
  isDue(): boolean {
    const isDue = this.views.changedIn(this.stage.camera);
    this.frames += Number(!isDue);
    return isDue;
  }

  /** Call it after each frame that was drawn. */
  endFrame(): void {
    this.maps += this.lights.length - this.shadows.due.length;
  }

  /** Throws if it leaves a trace. */
  dispose(): void {
    this.shadows.dispose();
    this.views.dispose();
    if (this.lights.some(({ shadow }) => !shadow.autoUpdate)) throw new Error('autoUpdate is still false');
  }

  private get lights(): (Light & { readonly shadow: LightShadow })[] {
    const lights: (Light & { readonly shadow: LightShadow })[] = [];
    this.stage.scene.traverseVisible((object) => {
      if ('isLight' in object && object.castShadow) lights.push(object as never);
    });
    return lights;
  }
}
